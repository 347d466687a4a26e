"""Guesses heard and judged: every kind of answer in voices never tuned on, dry and in noisy rooms."""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, utils

from host.app.paths import CLUES
from host.bench import kept
from host.bench.frame import Options, Report, Share, quantile
from host.bench.hearing import (
    BEFORE,
    BEHIND,
    CHARGES,
    Listener,
    Outcome,
    Remembering,
    Row,
    Utterance,
    decide,
    finals_of,
    guesses,
    plain_finals,
)
from host.bench.judge import BASELINE
from host.bench.library import Library
from host.bench.trials import utterances
from host.bench.voices import Speaker
from host.devices.levels import SPEECH, active_level, factor
from host.events import Heard, Verdict
from host.judge import DECISION
from host.packs import Card, decks
from host.understand import COLOURS

TALK_CARDS = 20
"""Cards against which each clip of talk is tried with --full."""
TALK_SAMPLE = 3
TUNING_CLIPS = 60
"""Recordings of talk that the tuning sample holds."""
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


# --- hearing in processes ------------------------------------------------------------------------

_listener: Listener | None = None


def _start(model: str | None) -> None:
    global _listener
    _listener = Listener.open(model)


def _heard(job: tuple[str, Utterance]) -> tuple[str, Any]:
    assert _listener is not None  # noqa: S101 - started with the process
    row = _listener.row(job[1])
    return job[0], {"finals": plain_finals(row.finals), "waits": row.waits}


Trial = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A recording, the cards that it is tried against, the colours of the table."""


def _talked(job: tuple[str, Trial]) -> tuple[str, Any]:
    """One recording against some cards; dictation hears it once."""
    assert _listener is not None  # noqa: S101 - started with the process
    path, cards, seats = job[1]
    sound = _listener.library.recording(path)
    sound = sound * factor(SPEECH - active_level(sound))
    remembering = Remembering(_listener.engine)
    found = {}
    for card_id in cards:
        listener = Listener(_listener.packs, remembering, _listener.library, _listener.hearing,
                            second=_listener.second)
        finals = [final for final, _ in listener.hear(listener.cards[card_id], seats, sound)[0]]
        found[card_id] = plain_finals(finals)
    return job[0], {"length": len(sound) / 16_000, "cards": found}


def shelf(listener: Listener) -> kept.Shelf:
    """What was heard before with this ear."""
    return kept.Shelf(kept.configuration(listener.folder, BEFORE, BEHIND, CHARGES))


def hear(listener: Listener, said: Sequence[Utterance], model: str | None = None) -> list[Row]:
    """What is heard of all of it, in order; what was heard before is read off the shelf."""
    rows = shelf(listener)
    keys = [kept.key(one, listener.listens(listener.cards[one.card], one.seats)) for one in said]
    kept.fill(rows, list(zip(keys, said, strict=True)), _heard, _start, (model,), "utterances")
    return [Row(one, finals_of(rows[key]["finals"]), tuple(map(tuple, rows[key]["waits"])))
            for key, one in zip(keys, said, strict=True)]


def trials(library: Library, options: Options, cards: Sequence[str]) -> list[Trial]:
    """All real talk of the split, each clip with the cards and colours that were drawn for it."""
    count = TALK_CARDS if options.full else TALK_SAMPLE
    found = []
    for clip in library.recordings("talk", options.split):
        draw = random.Random(f"{options.seed} {clip['path']}")
        found.append((clip["path"], tuple(draw.sample(sorted(cards), count)), tuple(draw.sample(sorted(COLOURS), 4))))
    return sorted(found, key=lambda trial: kept.key(options.seed, trial[0]))


def talk(listener: Listener, options: Options) -> list[Talk]:
    """All real talk of the split against cards drawn by seed."""
    rows = shelf(listener)
    jobs = trials(listener.library, options, sorted(listener.cards))
    if options.split == "tuning" and not options.full:
        jobs = jobs[:TUNING_CLIPS]
    keys = [kept.key(path, seats, *(listener.listens(listener.cards[card], seats) for card in cards))
            for path, cards, seats in jobs]
    kept.fill(rows, list(zip(keys, jobs, strict=True)), _talked, _start, (options.model,), "clips of talk")
    found = []
    for key, (path, _, seats) in zip(keys, jobs, strict=True):
        for card_id, plain in rows[key]["cards"].items():
            finals = finals_of(plain)
            made = decide(listener.hearing, listener.cards[card_id], seats, finals)
            found.append(Talk(path, card_id, seats, finals, made, rows[key]["length"]))
    return found


# --- the report ----------------------------------------------------------------------------------


def plain_baseline(card: Card, finals: Iterable[Heard]) -> bool:
    """Whether free dictation has much the words of the answer or an alias."""
    text = " ".join(word.text for heard in finals for word in heard.dictation)
    return max(fuzz.token_set_ratio(text, name, processor=utils.default_process)
               for name in (card.answer, *card.aliases)) >= BASELINE


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    said = utterances(decks.load(CLUES), Library(), options.split, options.seed, options.full)
    return [(utterance.voice, utterance.text) for utterance in said]


def measure(options: Options) -> Report:
    """Say, hear, judge, count."""
    library = Library()
    Speaker(library).make(clips(options))
    _ = library.manifest
    listener = Listener.open(options.model)  # builds the vocabulary once, before the processes need it
    said = utterances(listener.packs, library, options.split, options.seed, options.full)
    rows = hear(listener, said, options.model)
    return report([judged(listener, row) for row in rows], talk(listener, options))


def judged(listener: Listener, row: Row) -> Result:
    """A row with what the table makes of it."""
    card = listener.cards[row.utterance.card]
    made = decide(listener.hearing, card, row.utterance.seats, row.finals, row.waits)
    said = guesses(listener.hearing, card, row.utterance.seats, row.finals)
    certainties = [DECISION.certainty(known) for one in said
                   if (known := listener.evidence(card, one)) is not None]
    return Result(row, made, plain_baseline(card, row.finals), max(certainties, default=None))


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
    _goals(made, results, talked)
    _latency(made, results)
    _curves(made, results)
    _worst(made, results, talked)
    return made


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
    made.table("Talk judged right", ("clip", "card", "heard", "dictation"),
               [(one.path, one.card, one.outcome.words, one.outcome.dictation) for one in talked
                if one.outcome.verdict is Verdict.RIGHT])
