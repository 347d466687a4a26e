"""How alike two readings sound: by letters, by a key of their sound, by phones where they are known.

All measures run from 0 (nothing in common) to 1 (the same). None of them is a verdict: South and North
Korea are alike (ANS-04); what tells them apart is the judge's business.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import TypeAlias

from rapidfuzz.distance import Levenshtein

Sounds: TypeAlias = Mapping[str, tuple[tuple[str, ...], ...]]
"""word -> its pronunciations, each a tuple of ARPABET phones without stress."""

SAME_SOUND = 0.6
"""Likeness by letters from which two spellings of one sound are one word (ANS-16)."""
SOUND = 0.75
"""Weight of the sound beside the letters where both are known: a recogniser mishears sounds."""
VOWELS = frozenset(("AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"))
_NEAR: dict[frozenset[str], float] = {}
for _group, _cost in (
    ("P B", 0.4), ("T D", 0.4), ("K G", 0.4), ("F V", 0.4), ("S Z", 0.3), ("SH ZH CH JH", 0.4), ("TH DH F", 0.4),
    ("M N NG", 0.4), ("L R W", 0.6), ("S SH TH", 0.5), ("T CH", 0.5), ("D DH", 0.5), ("IY Y", 0.5), ("UW W", 0.5),
    ("AH IH EH UH", 0.25), ("AA AO AH", 0.25), ("IH IY", 0.25), ("EH AE", 0.25), ("UH UW OW", 0.3), ("AY AE", 0.4),
    ("ER AH", 0.3), ("EY EH", 0.3), ("AW AA", 0.4), ("OY AO", 0.4),
):
    for _one in _group.split():
        for _other in _group.split():
            if _one != _other:
                _NEAR.setdefault(frozenset((_one, _other)), _cost)

LOST = 1.2
"""What it costs to add or lose a phone."""
_GAP = {"HH": 0.5, "AH": 0.6, "T": 0.8, "D": 0.8, "R": 0.8}
"""The same for those that are often swallowed."""


def _change(one: str, other: str) -> float:
    if one == other:
        return 0.0
    near = _NEAR.get(frozenset((one, other)))
    if near is not None:
        return near
    return 0.5 if one in VOWELS and other in VOWELS else 1.0


def phone_distance(one: Sequence[str], other: Sequence[str]) -> float:
    """The cheapest way to turn one row of phones into the other; ER is a vowel and an R."""
    one, other = _spread(one), _spread(other)
    row = [0.0]
    for phone in other:
        row.append(row[-1] + _GAP.get(phone, LOST))
    for phone in one:
        above, gap = row, _GAP.get(phone, LOST)
        row = [above[0] + gap]
        for at, target in enumerate(other, start=1):
            row.append(min(above[at] + gap, row[-1] + _GAP.get(target, LOST), above[at - 1] + _change(phone, target)))
    return row[-1]


def _spread(phones: Sequence[str]) -> list[str]:
    return [part for phone in phones for part in (("AH", "R") if phone == "ER" else (phone,))]


@lru_cache(maxsize=16_384)
def _phones_alike(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    longest = max(len(_spread(one)), len(_spread(other)))
    return max(0.0, 1.0 - phone_distance(one, other) / longest) if longest else 0.0


def pronounced(words: Sequence[str], sounds: Sounds, most: int = 4) -> list[tuple[str, ...]]:
    """Up to `most` ways to say these words, or none where a word's sound is unknown."""
    ways = [sounds.get(word, ()) for word in words]
    if not ways or not all(ways):
        return []
    return [tuple(phone for word in way for phone in word) for way in islice(product(*ways), most)]


_KEY_RULES = tuple((re.compile(pattern), by) for pattern, by in (
    (r"^(?:kn|gn|pn)", "n"), (r"^wr", "r"), (r"^ps", "s"), (r"^wh", "w"), (r"^x", "s"), (r"mb$", "m"),
    (r"sch", "S"), (r"tch", "C"), (r"ch", "C"), (r"sh", "S"), (r"(?<=.)[st]i(?=on|a|ou)", "S"),
    (r"eigh|aigh", "E"), (r"igh", "Y"), (r"ough", "O"), (r"ph", "f"), (r"gh(?=[aeiouy])", "g"), (r"gh", ""),
    (r"th", "T"), (r"ck", "k"), (r"dg(?=[eiy])", "j"), (r"g(?=[eiy])", "j"), (r"c(?=[eiy])", "s"), (r"[cq]", "k"),
    (r"x", "ks"), (r"(?<=[aeiouy])h", ""), (r"(?<=[kng])w(?=[aeiou])", "u"),
    (r"air|are$", "Er"), (r"ai|ay|ey(?!$)", "E"), (r"a(?=[^aeiouyEIOUY]e$)", "E"), (r"ee|ea|ie|ei|ey$", "I"),
    (r"e(?=[^aeiouyEIOUY]e$)", "I"), (r"oo|ou|ew|ue|eu", "U"), (r"oa|oe|ow", "O"), (r"o(?=[^aeiouyEIOUY]e$)", "O"),
    (r"au|aw", "o"), (r"i(?=[^aeiouyEIOUY]e$)", "Y"), (r"(?<=[^aeiouyEIOUY])y$", "I"), (r"y(?=[^aeiouy]|$)", "i"),
    (r"(?<=..)e$", ""), (r"(?<=..)e(?=s$|d$)", ""), (r"(.)\1+", r"\1"),
))
"""Spelling to sound, in this order; capitals are long vowels and TH, SH, CH."""


@lru_cache(maxsize=16_384)
def sound_key(word: str) -> str:
    """An English spelling as it sounds, roughly: "beatles" and "beetles" share a key, "battles" does not (ANS-16)."""
    key = word.lower()
    for rule, by in _KEY_RULES:
        key = rule.sub(by, key)
    return key


@lru_cache(maxsize=65_536)
def letters_alike(one: str, other: str) -> float:
    """Likeness of two spellings; two empty ones are not alike."""
    return Levenshtein.normalized_similarity(one, other) if one and other else 0.0


def spelt_alike(one: Sequence[str], other: Sequence[str]) -> float:
    """Likeness by letters, raised where they sound the same."""
    first, second = "".join(one), "".join(other)
    letters = letters_alike(first, second)
    if min(len(first), len(second)) < 4:
        return letters
    keys = letters_alike("".join(map(sound_key, one)), "".join(map(sound_key, other)))
    if keys == 1.0 and letters >= SAME_SOUND:
        return max(letters, 0.95)
    return max(letters, 0.4 * letters + 0.6 * keys)


def alike(one: Sequence[str], other: Sequence[str], sounds: Sounds) -> float:
    """The best of all measures for two rows of plain words."""
    if not one or not other:
        return 0.0
    letters = spelt_alike(one, other)
    ways, targets = pronounced(one, sounds), pronounced(other, sounds)
    if not ways or not targets:
        return letters
    phones = max(_phones_alike(way, target) for way in ways for target in targets)
    return max(phones, (1 - SOUND) * letters + SOUND * phones)
