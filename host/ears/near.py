"""Words that sound near to a word, out of the whole lexicon: what else may have been said than the answer.

The distance is that of `host.phones`, worked out for the whole lexicon at once: the words of about the same
length as rows of a matrix, the table of the distance as a column at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
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

_UNIT = 20
"""Costs are whole numbers of this part of one: small whole numbers are compared twice as fast."""
_CODES = {phone: number for number, phone in enumerate(PHONES)}
_CHANGE = np.array([[round(_UNIT * change(one, other)) for other in PHONES] for one in PHONES], np.uint16)
_GAP = np.array([round(_UNIT * GAP.get(phone, LOST)) for phone in PHONES], np.uint16)

Codes = NDArray[np.uint8]
Costs = NDArray[np.uint16]
Places = NDArray[np.intp]


def coded(phones: Pronunciation) -> tuple[int, ...]:
    """A pronunciation as numbers, ER spread to a vowel and an R."""
    return tuple(_CODES[phone] for phone in spread(phones))


def distances(target: tuple[int, ...], rows: Codes, limit: float) -> tuple[Places, NDArray[np.float64]]:
    """The rows (all of one length) that are no farther from the target than `limit`, and `phone_distance` to each."""
    there: Places = np.arange(len(rows))
    most, length = round(limit * _UNIT), rows.shape[1]
    columns = np.ascontiguousarray(rows.T)
    gaps = _GAP.take(columns, mode="clip")
    above = np.zeros((length + 1, len(rows)), np.uint16)
    above[1:] = np.cumsum(gaps, axis=0)
    for phone in target:
        row = np.empty_like(above)
        row[0] = above[0] + _GAP[phone]
        changed = above[:-1] + _CHANGE[phone].take(columns, mode="clip")
        np.minimum(changed, above[1:] + _GAP[phone], out=row[1:])
        for at in range(length):
            np.minimum(row[at + 1], row[at] + gaps[at], out=row[at + 1])
        alive = row.min(axis=0) <= most
        if alive.sum() < _SPARSE * len(there):
            there, columns, gaps, row = there[alive], columns[:, alive], gaps[:, alive], row[:, alive]
        above = row
    near = above[length] <= most
    return there[near], above[length][near] / _UNIT


_SPARE = 3
"""So many times the words that are asked for are looked at: some sound the same, some are plurals."""
_SPARSE = 0.6
"""Where fewer of the rows can still be near, the others are dropped."""


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
        for way in ways:
            farthest = FARTHEST
            for longer in sorted(range(-LONGER, LONGER + 1), key=abs):
                for distance, other, codes in self._around(way, len(way) + longer, farthest, _SPARE * most):
                    if not _inflected(word, other) and distance < best.get(other, (FARTHEST + 1, ()))[0]:
                        best[other] = distance, codes
                if len(ways) == 1:
                    found = _ranked(best, most)
                    farthest = found[-1][0] if len(found) == most else FARTHEST
        return tuple(other for _, other in _ranked(best, most))

    def _around(
        self, way: tuple[int, ...], length: int, farthest: float, most: int
    ) -> Iterator[tuple[float, str, tuple[int, ...]]]:
        """(distance by length, word, its codes) of the words of a length: the too near ones, the nearest others."""
        if length not in self._groups:
            return
        whole = max(len(way), SHORT)
        rows, names, ends = self._groups[length]
        places, far = distances(way, rows, farthest * whole)
        order = np.argsort(far, kind="stable")
        order = order[: most + int((far < LEAST * whole).sum())]
        for at, distance in zip(places[order], far[order], strict=True):
            first = int(ends[at - 1]) if at else 0
            yield float(distance) / whole, names[first : int(ends[at])], tuple(int(code) for code in rows[at])


def _ranked(best: Mapping[str, tuple[float, tuple[int, ...]]], most: int) -> list[tuple[float, str]]:
    """Up to `most` words that are not too near, the nearest first, of each sound one."""
    ranked = sorted((distance, other, codes) for other, (distance, codes) in best.items() if distance >= LEAST)
    chosen: dict[tuple[int, ...], tuple[float, str]] = {}
    for distance, other, codes in ranked:
        chosen.setdefault(codes, (distance, other))
        if len(chosen) == most:
            break
    return list(chosen.values())


def _inflected(word: str, other: str) -> bool:
    """Whether one is the other, or its plural or genitive: no other thing."""
    short, long = sorted((word, other), key=len)
    return long.removeprefix(short) in ("", "s", "es", "'s", "s'")
