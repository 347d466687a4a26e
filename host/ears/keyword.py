"""A second look at "venn": a small net of our own over the last 0.6 s of sound (VN-8).

The recogniser's grammar hears "venn" well and much else as it; this net tells them apart, and finds some
calls that the grammar missed. It takes log energies of 24 bands, 20 ms a step, the mean over the window taken
off each band, so that loudness and microphone make no difference. keyword.npz holds its weights and the two
thresholds; `python -m host.bench.train_venn` makes it, from tuning voices and real talk only.
"""

from collections import deque
from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.clock import RATE, Samples, samples
from host.sound import Pcm

Array = NDArray[np.float32]

HOP = 160
FRAME = 400
BANDS = 24
STEPS = 30
"""Steps of 20 ms in a window."""
WINDOW = 2 * STEPS
"""Frames of 10 ms in a window."""
_FFT = 512
_FLOOR = 30.0
"""Power below which a band counts as silent, so that digital silence is like a quiet room."""
KEPT = samples(10.0)
"""How far back scores are remembered."""


@cache
def _bank() -> Array:
    """Triangular bands from 100 to 7000 Hz, even on the mel scale."""
    top, low = 2595 * np.log10(1 + 7000 / 700), 2595 * np.log10(1 + 100 / 700)
    edges = 700 * (10 ** (np.linspace(low, top, BANDS + 2) / 2595) - 1)
    bins = np.arange(_FFT // 2 + 1) * RATE / _FFT
    rise = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.asarray(np.maximum(0, np.minimum(rise, fall)).T, dtype=np.float32)


def frames(sound: NDArray[Any]) -> Array:
    """Log energies of each whole frame: (frames, bands); frame n begins at sample n * HOP."""
    count = 1 + (len(sound) - FRAME) // HOP
    if count < 1:
        return np.zeros((0, BANDS), np.float32)
    rows = np.lib.stride_tricks.sliding_window_view(sound.astype(np.float32), FRAME)[::HOP][:count]
    spectrum = np.fft.rfft(rows * np.hanning(FRAME).astype(np.float32), _FFT)
    power = np.square(spectrum.real) + np.square(spectrum.imag)
    return np.asarray(np.log(power @ _bank() / FRAME + _FLOOR), dtype=np.float32)


def windows(rows: Array, ends: NDArray[np.intp]) -> Array:
    """The windows that end with those frames (at least WINDOW - 1): (windows, STEPS, BANDS)."""
    cut = np.lib.stride_tricks.sliding_window_view(rows, WINDOW, axis=0)[ends - WINDOW + 1]
    halved = cut.reshape(len(ends), BANDS, STEPS, 2).mean(axis=3).transpose(0, 2, 1)
    return np.asarray((halved - halved.mean(axis=1, keepdims=True)) / 2.0, dtype=np.float32)


@dataclass(frozen=True)
class Net:
    """Two convolutions over time, a hidden layer, one output; `weights` by name, as in keyword.npz."""

    weights: dict[str, Array]
    keep: float = 0.5
    """Score from which a "venn" of the grammar is believed."""
    find: float = 0.9
    """Score from which a call is believed that the grammar has not heard."""

    def __call__(self, given: Array) -> Array:
        """Scores from 0 to 1 of windows."""
        w = self.weights
        one = np.maximum(0, unfold(given, 5, 2) @ w["a"] + w["a0"])
        two = np.maximum(0, unfold(one, 3, 2) @ w["b"] + w["b0"])
        flat = np.maximum(0, two.reshape(len(two), -1) @ w["c"] + w["c0"])
        return np.asarray(1 / (1 + np.exp(-np.clip(flat @ w["d"] + w["d0"], -30, 30))), np.float32)[:, 0]


def unfold(given: Array, width: int, step: int) -> Array:
    """Rows of `width` time steps, every `step`: (n, t, c) to (n, t', width * c)."""
    cut = np.lib.stride_tricks.sliding_window_view(given, width, axis=1)[:, ::step]
    return np.asarray(cut.transpose(0, 1, 3, 2).reshape(len(given), cut.shape[1], -1), np.float32)


@cache
def shipped() -> Net | None:
    """The net in keyword.npz; None where there is none."""
    file = resources.files("host.ears").joinpath("keyword.npz")
    return read(file.read_bytes()) if file.is_file() else None


def read(data: bytes) -> Net:
    """A net out of a file's bytes. Raises ValueError where it is none."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        weights = {name: file[name].astype(np.float32) for name in ("a", "a0", "b", "b0", "c", "c0", "d", "d0")}
        return Net(weights, float(file["keep"]), float(file["find"]))


@dataclass(frozen=True, slots=True)
class Score:
    """How much the window that ended at `at` sounded like "venn"."""

    at: Samples
    score: float


class Spotter:
    """The net along a stream; one object a channel."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.reset(0)

    def reset(self, at: Samples) -> None:
        """Forget everything; the next sample is number `at`."""
        self.at = at
        self._rest: Pcm = np.zeros(0, np.int16)
        self._rows = np.zeros((0, BANDS), np.float32)
        self.scores: deque[Score] = deque()

    def hear(self, pcm: Pcm) -> None:
        """Take samples; one score a call, for the window that ends with them."""
        self.at += len(pcm)
        self._rest = np.concatenate([self._rest, pcm])
        new = frames(self._rest)
        self._rest = self._rest[len(new) * HOP :]
        self._rows = np.concatenate([self._rows, new])[-WINDOW:]
        if len(new) and len(self._rows) == WINDOW:
            score = float(self.net(windows(self._rows, np.array([WINDOW - 1])))[0])
            self.scores.append(Score(self.at, score))
        while self.scores and self.scores[0].at < self.at - KEPT:
            self.scores.popleft()

    def best(self, since: Samples, until: Samples) -> Score:
        """The best score of a window that ended in that stretch."""
        found = [one for one in self.scores if since <= one.at <= until]
        return max(found, key=lambda one: one.score, default=Score(since, 0.0))
