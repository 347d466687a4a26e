"""A second ear for "venn" alone: a small net of our own along the last half second of sound (VN-8).

The recogniser's grammar hears much else as "venn", and not every "venn"; this net knows one word only. It stands on a
front end (`host.ears.fronts`): on a layer of the acoustic model, which has heard many voices, with a second net on the
numbers before its output, or, where the model has no layers that we know, on plain log energies (`host.ears.bands`).
Every 20 or 30 ms it gives a score: the sound up to here ends with "venn", and nothing follows that makes another word
of it. Dilated convolutions over time, each added to what came in. keyword_deep.npz and keyword.npz hold the weights
and thresholds of the two; `python -m host.bench.train_venn` makes them, from tuning voices and real talk only.
"""

import math
from collections import deque
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.clock import Samples, samples
from host.ears import trunk
from host.ears.bands import Array, Bands
from host.ears.files import sha256
from host.ears.fronts import THIN, WIDE, Double, Front
from host.sound import Pcm

KEPT = samples(10.0)
"""How far back scores are remembered."""


@dataclass(frozen=True)
class Shape:
    """What a net looks at."""

    bands: int
    """Numbers in a row of the front end."""
    first: int
    """Rows that the first convolution sees, ..."""
    step: int
    """... and how many it goes on by."""
    channels: int
    dilations: tuple[int, ...]
    """Steps between the three that each further convolution sees."""
    words: int = 1
    """How many words it knows."""

    @property
    def window(self) -> int:
        """Rows that one score looks at."""
        return self.first + self.step * 2 * sum(self.dilations)

    @property
    def names(self) -> tuple[str, ...]:
        """The weights' names."""
        return (*(f"{kind}{at}" for at in range(len(self.dilations) + 1) for kind in "wb"), "out", "out0")


PLAIN = Shape(40, 5, 2, 48, (1, 2, 4, 4, 8))
"""On log energies: 0.85 s in steps of 20 ms."""
DEEP = Shape(WIDE, 1, 1, 64, (1, 2, 4))
"""On a layer of the acoustic model, which itself sees 0.2 s to either side: 0.45 s in steps of 30 ms."""
NARROW = Shape(THIN, 1, 1, 64, (1, 2, 4))
"""On the 64 numbers before its output, which see 0.34 s to either side."""
OTHER = "narrow_"
"""Begins the names of the second net's weights in a file with two."""
BAND = ("sure", "sure_lead")
"""Upper limits, in the same file: between `find` and `sure`, and between `lead` and `sure_lead`, the host asks."""


def unfold(given: Array, width: int, step: int, apart: int = 1) -> Array:
    """Every `step` the `width` times that lie `apart`: (n, t, c) to (n, t', width * c)."""
    count = (given.shape[1] - (width - 1) * apart - 1) // step + 1
    return np.concatenate([given[:, at * apart : at * apart + (count - 1) * step + 1 : step] for at in range(width)],
                          axis=2)


@dataclass(frozen=True)
class Net:
    """The net; `weights` by name, as in its file."""

    weights: dict[str, Array]
    keep: float = 0.5
    """Score from which the recogniser is asked for its opinion (host.ears.calls)."""
    find: float = 0.9
    """Score of both together from which it is a call."""
    lead: float = 0.0
    """The recogniser's lead, in nepers, from which a "venn" of the grammar is believed without the net."""
    weight: float = 0.0
    """How much a neper of the recogniser's lead counts beside the net's own odds."""
    curve: tuple[tuple[float, ...], ...] = ()
    """What they were chosen on: threshold, calls missed, near words taken, alarms an hour of real sound."""
    sure: float | None = None
    """Score from which a call stops at once; from `find` up to it the host asks (None: no such band)."""
    sure_lead: float | None = None
    """The same for `lead`."""
    shape: Shape = PLAIN

    def certain(self, score: float) -> bool:
        """Whether a score of both together is above the band in which the host asks."""
        return score >= max(self.find, self.sure or 0.0)

    def certain_lead(self, lead: float) -> bool:
        """Whether the recogniser's lead alone is."""
        return lead >= (self.lead if self.sure_lead is None else max(self.lead, self.sure_lead))

    def together(self, score: float, lead: float) -> float:
        """The net's score and the recogniser's lead as one score from 0 to 1."""
        sure = min(max(score, 1e-6), 1 - 1e-6)
        return 1 / (1 + math.exp(-(math.log(sure / (1 - sure)) + self.weight * lead)))

    def __call__(self, given: Array) -> Array:
        """Scores of the first word from 0 to 1 of (streams, rows, bands): (streams, steps)."""
        return self.each(given)[:, :, 0]

    def each(self, given: Array) -> Array:
        """Scores of each word from 0 to 1 of (streams, rows, bands): (streams, steps, words)."""
        w, shape = self.weights, self.shape
        now = np.maximum(0, unfold(given, shape.first, shape.step) @ w["w0"] + w["b0"])
        for at, apart in enumerate(shape.dilations, 1):
            new = np.maximum(0, unfold(now, 3, 1, apart) @ w[f"w{at}"] + w[f"b{at}"])
            now = now[:, apart:-apart] + new
        return logistic(now @ w["out"] + w["out0"])


