"""From the card's rate to 16 kHz with little delay: what the players say must not wait in a filter.

soxr's streams hold back up to 36 ms. Cards run at 48 kHz as a rule, three times ours, and for whole
multiples a linear-phase filter of a few milliseconds is enough: flat to 7.2 kHz, 60 dB down from
8.8 kHz on. Other rates go through soxr at a quality that holds back at most 22 ms.
"""

import numpy as np
import soxr
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from host.clock import RATE, Samples

_SPAN = 44
"""Length of the filter in samples at 16 kHz."""


class Decimator:
    """Several channels from `rate` to 16 kHz, piece by piece, all by the same filter.

    `delay` is by how many samples at 16 kHz the output lags the input.
    """

    def __init__(self, rate: int, channels: int) -> None:
        self._factor, rest = divmod(rate, RATE)
        self._stream = soxr.ResampleStream(rate, RATE, channels, dtype="float32", quality="LQ") if rest else None
        taps = _SPAN * self._factor + 1 if self._factor > 1 else 1
        self.delay: Samples = 0 if rest else (taps - 1) // 2 // max(1, self._factor)
        self._filter = _lowpass(taps, self._factor) if taps > 1 else np.ones(1, np.float32)
        self._kept: NDArray[np.float32] = np.zeros((taps - 1, channels), np.float32)

    def feed(self, sound: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take frames of shape (frames, channels); return what is complete at 16 kHz."""
        if self._stream is not None:
            return np.asarray(self._stream.resample_chunk(sound), np.float32).reshape(-1, sound.shape[1])
        if self._factor == 1:
            return sound
        sound = np.concatenate([self._kept, sound])
        if len(sound) < len(self._filter):
            self._kept = sound
            return np.zeros((0, sound.shape[1]), np.float32)
        windows = sliding_window_view(sound, len(self._filter), axis=0)[:: self._factor]
        self._kept = sound[len(windows) * self._factor :]
        return np.asarray(windows @ self._filter, np.float32)


def _lowpass(taps: int, factor: int) -> NDArray[np.float32]:
    """A windowed sinc that passes half of 16 kHz at `factor` times that rate."""
    place = np.arange(taps) - (taps - 1) / 2
    shape = np.sinc(place / factor) * np.kaiser(taps, 6.0)
    return np.asarray(shape / shape.sum(), np.float32)
