"""What `gamehost bench hear` prints: tables, goals, curves, and what went worst."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from host.bench.frame import Report, Share, quantile
from host.bench.hearing import CHARGES, MOUTH, Outcome, Row
from host.events import Heard, Verdict
from host.judge import DECISION

WORST = 10


@dataclass(frozen=True)
class Talk:
    """What came of a recording of people who play no game."""

    path: str
    card: str
    seats: tuple[str, ...]
    finals: tuple[Heard, ...]
    outcome: Outcome
    length: float


@dataclass(frozen=True)
class Result:
    """An utterance with what was made of it."""

    row: Row
    outcome: Outcome
    baseline: bool
    """Whether dictation and token_set_ratio take it for right."""
    certainty: float | None = None
    """Of the decision, where the grammar heard the answer."""

    @property
    def half_wrongs(self) -> float:
        """A wrong verdict is 1; a right or wrong answer that is asked for again is half of one."""
        asked = self.outcome.verdict in (Verdict.AGAIN, Verdict.UNSPECIFIC)
        if asked:
            return 0.5
        return float((self.outcome.verdict is Verdict.RIGHT) != self.row.utterance.right)


def report(results: Sequence[Result], talked: Sequence[Talk]) -> Report:
    """Tables, goals, curves, and what went worst."""
    made = Report("hear")
    conditions = sorted({result.row.utterance.condition for result in results}, reverse=True)
    conditions = ["dry", *[name for name in conditions if name != "dry"]]
    rows = []
    for condition in conditions:
        for kind in ("answer", "alias", "rival", "other", "soundalike"):
            part = [result for result in results
                    if result.row.utterance.condition == condition and result.row.utterance.kind == kind]
            rows.append((condition, kind, _share(part, Verdict.RIGHT), _share(part, Verdict.AGAIN, Verdict.UNSPECIFIC),
                         Share(sum(result.baseline for result in part), len(part))))
    made.table("Guesses by what was said", ("where", "said", "judged right", "asked again", "baseline: right"), rows)
    made.table("Owners heard", ("where", "named, heard as this seat", "not named, heard as some seat"), [
        (condition, *_owners([result for result in results if result.row.utterance.condition == condition]))
        for condition in conditions])
    _answered(made, results, talked)
    _goals(made, results, talked)
    _latency(made, results)
    _curves(made, results)
    _worst(made, results, talked)
    return made


def _answered(made: Report, results: Sequence[Result], talked: Sequence[Talk]) -> None:
    """Wrong guesses that were meant for the host and get a verdict, and talk that gets one (CE-16)."""
    wrong = [one for one in results if not one.row.utterance.right]
    meant = [one for one in wrong if one.row.utterance.text.rstrip(".").lower() != one.row.utterance.said.lower()]
    bare = [one for one in wrong if one not in meant]
    told = Share(sum(one.outcome.verdict is not Verdict.NONE for one in talked), len(talked))
    charged = Share(sum(one.outcome.charged is not None for one in talked), len(talked))
    named = [one for one in wrong if one.row.utterance.owner is not None]
    mine = Share(sum(one.outcome.charged == one.row.utterance.owner for one in named), len(named))
    another = Share(sum(one.outcome.charged not in (None, one.row.utterance.owner) for one in wrong), len(wrong))
    made.table("Wrong guesses and talk that get a verdict (a wrong one of nobody's costs nothing)", ("what", "share"), [
        ("wrong, with a colour, name or carrier", _given(meant)), ("wrong, bare", _given(bare)), ("talk", told),
        ("wrong, with a colour or name: charged to that player", mine),
        ("wrong: charged to somebody else", another), ("talk: charged to a player", charged)])


def _given(part: Sequence[Result]) -> Share:
    return Share(sum(one.outcome.verdict is not Verdict.NONE for one in part), len(part))


def _share(part: Sequence[Result], *verdicts: Verdict) -> Share:
    return Share(sum(result.outcome.verdict in verdicts for result in part), len(part))


def _owners(part: Sequence[Result]) -> tuple[Share, Share]:
    named = [result for result in part if result.row.utterance.owner is not None]
    unnamed = [result for result in part if result.row.utterance.owner is None]
    return (Share(sum(result.outcome.owner == result.row.utterance.owner for result in named), len(named)),
            Share(sum(result.outcome.owner is not None for result in unnamed), len(unnamed)))


def _goals(made: Report, results: Sequence[Result], talked: Sequence[Talk]) -> None:
    right = [result for result in results if result.row.utterance.right]
    wrong = [result for result in results if not result.row.utterance.right]
    dry = [result for result in right if result.row.utterance.snr is None]
    room = [result for result in right if result.row.utterance.snr == 15.0]
    rivals, others, alike = ([result for result in wrong if result.row.utterance.kind == kind]
                             for kind in ("rival", "other", "soundalike"))
    made.at_least("dry: right answers accepted", _share(dry, Verdict.RIGHT), 0.98)
    made.at_least("room 15 dB: accepted or asked again",
                  _share(room, Verdict.RIGHT, Verdict.AGAIN, Verdict.UNSPECIFIC), 0.94)
    made.at_least("room 15 dB: accepted outright", _share(room, Verdict.RIGHT), 0.90)
    made.at_most("rivals accepted", _share(rivals, Verdict.RIGHT), 0.02)
    made.at_most("other cards' answers accepted", _share(others, Verdict.RIGHT), 0.005)
    made.at_most("sound-alikes that stand in no list accepted", _share(alike, Verdict.RIGHT), 0.005)
    taken = sum(one.outcome.verdict is Verdict.RIGHT for one in talked)
    made.at_most("real talk judged right", float(taken) if talked else math.nan, 0, "times")
    made.at_most("right answers asked again", _share(right, Verdict.AGAIN, Verdict.UNSPECIFIC), 0.06)
    made.at_most("wrong answers asked again", _share(wrong, Verdict.AGAIN, Verdict.UNSPECIFIC), 0.05)
    ours, plain = _wrongs(results)
    made.at_most("wrong verdicts, to the baseline's", ours / plain if plain else 1.0, 1 / 3)
    made.note(f"\nwrong verdicts: ours {ours:g} (asked again counts half), baseline {plain:g}, of {len(results)}")
    lengths = {one.path: one.length for one in talked}
    meant = sum(one.outcome.verdict is not Verdict.NONE for one in talked)
    made.note(f"talk taken for a guess that was meant for the host: {meant} of {len(talked)} trials")
    made.note(f"talk: {len(lengths)} clips, {sum(lengths.values()) / 60:.0f} minutes, {len(talked)} trials with a card")


def _wrongs(results: Sequence[Result]) -> tuple[float, float]:
    return (sum(result.half_wrongs for result in results),
            float(sum(result.baseline != result.row.utterance.right for result in results)))


def spoken(result: Result) -> bool:
    """Whether the host says anything: a wrong guess that is not addressed to it gets no verdict (CE-16)."""
    return bool(result.outcome.wait) and result.outcome.verdict is not Verdict.NONE


def _latency(made: Report, results: Sequence[Result]) -> None:
    waits = [result.outcome.wait for result in results if spoken(result)]
    rows = []
    for at, charge in enumerate(CHARGES):
        column = [wait[at] for wait in waits]
        rows.append((f"{charge:g}", f"{quantile(column, 0.5):.2f}", f"{quantile(column, 0.95):.2f}",
                     f"{quantile(column, 1.0):.2f}"))
    made.table("Seconds from the last sample of the answer to the verdict's first", ("decoding charged", "median",
               "95 %", "most"), rows)
    parts = {"silence after the last sample until the end is known": [wait[0] - MOUTH for wait in waits],
             "decoding, both opinions and the second look": [wait[1] - wait[0] for wait in waits],
             "to the mouth": [MOUTH for _ in waits]}
    made.table("Where that time goes, seconds", ("part", "median", "95 %"),
               [(name, f"{quantile(part, 0.5):.2f}", f"{quantile(part, 0.95):.2f}") for name, part in parts.items()])
    charged = [wait[1] for wait in waits]
    made.at_most("latency, median", quantile(charged, 0.5), 0.4, "s")
    made.at_most("latency, 95th percentile", quantile(charged, 0.95), 0.9, "s")


def _curves(made: Report, results: Sequence[Result]) -> None:
    """What would be accepted with other thresholds of the decision; what it does not decide stays as it is."""
    grid = [at / 40 for at in range(41)]

    def line(part: Sequence[Result]) -> list[tuple[float, float]]:
        taken = [[(one.certainty or 0.0) >= at if one.certainty is not None else one.outcome.verdict is Verdict.RIGHT
                  for one in part] for at in grid]
        return [(at, sum(row) / max(1, len(part))) for at, row in zip(grid, taken, strict=True)]

    right = [result for result in results if result.row.utterance.right]
    where = {name: line([one for one in right if one.row.utterance.condition == name])
             for name in dict.fromkeys(one.row.utterance.condition for one in right)}
    made.curve("right answers accepted", "threshold of the decision", "share", where, DECISION.accept)
    said = {kind: line([one for one in results if one.row.utterance.kind == kind])
            for kind in ("rival", "other", "soundalike")}
    made.curve("wrong answers accepted", "threshold of the decision", "share", said, DECISION.accept)
    waits = sorted(one.outcome.wait[1] for one in results if spoken(one))
    made.curve("verdicts given within so many seconds", "seconds, decoding charged", "share",
               {"all": [(wait, (at + 1) / len(waits)) for at, wait in enumerate(waits)]}, 0.9)


LEAST = 0.6
"""A card whose answers are accepted less often than this is flagged for its author (REC-23)."""


def hit_rates(tries: Iterable[tuple[str, bool]], least: float = LEAST) -> list[tuple[str, int, int]]:
    """(card, accepted, tries) of the cards that are accepted too seldom, the worst first."""
    count: dict[str, list[int]] = {}
    for card, accepted in tries:
        row = count.setdefault(card, [0, 0])
        row[0] += accepted
        row[1] += 1
    low = [(card, hits, of) for card, (hits, of) in count.items() if hits < least * of]
    return sorted(low, key=lambda row: (row[1] / row[2], row[0]))


def _worst(made: Report, results: Sequence[Result], talked: Sequence[Talk]) -> None:
    per_card: dict[str, float] = {}
    for result in results:
        per_card[result.row.utterance.card] = per_card.get(result.row.utterance.card, 0.0) + result.half_wrongs
    worst = sorted(per_card.items(), key=lambda item: -item[1])[:WORST]
    made.table("The ten worst answers", ("card", "wrong verdicts"), [(card, f"{count:g}") for card, count in worst])
    right = ((one.row.utterance.card, one.outcome.verdict is Verdict.RIGHT)
             for one in results if one.row.utterance.right)
    made.table(f"Cards whose right answers are accepted in fewer than {LEAST:.0%} of the tries",
               ("card", "accepted", "of"), [(card, f"{hits}", f"{of}") for card, hits, of in hit_rates(right)])
    lost = [result for result in results if result.row.utterance.right and result.outcome.verdict is not Verdict.RIGHT]
    made.table("Right answers not accepted", ("said", "voice", "where", "verdict", "heard", "dictation"),
               [(result.row.utterance.text, result.row.utterance.voice, result.row.utterance.condition,
                 result.outcome.verdict.value, result.outcome.words, result.outcome.dictation) for result in lost])
    gifts = [result for result in results if result.outcome.verdict is Verdict.RIGHT and not result.row.utterance.right]
    made.table("Gifts: wrong answers judged right", ("card", "said", "where", "heard", "dictation"),
               [(result.row.utterance.card, result.row.utterance.text, result.row.utterance.condition,
                 result.outcome.words, result.outcome.dictation) for result in gifts])
    made.table("What is confused most: the answer, and what the grammar heard for it", ("answer", "heard", "times"),
               _confused(results))
    made.table("Talk taken for a guess", ("clip", "card", "verdict", "heard", "dictation"),
               [(one.path, one.card, one.outcome.verdict.value, one.outcome.words, one.outcome.dictation)
                for one in talked if one.outcome.verdict not in (Verdict.NONE, Verdict.RIGHT)])
    made.table("Talk judged right", ("clip", "card", "heard", "dictation"),
               [(one.path, one.card, one.outcome.words, one.outcome.dictation) for one in talked
                if one.outcome.verdict is Verdict.RIGHT])


def _confused(results: Sequence[Result]) -> list[tuple[str, str, int]]:
    """(card, words heard, times) where a right answer was not taken for it, the most frequent first."""
    count: dict[tuple[str, str], int] = {}
    for one in results:
        if one.row.utterance.right and one.outcome.verdict is not Verdict.RIGHT:
            heard = " ".join(word.split(":")[0] for word in one.outcome.words.split()) or "nothing"
            count[one.row.utterance.card, heard] = count.get((one.row.utterance.card, heard), 0) + 1
    return [(card, heard, times) for (card, heard), times in sorted(count.items(), key=lambda row: -row[1])[:15]]
