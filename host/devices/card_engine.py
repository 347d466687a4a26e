"""Between a sound card's stream and the game: what is played next, and what was heard with it.

The stream's thread only copies bytes (`exchange`); everything else happens on the child's main thread. A
few short periods are kept ready `ahead`, so that the stream never waits. What is ahead can still be
withdrawn: `hush` fades the very next block out, whatever has been prepared.

Time here counts from the stream's first frame, at 16 kHz. The far end of a block is what was handed
to the card while that block came in; the card needs a constant while to play it and to hear it
(`latency`), by which marks are moved so that they tell when a line could be *heard*.
"""

from collections import deque
from dataclasses import replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from host.clock import BLOCK, RATE, Samples
from host.devices.decimator import Decimator
from host.devices.mouth import Mouth, faded
from host.events import Part
from host.sound import Block, Clip, Mark

AHEAD = 3
"""Periods of the stream that are kept ready."""


class Engine:
    """One duplex stream: `rate` frames a second, `frames` a period, interleaved 16-bit channels."""

    def __init__(self, rate: int, frames: int, inputs: int, outputs: int, microphones: int = 1) -> None:
        self.rate, self.frames, self.inputs, self.outputs = rate, frames, inputs, outputs
        self.microphones = min(microphones, inputs)
        self.latency: Samples = 0
        """From the hand-over of a sample to its arrival from the microphone, at 16 kHz."""
        self.late = 0
        """Periods for which nothing was ready."""
        self._silence = bytes(2 * frames * outputs)
        self._mouth = Mouth(rate)
        self._lock = Lock()
        self._ahead: deque[tuple[bytes, tuple[Mark, ...]]] = deque()
        self._consumed = 0
        self._down = Decimator(rate, self.microphones + 1)
        self._heard: NDArray[np.float32] = np.zeros((0, self.microphones + 1), np.float32)
        self._marks: list[Mark] = []
        self._now: Samples = 0
        self.refill()

    # --- on the stream's thread ---

    def exchange(self) -> tuple[bytes, tuple[Mark, ...]]:
        """What the card plays next, and the marks that come true by it."""
        with self._lock:
            self._consumed += 1
            if self._ahead:
                return self._ahead.popleft()
        self.late += 1
        return self._silence, ()

    # --- on the main thread ---

    def refill(self) -> None:
        """Prepare what the stream will want."""
        while len(self._ahead) < AHEAD:
            with self._lock:
                place = self._consumed + len(self._ahead)
            pcm, marks = self._mouth.pull(self.frames, self._time(place))
            data = np.repeat(pcm, self.outputs).tobytes()
            with self._lock:
                self._ahead.append((data, marks))

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip to be heard not before `at`."""
        self._mouth.play(clip, at - self._lag)

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter."""
        self._mouth.volume = volume

    def hush(self) -> None:
        """Fade out the next block that the card takes, drop all that was to follow."""
        with self._lock:
            now = self._time(self._consumed)
            withdrawn = list(self._ahead)
            self._ahead.clear()
            if withdrawn:
                self._ahead.append((self._fade(withdrawn[0][0]), ()))
        marks = [mark for _, found in withdrawn for mark in found]
        kept = [mark for mark in marks if mark.part is Part.CUT]
        lost = {mark.line for mark in marks if mark.part is Part.ENDED}
        self._mouth.hush(now, fade=False)
        self._marks += [replace(mark, at=mark.at + self._lag) for mark in kept]
        self._marks += [Mark(now + self._lag, line, Part.CUT) for line in sorted(lost)]
        self.refill()

    def hear(self, captured: bytes, played: bytes, marks: tuple[Mark, ...]) -> list[Block]:
        """Take what one period brought; return the 30 ms blocks that are complete by it.

        Microphones and far end go through one filter, so they stay aligned to the sample.
        """
        mic = np.frombuffer(captured, np.int16).reshape(-1, self.inputs)[:, : self.microphones]
        far = np.frombuffer(played, np.int16).reshape(-1, self.outputs)[:, :1]
        sound = np.concatenate([mic, far], axis=1).astype(np.float32)
        self._heard = np.concatenate([self._heard, self._down.feed(sound)])
        self._marks += [replace(mark, at=mark.at + self._lag) for mark in marks]
        blocks = []
        while len(self._heard) >= BLOCK:
            piece, self._heard = self._heard[:BLOCK], self._heard[BLOCK:]
            pcm = np.ascontiguousarray(np.clip(np.rint(piece), -32768, 32767).astype(np.int16).T)
            at, self._now = self._now, self._now + BLOCK
            due = sorted((mark for mark in self._marks if mark.at <= self._now), key=lambda mark: mark.at)
            self._marks = [mark for mark in self._marks if mark.at > self._now]
            blocks.append(Block(at, pcm[:-1], pcm[-1], tuple(due)))
        return blocks

    @property
    def _lag(self) -> Samples:
        """From the mouth's time to the time of the block in which it is heard."""
        return self.latency + self._down.delay

    def _time(self, place: int) -> Samples:
        return round(place * self.frames * RATE / self.rate)

    def _fade(self, data: bytes) -> bytes:
        """A block that falls silent within 5 ms."""
        sound = np.frombuffer(data, np.int16).reshape(-1, self.outputs)[:, 0].astype(np.float32)
        quiet = np.zeros(len(sound), np.float32)
        piece = faded(sound, self.rate)
        quiet[: len(piece)] = piece
        return np.repeat(np.rint(quiet).astype(np.int16), self.outputs).tobytes()