def logistic(odds: Array) -> Array:
    """Scores from 0 to 1 of logarithms of odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float32)


@dataclass(frozen=True)
class Pair(Net):
    """Two nets on the two parts of a row: what one of them takes for a call the other often does not."""

    other: Net | None = None

    def each(self, given: Array) -> Array:
        """The odds of both multiplied."""
        assert self.other is not None  # noqa: S101 - a pair has two
        found = super().each(given[:, :, :WIDE]), self.other.each(given[:, :, WIDE:])
        one, other = (np.log(scores / (1 - scores)) for scores in (np.clip(each, 1e-6, 1 - 1e-6) for each in found))
        return logistic(one + other)


def paired(net: Net, other: Net) -> Pair:
    """A net on a layer and one on the numbers before the output, with the limits of the first."""
    values = {one.name: getattr(net, one.name) for one in fields(Net)}
    return Pair(**{**values, "shape": replace(net.shape, bands=WIDE + THIN)}, other=other)


@dataclass(frozen=True)
class Finder:
    """A net on its front end."""

    net: Net
    front: Front

    def scores(self, sound: NDArray[Any]) -> tuple[Array, NDArray[np.int64]]:
        """Of a whole sound at once: the scores, and the sample at which each window ends."""
        rows, shape = self.front.whole(sound), self.net.shape
        if len(rows) < shape.window:
            return np.zeros(0, np.float32), np.zeros(0, np.int64)
        found = self.net(rows[None])[0]
        return found, self.front.ends(np.arange(len(found), dtype=np.int64) * shape.step + shape.window - 1)


@cache
def shipped(folder: Path | None = None) -> Finder | None:
    """The net for the model in a folder: on its own layers where it was trained on them, else on plain energies.

    None where there is no file with a net.
    """
    here = resources.files("host.ears")
    deep, plain = here.joinpath("keyword_deep.npz"), here.joinpath("keyword.npz")
    if folder is not None and deep.is_file():
        found = read(deep.read_bytes())
        if model_of(deep.read_bytes()) == model_sum(folder):
            return Finder(found, Double(trunk.read(folder)))
    return Finder(read(plain.read_bytes()), Bands()) if plain.is_file() else None


def model_sum(folder: Path) -> str:
    """The sum of the acoustic model in a model's folder; empty where there is none."""
    file = folder / "am" / "final.mdl"
    return sha256(file) if file.is_file() else ""


def model_of(data: bytes) -> str:
    """The sum of the acoustic model on which the net in a file's bytes was trained; empty for plain energies."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        return str(file["model"]) if "model" in file else ""


def read(data: bytes) -> Net:
    """A net out of a file's bytes. Raises ValueError where it is none."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        shape = replace(DEEP if "model" in file else PLAIN, words=file["out"].shape[1] if "out" in file else 1)
        if not set(shape.names) <= set(file) or file["w0"].shape != (shape.bands * shape.first, shape.channels):
            raise ValueError("this file holds another net: make it anew with python -m host.bench.train_venn")
        weights = {name: file[name].astype(np.float32) for name in shape.names}
        other = {name: file[OTHER + name].astype(np.float32) for name in shape.names if OTHER + name in file}
        curve = tuple(tuple(map(float, row)) for row in file["curve"]) if "curve" in file else ()
        weight, lead = (float(file[name]) if name in file else 0.0 for name in ("weight", "lead"))
        sure, sure_lead = (float(file[name]) if name in file else None for name in BAND)
        net = Net(weights, float(file["keep"]), float(file["find"]), lead, weight, curve, sure, sure_lead, shape)
    return paired(net, Net(other, shape=replace(NARROW, words=shape.words))) if other else net


def banded(data: bytes, sure: float | None, sure_lead: float | None) -> bytes:
    """The same file with other upper limits of the band in which the host asks; None leaves a limit out."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        kept = {name: file[name] for name in file if name not in BAND}
    limits = {name: value for name, value in zip(BAND, (sure, sure_lead), strict=True) if value is not None}
    out = BytesIO()
    np.savez(out, **{**kept, **limits})
    return out.getvalue()


# --- along a stream ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """How much the sound up to `at` ended with "venn"."""

    at: Samples
    score: float
    sure: bool = True
    """It is above the band in which the host asks (`Net.sure`)."""


class Spotter:
    """The net along a stream; one object a channel."""

    def __init__(self, finder: Finder) -> None:
        self.net, self._front = finder.net, finder.front
        self.reset(0)

    def reset(self, at: Samples) -> None:
        """Forget everything; the next sample is number `at`."""
        self.at = self._began = at
        self._stream = self._front.stream()
        self._rows = np.zeros((0, self.net.shape.bands), np.float32)
        self._count = 0
        self.scores: deque[Score] = deque()

    def hear(self, pcm: Pcm) -> None:
        """Take samples; a score for each step that they complete."""
        self.at += len(pcm)
        new, shape = self._stream.hear(pcm), self.net.shape
        self._rows = np.concatenate([self._rows, new])[-(shape.window + len(new)) :]
        before, self._count = self._count, self._count + len(new)
        ends = [end for end in range(max(before, shape.window - 1), self._count)
                if (end - shape.window + 1) % shape.step == 0]
        if ends:
            oldest = self._count - len(self._rows)
            taken = self._rows[ends[0] - shape.window + 1 - oldest : ends[-1] + 1 - oldest]
            places = self._front.ends(np.array(ends, np.int64))
            for place, score in zip(places, self.net(taken[None])[0], strict=True):
                self.scores.append(Score(self._began + int(place), float(score)))
        while self.scores and self.scores[0].at < self.at - KEPT:
            self.scores.popleft()

    def best(self, since: Samples, until: Samples) -> Score:
        """The best score of a window that ended in that stretch."""
        found = [one for one in self.scores if since <= one.at <= until]
        return max(found, key=lambda one: one.score, default=Score(since, 0.0))
