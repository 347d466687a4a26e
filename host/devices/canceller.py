"""The echo canceller: takes the host's own voice out of the microphone and leaves the players in it.

Theory. The microphone hears d = h * x + s: the far end x (what the speaker plays) through the room's
response h, plus whatever is near, s: players, noise. If h were known, d - h * x would be s. So h is
estimated, and only linearly subtracted: nothing is ever suppressed, so a player who talks over the
host loses nothing (suppressors remove the player with the echo, BAR-08).

The estimator is a Kalman filter in the frequency domain (Enzner & Vary 2006, partitioned by Kuech,
Mabande & Enzner 2014). The response is cut into N partitions of B samples; X_m is the spectrum of the
far end m blocks ago (2B samples, overlap-save), H_m the estimate of a partition, P_m the variance
of its error, each frequency on its own:

    y = last half of IFFT( sum X_m H_m )      e = d - y         E = FFT( 0, e )
    K_m = P_m X_m* / ( sum P_m |X_m|^2 + 2 S )                  S: power of what is near, from |E|^2
    H_m <- H_m + K_m E                                          forced back to B samples in time
    P_m <- A^2 ( 1 - K_m X_m / 2 ) P_m + ( 1 - A^2 ) |H_m|^2    a room changes, slowly

The halves and twos are the share of a block in its FFT. The gain looks after itself: where a player
speaks, S is large and the filter holds still (no double-talk detector); where the estimate is bad, P
is large and it runs. Two savings: the force back to B samples, which costs an FFT there and back, is
applied to every third partition in turn; and when the far end has been silent for longer than the
filter is long, there is nothing to subtract and nothing is computed.

What is left of the echo is expected to have the power sum P_m |X_m|^2 / 2, the filter's own and rather
cautious opinion, because it allows for a room that changes; and beyond the filter's length the room
goes on ringing: how fast it decays, and how loud it still is, is read off the last partitions.

Measured in eleven measured rooms unknown to the tuning, host's voice as loud as the players', three
players talking over it: 11 dB less echo in the first second, 23 dB from 5 to 10 s, 28 to 30 dB later,
23 to 25 dB while a player speaks; 1.4 % of one core. In four halls that ring for 3 to 6 s a filter of
0.3 s takes 13 to 15 dB.

One clock must drive microphone and speaker (50 ppm apart ruin it), and the delay from speaker to
microphone beyond `delay` must fit into the filter's length.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.clock import RATE, Samples, samples
from host.devices.levels import SILENCE
from host.sound import Pcm

BLOCK = 160
"""Samples a step of the filter: three steps to a block of the loop."""

TAIL = 0.3
"""Seconds of the room's response that are estimated."""

_KEEPS = 0.999
"""A: how much of the room is as it was a step ago."""
_UNSURE = 0.1
"""Variance of an unknown response's first partition; it falls by 30 dB to the last, as rooms decay."""
_SMOOTH = 0.5
"""How slowly the power of what is near is followed."""
_EVERY = 3
"""Each step forces every third partition back into B samples."""
_CAUTION = 10.0**-0.5
"""By what the filter's opinion of itself may be corrected: in nine measured rooms of the tuning set
the true residue was then below the expected one in 95 of 100 blocks (median 9 dB below)."""
_RELEASE = 3.0
"""dB a block by which the expected residue falls at most: the room outlasts the filter."""
_INAUDIBLE = -75.0
"""dBFS below which an echo that dies away is over."""
_FORGET = 0.995
"""How slowly the measure of success forgets, a block: about six seconds of host speech."""
_PROVEN = 0.97
"""How slowly the proven attenuation is followed, a block: about a second of host speech."""
_UNEVEN = 10.0**0.4
"""By how much single blocks leave more of the echo than the proven attenuation: 4 dB."""
_WARM = 0.1
"""Share of the echo that a filter leaves which knows the room (-10 dB); of a colder one more is expected,
up to 5 dB."""
_COLD = 10.0**1.4
"""By how much more than it has shown a filter is expected to leave at first (14 dB); nothing of it is left ..."""
_WARMED = 400
"""... after so many blocks of host speech (12 s: the greeting)."""
_STALE = 10
"""Blocks of host speech by which the proven attenuation is late: 0.3 s, in which an onset is decided."""
_RINGS = 0.5
"""By how much a room's ringing falls a block at the least, where nothing else is known of it."""
_QUIET = 1e3
"""Power of the microphone, samples squared, below which there is no echo to measure (-60 dBFS)."""


