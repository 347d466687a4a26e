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

The halves and twos are the share of a block in its FFT; half the expected error is taken off |E|^2
before it counts as S, or a cold filter would hold its own ignorance for a player. The gain looks after
itself: where a player speaks, S is large and the filter holds still (no double-talk detector); where
the estimate is bad, P is large and it runs. P begins large (`_UNSURE`): a room is learnt in a second.
Three savings: a step is as long as a block of the loop; the force back to B samples, which costs an FFT
there and back, is applied to every third partition in turn; and when the far end has been silent for
longer than the filter is long, there is nothing to subtract and nothing is computed.

What is left of the echo is not read off P, which thinks too well of a filter that a loud vowel has led
astray and too badly of a good one. It is read off what was left, against the echo that was taken away and
 what the room rings beyond the filter, within the last seconds of host speech (`devices/residue.py`).

Measured in 13 measured rooms of the tuning set, 24 s each, host's voice twice as loud as the players',
noise 20 or 30 dB below these: 10 dB less echo from 0.5 to 2 s, 19 dB from 2 to 5 s, 24 dB later (noise
is the limit), 17 dB in the worst hall; 0.7 % of one core. With steps of a third of a block, 0.3 s and a
P of 0.1, as it was before: 5, 12 and 23 dB, 9 dB in the hall, 1.5 %.

What lies below 5 Hz is taken out of the microphone first (`HighPass`): cheap microphones have an offset, and of the
measured responses some have one (studio-tuning-1: 26 dB over all else). Through such a room a statement leaves an
offset that wanders about after it was over, for as long as the response is, and was taken for somebody.

One clock must drive microphone and speaker (50 ppm apart ruin it), and the delay from speaker to
microphone beyond `delay` must fit into the filter's length.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from host.clock import BLOCK, RATE, Samples, samples
from host.devices.levels import SILENCE
from host.devices.residue import Residue
from host.sound import Pcm

TAIL = 0.45
"""Seconds of the room's response that are estimated."""

_KEEPS = 0.9985
"""A: how much of the room is as it was a step ago."""
_UNSURE = 5.0
"""Variance of an unknown response's first partition; it falls by `_FALL` to the last, as rooms decay."""
_FALL = 45.0
_SMOOTH = 0.5
"""How slowly the power of what is near is followed."""
_OWN = 0.1
"""Share of the error's power that counts as what is near at the least."""
_EVERY = 3
"""Each step forces every third partition back into B samples."""
_INAUDIBLE = -75.0
"""dBFS below which an echo that dies away is over."""
_FORGET = 0.995
"""How slowly the measure of success forgets, a block: about six seconds of host speech."""
_LOWEST = 5.0
"""Hz; what is lower is no sound. With 20 Hz the offset goes as well, but phases turn up to 200 Hz, and a recogniser's
narrow decisions with them."""
_QUIET = 1e3
"""Power, samples squared, below which there is nothing to measure (-60 dBFS)."""


class HighPass:
    """Takes out of a stream what lies below 5 Hz: one pole, y[n] = x[n] - x[n-1] + a y[n-1].

    The first sample counts as if it had always been there, or an offset would begin with a click.
    """

    def __init__(self) -> None:
        self._input: float | None = None
        self._output = 0.0

    def feed(self, sound: Pcm) -> NDArray[np.float32]:
        """The next samples without it."""
        if not len(sound):
            return np.zeros(0, np.float32)
        pole = 1.0 - 2.0 * np.pi * _LOWEST / RATE
        entered = sound.astype(np.float64)
        before = entered[0] if self._input is None else self._input
        powers = pole ** np.arange(len(sound))
        steps = np.diff(entered, prepend=before) / powers
        left = powers * (pole * self._output + np.cumsum(steps))
        self._input, self._output = float(entered[-1]), float(left[-1])
        return left.astype(np.float32)


