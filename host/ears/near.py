"""Words that sound near to a word, out of the whole lexicon: what else may have been said than the answer.

The distance is that of `host.phones`, worked out for the whole lexicon at once: the words of about the same
length as rows of a matrix, the table of the distance as a column at a time.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from host.ears.lexicon import PHONES, Lexicon, Pronunciation
from host.phones import GAP, LOST, change, spread

LEAST = 0.18
"""Nearer than so much (of the word's length in phones) is the word itself, said a little otherwise."""
FARTHEST = 0.6
"""What is farther away needs no look."""
SHORT = 3
"""Words of fewer phones count as of so many."""
LONGER = 2
"""By so many phones a near word may be longer or shorter."""

_CODES = {phone: number for number, phone in enumerate(PHONES)}
_CHANGE = np.array([[change(one, other) for other in PHONES] for one in PHONES], np.float32)
_GAP = np.array([GAP.get(phone, LOST) for phone in PHONES], np.float32)

Codes = NDArray[np.uint8]
Floats = NDArray[np.float32]


def coded(phones: Pronunciation) -> tuple[int, ...]:
    """A pronunciation as numbers, ER spread to a vowel and an R."""
    return tuple(_CODES[phone] for phone in spread(phones))


def distances(target: tuple[int, ...], rows: Codes) -> Floats:
    """`phone_distance` of the target to each row of codes, all rows of one length."""
    count, length = rows.shape
    gaps = _GAP[rows]
    above = np.zeros((length + 1, count), np.float32)
    above[1:] = np.cumsum(gaps, axis=1).T
    for phone in target:
        row = np.empty_like(above)
        row[0] = above[0] + _GAP[phone]
        cost = _CHANGE[phone]
        for at in range(length):
            np.minimum(above[at] + cost[rows[:, at]], above[at + 1] + _GAP[phone], out=row[at + 1])
            np.minimum(row[at + 1], row[at] + gaps[:, at], out=row[at + 1])
        above = row
    return np.asarray(above[length])


class NearWords:
    """The lexicon by length; `of` finds what sounds near. About 5 MB."""

    def __init__(self, lexicon: Lexicon, knows: Callable[[str], bool] = lambda _: True) -> None:
        """Read the lexicon; only words that the model `knows` count. Raises LexiconError if it can't be read."""
        entries = sorted(((coded(phones), word) for word, ways in lexicon.find().items()
                          if len(word) > 1 and knows(word) for phones in ways), key=lambda entry: len(entry[0]))
        self._groups: dict[int, tuple[Codes, str, NDArray[np.int32]]] = {}
        for length, group in groupby(entries, lambda entry: len(entry[0])):
            part = list(group)
            names = [word for _, word in part]
            ends = np.cumsum([len(name) for name in names]).astype(np.int32)
            self._groups[length] = np.array([code for code, _ in part], np.uint8), "".join(names), ends

    def of(self, word: str, sounds: Iterable[Pronunciation], most: int) -> tuple[str, ...]:
        """Up to `most` words near to one that is pronounced so, the nearest first, of each sound one."""
        ways = tuple(dict.fromkeys(coded(phones) for phones in sounds))
        best: dict[str, tuple[float, tuple[int, ...]]] = {}
        for distance, other, codes in (found for way in ways for found in self._around(way)):
            if not _inflected(word, other) and distance < best.get(other, (FARTHEST + 1, ()))[0]:
                best[other] = distance, codes
        ranked = sorted((distance, other, codes) for other, (distance, codes) in best.items() if distance >= LEAST)
        chosen: dict[tuple[int, ...], str] = {}
        for _, other, codes in ranked:
            if len(chosen) == most:
                break
            chosen.setdefault(codes, other)
        return tuple(chosen.values())

    def _around(self, way: tuple[int, ...]) -> Iterator[tuple[float, str, tuple[int, ...]]]:
        """(distance by length, word, its codes) of all that is not too far."""
        whole = max(len(way), SHORT)
        for length in range(len(way) - LONGER, len(way) + LONGER + 1):
            if length not in self._groups:
                continue
            rows, names, ends = self._groups[length]
            far = distances(way, rows) / whole
            for at in np.flatnonzero(far <= FARTHEST):
                first = int(ends[at - 1]) if at else 0
                yield float(far[at]), names[first : int(ends[at])], tuple(int(code) for code in rows[at])


def _inflected(word: str, other: str) -> bool:
    """Whether one is the other, or its plural or genitive: no other thing."""
    short, long = sorted((word, other), key=len)
    return long.removeprefix(short) in ("", "s", "es", "'s", "s'")
