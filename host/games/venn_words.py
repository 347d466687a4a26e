"""Venn's words and numbers: how alike two words sound, and which cards a round may hold (VN-2, VN-4).

Two words that a recogniser takes for one another must not stand in the same round, for the first three
words spoken are final (VN-9). Two things keep them apart:

1. `Packs.confusable`: pairs that were measured to be confused, on synthesised speech (host.bench.confusable).
2. `Packs.closest`: pairs nearer than this in `sound_distance`; measured by the same command, it serves for
   words that nobody has measured.

Cards come back only when every other card has been used (CE-20).
"""

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, product
from typing import TypeAlias, TypeVar

from host.packs import Packs

Phones: TypeAlias = tuple[str, ...]
WordCard: TypeAlias = tuple[str, str, str]
NumberCard: TypeAlias = tuple[int, int, int]
C = TypeVar("C", WordCard, NumberCard)

CARDS = 4
"""Word cards in a round (VN-2)."""

VOWELS = frozenset(("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"))
_NEAR = 0.4
_FAMILIES = tuple(frozenset(family.split()) for family in (
    "P B", "T D", "K G", "F V TH DH", "S Z TH", "SH ZH CH JH", "S SH", "M N NG", "L R W", "D DH", "T CH", "V W B",
    "IH IY EY", "EH AE", "AH IH EH UH", "AA AO AH", "UW UH OW", "AW AA AE", "AY AA AE", "OY AO", "ER AH",
))
_LEADING = re.compile(r"^(?:to|an?|the)\s+(?=\S)")
_MOST_WAYS = 4
"""Pronunciations of a word or phrase that are compared."""
_EFFORT = 2_000
"""Cards looked at before a draw takes what it has."""


def plain(word: str) -> str:
    """A list word as it is listened for: lower case, without "to" and articles, which make no difference (VN-9)."""
    return _LEADING.sub("", " ".join(word.lower().split()))


def stem(word: str) -> str:
    """A word without what makes no difference between two list words, plurals included (VN-9)."""
    bare = plain(word)
    for ending, rest in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("s", "")):
        if bare.endswith(ending) and not bare.endswith("ss") and len(bare) > len(ending) + 1:
            return bare.removesuffix(ending) + rest
    return bare


def _change(one: str, other: str) -> float:
    """What it costs to hear one phone for another: 0 to 1."""
    if one == other:
        return 0.0
    if any(one in family and other in family for family in _FAMILIES):
        return _NEAR
    return 0.7 if one in VOWELS and other in VOWELS else 1.0


@lru_cache(maxsize=65_536)
def phone_distance(one: Phones, other: Phones) -> float:
    """Weighted edits between two rows of ARPABET phones, as a share of the longer row: 0 (the same) to 1.

    A phone lost or added costs 1, one taken for another of its family 0.4, a vowel for any other vowel 0.7.
    """
    row = [float(count) for count in range(len(other) + 1)]
    for lost, phone in enumerate(one, start=1):
        above, row = row, [float(lost)]
        for at, target in enumerate(other):
            row.append(min(above[at + 1] + 1.0, row[at] + 1.0, above[at] + _change(phone, target)))
    return row[-1] / max(len(one), len(other), 1)


def ways_to_say(word: str, packs: Packs) -> tuple[Phones, ...]:
    """Up to four pronunciations of a list word or phrase; none where a word's sound is unknown."""
    ways = [packs.pronunciations.get(part, ()) for part in plain(word).split()]
    return tuple(tuple(phone for part in way for phone in part) for way in islice(product(*ways), _MOST_WAYS))


def sound_distance(one: str, other: str, packs: Packs) -> float:
    """How far apart two list words sound, 0 to 1; 1 where a sound is unknown."""
    pairs = product(ways_to_say(one, packs), ways_to_say(other, packs))
    return min((phone_distance(first, second) for first, second in pairs), default=1.0)


def alike(one: str, other: str, packs: Packs) -> bool:
    """Whether two list words must not stand in one round."""
    if stem(one) == stem(other):
        return True
    pair = tuple(sorted((plain(one), plain(other))))
    return pair in packs.confusable or sound_distance(one, other, packs) < packs.closest


def card_id(card: Sequence[str | int]) -> str:
    """The name under which a word or number card is remembered: "river/heavy/wedding", "1/5/9"."""
    return "/".join(str(part) for part in card)


def _fits(card: WordCard, chosen: Sequence[WordCard], packs: Packs) -> bool:
    return not any(alike(word, other, packs) for word in card for held in chosen for other in held)


def _four(order: Sequence[WordCard], packs: Packs) -> tuple[WordCard, ...]:
    """The first four of these cards, in their order, whose twelve words are told apart by ear.

    Where no four are (or the search has grown too long), the first four as they come: better twelve words of
    which two are alike than no round.
    """
    left = _EFFORT

    def search(chosen: tuple[WordCard, ...], start: int) -> tuple[WordCard, ...] | None:
        nonlocal left
        if len(chosen) == CARDS:
            return chosen
        for at in range(start, len(order)):
            left -= 1
            if left < 0:
                return None
            if _fits(order[at], chosen, packs):
                found = search((*chosen, order[at]), at + 1)
                if found is not None:
                    return found
        return None

    return search((), 0) or tuple(order[:CARDS])


def _shuffled(cards: Sequence[C], used: tuple[str, ...], draw: random.Random) -> tuple[list[C], list[C]]:
    """The cards not used yet and those used, each in a new order."""
    fresh = [card for card in cards if card_id(card) not in used]
    stale = [card for card in cards if card_id(card) in used]
    draw.shuffle(fresh)
    draw.shuffle(stale)
    return fresh, stale


def _after(cards: Sequence[C], taken: Sequence[C], used: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """(ids used now, whether all have been used and the deck begins anew with those taken again) (CE-20)."""
    ids: tuple[str, ...] = tuple(card_id(card) for card in taken)
    if all(card_id(card) in used or card_id(card) in ids for card in cards):
        return tuple(one for one in ids if one in used), True
    return (*used, *(one for one in ids if one not in used)), False


def draw_words(
    packs: Packs, used: tuple[str, ...], draw: random.Random,
) -> tuple[tuple[WordCard, ...], tuple[str, ...], bool]:
    """Four word cards for a round (VN-2), the ids used from now on, and whether the deck begins anew."""
    fresh, stale = _shuffled(packs.words, used, draw)
    four = _four([*fresh, *stale], packs)
    return four, *_after(packs.words, four, used)


def draw_numbers(
    packs: Packs, count: int, used: tuple[str, ...], draw: random.Random,
) -> tuple[tuple[NumberCard, ...], tuple[str, ...], bool]:
    """So many different number cards (VN-4), the ids used from now on, and whether the deck begins anew."""
    fresh, stale = _shuffled(packs.numbers, used, draw)
    cards = tuple([*fresh, *stale][:count])
    return cards, *_after(packs.numbers, cards, used)
