"""What is said at the bench's table: right and wrong answers in every voice and room, drawn by seed.

Every guess has a place of its own in the draw, by a hash of what it is: where a card is added or mended the rest
of the sample stays as it was, and what was made of it once (clips, recognitions) still holds.
"""

import csv
import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from host.app.evening import spoken_texts
from host.bench.hearing import PLAYERS, Utterance
from host.bench.library import DRY, Library
from host.judge.normal import plain
from host.packs import Card, Packs
from host.understand import COLOURS

SOUNDALIKES = Path(__file__).parent / "soundalikes.csv"
CONDITIONS: tuple[float | None, ...] = (None, 15.0, 5.0)
"""Dry, and in rooms with noise so many decibel below the speech."""
CARRIERS = (
    "is it {}", "I think it's {}", "it's {}", "the answer is {}", "is it, um, {}", "could it be {}", "is that {}",
)
FRAMINGS = (("bare", 25), ("owner", 35), ("carrier", 15), ("both", 25))
"""How a guess is put, in percent."""
SAMPLE = {"answer": 300, "alias": 150, "rival": 180, "other": 150, "soundalike": 120}
"""Utterances of each kind in a sample, shared evenly among the conditions."""


@dataclass(frozen=True, slots=True, order=True)
class Guess:
    """Something to say on a card."""

    card: str
    kind: str
    text: str


def soundalikes(packs: Packs) -> dict[str, list[str]]:
    """Per card the readings that sound like its answer and stand in no list (any more: packs grow)."""
    listed = {plain(text) for text in spoken_texts(packs, ())}
    found: dict[str, list[str]] = {}
    with SOUNDALIKES.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file, delimiter="|", quoting=csv.QUOTE_NONE):
            if row and not row[0].startswith("#") and plain(row[1]) not in listed:
                found.setdefault(row[0], []).append(row[1])
    return found


def guesses(card: Card, packs: Packs, alike: dict[str, list[str]]) -> list[Guess]:
    """The answer, three aliases, two rivals, two sound-alikes and another card's answer."""
    draw = random.Random(card.id)
    rivals = list(dict.fromkeys((*card.rivals, *card.never)))
    strangers = [other for other in packs.clues if other.category != card.category]
    found = [Guess(card.id, "answer", card.answer)]
    found += [Guess(card.id, "alias", text) for text in card.aliases[:3]]
    found += [Guess(card.id, "rival", text) for text in draw.sample(rivals, min(2, len(rivals)))]
    found += [Guess(card.id, "soundalike", text) for text in alike.get(card.id, [])[:2]]
    stranger = min(strangers, key=lambda other: _lot(f"{card.id} {other.id}"))
    found += [Guess(card.id, "other", stranger.answer)]
    return found


def utterances(packs: Packs, library: Library, split: str, seed: int, full: bool) -> list[Utterance]:
    """All that is said, in an order drawn by seed (so that any beginning of it is a fair sample)."""
    alike = soundalikes(packs)
    said = [guess for card in packs.clues for guess in guesses(card, packs, alike)]
    found: list[tuple[bytes, Utterance]] = []
    for snr in CONDITIONS:
        for voices in ([[voice] for voice in library.voices(split)] if full else [list(library.voices(split))]):
            lots = sorted((_lot(f"{seed} {snr} {' '.join(voices)} {guess}"), guess) for guess in set(said))
            for kind, count in SAMPLE.items():
                of_kind = [lot for lot in lots if lot[1].kind == kind]
                chosen = of_kind if full else of_kind[: count // len(CONDITIONS)]
                found += [(lot, _utterance(guess, voices, snr, library, split, random.Random(lot)))
                          for lot, guess in chosen]
    return [utterance for _, utterance in sorted(found, key=lambda one: one[0])]


def _lot(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _utterance(
    guess: Guess, voices: Sequence[str], snr: float | None, library: Library, split: str, draw: random.Random
) -> Utterance:
    seats = tuple(draw.sample(sorted(COLOURS), 4))
    voice = draw.choice(voices)
    framing = draw.choices([name for name, _ in FRAMINGS], [weight for _, weight in FRAMINGS])[0]
    owner = draw.randrange(4) if framing in ("owner", "both") else None
    text = draw.choice(CARRIERS).format(guess.text) if framing in ("carrier", "both") else guess.text
    if owner is not None:
        name = seats[owner] if draw.random() < 0.8 else PLAYERS[owner]
        text = f"{text}, {name}" if framing == "owner" and draw.random() < 0.15 else f"{name}, {text}"
    room = DRY if snr is None else draw.choice(library.rooms(split))
    return Utterance(guess.card, guess.kind, guess.text, voice, room, snr, f"{text[:1].upper()}{text[1:]}.", seats,
                     owner, draw.getrandbits(31))
