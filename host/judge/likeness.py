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

from host.judge.spelling import spelt_phones
from host.phones import phone_distance, spread

Sounds: TypeAlias = Mapping[str, tuple[tuple[str, ...], ...]]
"""word -> its pronunciations, each a tuple of ARPABET phones without stress."""

SAME_SOUND = 0.6
"""Likeness by letters from which two spellings of one sound are one word (ANS-16)."""
SOUND = 0.75
"""Weight of the sound beside the letters where both are known: a recogniser mishears sounds."""
@lru_cache(maxsize=16_384)
def _phones_alike(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    longest = max(len(spread(one)), len(spread(other)))
    return max(0.0, 1.0 - phone_distance(one, other) / longest) if longest else 0.0


def pronounced(words: Sequence[str], sounds: Sounds, most: int = 4) -> list[tuple[str, ...]]:
    """Up to `most` ways to say these words, or none where a word's sound is unknown.

    Where sounds are known at all, a word that is in no lexicon is read by rules.
    """
    ways = [sounds.get(word, ()) or (_read(word) if sounds else ()) for word in words]
    if not ways or not all(ways):
        return []
    return [tuple(phone for word in way for phone in word) for way in islice(product(*ways), most)]


def _read(word: str) -> tuple[tuple[str, ...], ...]:
    """How a word of some length that nobody knows is read."""
    phones = spelt_phones(word) if len(word) > _READ else ()
    return (phones,) if phones else ()


_READ = 2
"""Words of no more letters are not read by rules: "dc" is no word."""
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


@lru_cache(maxsize=4_096)
def letters_alike(one: str, other: str) -> float:
    """Likeness of two spellings; two empty ones are not alike.

    Remembered for as long as an utterance's partials come: what people say never comes again letter by letter, and a
    larger memory took 12 MB an hour for pairs that nobody asked for again.
    """
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
    if not all(sounds.get(word) for word in one):
        return max(letters, phones)  # read by rules: either may be wrong
    return max(phones, (1 - SOUND) * letters + SOUND * phones)
