"""Every clue card by ear: its answer and aliases in each voice, through the recogniser and the judge.

`gamehost bench cards` hears a sample of the cards in the voices for test, `--full` all of them, `--tuning` the
voices for tuning. What was heard is kept in the cache, so a run goes on where the last one ended, and after a
card was changed only that card is heard again; the verdicts are judged anew every time. What another ear heard
(other files of the model, another source of the ear) is never used. With `--full` the table of all cards is
written to clues/REPORT.md, from both kinds of voices as far as this ear has heard them, and names its model.
Two processes listen, or as many as GAMEHOST_PROCESSES says.

`python -m host.bench.cards` writes that table from what was heard so far.

A card is mended by what the voices for tuning show; those for test only say how good it is.
"""

import hashlib
import json
import random
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import IO, Any

from host.app.paths import CLUES, cache_folder
from host.bench import kept
from host.bench.card_table import LEAST, Heard, Row, card_key, spoken_forms, write_section
from host.bench.card_table import section as table_of
from host.bench.frame import MissingError, Options, Report, Share
from host.bench.hearing import Listener, Outcome, decide
from host.bench.library import Library
from host.bench.voices import Speaker
from host.ears.files import sums
from host.ears.models import find
from host.events import Heard as Final
from host.events import Verdict, Word
from host.judge import forms, wrong_forms
from host.packs import Card, decks

REPORT = CLUES / "REPORT.md"
VOICES = {"tuning": ("rms", "us3", "pico", "joe", "slt", "ked", "us1", "kal16", "us2"),
          "test": ("hibari", "alan", "clb")}
"""All of audio_fixtures/voices.toml, those for tuning so that different programs come first."""
SAMPLE = 60
"""Cards that are heard without --full."""
CARRIERS = ("{}", "is it {}", "{}", "I think it's {}")
"""A form is said in one of these ways in each voice, half of the time bare."""
SEATS = ("red", "blue", "green", "yellow")
BEFORE, BEHIND = 0.5, 0.85
"""Seconds of quiet around what is said; the ear waits for 0.7 s of it."""
GOAL = 0.9
"""Share of a card's forms that is accepted over the voices for test, in the median over all cards."""
_TOLD = 50
"""Utterances between two lines about how far it is."""


@dataclass(frozen=True, slots=True)
class Try:
    """A form of a card's answer, said once."""

    card: str
    form: str
    voice: str
    text: str
    """As it is spoken, with its carrier."""
    key: str
    """Of all that decides what is heard, but for the other cards in the grammar."""


def tries(card: Card, voices: Iterable[str], ear: str = "") -> list[Try]:
    """All that is said of a card, to the ear of that digest."""
    listened = [forms(card), wrong_forms(card), card.sounds]
    found = []
    for form in spoken_forms(card):
        for voice in voices:
            carrier = CARRIERS[zlib.crc32(f"{form}|{voice}".encode()) % len(CARRIERS)]
            said = carrier.format(form)
            text = f"{said[:1].upper()}{said[1:]}."
            known = json.dumps([ear, voice, text, listened], ensure_ascii=False)
            found.append(Try(card.id, form, voice, text, hashlib.sha256(known.encode()).hexdigest()[:24]))
    return found


class Store:
    """What was heard, by key: one line of JSON each, appended as it comes, so that a cut loses one line at most."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, tuple[Final, ...]] = {}
        self._file: IO[str] | None = None
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
                self._read(line)

    def _read(self, line: str) -> None:
        try:
            row = json.loads(line)
            finals = tuple(Final(0, 0, 0, _words(words), _words(dictation), number)
                           for number, (words, dictation) in enumerate(row["finals"]))
            self._known[row["key"]] = finals
        except (ValueError, TypeError, KeyError):
            return  # a torn line is heard again

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __getitem__(self, key: str) -> tuple[Final, ...]:
        return self._known[key]

    def add(self, key: str, finals: Sequence[Final]) -> None:
        """Keep what was heard. Raises OSError where the disk refuses."""
        row = {"key": key, "finals": [[_plain(final.words), _plain(final.dictation)] for final in finals]}
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("a", encoding="utf-8")
            self._file.write("\n")  # ends a line that a cut has torn
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._file.flush()
        self._known[key] = tuple(finals)


def _plain(words: Iterable[Word]) -> list[list[Any]]:
    return [[word.text, word.began, word.ended, round(word.confidence, 4)] for word in words]


def _words(rows: Iterable[Sequence[Any]]) -> tuple[Word, ...]:
    return tuple(Word(str(text), int(began), int(ended), float(sure)) for text, began, ended, sure in rows)


def hear(listener: Listener, said: Sequence[Try], store: Store) -> int:
    """Hear what is not in the store yet; how many that were."""
    todo = [one for one in said if one.key not in store]
    for number, (one, finals) in enumerate(((one, _heard(listener, one)) for one in todo), 1):
        _note(store, one, finals, number, len(todo))
    return len(todo)


def hear_together(model: str | None, said: Sequence[Try], store: Store, count: int) -> int:
    """The same by so many processes, each with an ear of its own; only this one writes."""
    todo = [one for one in said if one.key not in store]
    if todo:
        with get_context("spawn").Pool(min(count, len(todo)), _begin, (model,)) as pool:
            for number, (one, finals) in enumerate(pool.imap_unordered(_work, todo, chunksize=4), 1):
                _note(store, one, finals, number, len(todo))
    return len(todo)


_listener: Listener
"""A process's own."""


