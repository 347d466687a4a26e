"""Which answers can a model hear? A report per card: `python -m host.bench.vocabulary [--model NAME]`.

- known: some form of the answer is made of words that the model knows; the grammar can hold it.
- by sound: the unknown words are near enough to words that it knows, or to two or three of them in a row, for
  dictation to write those and for the judge to take them for the answer by their sound ("tim buck two").
- hopeless: nothing that the model can write sounds like it; such a card is played by typing, or left out.

The shipped model's vocabulary is built with every word of the packs, so for it all cards are known.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from host.app import AppError
from host.app.evening import Setup, load_packs, prepare
from host.bench.judge import sealed_packs
from host.ears.kaldi import VoskEngine
from host.ears.lexicon import Lexicon, Pronunciation, tokens
from host.ears.models import SHIPPED, find
from host.judge import forms
from host.packs import Card
from host.phones import phone_distance

NEAR = 0.25
"""Phones lost, added or changed, to the word's length, up to which another word stands for it."""
SHORTEST = 2
"""Phones of the shortest word in a row that stands for another."""
MOST = 3
"""Words in such a row."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a model can do with a card's answer."""

    card: str
    answer: str
    kind: str
    """known, by sound, hopeless."""
    how: str = ""
    """The words that stand for the unknown ones."""


class Vocabulary:
    """The words of a model, by their sound."""

    def __init__(self, sounds: Mapping[str, tuple[Pronunciation, ...]], knows: Callable[[str], bool]) -> None:
        """`sounds` are pronunciations of words that the model may know or not."""
        self.sounds, self.knows = sounds, knows

    @cached_property
    def by_sound(self) -> dict[Pronunciation, str]:
        """Known words by pronunciation; the shortest spelling where several sound the same."""
        found: dict[Pronunciation, str] = {}
        for word, ways in self.sounds.items():
            if self.knows(word):
                for way in ways:
                    if way not in found or len(word) < len(found[way]):
                        found[way] = word
        return found

    def stands_for(self, phones: Pronunciation) -> str:
        """Known words that sound like these phones, "" if there are none."""
        row = self._row(phones, MOST)
        if row:
            return " ".join(row)
        best = min(((phone_distance(phones, way), word) for way, word in self.by_sound.items()
                    if abs(len(way) - len(phones)) <= NEAR * len(phones) + 1 and way[:1] == phones[:1]),
                   default=(99.0, ""))
        return best[1] if best[0] <= NEAR * len(phones) else ""

    def _row(self, phones: Pronunciation, most: int) -> tuple[str, ...]:
        """Known words whose phones in a row are exactly these, as few as can be."""
        if phones in self.by_sound:
            return (self.by_sound[phones],)
        rows = [(self.by_sound[phones[:at]], *rest) for at in range(SHORTEST, len(phones) - SHORTEST + 1)
                if most > 1 and phones[:at] in self.by_sound and (rest := self._row(phones[at:], most - 1))]
        return min(rows, key=len, default=())


def entry(card: Card, words: Vocabulary) -> Entry:
    """What the model can do with this card."""
    ways = [tokens(form) for form in forms(card)]
    if any(all(map(words.knows, way)) for way in ways):
        return Entry(card.id, card.answer, "known")
    replaced = []
    for word in tokens(card.answer):
        if words.knows(word):
            replaced.append(word)
            continue
        stands = next((found for way in words.sounds.get(word, ()) if (found := words.stands_for(way))), "")
        if not stands:
            return Entry(card.id, card.answer, "hopeless", word)
        replaced.append(stands)
    return Entry(card.id, card.answer, "by sound", " ".join(replaced))


def main() -> int:
    """Print what is not known, and how many of each kind there are."""
    parser = argparse.ArgumentParser(prog="python -m host.bench.vocabulary", description=__doc__.splitlines()[0])
    parser.add_argument("--model", help="a name or a folder (default: the shipped one)")
    parser.add_argument("--all", action="store_true", help="name known answers too")
    options = parser.parse_args()
    try:
        _, folder = prepare(Setup(), load_packs(Setup()), options.model)
    except AppError as error:
        parser.exit(error.code, f"{error}\n")
    packs = sealed_packs()
    sounds = {**Lexicon(find(SHIPPED) / "lang").find(), **packs.pronunciations}
    words = Vocabulary(sounds, VoskEngine(folder).knows)
    entries = [entry(card, words) for card in packs.clues]
    for one in entries:
        if options.all or one.kind != "known":
            print(f"{one.kind:9} {one.card:32} {one.answer}{f'  ({one.how})' if one.how else ''}")
    count = Counter(one.kind for one in entries)
    print(f"{len(entries)} cards: " + ", ".join(f"{count[kind]} {kind}" for kind in ("known", "by sound", "hopeless")))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
