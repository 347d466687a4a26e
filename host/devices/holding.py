"""A mouth that stops in mid-sentence when somebody speaks, and goes on at the sentence when that was nothing.

Around any device: `hold` hushes it and keeps what is still to be said; `go_on` says it from the last pause
before the cut, or from the start where it was hardly begun; `hush` drops it for good. The game learns
nothing of it: a held line is not reported as cut, and what was reported once is not reported again.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from host.clock import BLOCK, RATE, Samples, samples
from host.devices import Device
from host.events import Part
from host.sound import Block, Clip, Mark

PATIENCE = samples(4.0)
"""For so long a line is held in all; then it is said over whoever speaks, or babble would silence the host."""
HARDLY = samples(1.0)
"""A line that was cut before is said again from its start."""
BREATH = samples(0.2)
"""Silence before a line that goes on."""
_LATE = samples(1.0)
"""A device that has not reported a cut by then will not."""
_PAUSE = 0.16
"""Seconds of quiet that part sentences or their halves."""
_FRAME = 0.02
_QUIET = 10.0**-3.5
"""Power of a quiet frame against a loud one (35 dB)."""


@dataclass
class _Line:
    """A line that has not ended."""

    clip: Clip
    at: Samples
    sent: bool = False
    began: Samples | None = None
    cut: Samples | None = None
    skipped: Samples = 0
    held: Samples = 0
    told: set[Part] = field(default_factory=set)


class Holding:
    """A device around a device."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._lines: dict[str, _Line] = {}
        self._since: Samples | None = None
        self._going = False
        self._now: Samples = 0
        self._own: list[Mark] = []
        self._moved: dict[str, Samples] = {}

    @property
    def holds(self) -> bool:
        """Whether something waits to be said."""
        return self._since is not None

    def moved(self) -> dict[str, Samples]:
        """Lines that have gone on since this was last asked: where they would have begun without the break."""
        moved, self._moved = self._moved, {}
        return moved

    def read(self) -> Block | None:
        """The device's next block, its marks as if nothing had been held."""
        block = self._device.read()
        if block is None:
            return None
        self._now = block.at + BLOCK
        marks = tuple(mark for mark in block.marks if self._passes(mark))
        if self._since is not None:
            if max((line.held for line in self._lines.values()), default=0) + self._now - self._since >= PATIENCE:
                self._going = True
            if self._going:
                self._try_to_go_on(self._since)
        own, self._own = self._own, []
        return replace(block, marks=(*own, *marks)) if own or len(marks) != len(block.marks) else block

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip: behind what is held, but for tones, which sound at once."""
        if not clip.line:
            self._device.play(clip, at)
            return
        self._lines[clip.line] = line = _Line(clip, at)
        if self._since is None:
            line.sent = True
            self._device.play(clip, at)

    def hold(self) -> None:
        """Fall silent, and keep what is to be said, unless it has been held for long enough."""
        if self._since is not None:
            self._going = False
        elif self._lines and max(line.held for line in self._lines.values()) < PATIENCE:
            self._since = self._now
            self._device.hush()

    def go_on(self) -> None:
        """Say what is held as soon as the device has told where it was cut."""
        self._going = self._since is not None

    def hush(self) -> None:
        """Fall silent and drop everything, also what is held."""
        if self._since is not None:
            gone = [name for name, line in self._lines.items() if not line.sent or line.cut is not None]
            self._own += [Mark(self._now, name, Part.CUT) for name in gone]
            self._lines = {name: line for name, line in self._lines.items() if name not in gone}
            self._since, self._going = None, False
        self._device.hush()

    def _passes(self, mark: Mark) -> bool:
        """Whether the game should learn of a mark."""
        line = self._lines.get(mark.line)
        if line is None:
            return True
        if mark.part is Part.CUT and self._since is not None:
            line.cut = mark.at
            return False
        if mark.part in (Part.ENDED, Part.CUT):
            del self._lines[mark.line]
            return True
        if mark.part is Part.BEGAN:
            line.began = mark.at
            if line.skipped or mark.part in line.told:
                self._moved[mark.line] = mark.at - line.skipped
        fresh = mark.part not in line.told
        line.told.add(mark.part)
        return fresh

    def _try_to_go_on(self, since: Samples) -> None:
        waiting = any(line.sent and line.cut is None for line in self._lines.values())
        if waiting and self._now - since < _LATE:
            return
        self._since, self._going = None, False
        for line in self._lines.values():
            line.held += self._now - since
            self._device.play(_rest(line, since), max(line.at, self._now))
            line.sent, line.cut = True, None


def _rest(line: _Line, since: Samples) -> Clip:
    """What is still to be said of a line that was cut."""
    if line.began is None:
        return line.clip
    clip = line.clip
    said = (since if line.cut is None else line.cut) - line.began + line.skipped
    start = sentence_start(clip, said) if Part.FIRST_WORD in line.told else 0
    line.began, line.skipped = None, start * RATE // clip.rate
    words = tuple(replace(word, began=word.began - start, ended=word.ended - start)
                  for word in clip.words if word.began >= start)
    return replace(clip, pcm=clip.pcm[start:], words=words, gap=BREATH)


def sentence_start(clip: Clip, said: Samples) -> int:
    """Where in a clip (at its own rate) to go on after `said` samples at 16 kHz: behind the last pause before.

    Pauses are found in the sound: voices do not tell sentences. 0 where it was hardly begun, or has no pause.
    """
    if said < HARDLY:
        return 0
    size = round(_FRAME * clip.rate)
    whole = clip.pcm[: len(clip.pcm) // size * size].reshape(-1, size).astype(np.float64)
    power = np.mean(np.square(whole), axis=1)
    quiet = power < _QUIET * float(np.percentile(power, 90)) if len(power) else np.zeros(0, bool)
    last = min(len(quiet), said * clip.rate // RATE // size)
    need, run, found = round(_PAUSE / _FRAME), 0, 0
    for at in range(last):
        if not quiet[at] and run >= need:
            found = at
        run = run + 1 if quiet[at] else 0
    return max(0, found - 1) * size
