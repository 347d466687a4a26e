"""A second ear for "venn" alone: a small net of our own along the last 0.8 s of sound (VN-8).

The recogniser's grammar hears much else as "venn", and not every "venn"; this net knows one word only. It takes
log energies of 40 bands, 10 ms a frame, against the loudest frame of the last 0.8 s, so that loudness makes no
difference, and gives a score every 20 ms: the sound up to here ends with "venn", and nothing follows that makes
another word of it. Dilated convolutions over time, each added to what came in; keyword.npz holds the weights
and the threshold; `python -m host.bench.train_venn` makes it, from tuning voices and real talk only.
"""

import math
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
BANDS = 40
CHANNELS = 48
FIRST, STEP = 5, 2
"""Frames that the first convolution sees, and how far it goes on: 20 ms."""
DILATIONS = (1, 2, 4, 4, 8)
"""Steps of 20 ms between the three that each further convolution sees."""
WINDOW = FIRST + STEP * 2 * sum(DILATIONS)
"""Frames of 10 ms that one score looks at."""
_FFT = 512
_FLOOR = 30.0
"""Power below which a band counts as silent, so that digital silence is like a quiet room."""
_DEPTH = 8.0
"""What is so much (nepers of power, 35 dB) below the loudest frame is as good as silent."""
_BACK = 80
"""Frames among which the loudest is looked for."""
KEPT = samples(10.0)
"""How far back scores are remembered."""


@cache
def bank(warp: float = 1.0) -> Array:
    """Triangular bands from 80 to 7400 Hz, even on the mel scale; `warp` moves them (training: longer throats)."""
    top, low = 2595 * np.log10(1 + 7400 / 700), 2595 * np.log10(1 + 80 / 700)
    edges = np.minimum(700 * (10 ** (np.linspace(low, top, BANDS + 2) / 2595) - 1) * warp, RATE / 2 - 1)
    edges += np.arange(BANDS + 2) * 1e-3
    bins = np.arange(_FFT // 2 + 1) * RATE / _FFT
    rise = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    return np.asarray(np.maximum(0, np.minimum(rise, fall)).T, dtype=np.float32)


@cache
def _hann() -> Array:
    return np.hanning(FRAME).astype(np.float32)


def frames(sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:
    """Log energies of each whole frame: (frames, bands); frame n begins at sample n * hop."""
    count = 1 + (len(sound) - FRAME) // hop
    if count < 1:
        return np.zeros((0, BANDS), np.float32)
    rows = np.lib.stride_tricks.sliding_window_view(sound.astype(np.float32), FRAME)[::hop][:count]
    spectrum = np.fft.rfft(rows * _hann(), _FFT)
    power = np.square(spectrum.real) + np.square(spectrum.imag)
    return np.asarray(np.log(power.astype(np.float32) @ bank(warp) / FRAME + _FLOOR), dtype=np.float32)


def level(rows: Array) -> Array:
    """For each frame (of log energies) the loudest of the last `_BACK`, itself among them."""
    loud = np.log(np.exp(rows).mean(axis=1) + 1e-9).astype(np.float32)
    padded = np.concatenate([np.full(_BACK - 1, -np.inf, np.float32), loud])
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, _BACK).max(axis=1))


def against(rows: Array, loudest: Array) -> Array:
    """Frames as the net takes them: against the loudest, about between -1 and 1."""
    return np.asarray(np.maximum(rows - loudest[:, None], -_DEPTH) / 4.0 + 1.0, np.float32)


def features(rows: Array) -> Array:
    """Log energies of a whole stream as the net takes them: (frames, bands)."""
    return against(rows, level(rows)) if len(rows) else rows


def unfold(given: Array, width: int, step: int, apart: int = 1) -> Array:
    """Every `step` the `width` times that lie `apart`: (n, t, c) to (n, t', width * c)."""
    count = (given.shape[1] - (width - 1) * apart - 1) // step + 1
    return np.concatenate([given[:, at * apart : at * apart + (count - 1) * step + 1 : step] for at in range(width)],
                          axis=2)


@dataclass(frozen=True)
class Net:
    """The net; `weights` by name, as in keyword.npz."""

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
        """Scores from 0 to 1 of (streams, frames, bands): (streams, steps), the first of the first WINDOW frames."""
        w = self.weights
        now = np.maximum(0, unfold(given, FIRST, STEP) @ w["w0"] + w["b0"])
        for at, apart in enumerate(DILATIONS, 1):
            new = np.maximum(0, unfold(now, 3, 1, apart) @ w[f"w{at}"] + w[f"b{at}"])
            now = now[:, apart:-apart] + new
        out = (now @ w["out"] + w["out0"])[:, :, 0]
        return np.asarray(1 / (1 + np.exp(-np.clip(out, -30, 30))), np.float32)


