"""The mouth: a playback buffer that knows to the sample what it says.

Whole sentences are queued; whoever owns the speaker pulls them out block by block. Two clocks meet
here: the speaker's (`rate` samples a second, whole blocks of it) and the game's (16 kHz, `Samples`).
A line's place is decided on the game's clock, lazily, at the pull in which it begins:

    begin = max(wanted, end of the line before it) + its gap, but never in the past

so a line wanted at sample d begins at exactly d wherever its `play` arrived before the pull that
holds d, and the silence between two lines is exactly the gap however the blocks fall.

What sounds cannot be taken back, but what is queued can: `hush` fades the sounding line out in 5 ms
(a cut in mid-wave is a click, and a click is a sound that the recogniser would hear).
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import soxr
from numpy.typing import NDArray

from host.clock import RATE, Samples, samples
from host.events import Part, Word
from host.sound import Clip, Mark, Pcm

FADE = samples(0.005)
"""How long a hushed line takes to fall silent, at 16 kHz."""

GRACE = 8_000
"""How long a word counts as being said after its end: the room still carries it (0.5 s)."""

_NO_WORD_TIMES = samples(0.4)
"""Where a voice tells no word times, a first word is taken to last this long."""

_KEPT = samples(30.0)


def resample(pcm: Pcm, rate: int, wanted: int) -> NDArray[np.float32]:
    """Bring mono 16-bit PCM to another rate, as float32 in the units of 16-bit samples."""
    floats = pcm.astype(np.float32)
    if rate == wanted or not len(floats):
        return floats
    return np.asarray(soxr.resample(floats, rate, wanted), dtype=np.float32)


def faded(sound: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    """The first 5 ms of a sound, fading to nothing."""
    length = max(1, FADE * rate // RATE)
    piece = sound[:length].copy()
    piece *= np.linspace(1.0, 0.0, length, endpoint=False, dtype=np.float32)[: len(piece)]
    return piece


class Spoken:
    """Which words the host is saying, by their times: what masks the host's own voice.

    Not a bag of words: a player may say "stop" one second after the host did (BAR-05).
    """

    def __init__(self) -> None:
        self._words: deque[tuple[Samples, Samples, str]] = deque()

    def began(self, words: Iterable[Word], rate: int, at: Samples) -> None:
        """A line whose words have times at `rate` has begun at `at`."""
        for word in words:
            start = at + round(word.began * RATE / rate)
            self._words.append((start, at + round(word.ended * RATE / rate), word.text.lower()))
        while self._words and self._words[0][1] < at - _KEPT:
            self._words.popleft()

    def cut(self, at: Samples) -> None:
        """Whatever was to follow after `at` will not be said."""
        self._words = deque((start, min(end, at), text) for start, end, text in self._words if start < at)

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that are sounding at `now`, or ended at most `grace` samples ago; lower case."""
        return tuple(text for start, end, text in self._words if start <= now <= end + grace)


@dataclass(slots=True)
class _Item:
    """A queued clip, already at the mouth's rate."""

    clip: Clip
    pcm: NDArray[np.float32]
    wanted: Samples
    begin: Samples = 0
    played: int = 0
    due: list[tuple[int, Samples, Part]] = field(default_factory=list)
    """Marks yet to come: after how many samples played, how long after `begin` at 16 kHz, and which."""