class Canceller:
    """One microphone's echo canceller. `delay` is how far the echo lags the far end, in samples."""

    def __init__(self, delay: Samples = 0, tail: float = TAIL) -> None:
        self._tail = tail
        self._count = max(1, -(-samples(tail) // BLOCK))
        shape = (self._count, BLOCK + 1)
        self._spectra = np.zeros(shape, np.complex64)
        self._powers = np.zeros(shape, np.float32)
        self._filter = np.zeros(shape, np.complex64)
        fall = 10.0 ** (-3.0 * np.arange(self._count) / self._count)
        self._variance = np.repeat((_UNSURE * fall)[:, np.newaxis], BLOCK + 1, axis=1).astype(np.float32)
        self._near = np.zeros(BLOCK + 1, np.float32)
        self._far = np.zeros(2 * BLOCK, np.float32)
        self._delayed: Pcm = np.zeros(max(0, delay), np.int16)
        self._silent = self._count + 2
        self._turn = 0
        self._late = 0.0
        self._decay = 0.5
        self._expected = 0.0
        self._residue = SILENCE
        self._before = self._after = 0.0
        self._proof = _Proof()

    def realign(self, delay: Samples) -> None:
        """Begin anew with another delay, knowing nothing of the room."""
        Canceller.__init__(self, delay, self._tail)

    @property
    def erle(self) -> float | None:
        """By how many dB the microphone became quieter while the host spoke; None before it has.

        Players and noise lower it; below 6 dB while only the host speaks something is wrong: the
        delay, two clocks, or another canceller in the chain (BAR-06, BAR-14).
        """
        if self._before <= 0.0:
            return None
        return float(10.0 * np.log10(self._before / max(self._after, 1e-9)))

    def clean(self, mic: Pcm, far: Pcm) -> tuple[Pcm, float]:
        """Take a block (a multiple of 160 samples) and return it without the far end's echo.

        The second value is the level that what is left of the echo is expected to have at most,
        dBFS; -120 where the host is silent.
        """
        self._delayed = np.concatenate([self._delayed, far])
        far, self._delayed = self._delayed[: len(mic)], self._delayed[len(mic) :]
        cleaned = np.empty(len(mic), np.float32)
        powers, heard = [], mic.astype(np.float32)
        for start in range(0, len(mic), BLOCK):
            piece = slice(start, start + BLOCK)
            self._silent = 0 if far[piece].any() else self._silent + 1
            if self._silent > self._count + 1:
                self._rest(far[piece])
                cleaned[piece] = heard[piece]
                powers.append(self._late)
            else:
                cleaned[piece] = self._step(heard[piece], far[piece].astype(np.float32))
                powers.append(self._expected + self._late)
        if self._silent <= self._count + 1:
            self._measure(mic, cleaned)
        proven = self._proof.residue(_mean(heard), _mean(cleaned), _mean(heard - cleaned), _mean(far))
        pcm = np.asarray(np.clip(np.rint(cleaned), -32768, 32767), dtype=np.int16)
        return pcm, self._level(max(float(np.mean(powers)), proven))

    def _rest(self, far: Pcm) -> None:
        """The far end is silent and has been so for the filter's length: forget it."""
        if self._silent == self._count + 2:
            self._spectra[:] = 0
            self._powers[:] = 0
        self._late *= self._decay
        self._far[:BLOCK], self._far[BLOCK:] = self._far[BLOCK:], far

    def _step(self, mic: NDArray[np.float32], far: NDArray[np.float32]) -> NDArray[np.float32]:
        """Predict the echo of one step, subtract it, learn from what is left."""
        self._far[:BLOCK], self._far[BLOCK:] = self._far[BLOCK:], far
        spectrum = np.fft.rfft(self._far).astype(np.complex64)
        last = _power(self._filter[-1]) + self._variance[-1]
        self._late = self._decay * (self._late + _sum(self._powers[-1] * last))
        self._spectra[1:] = self._spectra[:-1].copy()
        self._spectra[0] = spectrum
        self._powers[1:] = self._powers[:-1].copy()
        self._powers[0] = _power(spectrum)
        echo = np.fft.irfft(np.einsum("mf,mf->f", self._spectra, self._filter))[BLOCK:]
        error = (mic - echo).astype(np.float32)
        self._learn(np.fft.rfft(error, 2 * BLOCK))
        return error

    def _learn(self, early: NDArray[np.complexfloating]) -> None:
        """The Kalman filter's step; `early` is the spectrum of the error in the first half.

        Overlap-save wants it in the second half: a shift by half the FFT turns the sign of every
        odd frequency.
        """
        spectrum = early.astype(np.complex64)
        spectrum[1::2] *= -1.0
        self._near = np.float32(_SMOOTH) * self._near + np.float32(1.0 - _SMOOTH) * _power(spectrum)
        expected = np.einsum("mf,mf->f", self._variance, self._powers)
        self._expected = _CAUTION * _sum(expected)
        step = self._variance / (expected + 2.0 * self._near + np.float32(1.0))
        square = np.float32(_KEEPS**2)
        self._variance *= square * (1.0 - np.float32(0.5) * step * self._powers)
        heights = _power(self._filter)
        self._variance += (1.0 - square) * heights
        if self._turn == 0:
            self._decay = _decay(heights + self._variance)
        self._filter += step * np.conj(self._spectra) * spectrum
        turn = slice(self._turn, None, _EVERY)
        self._turn = (self._turn + 1) % _EVERY
        response = np.fft.irfft(self._filter[turn], axis=1)[:, :BLOCK]
        self._filter[turn] = np.fft.rfft(response, 2 * BLOCK, axis=1)

    def _measure(self, mic: Pcm, cleaned: NDArray[np.float32]) -> None:
        before = float(np.mean(np.square(mic, dtype=np.float64)))
        if before > _QUIET:
            self._before = _FORGET * self._before + before
            self._after = _FORGET * self._after + float(np.mean(np.square(cleaned, dtype=np.float64)))

    def _level(self, power: float) -> float:
        """The expected residue in dBFS, falling no faster than the room does."""
        level = 10.0 * float(np.log10(power / 32768.0**2)) if power > 0.0 else SILENCE
        self._residue = max(level, self._residue - _RELEASE, SILENCE)
        if self._silent > self._count + 1 and self._residue < _INAUDIBLE:
            self._residue, self._late = SILENCE, 0.0
        return self._residue


class _Proof:
    """What the canceller has shown that it can do: the filter's opinion of itself is not believed before.

    A filter that is cold, or that a loud vowel has just led astray, thinks too well of itself (by up to
    20 dB in the first seconds). What it took away within the last second of host speech is a fact, and what
    it leaves of the next block is about as much less than the echo. Somebody who speaks makes the
    attenuation look smaller, and must not mask himself by it: what is believed is what was known `_STALE`
    blocks of host speech ago. All are mean squares of a block.
    """

    def __init__(self) -> None:
        self._ringing = self._heard = self._left = self._played = 0.0
        self._noise = 1.0
        self._spoken = 0
        self._known: deque[tuple[float, float]] = deque(maxlen=_STALE)

    def residue(self, heard: float, left: float, taken: float, far: float) -> float:
        """The power that a block of the echo is expected to leave; 0 where the host is silent."""
        self._noise = min(left + 1.0, self._noise * 1.012)
        self._ringing = max(far, _RINGS * self._ringing)
        if self._ringing < _QUIET:
            return 0.0
        if far >= _QUIET:
            self._spoken += 1
            self._heard = _PROVEN * self._heard + heard
            self._left = _PROVEN * self._left + max(0.0, left - 2.0 * self._noise)
            self._played = _PROVEN * self._played + self._ringing
            self._known.append((self._heard / self._played, min(1.0, self._left / max(self._heard, 1.0))))
        if not self._known:
            return 0.0
        height, share = self._known[0]
        uneven = _UNEVEN * max(1.0, share / _WARM) ** 0.5 * _COLD ** max(0.0, 1.0 - self._spoken / _WARMED)
        return float(uneven * max(taken, height * self._ringing) * share)


def _mean(sound: NDArray[Any]) -> float:
    return float(np.mean(np.square(sound, dtype=np.float64))) if len(sound) else 0.0


def _power(spectrum: NDArray[np.complex64]) -> NDArray[np.float32]:
    return np.asarray(spectrum.real**2 + spectrum.imag**2, dtype=np.float32)


def _sum(spectrum: NDArray[np.float32]) -> float:
    """The mean power of the samples that have this power spectrum (one half of a real signal's)."""
    return float(2.0 * spectrum.sum() - spectrum[0] - spectrum[-1]) / (2.0 * BLOCK) ** 2


def _decay(heights: NDArray[np.float32]) -> float:
    """By what factor a response's power falls a partition, from its second and third thirds."""
    third = max(1, len(heights) // 3)
    before, after = float(heights[third : 2 * third].sum()), float(heights[-third:].sum())
    if before <= 0.0:
        return 0.5
    return float(np.clip((after / before) ** (1.0 / third), 0.5, 0.985))


@dataclass(frozen=True, slots=True)
class Delay:
    """How far an echo lags, and how clearly: 1 is a guess, from `CLEAR` on it may be believed."""

    delay: Samples
    clarity: float


CLEAR = 8.0
"""Clarity of a delay that may be believed."""


def find_delay(mic: Pcm, far: Pcm, most: float = 0.8) -> Delay:
    """Find by how many samples (0 to `most` seconds) the microphone lags the far end.

    The cross-correlation is whitened (each frequency counts by its phase alone), which turns the
    smear of a voice into a peak where the direct sound arrives. Clarity is the peak's height against
    what correlations of this length have elsewhere. Give it some seconds in which the host speaks.
    """
    reach = samples(most)
    size = 1 << (len(mic) + reach).bit_length()
    cross = np.fft.rfft(mic.astype(np.float64), size) * np.conj(np.fft.rfft(far.astype(np.float64), size))
    frequency = np.fft.rfftfreq(size, 1.0 / RATE)
    height = np.abs(cross)
    floor = 1e-3 * float(height.max()) if height.size else 0.0
    if floor <= 0.0:
        return Delay(0, 0.0)
    cross = np.where((frequency > 200.0) & (frequency < 6_000.0), cross / (height + floor), 0.0)
    correlation = np.abs(np.fft.irfft(cross, size)[: reach + 1])
    peak = int(np.argmax(correlation))
    usual = float(np.sqrt(np.mean(np.square(correlation))))
    return Delay(peak, float(correlation[peak]) / max(usual, 1e-12))
