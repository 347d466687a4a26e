"""The lexicon as a transducer from the net's outputs to words (Kaldi's H, C and L in one).

Each phone is two outputs of the net: its first frame ("forward") and its later ones ("loop"). Words
share their beginnings: the transducer is a prefix tree, and a word's label is given out where no
other word can follow any more, so that the language model can speak up as early as possible. The tree
is never built: the pronunciations are sorted, and a node is a range of them with a common beginning.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from host.ears.fst import Fst
from host.ears.lexicon import PHONES, Pronunciation

UNKNOWN = "[unk]"
UNKNOWN_COST = 1.2
"""Cost of beginning a word outside the vocabulary; tuned with the model on its development set."""
UNKNOWN_SCALE = 0.45
"""Weight of the phone bigram inside such a word."""
_RIVAL_COST = 0.7
"""Cost of a word's second and further pronunciations."""
_SILENCE = 0.5
"""Probability of silence between two words."""


def position_phones() -> list[tuple[str, int]]:
    """(name, net's phone number) of every phone at every place of a word; numbered from 1 in this order."""
    placed = [(f"{phone}_{place}", number) for number, phone in enumerate(PHONES, 1) for place in "BEIS"]
    return [("SIL", 0), *placed]


_NUMBER = {name: number for number, (name, _) in enumerate(position_phones(), 1)}
_SIL = _NUMBER["SIL"]
_BY_NAME = bytes.maketrans(bytes(_NUMBER[name] for name in sorted(_NUMBER)), bytes(range(len(_NUMBER))))
"""Pronunciations are sorted by their phones' names, so that labels come out as in the model's first graph."""


def _placed(phones: Sequence[str]) -> bytes:
    """A pronunciation as numbers of position-dependent phones, a byte each."""
    if len(phones) == 1:
        return bytes([_NUMBER[phones[0] + "_S"]])
    inner = [_NUMBER[phone + "_I"] for phone in phones[1:-1]]
    return bytes([_NUMBER[phones[0] + "_B"], *inner, _NUMBER[phones[-1] + "_E"]])


def _forward(phone: int) -> int:
    return 2 * phone


def _loop(phone: int) -> int:
    return 2 * phone - 1


@dataclass
class Hcl:
    """The transducer, the label of each word, and the labels that lie ahead of each state (None: all)."""

    fst: Fst = field(default_factory=Fst)
    labels: dict[str, int] = field(default_factory=dict)
    reach: list[list[int] | None] = field(default_factory=list)

    def state(self, ahead: list[int] | None = None, final: float = math.inf) -> int:
        """Add a state."""
        self.reach.append(ahead)
        return self.fst.state(final)

    def label(self, word: str) -> int:
        """The word's label, a new one where it has none."""
        return self.labels.setdefault(word, len(self.labels) + 1)


