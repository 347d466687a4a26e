"""Where an utterance began, looked for again when it is known what was said (CE-13).

The detector tells its onset at once, by level alone. Behind it stand two more opinions: where some band of the sound
rose over what is usual in it, and where the recogniser heard the first word begin. The median of the three is
believed: one that is far off, because what is left of the host's voice lay over the beginning, moves nothing.

Chosen on 345 guesses over the host's voice at -6, 0 and +6 dB in 22 tuning rooms (eight voices of the tuning set): the
onset is off by 10.9 ms on average, 95 of 100 between -22 and 41 ms; the detector's alone by 14.5 ms, -41 to 45 ms. A
net with 16 hidden units on the same bands, trained on the other voices, was no better (10.3 ms; there 10.8), and the
recogniser's word alone is off by 20 ms. Between 5 and 7 dB for `_RISEN`, 8 and 15 for `_MOST`, 10 and 30 ms for `WORD`
nothing changes by more than a millisecond.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from host.clock import Samples, samples
from host.ears.detector import QUIET
from host.ears.opinion import Moment
from host.sound import Pcm

_FRAME, _WINDOW = 80, 160
"""Samples of a step and of the window about it: 5 and 10 ms."""
_BANDS = (1, 4, 9, 20, 38, 80)
"""Edges of the bands in bins of 100 Hz; the last reaches to 8 kHz."""
_FEWEST = 100
"""Frames from which on it can be told what is usual."""
_LATEST = 50
"""Frames before the decision that are not asked what is usual: somebody may have spoken already."""
_REACH = 80
"""Frames before the decision in which an utterance may have begun."""
_NOISE, _LEFT = 0.3, 0.7
"""The share of the frames that stay below what counts as noise, and as left of the host's voice."""
_RISEN, _MOST = 6.0, 10.0
"""dB that a band must have risen, and by which a frame counts at the most."""
WORD = samples(0.02)
"""By so much a recogniser's first word begins late, in the median."""


def risen(sound: Pcm, now: Samples, moments: Iterable[Moment]) -> Samples | None:
    """The sample at which some band of `sound` rose for good; it ends at `now`, where speech was decided on.

    `moments` tell the level that is expected of the host's voice. What is left of it has the same share of that level
    in each band as before. The frames are summed back from the decision, as in Page's test: those that rose count for
    a beginning before them, the others against it. None where too little was heard before to tell what is usual.
    """
    count = len(sound) // _FRAME
    if count < _FEWEST:
        return None
    power = _bands(sound[len(sound) - count * _FRAME :])
    left = _left(now - count * _FRAME + _FRAME * np.arange(count), moments)
    usual = power[: count - _LATEST]
    expected = np.tile(np.quantile(usual, _NOISE, axis=0) + 0.01, (count, 1))
    spoken = np.flatnonzero(left[: len(usual)])
    if len(spoken):
        over = np.maximum(usual[spoken] - expected[spoken], 0.0) / left[spoken, np.newaxis]
        expected += np.quantile(over, _LEFT, axis=0) * left[:, np.newaxis]
    rise = np.max(10.0 * np.log10(power[-_REACH:] / expected[-_REACH:] + 1e-9), axis=1)
    sums = np.cumsum((np.clip(rise, -_MOST, _MOST) - _RISEN)[::-1])[::-1]
    return now - (len(sums) - int(np.argmax(sums))) * _FRAME


def _bands(sound: Pcm) -> NDArray[np.float64]:
    """The mean square of each frame in each band, in the units of samples squared."""
    padded = np.pad(sound.astype(np.float64), ((_WINDOW - _FRAME) // 2, _WINDOW))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[: len(sound) : _FRAME]
    window = np.hanning(_WINDOW + 2)[1:-1]
    power = np.square(np.abs(np.fft.rfft(frames * window, axis=1))) / (_WINDOW * float(np.sum(window**2)))
    return np.add.reduceat(power[:, : _BANDS[-1]], _BANDS[:-1], axis=1)


def _left(times: NDArray[np.int64], moments: Iterable[Moment]) -> NDArray[np.float64]:
    """What is expected of the host's voice at these samples, as a mean square; 0 where it is silent."""
    known = [(moment.at, moment.residue) for moment in moments] or [(0, QUIET)]
    starts, residues = (np.array(row) for row in zip(*known, strict=True))
    levels = residues[np.maximum(np.searchsorted(starts, times, "right") - 1, 0)]
    return np.where(levels > QUIET, 32768.0**2 * 10.0 ** (levels / 10.0), 0.0)


def settled(told: Samples, rose: Samples | None, word: Samples | None) -> Samples:
    """The median of the onset that was told, that of `risen` and the first word's; `told` where one is missing."""
    return told if rose is None or word is None else sorted((told, rose, word - WORD))[1]
