"""Log energies of forty bands, 10 ms a frame: what the net for "venn" listens to where a model has no trunk (VN-8).

Each frame counts against the loudest of the last 0.8 s, so that loudness makes no difference (KEY-07).
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.clock import RATE
from host.sound import Pcm

Array = NDArray[np.float32]

HOP = 160
FRAME = 400
BANDS = 40
_FFT = 512
_FLOOR = 30.0
"""Power below which a band counts as silent, so that digital silence is like a quiet room."""
_DEPTH = 8.0
"""What is so much (nepers of power, 35 dB) below the loudest frame is as good as silent."""
_BACK = 80
"""Frames among which the loudest is looked for."""


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


class Bands:
    """A front end of the net (`host.ears.keyword.Front`)."""

    def whole(self, sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:
        """Rows of a whole sound, (frames, bands)."""
        return features(frames(sound, hop, warp))

    def ends(self, rows: NDArray[np.int64], hop: int = HOP) -> NDArray[np.int64]:
        """The sample after the last one of each row."""
        return rows * hop + FRAME

    def stream(self) -> "BandStream":
        """The same along a stream."""
        return BandStream()


class BandStream:
    """Rows as their samples come."""

    def __init__(self) -> None:
        self._rest: Pcm = np.zeros(0, np.int16)
        self._past = np.zeros((0, BANDS), np.float32)

    def hear(self, pcm: Pcm) -> Array:
        """Take samples; the rows that they complete."""
        self._rest = np.concatenate([self._rest, pcm])
        new = frames(self._rest)
        self._rest = self._rest[len(new) * HOP :]
        rows = np.concatenate([self._past, new])
        self._past = rows[max(0, len(rows) - _BACK + 1) :]
        return features(rows)[len(rows) - len(new) :]