def _begin(model: str | None) -> None:
    global _listener
    _listener = Listener.open(model)


def _work(one: Try) -> tuple[Try, list[Final]]:
    return one, _heard(_listener, one)


def _heard(listener: Listener, one: Try) -> list[Final]:
    clip = listener.speaker.clip(one.voice, one.text)
    sound = listener.library.played(clip, seed=zlib.crc32(one.key.encode()), before=BEFORE, behind=BEHIND)
    finals = listener.hear(listener.cards[one.card], SEATS, sound)[0]
    return [final for final, _ in finals]


def _note(store: Store, one: Try, finals: Sequence[Final], number: int, count: int) -> None:
    store.add(one.key, finals)
    if number % _TOLD == 0 or number == count:
        print(f"cards: {number} of {count} heard, at {one.card}", file=sys.stderr, flush=True)


def judged(listener: Listener, said: Iterable[Try], store: Store) -> list[Heard]:
    """What the table makes of everything that was heard."""
    found = []
    for one in said:
        if one.key in store:
            made: Outcome = decide(listener.hearing, listener.cards[one.card], SEATS, store[one.key])
            found.append(Heard(one.form, one.voice, made.verdict is Verdict.RIGHT, made.words, made.dictation))
    return found


def clips(options: Options) -> list[tuple[str, str]]:
    """Voice and text of everything that is said."""
    cards = _chosen(decks.load(CLUES).clues, options)
    return [(one.voice, one.text) for card in cards for one in tries(card, VOICES[options.split])]


def _chosen(cards: Sequence[Card], options: Options) -> list[Card]:
    if options.full:
        return list(cards)
    return random.Random(options.seed).sample(list(cards), min(SAMPLE, len(cards)))


def measure(options: Options) -> Report:
    """Say, hear, judge; with --full write the table of all cards."""
    library = Library()
    Speaker(library).check(VOICES[options.split])
    listener = Listener.open(options.model)
    ear = ear_of(find(options.model))
    store = Store(cache_folder() / "bench" / "cards.jsonl")
    cards = _chosen(listener.packs.clues, options)
    said = [one for card in cards for one in tries(card, VOICES[options.split], ear)]
    answers = {card.answer for card in cards}
    said.sort(key=lambda one: one.form not in answers)  # answers before aliases
    count = kept.processes()
    fresh = hear(listener, said, store) if count == 1 else hear_together(options.model, said, store, count)
    rows = [row_of(listener, card, store, ear) for card in cards]
    made = report(rows, options.split)
    made.note(f"\n{len(said)} utterances, {fresh} of them heard now, the rest before, by the ear {ear}")
    if options.full and options.model is None:
        write_table(rows)
        made.note(f"wrote the table of all cards to {REPORT.name}")
    return made


def write_table(rows: Sequence[Row]) -> None:
    """Put the table of all cards into clues/REPORT.md. Raises OSError."""
    write_section(REPORT, "heard", table_of(rows, VOICES, model_of(find())))


def main() -> int:
    """Write clues/REPORT.md from what was heard so far; nothing is heard now."""
    listener, store, ear = Listener.open(), Store(cache_folder() / "bench" / "cards.jsonl"), ear_of(find())
    rows = [row_of(listener, card, store, ear) for card in listener.packs.clues]
    write_table(rows)
    for split in VOICES:
        if any(row.share(split).total for row in rows):
            print(report(rows, split).text())
    return 0


def model_of(folder: Path) -> str:
    """A model's name with a digest of its files: another one in the same place is told apart."""
    return f"{folder.name} {hashlib.sha256(repr(sums(folder)).encode()).hexdigest()[:12]}"


def ear_of(folder: Path) -> str:
    """A digest of the ear with that model: of the model's files and of the ear's source."""
    return kept.configuration(folder, model_of(folder))


def row_of(listener: Listener, card: Card, store: Store, ear: str = "") -> Row:
    """A card's line: how it was heard in both kinds of voices."""
    heard = {split: tuple(judged(listener, tries(card, voices, ear), store)) for split, voices in VOICES.items()}
    return Row(card.pack, card.id, card.answer, spoken_forms(card), heard["tuning"], heard["test"], card_key(card))


def report(rows: Sequence[Row], split: str) -> Report:
    """The median, the cards below `LEAST`, and the forms that were not accepted."""
    made = Report("cards")
    shares = [(row, row.share(split)) for row in rows if row.share(split).total]
    if not shares:
        raise MissingError("no card was heard; is there one in the packs?")
    rates = [share.rate for _, share in shares]
    total = Share(sum(share.hits for _, share in shares), sum(share.total for _, share in shares))
    low = [(row, share) for row, share in shares if share.rate < LEAST]
    made.table("Answers and aliases accepted", ("voices", "utterances accepted", "median card", "cards below 70 %"),
               [(split, total, f"{median(rates):.1%}", len(low))])
    made.table(f"Cards below {LEAST:.0%}", ("card", "answer", "accepted", "worst form"),
               [(row.card, row.answer, share, row.worst(split)) for row, share in low])
    lost = [(row.card, one.form, one.voice, one.words, one.dictation)
            for row, _ in shares for one in getattr(row, split) if not one.accepted]
    made.table("Not accepted", ("card", "form", "voice", "grammar", "dictation"), lost)
    made.at_least(f"median share of answer and aliases accepted, {split} voices, dry", median(rates), GOAL)
    made.at_most(f"cards below {LEAST:.0%}", float(len(low)), 0)
    return made


if __name__ == "__main__":
    raise SystemExit(main())
