"""Weighted transducers, written in the binary form that OpenFst reads.

Only what a recogniser's graph needs: a constant FST, and the one with the label intervals by which
Kaldi composes a lexicon with a grammar while it decodes ("olabel_lookahead").
"""

import math
import struct
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_MAGIC = 2125659606
_ADD_ON_MAGIC = 446681434
_ALWAYS = 0x65A5 << 32
"""Accessible, coaccessible, weighted, cyclic: the upper properties that both graphs have."""
LEXICON_PROPERTIES = (
    0x1 | 0x20000 | 0x80000 | 0x200000 | 0x400000 | 0x1000000 | 0x4000000 | 0x20000000 | 0x40000000 | _ALWAYS
)
"""Property bits known to be true of the lexicon's transducer (sorted by output label)."""
ACCEPTOR_PROPERTIES = (
    0x1 | 0x10000 | 0x40000 | 0x100000 | 0x400000 | 0x1000000 | 0x4000000 | 0x10000000 | 0x40000000 | _ALWAYS
)
"""Property bits known to be true of the language model (an acceptor sorted by input label)."""


def _header(kind: bytes, version: int, properties: int, start: int, states: int, arcs: int) -> bytes:
    names = b"".join(struct.pack("<i", len(name)) + name for name in (kind, b"standard"))
    return struct.pack("<i", _MAGIC) + names + struct.pack("<iiQqqq", version, 0, properties, start, states, arcs)


class Fst:
    """Arcs (input label, output label, weight, next state) by state; label 0 is epsilon, state 0 the start.

    Weights are negative natural logarithms of probabilities; a state that is not final has infinity.
    Kept in flat arrays: as tuples, the arcs of a vocabulary of 125,000 words would take 100 MB.
    """

    def __init__(self) -> None:
        self.final: array[float] = array("d")
        self._from = array("i")
        self._input = array("i")
        self._output = array("i")
        self._weight: array[float] = array("d")
        self._to = array("i")

    def __len__(self) -> int:
        return len(self.final)

    @property
    def arcs(self) -> int:
        """How many arcs there are."""
        return len(self._from)

    def state(self, final: float = math.inf) -> int:
        """Add a state and return its number."""
        self.final.append(final)
        return len(self.final) - 1

    def arc(self, state: int, ilabel: int, olabel: int, weight: float, to: int) -> None:
        """Add an arc."""
        self._from.append(state)
        self._input.append(ilabel)
        self._output.append(olabel)
        self._weight.append(weight)
        self._to.append(to)

    def const(self, properties: int, by_output: bool = False) -> bytes:
        """The file's bytes as a ConstFst, the arcs of a state sorted by input (or output) label."""
        first, second = (self._input, self._output) if by_output else (self._output, self._input)
        order = np.lexsort([np.frombuffer(keys, np.int32) for keys in (first, second, self._from)])
        owner = np.frombuffer(self._from, np.int32)[order]
        arcs: NDArray[np.void] = np.zeros(self.arcs, [("i", "<i4"), ("o", "<i4"), ("w", "<f4"), ("to", "<i4")])
        arcs["i"] = np.frombuffer(self._input, np.int32)[order]
        arcs["o"] = np.frombuffer(self._output, np.int32)[order]
        arcs["w"] = np.frombuffer(self._weight, np.float64)[order]
        arcs["to"] = np.frombuffer(self._to, np.int32)[order]
        states: NDArray[np.void] = np.zeros(
            len(self), [("final", "<f4"), ("first", "<u4"), ("n", "<u4"), ("ie", "<u4"), ("oe", "<u4")]
        )
        states["final"] = self.final
        states["n"] = np.bincount(owner, minlength=len(self))
        states["first"] = np.concatenate([[0], np.cumsum(states["n"])[:-1]])
        states["ie"] = np.bincount(owner[arcs["i"] == 0], minlength=len(self))
        states["oe"] = np.bincount(owner[arcs["o"] == 0], minlength=len(self))
        return _header(b"const", 2, properties, 0, len(self), self.arcs) + states.tobytes() + arcs.tobytes()


def _intervals(labels: Sequence[int]) -> list[tuple[int, int]]:
    """Rising labels as half-open intervals."""
    found: list[tuple[int, int]] = []
    for label in labels:
        if found and found[-1][1] == label:
            found[-1] = (found[-1][0], label + 1)
        else:
            found.append((label, label + 1))
    return found


def lookahead(fst: Fst, reach: Sequence[Sequence[int] | None], labels: int) -> bytes:
    """The file's bytes as an olabel_lookahead FST.

    `reach` tells for each state which output labels lie ahead (rising; None: all of the `labels`).
    """
    final = labels + 1  # the label that stands for "an end lies ahead"
    parts = [
        _header(b"olabel_lookahead", 1, LEXICON_PROPERTIES, -1, 0, 0),
        struct.pack("<i", _ADD_ON_MAGIC),
        fst.const(LEXICON_PROPERTIES, by_output=True),
        b"\1\0\1\0\0",
        struct.pack("<iq", final, len(reach)),
    ]
    everything = struct.pack("<qiii", 1, 1, final + 1, final)
    for ahead in reach:
        if ahead is None:
            parts.append(everything)
            continue
        intervals = _intervals(ahead)
        parts.append(struct.pack("<q", len(intervals)))
        parts.extend(struct.pack("<ii", *interval) for interval in intervals)
        parts.append(struct.pack("<i", len(ahead)))
    return b"".join(parts)
