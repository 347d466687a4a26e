"""What is expected to be left of the host's echo, learnt from what was left of it before.

Two things are left by a linear canceller: a share of the echo that it takes away (its response is never quite
right), and what the room rings beyond the filter's end. The second follows the far end's power in the past. How it
dies away is a room's own affair: exponentially in a box (Lebart 2001, Habets 2009), with a step or hardly at all in
others (coupled rooms, a passage). So it is a mixture of three decays and of six stretches, the first 0.12 to 0.72 s
beyond the filter, in which it does not fall; together they are any response that never grows:

    expected = a * taken + sum over stretches k of b_k * P_k + sum over decays d of c_d * L_d + noise
    P_k: the far end's power of k pieces, a filter ago        L_d <- d * L_d + far end's power, a filter ago

The weights are never negative and fit the last seconds of host speech, each block by its ratio to the expected, not
by its size (multiplicative steps for the Itakura-Saito distance). A block counts as twice the expected at the most:
a player who talks for a moment raises the expectation by a decibel, not by his own loudness. In a tuning room that
hardly dies away for a second (studio-tuning-1), with the decays alone 3.9 % of the blocks of host speech and 40 % of
those of its pauses were louder than the expected (by 10 dB: 0.5 and 15 %), with the stretches 1.9 and 16 % (0.1 and
2.4 %); in rooms that decay as they should nothing changed.
"""

import numpy as np
from numpy.typing import NDArray

from host.devices.levels import SILENCE

_STRETCHES, _PIECE = 6, 4
"""Stretches beyond the filter, each by so many blocks (0.12 s) longer than the one before."""
_RINGS = (0.5, 1.0, 2.0)
"""Seconds in which the rooms that are mixed to one die away by 60 dB."""
_BLOCK = 0.03
_WINDOW = 200
"""Blocks (6 s) that the weights are fitted to."""
_STALE = 10
"""The last 0.3 s are left out: an onset is decided in that time, and must not mask itself."""
_FEWEST = 8
"""Blocks of host speech before which nothing is known: all that is heard may be the echo."""
_STEPS = 2
"""Steps of the fit a block."""
_MOST = 2.0
"""A block counts as so many times the expected power at the most ..."""
_UNEVEN = 9.0
"""dB by which single blocks may leave more than is expected on average."""
_COLD = 10.0
"""dB more that are expected of a filter which has just begun; nothing of it is left ..."""
_WARMED = 150
"""... after so many blocks of host speech (4.5 s)."""
_CLEANEST = 0.01
"""Share of the echo that is taken to be left at the least."""
_QUIET = 1e3
"""Power, samples squared, of a far end that speaks (-60 dBFS)."""
_INAUDIBLE = -75.0
"""dBFS below which an echo that dies away is over."""


class Residue:
    """The expected level of what is left of the echo; `reach` is the filter's length in blocks."""

    def __init__(self, reach: int) -> None:
        self._decays = 10.0 ** (-6.0 * _BLOCK / np.array(_RINGS))
        self._late = np.zeros(len(_RINGS))
        self._past = np.zeros(_STRETCHES * _PIECE + reach)
        self._weights = np.array([1.0] + [0.0] * (_STRETCHES + len(_RINGS)))
        self._noise = 1.0
        self._spoken = 0
        self._parts: NDArray[np.float64] = np.zeros(len(self._weights))
        self._heard = 0.0
        self._rows = np.zeros((_WINDOW + _STALE, 2 + len(self._weights)))
        self._count = 0

    @property
    def rings(self) -> bool:
        """Whether something of the host may still be heard."""
        return bool(self._parts.any() or self._heard)

    def level(self, heard: float, left: float, taken: float, far: float) -> float:
        """A block's expected residue, dBFS, of mean squares: microphone, cleaned, difference, far end."""
        self._noise = min(left + 1.0, self._noise * 1.012)
        self._advance(far)
        self._parts[0] = max(taken, 0.3 * self._parts[0])
        speaks = far >= _QUIET
        self._spoken += speaks
        if speaks or self._expected() > self._noise:
            row = self._rows[self._count % len(self._rows)]
            row[:-2], row[-2], row[-1] = self._parts, 2.0 * self._noise, left
            self._count += 1
            self._learn()
        self._heard = heard if self._spoken < _FEWEST + _STALE else 0.0
        return self._decibels()

    def fade(self) -> float:
        """A block in which nothing is played any more."""
        self._advance(0.0)
        self._parts[0] *= 0.3
        self._heard *= 0.3
        return self._decibels()

    def _advance(self, far: float) -> None:
        """The far end's power that is older than the filter is long (`_past`: the oldest first)."""
        older = self._past[1 : 1 + _STRETCHES * _PIECE]
        self._late = self._decays * self._late + older[-1]
        self._parts[1 : 1 + _STRETCHES] = np.cumsum(older[::-1])[_PIECE - 1 :: _PIECE]
        self._parts[1 + _STRETCHES :] = self._late
        self._past[:-1] = self._past[1:].copy()
        self._past[-1] = far

    def _learn(self) -> None:
        """Fit the weights to the blocks that are old enough."""
        if self._count < _FEWEST + _STALE:
            return
        if self._count == _FEWEST + _STALE:
            self._weights[1:] = 1e-3
        known = np.arange(max(0, self._count - len(self._rows)), self._count - _STALE) % len(self._rows)
        rows = self._rows[known]
        parts, noise, left = rows[:, :-2], rows[:, -2], rows[:, -1]
        for _ in range(_STEPS):
            expected = parts @ self._weights + noise + 1.0
            ratio = np.minimum(left / expected, _MOST)
            share = parts / expected[:, np.newaxis]
            change = (ratio @ share) / np.maximum(share.sum(axis=0), 1e-9)
            self._weights = np.maximum(self._weights * np.clip(change, 0.5, 2.0), 1e-9)

    def _expected(self) -> float:
        own = max(self._weights[0], _CLEANEST) * self._parts[0]
        return float(own + self._weights[1:] @ self._parts[1:])

    def _decibels(self) -> float:
        cold = _COLD * max(0.0, 1.0 - self._spoken / _WARMED)
        power = max(self._expected() * 10.0 ** ((_UNEVEN + cold) / 10.0), self._heard * 10.0 ** (_UNEVEN / 10.0))
        level = 10.0 * float(np.log10(power / 32768.0**2)) if power > 0.0 else SILENCE
        if level < _INAUDIBLE:
            if not (self._past.any() or self._late.any()) or level < _INAUDIBLE - 40.0:
                self._parts[:] = 0.0
                self._past[:] = 0.0
                self._late[:] = 0.0
                self._heard = 0.0
            return SILENCE
        return level
