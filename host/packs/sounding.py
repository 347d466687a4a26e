"""What of a card can be heard: words that sound like the answer, spelling, and answers that are hard to recognise.

All of it compares by a lexicon (word -> pronunciations) and the card's own `sounds`.
"""

import re
from collections import ChainMap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from host.packs import Card, Fault, Pack
from host.packs.text import (
    FUNCTION_WORDS,
    NEAR,
    Lexicon,
    Phones,
    alike,
    content_words,
    normal,
    phones,
    pronunciations,
    related,
    without_article,
    words,
)

FEWEST_PHONES = 3
"""An answer with fewer is hard to tell from a noise (CON-10)."""


@dataclass(frozen=True)
class Notes:
    """Faults of one card."""

    pack: Pack
    card: Card
    faults: list[Fault]

    def __call__(self, text: str, name: str = "", item: int = -1, severity: str = "error") -> None:
        """Note a fault at the field `name`, or its item."""
        line, column = self.pack.place(self.card.id, name, item)
        self.faults.append(Fault(self.pack.file, line, self.card.id, text, severity, column))


def spoken(card: Card) -> Iterator[tuple[str, int, str, str]]:
    """(field, item, text, name for people) of the six statements and the false one."""
    for item, text in enumerate(card.statements):
        yield "statements", item, text, f"statement {item + 1}"
    if card.false_statement:
        yield "false_statement", -1, card.false_statement, "the false statement"


def _ways(card: Card, lexicon: Lexicon) -> Lexicon:
    """The lexicon with the card's own sounds before it."""
    own: dict[str, tuple[Phones, ...]] = {}
    for spelled, spelt in card.sounds:
        word = " ".join(words(spelled))
        own[word] = (*own.get(word, ()), phones(spelt))
    return ChainMap(own, lexicon) if own else lexicon  # type: ignore[arg-type]  # it is only read


def _sound_targets(card: Card, lexicon: Lexicon) -> dict[Phones, str]:
    targets: dict[Phones, str] = {}
    for form in (card.answer, *card.essential, *card.aliases):
        for text in (without_article(form), *content_words(form)):
            targets |= {way: text for way in pronunciations(text, lexicon) if way not in targets}
    return targets


def sounds_said(card: Card, lexicon: Lexicon, note: Notes) -> None:
    """Nothing in a statement that sounds like the answer: "knight" for "night", "eye full" for "Eiffel"."""
    lexicon = _ways(card, lexicon)
    targets = _sound_targets(card, lexicon)
    longest = max(map(len, targets), default=0)
    spelt = {word for form in (card.answer, *card.essential, *card.aliases) for word in words(form)}
    for field, item, text, name in spoken(card):
        said = words(text)
        for first, count in ((f, c) for f in range(len(said)) for c in range(1, min(4, len(said) - f) + 1)):
            window = said[first:first + count]
            if set(window) & spelt or all(word in FUNCTION_WORDS for word in window):
                continue
            for way in pronunciations(" ".join(window), lexicon):
                heard_as = targets.get(way) if count == 1 or len(way) >= 4 else None
                if heard_as:
                    note(f'{name} says "{" ".join(window)}", which sounds like "{heard_as}" in the answer', field, item)
                    break
                if count == 1 and 5 <= len(way) <= longest + 2:
                    near = next((form for target, form in targets.items()
                                 if len(target) >= 5 and alike(way, target) >= NEAR), None)
                    if near and not any(related(word, window[0]) for word in content_words(near)):
                        note(f'{name} says "{window[0]}", nearly the sound of "{near}"', field, item, "warning")
                        break


def spelling(card: Card, lexicon: Lexicon, note: Notes, spelt: Collection[str] = ()) -> None:
    """Words of the statements and the note that are in no dictionary, and not in `spelt` either."""
    known = _ways(card, lexicon)
    for field, item, text, name in (*spoken(card), ("note", -1, card.note, "the note")):
        for word in dict.fromkeys(words(text)):
            if not _is_known(word, known) and word.removesuffix("'s") not in spelt:
                note(f'{name}: "{word}" is in no dictionary here; a slip of the pen?', field, item, "warning")


def _is_known(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon or word.removesuffix("'s") in lexicon or not re.search("[a-z]", word)


def unknown_words(card: Card, lexicon: Lexicon) -> tuple[str, ...]:
    """Words of the answer and its aliases that the recogniser can't hear: not in the lexicon nor in `sounds`."""
    known = _ways(card, lexicon)
    forms = (card.answer, *card.essential, *card.aliases)
    return tuple(dict.fromkeys(word for form in forms for word in words(form) if not _is_known(word, known)))


def by_ear(card: Card, lexicon: Lexicon) -> tuple[str, ...]:
    """Why an answer is hard to recognise (CON-10): unknown words, too short, a rival that sounds like it."""
    ways = _ways(card, lexicon)
    found = [f'"{word}" is not in the recogniser\'s vocabulary; give it in sounds'
             for word in unknown_words(card, lexicon)]
    own = [way for text in (card.answer, *card.essential) for way in pronunciations(without_article(text), ways)]
    if own and min(map(len, own)) < FEWEST_PHONES:
        found.append(f'"{card.answer}" is very short to hear; add a longer alias')
    ruled_out = {normal(text) for text in card.never}
    for rival in card.rivals:
        if normal(rival) in ruled_out:
            continue
        theirs = pronunciations(without_article(rival), ways)
        if any(alike(one, other) >= NEAR for one in own for other in theirs):
            found.append(f'the rival "{rival}" sounds nearly like the answer; try both, then name it in never as well')
    return tuple(found)


def same_sound(packs: Sequence[Pack], lexicon: Lexicon, faults: list[Fault]) -> None:
    """Two cards whose answers or aliases are said alike ("turkey" and "Turkey") could be taken for one another."""
    heard: dict[Phones, tuple[Card, str]] = {}
    for pack in packs:
        for card in pack.cards:
            ways = _ways(card, lexicon)
            ruled_out = {normal(text) for text in (*card.never, *card.prompt)}
            for form in (card.answer, *card.aliases):
                for way in pronunciations(without_article(form), ways):
                    other, said = heard.setdefault(way, (card, form))
                    if other.id != card.id and not {normal(said), normal(other.answer)} & ruled_out:
                        Notes(pack, card, faults)(
                            f'"{form}" sounds like "{said}" of {other.id}; put that into never, or into prompt on both',
                            "answer")
                        break
