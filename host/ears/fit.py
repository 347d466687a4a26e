"""Goodness of fit: how well a row of phones explains a stretch of sound, and what else would explain it better.

The grammar puts whatever is said on its nearest phrase. Here the phones of that phrase are aligned to the acoustic
model's own scores (`host.ears.trunk`, one row every 30 ms), any phones on either side, and compared with the same row
with one phone replaced by another. All are natural logarithms; nothing is decided here.

A phone takes at least one frame: it gives state 2i on its first and 2i + 1 on each later one. Forward scores of the
row's beginnings and backward scores of its ends are computed once; every edit joins one of each, so that all of them
together cost about as much as one alignment more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from host.ears.lexicon import PHONES, Pronunciation

Scores = NDArray[np.float64]

SILENCE = 0
NUMBER = {phone: number for number, phone in enumerate(PHONES, 1)}
"""Of each phone, as the model counts them; silence is 0."""
NONE = -1e30
"""The score of what can't be."""
PENALTY = 4.0
"""What each phone beside the row costs; with 1 or 8 fewer sound-alikes are told apart."""


@dataclass(frozen=True)
class Row:
    """Phones by number; those that are `optional` (silence between words) may be left out for nothing."""

    phones: tuple[int, ...]
    optional: tuple[bool, ...]

    @classmethod
    def of(cls, words: Sequence[Pronunciation]) -> "Row":
        """The words' phones with optional silence between the words. Raises KeyError for an unknown phone."""
        phones: list[int] = []
        optional: list[bool] = []
        for word in words:
            if phones:
                phones.append(SILENCE)
                optional.append(True)
            phones += [NUMBER[phone] for phone in word]
            optional += [False] * len(word)
        return cls(tuple(phones), tuple(optional))


class Lattice:
    """The states' scores of a stretch, (frames, 2 * phones), and what any phones make of it."""

    def __init__(self, states: NDArray[np.generic], penalty: float = PENALTY) -> None:
        self.first: Scores = states[:, 0::2].astype(np.float64)
        self.later: Scores = states[:, 1::2].astype(np.float64)
        self.penalty = penalty
        self.frames, self.size = self.first.shape
        self.before = self._before()
        self.behind = self._behind()

    def _before(self) -> Scores:
        """(frames + 1,): the best of any phones up to each frame."""
        found = np.full(self.frames + 1, NONE)
        found[0] = 0.0
        now = np.full(self.size, NONE)
        for at in range(self.frames):
            now = np.maximum(now + self.later[at], found[at] - self.penalty + self.first[at])
            found[at + 1] = now.max()
        return found

    def _behind(self) -> Scores:
        """(frames + 1,): the best of any phones from each frame on."""
        found = np.full(self.frames + 1, NONE)
        found[self.frames] = 0.0
        now = np.full(self.size, NONE)
        for at in range(self.frames - 1, -1, -1):
            inner = np.maximum(now, found[at + 1])
            found[at] = (self.first[at] + inner).max() - self.penalty
            now = self.later[at] + inner
        return found

    def forward(self, row: Row) -> Scores:
        """(frames + 1, phones + 1): the best of any phones and the row's first k up to each frame."""
        phones, skips = np.array(row.phones), np.flatnonzero(row.optional)
        found = np.full((self.frames + 1, len(phones) + 1), NONE)
        found[:, 0] = self.before
        now = np.full(len(phones), NONE)
        for at in range(self.frames):
            now = np.maximum(now + self.later[at, phones], found[at, :-1] + self.first[at, phones])
            found[at + 1, 1:] = now
            found[at + 1, skips + 1] = np.maximum(found[at + 1, skips + 1], found[at + 1, skips])
        return found

    def backward(self, row: Row) -> Scores:
        """(frames + 1, phones + 1): the best of the row from phone k on and any phones behind, from each frame."""
        phones, skips = np.array(row.phones), np.flatnonzero(row.optional)
        found = np.full((self.frames + 1, len(phones) + 1), NONE)
        found[:, -1] = self.behind
        now = np.full(len(phones), NONE)
        for at in range(self.frames - 1, -1, -1):
            inner = np.maximum(now, found[at + 1, 1:])
            found[at, :-1] = self.first[at, phones] + inner
            found[at, skips] = np.maximum(found[at, skips], found[at, skips + 1])
            now = self.later[at, phones] + inner
        return found

    def score(self, row: Row) -> float:
        """The best of the row with any phones on either side."""
        return float((self.forward(row)[:, -1] + self.behind).max())

    def replaced(self, row: Row) -> Scores:
        """(phones, all phones): the same of the row with this phone in that place."""
        forward, backward = self.forward(row), self.backward(row)
        found = np.full((len(row.phones), self.size), NONE)
        now = found.copy()
        for at in range(self.frames):
            now = np.maximum(now + self.later[at], forward[at, :-1, None] + self.first[at])
            found = np.maximum(found, now + backward[at + 1, 1:, None])
        return found


def goodness(states: NDArray[np.generic], rows: Sequence[Row]) -> float | None:
    """By how much the best of the rows (ways to say the same) beats itself with one phone replaced by another.

    What would make one of the other rows of it does not count, nor silence for a phone: noise often covers one. None
    where the stretch is too short for any row.
    """
    lattice = Lattice(states)
    score, _, row = max(((lattice.score(row), -at, row) for at, row in enumerate(rows)), key=lambda one: one[:2])
    if score < NONE / 2:
        return None
    others = lattice.replaced(row)
    others[list(row.optional)] = NONE
    others[:, SILENCE] = NONE
    own = {other.phones for other in rows}
    for at, phone in enumerate(row.phones):
        others[at, phone] = NONE
        for other in range(lattice.size):
            if (*row.phones[:at], other, *row.phones[at + 1 :]) in own:
                others[at, other] = NONE
    return score - float(others.max())