NAMES = (*(f"{kind}{at}" for at in range(len(DILATIONS) + 1) for kind in "wb"), "out", "out0")
"""The weights' names."""
BAND = ("sure", "sure_lead")
"""Upper limits, in the same file: between `find` and `sure`, and between `lead` and `sure_lead`, the host asks."""


@cache
def shipped() -> Net | None:
    """The net in keyword.npz; None where there is none."""
    file = resources.files("host.ears").joinpath("keyword.npz")
    return read(file.read_bytes()) if file.is_file() else None


def read(data: bytes) -> Net:
    """A net out of a file's bytes. Raises ValueError where it is none."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        if not set(NAMES) <= set(file):
            raise ValueError("this file holds another net: make it anew with python -m host.bench.train_venn")
        weights = {name: file[name].astype(np.float32) for name in NAMES}
        curve = tuple(tuple(map(float, row)) for row in file["curve"]) if "curve" in file else ()
        weight, lead = (float(file[name]) if name in file else 0.0 for name in ("weight", "lead"))
        sure, sure_lead = (float(file[name]) if name in file else None for name in BAND)
        return Net(weights, float(file["keep"]), float(file["find"]), lead, weight, curve, sure, sure_lead)


def banded(data: bytes, sure: float | None, sure_lead: float | None) -> bytes:
    """The same file with other upper limits of the band in which the host asks; None leaves a limit out."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        kept = {name: file[name] for name in file if name not in BAND}
    limits = {name: value for name, value in zip(BAND, (sure, sure_lead), strict=True) if value is not None}
    out = BytesIO()
    np.savez(out, **{**kept, **limits})
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class Score:
    """How much the sound up to `at` ended with "venn"."""

    at: Samples
    score: float
    sure: bool = True
    """It is above the band in which the host asks (`Net.sure`)."""


class Spotter:
    """The net along a stream; one object a channel."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.reset(0)

    def reset(self, at: Samples) -> None:
        """Forget everything; the next sample is number `at`."""
        self.at = self._began = at
        self._rest: Pcm = np.zeros(0, np.int16)
        self._rows = np.zeros((0, BANDS), np.float32)
        self._count = 0
        self.scores: deque[Score] = deque()

    def hear(self, pcm: Pcm) -> None:
        """Take samples; a score for each step of 20 ms that they complete."""
        self.at += len(pcm)
        self._rest = np.concatenate([self._rest, pcm])
        new = frames(self._rest)
        self._rest = self._rest[len(new) * HOP :]
        self._rows = np.concatenate([self._rows, new])
        self._count += len(new)
        ends = [end for end in range(self._count - len(new), self._count) if (end - WINDOW + 1) % STEP == 0]
        if len(new) and ends and ends[-1] >= WINDOW - 1:
            self._look(max(ends[0], WINDOW - 1), ends[-1])
        self._rows = self._rows[-(WINDOW + _BACK) :]
        while self.scores and self.scores[0].at < self.at - KEPT:
            self.scores.popleft()

    def _look(self, first: int, last: int) -> None:
        """Score the windows that end with the frames from `first` to `last`."""
        oldest = self._count - len(self._rows)
        taken = features(self._rows)[first - WINDOW + 1 - oldest : last + 1 - oldest]
        for step, score in enumerate(self.net(taken[None])[0]):
            end = first + STEP * step
            self.scores.append(Score(self._began + end * HOP + FRAME, float(score)))

    def best(self, since: Samples, until: Samples) -> Score:
        """The best score of a window that ended in that stretch."""
        found = [one for one in self.scores if since <= one.at <= until]
        return max(found, key=lambda one: one.score, default=Score(since, 0.0))


def scores(net: Net, sound: NDArray[Any]) -> tuple[Array, NDArray[np.int64]]:
    """The same over a whole sound at once: the scores, and the sample at which each window ends."""
    taken = features(frames(sound))
    if len(taken) < WINDOW:
        return np.zeros(0, np.float32), np.zeros(0, np.int64)
    found = net(taken[None])[0]
    return found, (np.arange(len(found), dtype=np.int64) * STEP + WINDOW - 1) * HOP + FRAME