class _Builder:
    """Grows the transducer over the sorted pronunciations `entries`: (phones, word, cost)."""

    def __init__(self, entries: list[tuple[bytes, str, float]]) -> None:
        self.entries = entries
        self.hcl = Hcl()
        self.silent = -math.log(_SILENCE)
        self.spoken = -math.log(1 - _SILENCE)
        self.chains: dict[bytes, int] = {}
        start, self.loop, self.pause, self.after = (
            self.hcl.state(), self.hcl.state(final=0.0), self.hcl.state(final=0.0), self.hcl.state()
        )
        self._to_next_word(start)
        self.hcl.fst.arc(self.pause, _loop(_SIL), 0, 0.0, self.pause)
        self.hcl.fst.arc(self.pause, 0, 0, 0.0, self.loop)
        self._to_next_word(self.after)

    def _to_next_word(self, state: int) -> None:
        self.hcl.fst.arc(state, 0, 0, self.spoken, self.loop)
        self.hcl.fst.arc(state, _forward(_SIL), 0, self.silent, self.pause)

    def chain(self, phones: bytes) -> int:
        """The state inside `phones[0]` of a word already decided, with the others to come."""
        state = self.chains.get(phones)
        if state is None:
            state = self.chains[phones] = self.hcl.state()
            self.hcl.fst.arc(state, _loop(phones[0]), 0, 0.0, state)
            if len(phones) > 1:
                self.hcl.fst.arc(state, _forward(phones[1]), 0, 0.0, self.chain(phones[1:]))
            else:
                self._to_next_word(state)
        return state

    def grow(self, first: int, last: int, depth: int, state: int) -> set[int]:
        """Arcs of `state`, the node of entries[first:last] with `depth` phones in common; the labels ahead."""
        ahead: set[int] = set()
        while first < last and len(self.entries[first][0]) == depth:
            first += 1  # words that end here belong to the caller
        while first < last:
            phone = self.entries[first][0][depth]
            end = first + 1
            while end < last and self.entries[end][0][depth] == phone:
                end += 1
            ahead |= self._single(first, depth, state) if end == first + 1 else self._shared(first, end, depth, state)
            first = end
        return ahead

    def _single(self, at: int, depth: int, state: int) -> set[int]:
        phones, word, cost = self.entries[at]
        label = self.hcl.label(word)
        self.hcl.fst.arc(state, _forward(phones[depth]), label, cost, self.chain(phones[depth:]))
        return {label}

    def _shared(self, first: int, end: int, depth: int, state: int) -> set[int]:
        phone = self.entries[first][0][depth]
        inside = self.hcl.state([])
        self.hcl.fst.arc(state, _forward(phone), 0, 0.0, inside)
        self.hcl.fst.arc(inside, _loop(phone), 0, 0.0, inside)
        ahead = self.grow(first, end, depth + 1, inside)
        while first < end and len(self.entries[first][0]) == depth + 1:
            _, word, cost = self.entries[first]
            label = self.hcl.label(word)
            self.hcl.fst.arc(inside, 0, label, cost, self.after)
            ahead.add(label)
            first += 1
        self.hcl.reach[inside] = sorted(ahead)
        return ahead

    def add_unknown(self, cost: list[list[float]], begin: float) -> None:
        """`[unk]`: a loop over all phones, weighted by the phone bigram `cost` (last row: a word's begin)."""
        fst, edge = self.hcl.fst, len(PHONES)
        unknown = self.hcl.label(UNKNOWN)
        middle = {(phone, place): self.hcl.state() for phone in PHONES for place in "BI"}
        for p, phone in enumerate(PHONES):
            single = bytes([_NUMBER[phone + "_S"]])
            first = _forward(_NUMBER[phone + "_B"])
            fst.arc(self.loop, first, unknown, begin + cost[edge][p], middle[phone, "B"])
            fst.arc(self.loop, _forward(single[0]), unknown, begin + cost[edge][p] + cost[p][edge], self.chain(single))
            for place in "BI":
                here = middle[phone, place]
                fst.arc(here, _loop(_NUMBER[f"{phone}_{place}"]), 0, 0.0, here)
                for q, following in enumerate(PHONES):
                    last = bytes([_NUMBER[following + "_E"]])
                    fst.arc(here, _forward(_NUMBER[following + "_I"]), 0, cost[p][q], middle[following, "I"])
                    fst.arc(here, _forward(last[0]), 0, cost[p][q] + cost[q][edge], self.chain(last))


def phone_bigram(
    lexicon: Mapping[str, tuple[Pronunciation, ...]], chances: Mapping[str, float], scale: float
) -> list[list[float]]:
    """Costs of one phone after another in words; row and column 39 stand for a word's edge.

    Words count by the root of their probability, so that common words do not drown the others.
    """
    edge = len(PHONES)
    index = {phone: number for number, phone in enumerate(PHONES)}
    counts = [[0.5] * (edge + 1) for _ in range(edge + 1)]
    for word, pronunciations in lexicon.items():
        weight = chances.get(word, 1e-7) ** 0.5 * 100
        before = edge
        for phone in pronunciations[0]:
            counts[before][index[phone]] += weight
            before = index[phone]
        counts[before][edge] += weight
    return [[-math.log(count / sum(row)) * scale for count in row] for row in counts]


def build_hcl(lexicon: Mapping[str, tuple[Pronunciation, ...]], chances: Mapping[str, float]) -> Hcl:
    """Build the transducer of a lexicon; `chances` are the words' probabilities (for `[unk]`'s phones)."""
    entries = [
        (_placed(phones), word, _RIVAL_COST * (rank > 0))
        for word, pronunciations in lexicon.items()
        for rank, phones in enumerate(pronunciations)
    ]
    entries.sort(key=lambda entry: entry[0].translate(_BY_NAME))
    builder = _Builder(entries)
    builder.grow(0, len(entries), 0, builder.loop)
    builder.add_unknown(phone_bigram(lexicon, chances, UNKNOWN_SCALE), UNKNOWN_COST)
    return builder.hcl