class Canceller:
    """One microphone's echo canceller. `delay` is how far the echo lags the far end, in samples."""

    def __init__(self, delay: Samples = 0, tail: float = TAIL) -> None:
        self._tail = tail
        self._count = max(1, -(-samples(tail) // BLOCK))
        shape = (self._count, BLOCK + 1)
        self._spectra = np.zeros(shape, np.complex64)
        self._powers = np.zeros(shape, np.float32)
        self._filter = np.zeros(shape, np.complex64)
        fall = 10.0 ** (-_FALL / 10.0 * np.arange(self._count) / self._count)
        self._variance = np.repeat((_UNSURE * fall)[:, np.newaxis], BLOCK + 1, axis=1).astype(np.float32)
        self._near = np.zeros(BLOCK + 1, np.float32)
        self._far = np.zeros(2 * BLOCK, np.float32)
        self._played: deque[Pcm] = deque(maxlen=self._count + 2)
        self._delay = max(0, delay)
        self._delayed: Pcm = np.zeros(self._delay, np.int16)
        self._silent = self._count + 2
        self._turn = 0
        self._before = self._after = 0.0
        self._residue = Residue(self._count)
        self._high_pass = HighPass()

    def realign(self, delay: Samples) -> None:
        """Look for the echo from another `delay` on, rounded down to whole blocks from the present one.

        A later one within the filter's length moves what is known of the room along; else it begins anew,
        knowing nothing.
        """
        by = (delay - self._delay) // BLOCK
        if not 0 <= by < self._count:
            Canceller.__init__(self, delay, self._tail)
        elif by:
            self._move(by)

    def forget(self) -> None:
        """Begin anew with the same delay: what was learnt was of another clock."""
        Canceller.__init__(self, self._delay, self._tail)

    def _move(self, by: int) -> None:
        """Let the far end come `by` blocks later: every partition is now that much nearer to the first."""
        self._delay += by * BLOCK
        for kept in (self._spectra, self._powers, self._filter, self._variance):
            last = kept[-1].copy()
            kept[:-by] = kept[by:].copy()
            kept[-by:] = last if kept is self._variance else 0
        played = np.concatenate([np.zeros((self._count + 2) * BLOCK, np.int16), *self._played])
        start = len(played) - by * BLOCK
        self._far[:] = played[start - 2 * BLOCK : start]
        self._delayed = np.concatenate([played[start:], self._delayed])
        self._played = deque(list(self._played)[:-by], self._count + 2)
        self._silent = next((at for at, block in enumerate(reversed(self._played)) if block.any()), self._count + 2)

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
        """Take a block (480 samples) and return it without the far end's echo.

        The second value is the level that what is left of the echo is expected to have at most,
        dBFS; -120 where the host is silent.
        """
        if len(self._delayed):
            self._delayed = np.concatenate([self._delayed, far])
            far, self._delayed = self._delayed[:BLOCK], self._delayed[BLOCK:]
        self._played.append(far)
        self._silent = 0 if far.any() else self._silent + 1
        heard = self._high_pass.feed(mic)
        if self._silent > self._count + 1:
            return _pcm(heard), self._rest()
        cleaned = self._step(heard, far.astype(np.float32))
        before, after = _mean(heard), _mean(cleaned)
        if before > _QUIET:
            self._before = _FORGET * self._before + before
            self._after = _FORGET * self._after + after
        level = self._residue.level(before, after, _mean(heard - cleaned), _mean(self._far[BLOCK:]))
        return _pcm(cleaned), level

    def _rest(self) -> float:
        """The far end is silent and has been so for the filter's length: forget it."""
        if self._silent == self._count + 2:
            self._spectra[:] = 0
            self._powers[:] = 0
            self._far[:] = 0
        return self._residue.fade() if self._residue.rings else SILENCE

    def _step(self, mic: NDArray[np.float32], far: NDArray[np.float32]) -> NDArray[np.float32]:
        """Predict the echo of one step, subtract it, learn from what is left."""
        self._far[:BLOCK], self._far[BLOCK:] = self._far[BLOCK:], far
        spectrum = np.fft.rfft(self._far).astype(np.complex64)
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
        expected = np.einsum("mf,mf->f", self._variance, self._powers)
        power = _power(spectrum)
        near = np.maximum(power - np.float32(0.5) * expected, np.float32(_OWN) * power)
        self._near += np.float32(1.0 - _SMOOTH) * (near - self._near)
        step = self._variance / (expected + 2.0 * self._near + np.float32(1.0))
        square = np.float32(_KEEPS**2)
        self._variance *= square * (1.0 - np.float32(0.5) * step * self._powers)
        self._variance += (1.0 - square) * _power(self._filter)
        self._filter += step * np.conj(self._spectra) * spectrum
        turn = slice(self._turn, None, _EVERY)
        self._turn = (self._turn + 1) % _EVERY
        response = np.fft.irfft(self._filter[turn], axis=1)[:, :BLOCK]
        self._filter[turn] = np.fft.rfft(response, 2 * BLOCK, axis=1)


def _pcm(sound: NDArray[np.float32]) -> Pcm:
    return np.asarray(np.clip(np.rint(sound), -32768, 32767), dtype=np.int16)


def _mean(sound: NDArray[np.float32]) -> float:
    return float(np.dot(sound, sound)) / len(sound)


def _power(spectrum: NDArray[np.complex64]) -> NDArray[np.float32]:
    return np.asarray(spectrum.real**2 + spectrum.imag**2, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Delay:
    """How far an echo lags, and how clearly: 1 is a guess, from `CLEAR` on it may be believed."""

    delay: Samples
    clarity: float
    exact: float = 0.0
    """The delay to a fraction of a sample: the top of a parabola through the peak."""


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
    return Delay(peak, float(correlation[peak]) / max(usual, 1e-12), peak + _top(correlation[peak - 1 : peak + 2]))


def _top(three: NDArray[np.float64]) -> float:
    """Where between -1/2 and 1/2 a parabola through three heights has its top; 0 at the edges."""
    if len(three) < 3:
        return 0.0
    before, middle, after = map(float, three)
    bend = before - 2.0 * middle + after
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < 0.0 else 0.0
