"""The language model of free dictation: a back-off n-gram as an acceptor over word labels (Kaldi's G)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from host.ears.fst import Fst
from host.ears.lexicon import LexiconError, open_text

_LN10 = math.log(10)
NEW_WORD = -5.5
"""log10 of the probability in free dictation of a word that was added."""


@dataclass
class Arpa:
    """A trigram model: log10 probabilities, and back-off weights where there are longer n-grams."""

    one: dict[str, tuple[float, float]] = field(default_factory=dict)
    two: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    three: dict[tuple[str, str, str], float] = field(default_factory=dict)


def read_arpa(path: Path) -> Arpa:
    """Read an ARPA file. Raises LexiconError where it is damaged."""
    model, order, words = Arpa(), 0, dict[str, str]()
    try:
        for line in open_text(path):
            if line.startswith("\\"):
                order = int(line[1]) if line[1].isdigit() else 0
                continue
            fields = line.split()
            if order == 0 or len(fields) <= order:
                continue
            gram = [words.setdefault(word, word) for word in fields[1 : order + 1]]
            chance, back_off = float(fields[0]), float(fields[order + 1]) if len(fields) > order + 1 else 0.0
            if order == 1:
                model.one[gram[0]] = chance, back_off
            elif order == 2:
                model.two[gram[0], gram[1]] = chance, back_off
            else:
                model.three[gram[0], gram[1], gram[2]] = chance
    except ValueError as error:
        raise LexiconError(f"{path} is damaged ({error}); put the model folder back as it was shipped") from error
    if "<s>" not in model.one or not model.two:
        raise LexiconError(f"{path} is cut short; put the model folder back as it was shipped")
    return model


def unigrams(path: Path) -> dict[str, float]:
    """Only the words' probabilities (0 to 1)."""
    found: dict[str, float] = {}
    for line in open_text(path):
        if line.startswith("\\2"):
            break
        fields = line.split()
        if len(fields) == 3 and fields[0].startswith("-"):
            found[fields[1]] = 10 ** float(fields[0])
    return found


class _Acceptor:
    """States are histories of at most two words; an arc adds a word or backs off to a shorter history."""

    def __init__(self, model: Arpa, labels: Mapping[str, int]) -> None:
        self.model, self.labels, self.fst = model, labels, Fst()
        pairs = sorted({(a, b) for a, b, _ in model.three} & model.two.keys())
        singles = sorted({a for a, _ in model.two} & model.one.keys() - {"<s>"})
        histories: list[tuple[str, ...]] = [("<s>",), (), *((word,) for word in singles), *pairs]
        self.states = {history: self.fst.state() for history in histories}

    def back_off(self) -> None:
        """Arcs without a word to the shorter history."""
        for history, state in self.states.items():
            if len(history) == 1:
                self.fst.arc(state, 0, 0, -self.model.one[history[0]][1] * _LN10, self.states[()])
            elif len(history) == 2:
                weight = self.model.two[history[0], history[1]][1]
                self.fst.arc(state, 0, 0, -weight * _LN10, self.longest(history[1]))

    def longest(self, *history: str) -> int:
        """The state of the longest known end of `history`."""
        while history not in self.states:
            history = history[1:]
        return self.states[history]

    def add(self, history: tuple[str, ...], word: str, chance: float) -> None:
        """An arc for `word` after `history`, where both are known; log10 probability."""
        state = self.states.get(history)
        if state is None:
            return
        if word == "</s>":
            self.fst.final[state] = -chance * _LN10
        elif word in self.labels:
            label = self.labels[word]
            self.fst.arc(state, label, label, -chance * _LN10, self.longest(*history[-1:], word))


def build_language(model: Arpa, labels: Mapping[str, int], chances: Mapping[str, float]) -> Fst:
    """The acceptor of a language model over the words in `labels`.

    `chances` (log10) are given to added words, and to words that the model thinks less likely. This is
    where sentences of packs could be mixed in: as further n-grams of `model`, before it comes here.
    """
    acceptor = _Acceptor(model, labels)
    acceptor.back_off()
    for word, (chance, _) in model.one.items():
        acceptor.add((), word, max(chance, chances.get(word, chance)))
    for word, chance in chances.items():
        if word not in model.one:
            acceptor.add((), word, chance)
    for (a, b), (chance, _) in model.two.items():
        acceptor.add((a,), b, chance)
    for (a, b, c), chance in model.three.items():
        acceptor.add((a, b), c, chance)
    return acceptor.fst