class Mouth:
    """Queue clips, pull blocks; `rate` is the speaker's rate."""

    def __init__(self, rate: int = RATE) -> None:
        self.rate = rate
        self.volume = 1.0
        """A factor; a change is ramped over the first 5 ms of the next block."""
        self._gain = 1.0
        self._queue: deque[_Item] = deque()
        self._current: _Item | None = None
        self._free: Samples = 0
        self._abuts = False
        """The sample about to be pulled follows a line's last one."""
        self._fading: NDArray[np.float32] = np.zeros(0, np.float32)
        self._pending: list[Mark] = []
        self._spoken = Spoken()

    @property
    def idle(self) -> bool:
        """Nothing sounds, nothing is queued and every mark has been handed out."""
        return not (self._current or self._queue or self._pending or len(self._fading))

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip to begin not before `at`, after everything queued before it, plus its gap."""
        item = _Item(clip, resample(clip.pcm, clip.rate, self.rate), at)
        length = len(item.pcm)
        first = round(clip.words[0].ended * RATE / clip.rate) if clip.words else _NO_WORD_TIMES
        whole = -(-length * RATE // self.rate)
        first = min(first, whole)
        item.due = [
            (0, 0, Part.BEGAN),
            (min(-(-first * self.rate // RATE), length), first, Part.FIRST_WORD),
            (length, whole, Part.ENDED),
        ]
        self._queue.append(item)

    def hush(self, now: Samples, fade: bool = True) -> None:
        """Fall silent: fade what sounds, drop what is queued, mark every dropped line as CUT at `now`.

        `now` is the time of the next sample to be pulled. Without `fade` the caller has already
        faded out what was pulled before.
        """
        dropped = list(self._queue)
        if self._current is not None:
            dropped.insert(0, self._current)
            if fade:
                self._fading = faded(self._current.pcm[self._current.played :], self.rate)
        self._pending += [Mark(now, item.clip.line, Part.CUT) for item in dropped if item.clip.line]
        self._queue.clear()
        self._current = None
        self._abuts = False
        self._free = min(self._free, now)
        self._spoken.cut(now)

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words being said at `now` or within the last `grace` samples, lower case."""
        return self._spoken.saying(now, grace)

    def pull(self, count: int, now: Samples) -> tuple[Pcm, tuple[Mark, ...]]:
        """The next `count` samples at `rate`, whose first sounds at `now`, and what they complete.

        A mark's time is exact: BEGAN is the time of a line's first sample, ENDED of the first sample
        after its last, so that the next line's BEGAN minus ENDED is the silence between them.
        """
        out = np.zeros(count, np.float32)
        marks, self._pending = self._pending, []
        fading, self._fading = self._fading[:count], self._fading[count:]
        out[: len(fading)] += fading
        if self._current is not None:
            self._follow_a_jump(self._current, now)
        place = 0
        while place < count:
            if self._current is None:
                start = self._start(place, count, now, marks)
                self._abuts = False
                if start is None:
                    break
                place = start
            place += self._advance(out, place, marks)
        return self._louder(out), tuple(sorted(marks, key=lambda mark: mark.at))

    def _start(self, place: int, count: int, now: Samples, marks: list[Mark]) -> int | None:
        """Begin the next line if that falls into this block; where in the block, or None."""
        if not self._queue:
            return None
        item = self._queue[0]
        soonest = now + -(-place * RATE // self.rate)
        begin = max(max(item.wanted, self._free) + item.clip.gap, soonest)
        if self._abuts and not item.clip.gap and item.wanted <= self._free:
            begin, start = soonest, place  # not a fraction of a sample between them
        else:
            start = max(place, round((begin - now) * self.rate / RATE))
        if start >= count:
            return None
        self._queue.popleft()
        self._current = item
        item.begin = begin
        self._spoken.began(item.clip.words, item.clip.rate, begin)
        self._mark(item, marks)
        return start

    def _advance(self, out: NDArray[np.float32], place: int, marks: list[Mark]) -> int:
        """Copy what fits of the current line; how many samples that were."""
        item = self._current
        if item is None:
            return 0
        piece = item.pcm[item.played : item.played + len(out) - place]
        out[place : place + len(piece)] += piece
        item.played += len(piece)
        self._mark(item, marks)
        if item.played >= len(item.pcm):
            self._free = item.begin + -(-len(item.pcm) * RATE // self.rate)
            self._current = None
            self._abuts = True
        return len(piece)

    def _mark(self, item: _Item, marks: list[Mark]) -> None:
        while item.due and item.played >= item.due[0][0]:
            _, after, part = item.due.pop(0)
            if item.clip.line:
                marks.append(Mark(item.begin + after, item.clip.line, part))

    def _follow_a_jump(self, item: _Item, now: Samples) -> None:
        """After a gap in time (a device that went away) the rest of a line sounds that much later."""
        late = now - (item.begin + item.played * RATE / self.rate)
        if abs(late) > 1:
            item.begin += round(late)

    def _louder(self, out: NDArray[np.float32]) -> Pcm:
        if self._gain != self.volume:
            ramp = min(len(out), FADE * self.rate // RATE)
            out[:ramp] *= np.linspace(self._gain, self.volume, ramp, dtype=np.float32)
            out[ramp:] *= np.float32(self.volume)
            self._gain = self.volume
        elif self._gain != 1.0:
            out *= np.float32(self._gain)
        return np.clip(np.rint(out), -32768, 32767).astype(np.int16)
