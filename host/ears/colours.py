"""A second ear for the eight colours: in noise the grammar loses one in six, and puts guesses on the wrong player.

A small net on a layer of the acoustic model (`host.ears.keyword`) scores each colour every 30 ms. When an utterance is
over, its scores and the grammar's reading are put together (`believed`): a colour that only the net has heard, in front
of all that the grammar knows or behind it, is put in; one that the grammar has and the net denies becomes unsure; where
they name two, the net's is taken. From which scores on that holds stands in the net's file, chosen by
`python -m host.bench.colour_limits` on voices that trained nothing. A colour within the words of an answer is left
alone ("the White House").
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path

import numpy as np

from host.clock import Samples, samples
from host.ears import trunk
from host.ears.fronts import Layer
from host.ears.hcl import UNKNOWN
from host.ears.keyword import Finder, model_of, model_sum, read
from host.events import Word
from host.sound import Pcm

KEPT = samples(16.0)
"""How far back scores are remembered: longer than any utterance."""
TAIL = samples(0.11)
"""The best window ends about so long after the colour."""
LENGTH = samples(0.3)
"""How long a colour takes that the grammar has not heard."""
BESIDE = samples(0.25)
"""A colour of the net and a word of the grammar that overlap but for so much may be the same."""


@dataclass(frozen=True)
class Limits:
    """From which scores the net is believed."""

    put: float
    """A colour that the grammar has not heard."""
    swap: float
    """Another colour than the one that the grammar has heard."""
    deny: float
    """Below it a colour of the grammar's is unsure."""


NEVER = Limits(2.0, 2.0, -1.0)
"""The grammar alone."""
UNSURE = 0.3
"""Confidence of a colour that the net denies."""


@dataclass(frozen=True)
class Colours:
    """The net, its words and limits."""

    finder: Finder
    names: tuple[str, ...]
    limits: Limits = NEVER
    spelt: Mapping[str, str] = field(default_factory=dict)
    """Other words that the grammar may write for one: "read" for red."""


@cache
def shipped(folder: Path) -> Colours | None:
    """The net for the model in a folder; None where it was not trained on that model's layers."""
    file = resources.files("host.ears").joinpath("colours.npz")
    if not file.is_file() or model_of(file.read_bytes()) != model_sum(folder):
        return None
    return loaded(file.read_bytes(), folder)


def loaded(data: bytes, folder: Path) -> Colours:
    """The net out of a file's bytes. Raises ValueError where it is none, trunk.FormError for another form of model."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        names = tuple(map(str, file["words"]))
        limits = Limits(*map(float, file["limits"])) if "limits" in file else NEVER
        spelt = {str(other): str(name) for other, name in file["spelt"]} if "spelt" in file else {}
    return Colours(Finder(read(data), Layer(trunk.read(folder))), names, limits, spelt)


@dataclass(frozen=True, slots=True)
class Peak:
    """The best score of a colour, and when its window ended."""

    at: Samples
    name: str
    score: float


class ColourEar:
    """The scores along a stream, while colours are listened for; one object a channel."""

    def __init__(self, colours: Colours) -> None:
        self.colours = colours
        self.wanted = False
        self._shape = colours.finder.net.shape
        self._reset(0)

    def _reset(self, at: Samples) -> None:
        self._at = self._began = at
        self._stream = self.colours.finder.front.stream()
        self._rows = np.zeros((0, self._shape.bands), np.float32)
        self._count = 0
        self._scores: deque[tuple[Samples, tuple[float, ...]]] = deque()

    def hear(self, at: Samples, pcm: Pcm) -> None:
        """Take the samples from `at` on."""
        if not self.wanted:
            return
        if at != self._at:
            self._reset(at)
        self._at += len(pcm)
        new, window = self._stream.hear(pcm), self._shape.window
        self._rows = np.concatenate([self._rows, new])
        self._count += len(new)
        if len(self._rows) >= window:
            found = self.colours.finder.net.each(self._rows[None])[0]
            last = self._count - len(found)
            ends = self.colours.finder.front.ends(np.arange(last, self._count))
            self._scores += [(self._began + int(end), tuple(map(float, row)))
                             for end, row in zip(ends, found, strict=True)]
            self._rows = self._rows[len(found) :]
        while self._scores and self._scores[0][0] < self._at - KEPT:
            self._scores.popleft()

    def peaks(self, since: Samples, until: Samples) -> tuple[Peak, ...]:
        """Each colour's best score in that stretch, the best of all first."""
        rows = [(at, row) for at, row in self._scores if since <= at <= until]
        if not rows:
            return ()
        found = []
        for place, name in enumerate(self.colours.names):
            at, row = max(rows, key=lambda pair: pair[1][place])
            found.append(Peak(at, name, row[place]))
        return tuple(sorted(found, key=lambda peak: -peak.score))

    def believed(self, words: tuple[Word, ...], began: Samples, now: Samples) -> tuple[Word, ...]:
        """The grammar's words of an utterance, with the colours that both together make."""
        return believed(words, self.peaks(began, now), self.colours) if self.wanted else words


def believed(words: Sequence[Word], peaks: Sequence[Peak], colours: Colours) -> tuple[Word, ...]:
    """The grammar's words and the net's scores put together."""
    row, limits = tuple(words), colours.limits
    if not peaks:
        return row
    known = {**{name: name for name in colours.names}, **colours.spelt}
    best, scores = peaks[0], {peak.name: peak.score for peak in peaks}
    placed = Word(best.name, max(0, best.at - TAIL - LENGTH), best.at - TAIL, best.score)
    own = [at for at, word in enumerate(row) if word.text in known]
    if not own:
        return _put(row, placed) if best.score >= limits.put else row
    made = list(row)
    for at in own:
        named = known[row[at].text]
        if named == best.name and best.score >= limits.put:
            made[at] = replace(row[at], text=best.name, confidence=max(row[at].confidence, best.score))
        elif named != best.name and best.score >= limits.swap and _same_place(row[at], placed):
            made[at] = replace(row[at], text=best.name, confidence=best.score)
        elif scores[named] < limits.deny:
            made[at] = replace(row[at], confidence=min(row[at].confidence, UNSURE))
    return tuple(made)


def _same_place(word: Word, placed: Word) -> bool:
    """Whether a word of the grammar may be what the net has heard; a partial's words have no times."""
    return word.ended <= word.began or (word.began < placed.ended + BESIDE and placed.began - BESIDE < word.ended)


def _put(row: tuple[Word, ...], placed: Word) -> tuple[Word, ...]:
    """The colour in front of all that the grammar knows, or behind it; what it did not know there makes way."""
    middle = (placed.began + placed.ended) // 2
    known = [word for word in row if word.text != UNKNOWN and word.ended > word.began]
    if not known or middle <= known[0].began:
        rest = tuple(word for word in row if word.text != UNKNOWN or word.began >= placed.ended)
        return (placed, *rest)
    if middle >= known[-1].ended:
        rest = tuple(word for word in row if word.text != UNKNOWN or word.ended <= placed.began)
        return (*rest, placed)
    return row
