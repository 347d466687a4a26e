"""Guesses heard and judged: every kind of answer in voices never tuned on, dry and in noisy rooms."""

import os
import random
from collections.abc import Iterable, Sequence
from typing import Any

from rapidfuzz import fuzz, utils

from host.app.paths import CLUES
from host.bench import kept
from host.bench.frame import Options, Report
from host.bench.hear_report import Result, Talk, report
from host.bench.hearing import (
    BEFORE,
    BEHIND,
    CHARGES,
    Listener,
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
from host.events import Heard
from host.judge import DECISION
from host.packs import Card, decks
from host.understand import COLOURS

TALK_CARDS = 20
"""Cards against which each clip of talk is tried with --full."""
TALK_SAMPLE = 3
TUNING_CLIPS = 60
"""Recordings of talk that the tuning sample holds."""
SHARE = "GAMEHOST_SHARE"
"""The variable that says how much of the sample is heard, from 0 to 1: the first utterances and clips of it."""


# --- hearing in processes ------------------------------------------------------------------------

_listener: Listener | None = None


def _start(model: str | None, second: bool) -> None:
    global _listener
    _listener = Listener.open(model, second)


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
    second = listener.second is not None
    return kept.Shelf(kept.configuration(listener.folder, BEFORE, BEHIND, CHARGES, second))


def part(size: int) -> int:
    """How many of so many are heard: all, unless `SHARE` says otherwise."""
    try:
        share = float(os.environ.get(SHARE, "") or 1.0)
    except ValueError:
        share = 1.0
    return round(size * min(max(share, 0.0), 1.0))


def hear(listener: Listener, said: Sequence[Utterance], model: str | None = None) -> list[Row]:
    """What is heard of all of it, in order; what was heard before is read off the shelf."""
    rows = shelf(listener)
    keys = [kept.key(one, listener.listens(listener.cards[one.card], one.seats)) for one in said]
    kept.fill(rows, list(zip(keys, said, strict=True)), _heard, _start, (model, listener.second is not None),
              "utterances")
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
    jobs = jobs[: part(len(jobs))]
    keys = [kept.key(path, seats, *(listener.listens(listener.cards[card], seats) for card in cards))
            for path, cards, seats in jobs]
    kept.fill(rows, list(zip(keys, jobs, strict=True)), _talked, _start, (options.model, listener.second is not None),
              "clips of talk")
    found = []
    for key, (path, _, seats) in zip(keys, jobs, strict=True):
        for card_id, values in rows[key]["cards"].items():
            finals = finals_of(values)
            made = decide(listener.hearing, listener.cards[card_id], seats, finals)
            found.append(Talk(path, card_id, seats, finals, made, rows[key]["length"]))
    return found


# --- what is made of it ---------------------------------------------------------------------------


def plain_baseline(card: Card, finals: Iterable[Heard]) -> bool:
    """Whether free dictation has much the words of the answer or an alias."""
    text = " ".join(word.text for heard in finals for word in heard.dictation)
    return max(fuzz.token_set_ratio(text, name, processor=utils.default_process)
               for name in (card.answer, *card.aliases)) >= BASELINE


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    said = utterances(decks.load(CLUES), Library(), options.split, options.seed, options.full)
    said = said[: part(len(said))]
    return [(utterance.voice, utterance.text) for utterance in said]


def measure(options: Options) -> Report:
    """Say, hear, judge, count."""
    library = Library()
    Speaker(library).make(clips(options))
    _ = library.manifest
    listener = Listener.open(options.model)  # builds the vocabulary once, before the processes need it
    said = utterances(listener.packs, library, options.split, options.seed, options.full)
    said = said[: part(len(said))]
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
