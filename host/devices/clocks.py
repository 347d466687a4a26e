"""Two clocks: by how much they differ, read off the echo's delay; and the far end evened out by it.

Where microphone and speaker are two devices, the echo of what the speaker plays comes later and later (or
earlier and earlier), and no canceller follows that. So the far end is read at the microphone's pace:
sample n of what comes out is what was played at n - behind, and `behind` grows by the clocks' difference.
In between two samples a windowed sinc tells.
"""

from collections.abc import Sequence

import numpy as np

from host.clock import Samples, samples
from host.sound import Pcm

WALK = samples(0.001)
"""By so much at least a delay must have moved, in one direction, to be called a drift (the room does not)."""
FOUND = 8
"""Delays from which a drift is told."""
MOST = 1_000.0
"""Parts in a million that are evened out at the most."""
_TAPS = 16
_LEAST = _TAPS // 2
"""Samples that the far end is always behind: what comes after a sample is needed as well."""
_KEPT = samples(1.5)


def slope(delays: Sequence[tuple[Samples, float]]) -> float:
    """By how many parts in a million a delay walks, from (sample, delay); 0 for fewer than two of them.

    The median of all slopes between two of them (Theil and Sen): a few wrong delays move nothing.
    """
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(delays) for b in delays[i + 1 :] if b[0] > a[0]]
    return 1e6 * float(np.median(slopes)) if slopes else 0.0


def drift(delays: Sequence[tuple[Samples, float]]) -> float | None:
    """The slope where there is one beyond doubt; None where that can't be told."""
    if len(delays) < FOUND or abs(delays[-1][1] - delays[0][1]) < WALK:
        return None
    return slope(delays)


class Evened:
    """The far end at the microphone's pace. `rate` is in parts in a million; at first the far end passes as it is."""

    def __init__(self) -> None:
        self.rate = 0.0
        self._behind = 0.0
        self._past: Pcm = np.zeros(_KEPT, np.int16)

    @property
    def running(self) -> bool:
        """Whether the far end is changed at all."""
        return self._behind > 0.0

    def change(self, by: float, delay: Samples) -> None:
        """The clocks differ by so much more than was known; `delay` is by how much the echo lags now.

        Where the echo comes earlier and earlier, what is played is held back by half of its lag, to be used up.
        """
        self.rate += by
        if not self.running:
            self._behind = float(max(_LEAST, delay // 2 if self.rate < 0 else 0))

    def feed(self, far: Pcm) -> Pcm:
        """The next samples of the far end."""
        past = np.concatenate([self._past, far])
        self._past = past[-_KEPT:]
        if not self.running:
            return far
        steps = np.arange(1, len(far) + 1) * (self.rate * 1e-6)
        behind = np.clip(self._behind + steps, _LEAST, len(past) - len(far) - _TAPS)
        self._behind = float(behind[-1])
        if not past.any():
            return far
        place = np.arange(len(past) - len(far), len(past)) - behind
        whole = np.floor(place).astype(np.int64)
        offset = np.arange(1 - _TAPS // 2, _TAPS // 2 + 1)
        away = (place - whole)[:, np.newaxis] - offset
        weight = np.sinc(away) * (0.5 + 0.5 * np.cos(np.pi * away / (_TAPS / 2 + 1)))
        taken = past[np.minimum(whole[:, np.newaxis] + offset, len(past) - 1)]
        sound = np.einsum("nt,nt->n", taken.astype(np.float64), weight)
        return np.asarray(np.clip(np.rint(sound), -32768, 32767), dtype=np.int16)
