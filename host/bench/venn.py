"""Venn by ear: calls, false alarms, near words, three words, number triples, in voices never tuned on."""

import math
import multiprocessing
import random
from collections.abc import Iterable, Sequence

from host.app.paths import CLUES
from host.bench.frame import Options, Report, Share, quantile
from host.bench.hearing import CHARGES
from host.bench.library import DRY, Library
from host.bench.venn_hearing import Job, Table, Took, round_of
from host.bench.venn_said import CALLS_ALONE, CALLS_WITHIN, NEAR_GOAL, words_said
from host.bench.voices import Speaker
from host.ears import keyword
from host.games.venn_words import plain
from host.lines import number
from host.packs import Packs
from host.packs.decks import load_numbers

PROCESSES = 2
CONDITIONS: tuple[float | None, ...] = (None, 20.0, 10.0, 5.0)
TALK = ("talk", "keywords", "echo")
SAMPLE = {"call": 90, "near": 60, "three": 60, "numbers": 45, "single": 90}
"""Jobs of each kind in a sample, shared among voices and conditions; `TALK_SAMPLE` of every folder."""
TALK_SAMPLE = 40
FULL = 3
"""How often everything is drawn with --full."""
VARIANTS = 24
"""How often each recording of talk comes with --full, changed each time: more than 20 hours."""
_table: Table | None = None


def _start(model: str | None) -> None:
    global _table
    _table = Table.open(model)


def _took(job: Job) -> Took:
    assert _table is not None  # noqa: S101 - started with the process
    return _table.hear(job)


# --- what is said --------------------------------------------------------------------------------


def jobs(options: Options, library: Library, packs: Packs) -> list[Job]:
    """All that is said and played; a sample unless `full`."""
    draw = random.Random(options.seed)
    times = FULL if options.full else 1
    said: list[Job] = []
    for kind, make in (("call", _call), ("near", _near), ("three", _three), ("numbers", _numbers)):
        for count in range(SAMPLE[kind] * times):
            snr = CONDITIONS[count % len(CONDITIONS)]
            voice = library.voices(options.split)[count // len(CONDITIONS) % len(library.voices(options.split))]
            room = DRY if snr is None else draw.choice(library.rooms(options.split))
            said.append(make(draw, packs, voice, room, snr))
    said += _singles(draw, options, library, times)
    return [*said, *_talk(draw, options, library, packs)]


def _call(draw: random.Random, packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    text = draw.choice((*CALLS_ALONE, *CALLS_ALONE, *CALLS_WITHIN))
    ends = text.rstrip("!.?").lower().endswith("venn") and text.lower().count("venn") == 1
    return Job("call", text, voice, room, snr, draw.getrandbits(31), words=round_of(packs, draw), ends=ends)


def _near(draw: random.Random, packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    text = f"{draw.choice(NEAR_GOAL).capitalize()}."
    return Job("near", text, voice, room, snr, draw.getrandbits(31), words=round_of(packs, draw))


def _three(draw: random.Random, packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    words = round_of(packs, draw)
    wanted = tuple(draw.sample(range(1, 13), 3))
    text = ". ".join(words[count - 1].capitalize() for count in wanted) + "."
    return Job("three", text, voice, room, snr, draw.getrandbits(31), wanted, words)


def _numbers(draw: random.Random, _packs: Packs, voice: str, room: str, snr: float | None) -> Job:
    card = draw.choice(load_numbers(CLUES / "venn" / "numbers.toml"))
    text = ", ".join(number(count) for count in card).capitalize() + "."
    return Job("numbers", text, voice, room, snr, draw.getrandbits(31), card)


def _singles(draw: random.Random, options: Options, library: Library, times: int) -> list[Job]:
    """Single words of real people: in a list of twelve that holds it, and in one that does not."""
    clips = [clip for clip in library.recordings("words", options.split)
             if clip["text"] and clip["text"].isalpha() and clip["text"].lower() not in _NUMBER_WORDS]
    texts = sorted({clip["text"].lower() for clip in clips})
    found = []
    for clip in draw.sample(clips, min(len(clips), SAMPLE["single"] * times)):
        own = clip["text"].lower()
        others = [text for text in texts if text != own]
        listed = draw.sample(others, min(11, len(others)))
        place = draw.randrange(12)
        held = (*listed[:place], own, *listed[place:])
        found.append(Job("single", clip["path"], wanted=(held.index(own) + 1,), words=tuple(held)))
        strangers = [plain(text.strip(".").lower()) for text in draw.sample(words_said(), 12)]
        found.append(Job("intruder", clip["path"], words=tuple(word for word in strangers if word != own)))
    return found


_NUMBER_WORDS = {number(count) for count in range(1, 13)} | {"zero"}


def _talk(draw: random.Random, options: Options, library: Library, packs: Packs) -> list[Job]:
    found = []
    for folder in TALK:
        clips = list(library.recordings(folder, options.split))
        if not options.full:
            clips = draw.sample(clips, min(len(clips), TALK_SAMPLE))
        for clip in clips:
            found.append(Job("talk", clip["path"], seed=draw.getrandbits(31), words=round_of(packs, draw)))
            for _ in range(VARIANTS if options.full else 0):
                found.append(Job(
                    "talk", clip["path"], room=draw.choice(library.rooms(options.split)),
                    snr=draw.choice((25.0, 15.0, 10.0)), seed=draw.getrandbits(31), words=round_of(packs, draw),
                    change=f"speed:{draw.choice((0.85, 0.93, 1.0, 1.07, 1.15))}",
                ))
    return found


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    from host.packs import decks

    made = jobs(options, Library(), decks.load(CLUES))
    return [(job.voice, job.text) for job in made if job.voice]


# --- the measure ---------------------------------------------------------------------------------


def measure(options: Options) -> Report:
    """Say, hear, count."""
    library = Library()
    table = Table.open(options.model)
    Speaker(library).make(clips(options))
    said = jobs(options, library, table.packs)
    with multiprocessing.get_context("spawn").Pool(PROCESSES, _start, (options.model,)) as pool:
        took = pool.map(_took, said, chunksize=8)
    return report(took, table.net)


def report(took: Sequence[Took], net: keyword.Net | None) -> Report:
    """Tables, curves, goals."""
    made = Report("venn")
    _calls(made, took)
    _alarms(made, took)
    if net is not None:
        _curve(made, took, net)
    _three_words(made, took)
    return made


def _rows(took: Iterable[Took], kind: str) -> dict[str, list[Took]]:
    found: dict[str, list[Took]] = {}
    for one in took:
        if one.job.kind == kind:
            found.setdefault(one.job.condition, []).append(one)
    return dict(sorted(found.items(), key=lambda row: (row[0] != "dry", -(row[1][0].job.snr or 0))))


def _calls(made: Report, took: Sequence[Took]) -> None:
    rows = []
    for condition, here in _rows(took, "call").items():
        waits = [[one.waits[at] for one in here if one.waits] for at in range(len(CHARGES))]
        rows.append((condition, Share(sum(not one.calls for one in here), len(here)),
                     *(f"{quantile(values, 0.5):.2f} / {quantile(values, 0.95):.2f} s" for values in waits)))
    made.table("\"Venn\" called by the voices of the split", ("condition", "missed", "from its end to the sound",
               "decoding charged", "four times"), rows)
    there = _rows(took, "call")
    ten = there.get("room 10 dB", [])
    made.at_most("missed at 10 dB", Share(sum(not one.calls for one in ten), len(ten)), 0.02)
    charged = [one.waits[1] for here in there.values() for one in here if one.waits]
    made.at_most("from the end of \"venn\" to the sound, median, decoding charged", quantile(charged, 0.5), 0.5, "s")
    made.at_most("the same, 95th percentile", quantile(charged, 0.95), 0.5, "s")
    near = [one for one in took if one.job.kind == "near"]
    made.table("Near words said alone, taken for it", ("condition", "taken"), [
        (condition, Share(sum(bool(one.calls) for one in here), len(here)))
        for condition, here in _rows(took, "near").items()])
    made.at_most("near words taken for it", Share(sum(bool(one.calls) for one in near), len(near)), 0.02)


def upper(count: int, hours: float) -> float:
    """The 95 % upper bound of a rate of so many events in so many hours (one-sided, Poisson)."""
    low, high = 0.0, (count + 10.0) * 3
    for _ in range(60):
        middle = (low + high) / 2
        chance = sum(math.exp(-middle) * middle**k / math.factorial(k) for k in range(count + 1))
        low, high = (middle, high) if chance > 0.05 else (low, middle)
    return high / hours if hours else math.nan


def _alarms(made: Report, took: Sequence[Took]) -> None:
    rows = []
    total, length = 0, 0.0
    for folder in TALK:
        for changed in (False, True):
            here = [one for one in took if one.job.kind == "talk" and one.job.text.startswith(f"{folder}/")
                    and bool(one.job.change) is changed]
            if not here:
                continue
            count, hours = sum(one.calls for one in here), sum(one.hours for one in here)
            total, length = (total + count, length + hours) if folder == "talk" else (total, length)
            rows.append((f"{folder}, {'changed' if changed else 'as recorded'}", f"{hours:.2f} h", count,
                         f"{count / hours:.2f}", f"{upper(count, hours):.2f}"))
    made.table("False alarms over real people", ("what", "heard", "alarms", "an hour", "95 % bound"), rows)
    made.at_most("false alarms an hour of talk", total / length if length else math.nan, 0.1, "an hour")


def _curve(made: Report, took: Sequence[Took], net: keyword.Net) -> None:
    """What another threshold of the second look would have given, all else the same."""
    calls, near, talk = ([one for one in took if one.job.kind == kind] for kind in ("call", "near", "talk"))
    hours = sum(one.hours for one in talk)
    rows = []
    for keep in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.97):
        def counts(first: float, second: float, at: float = keep) -> bool:
            return first >= at or second >= net.find

        missed = Share(sum(not counts(one.grammar, one.anywhere) for one in calls), len(calls))
        taken = Share(sum(counts(one.grammar, one.anywhere) for one in near), len(near))
        alarms = sum(counts(*pair) for one in talk for pair in one.scores)
        rows.append((keep, missed, taken, f"{alarms / hours:.1f}" if hours else "-"))
    made.table(f"Over the threshold of the second look (shipped: {net.keep:g}, and {net.find:g} without the grammar; "
               "chosen on tuning data)", ("threshold", "calls missed", "near words", "alarms an hour"), rows)
    made.curve("the second look", "threshold", "share", {
        "missed": [(row[0], row[1].rate) for row in rows], "near words": [(row[0], row[2].rate) for row in rows],
    }, net.keep)


def _three_words(made: Report, took: Sequence[Took]) -> None:
    rows, numbers = _rows(took, "three"), _rows(took, "numbers")
    right = {name: Share(sum(set(one.taken) == set(one.job.wanted) for one in here), len(here))
             for name, here in rows.items()}
    claimed = {name: Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in here), len(here))
               for name, here in rows.items()}
    triples = {name: Share(sum(one.taken == one.job.wanted for one in here), len(here))
               for name, here in numbers.items()}
    made.table("Three words in one breath, and numbers off a card", (
        "condition", "all three right", "a word that nobody said", "numbers right"),
        [(name, right[name], claimed[name], triples.get(name, Share(0, 0))) for name in rows])
    singles = [one for one in took if one.job.kind == "single"]
    strangers = [one for one in took if one.job.kind == "intruder"]
    made.table("Single words of real people in lists of twelve", ("what", "share"), [
        ("right", Share(sum(one.taken == one.job.wanted for one in singles), len(singles))),
        ("another word of the list", Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in singles),
                                           len(singles))),
        ("not in the list, but taken", Share(sum(bool(one.taken) for one in strangers), len(strangers))),
    ])
    for name, wanted in (("dry", 0.95), ("room 10 dB", 0.9)):
        if name in right:
            made.at_least(f"all three words right, {name}", right[name], wanted)
    said = [one for one in took if one.job.kind == "three"]
    made.at_most("a list word claimed that nobody said",
                 Share(sum(bool(set(one.taken) - set(one.job.wanted)) for one in said), len(said)), 0.01)
    if "dry" in triples:
        made.at_least("number triples right, dry", triples["dry"], 0.94)
