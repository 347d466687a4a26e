"""The sound card, seen from the game: a child process behind two pipes.

PortAudio lives in the child (`card_child`). Should it abort, hang, or should the microphone be pulled
out, the child is replaced by a new one that opens the same devices by name; the game notices a gap
in time, and that the line it was saying has been cut. While the card is away the game's time nearly
stands still, and what it says waits. Blocks wait in a queue while the game is busy, so a slow decode
loses nothing, and the voice, which is played by the child, never stutters.

The far end of a block is what was handed to the card while its microphone samples came in. The echo
of it is heard `latency` samples later: give that to the canceller as its delay.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty
from typing import Any

import numpy as np

from host.clock import BLOCK, RATE, Samples, samples
from host.devices import DeviceError
from host.devices.card_process import CHILD, Child, Reopening, first_message
from host.devices.card_wire import Kind, Message
from host.devices.mouth import GRACE, Spoken
from host.events import In, Part, Trouble
from host.sound import Block, Clip, Mark

WATCHDOG = 1.0
"""Seconds without a block after which the card is taken for hung (AUD-01)."""
PULSE = 0.25
"""Seconds between two silent blocks while the card is away."""
STANDSTILL = samples(1.0)
"""The game's time goes on by so much at most for a card that was away: nobody could hear or be heard."""
LOST = "sound"
"""The trouble of a card that is away."""
SENTENCES = {
    "muted": "The microphone sends digital silence: is it muted or switched off?",
    "monitor": "The microphone hears nothing but the host: it was unplugged, or another input is chosen.",
    "clipped": "The microphone is overdriven: turn its gain down.",
}
"""For whoever reads the terminal or the journal."""


def _quiet(sentence: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A sound device, by its name; how many channels it has each way."""

    name: str
    inputs: int
    outputs: int
    rate: int
    default_in: bool
    default_out: bool


def list_devices(command: Sequence[str] = CHILD) -> tuple[DeviceInfo, ...]:
    """Every sound device, asked afresh. Raises DeviceError where there is no sound system."""
    child = Child(command, {"list": True})
    message = first_message(child)
    child.stop()
    return tuple(DeviceInfo(**entry) for entry in message.head["devices"])


class SoundCard:
    """Microphone and speaker. Raises DeviceError, in one sentence, where they can't be opened.

    `microphone` and `speaker` are parts of device names; without them the defaults serve. `channels`
    microphones are read. `latency` in seconds overrides what the card says of itself. `notice` is
    told in one sentence what happens to the card; a lost card is waited for `patience` seconds, with
    `wait` also one that is not there yet. Time begins at `start`.
    """

    def __init__(
        self, microphone: str | None = None, speaker: str | None = None, *, channels: int = 1,
        latency: float | None = None, start: Samples = 0, notice: Callable[[str], None] = _quiet,
        patience: float = 60.0, command: Sequence[str] = CHILD, wait: bool = False,
    ) -> None:
        self.restarts = 0
        """How often the child had to be replaced."""
        self.late = 0
        """How often the game's voice was not ready for the speaker."""
        self.glitches = 0
        """How often the card lost sound either way; each may shift the echo's delay."""
        self.latency: Samples = 0
        """From the hand-over of a sample to its being heard by the microphone."""
        self.rate = 0
        """Samples a second of the card itself."""
        self.names = ("", "")
        """Microphone and speaker in use; empty as long as none was found."""
        self._config: dict[str, Any] = {
            "microphone": microphone, "speaker": speaker, "channels": channels, "latency": latency,
        }
        self._notice, self._patience, self._command = notice, patience, command
        self._now = start
        self._offset = start
        self._gap: Samples = 0
        self._volume = 1.0
        self._open_lines: dict[str, Clip] = {}
        self._kept: list[tuple[Clip, Samples]] = []
        """What is to be played once the card is back."""
        self._marks: list[Mark] = []
        self._posts: list[In] = []
        self._spoken = Spoken()
        self._closed = False
        self._child: Child | None = None
        self._coming: Reopening | None = None
        self._lost_at = self._give_up = 0.0
        self._open(wait)

    @property
    def pid(self) -> int:
        """The child's process number, 0 while there is none."""
        return 0 if self._child is None else self._child.pid

    def inbox(self) -> Sequence[In]:
        """Troubles since the last call, for the loop: "sound", "muted", "monitor", "clipped", and `.over`."""
        self._examine()
        posts, self._posts = self._posts, []
        return posts

    def _examine(self) -> None:
        """What the reader of the pipe has found about the microphone meanwhile."""
        while self._child is not None:
            try:
                what = self._child.found.get_nowait()
            except Empty:
                return
            self._posts.append(Trouble(self._now, what))
            if what in SENTENCES:
                self._notice(SENTENCES[what])

    def read(self) -> Block | None:
        """Wait for the next 30 ms; None once closed.

        While the card is away time goes slowly: a silent block each `PULSE` seconds, so that screen and
        buttons live on. Raises DeviceError where the card was lost and did not come back in time.
        """
        while not self._closed:
            if self._coming is not None:
                if (block := self._away(self._coming)) is not None:
                    return block
                continue
            child = self._child
            if child is None:
                return None
            try:
                message = child.inbox.get(timeout=WATCHDOG)
            except Empty:
                if time.monotonic() - child.heard_from >= WATCHDOG:
                    return self._lose("no sound has come for a second")
                continue
            if message is None:
                return self._lose("it stopped by itself")
            if message.kind is Kind.ERROR:
                return self._lose(str(message.head["sentence"]))
            if message.kind is Kind.BLOCK:
                return self._block(message)
        return None

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip to be heard not before `at`; while the card is away it waits for it."""
        if clip.line:
            self._open_lines[clip.line] = clip
        if self._child is None:
            self._kept.append((clip, at))
            return
        words = [[word.text, word.began, word.ended] for word in clip.words]
        head = {"line": clip.line, "rate": clip.rate, "gap": clip.gap, "at": at - self._offset, "words": words}
        self._child.send(Message(Kind.PLAY, head, np.ascontiguousarray(clip.pcm, np.int16).tobytes()))

    def hush(self) -> None:
        """Fall silent at the next 10 ms that the card takes, drop what is queued."""
        if self._child is None:
            self._cut()
        else:
            self._child.send(Message(Kind.HUSH, {}))

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter; 1 is normal."""
        self._volume = volume
        if self._child is not None:
            self._child.send(Message(Kind.VOLUME, {"volume": volume}))

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that the host is saying."""
        return self._spoken.saying(now, grace)

    def close(self) -> None:
        """Give the card back; the child is gone when this returns."""
        if self._closed:
            return
        self._closed = True
        if self._coming is not None:
            self._coming.stop()
        if self._child is not None:
            self._child.stop()

    # --- losing and finding the card ------------------------------------------------------------

    def _open(self, wait: bool) -> None:
        child = Child(self._command, self._config)
        try:
            self._adopt(child, first_message(child))
        except DeviceError as error:
            if not wait:
                raise
            self._lost_at, self._give_up = time.monotonic(), time.monotonic() + self._patience
            self._notice(f"{error} Waiting for it.")
            self._posts.append(Trouble(self._now, LOST))
            self._coming = Reopening(self._command, self._config, None, str(error))

    def _adopt(self, child: Child, ready: Message) -> None:
        self._child = child
        self.latency, self.rate = int(ready.head["latency"]), int(ready.head["rate"])
        self.names = (str(ready.head["microphone"]), str(ready.head["speaker"]))
        if self._volume != 1.0:
            child.send(Message(Kind.VOLUME, {"volume": self._volume}))

    def _lose(self, reason: str) -> Block:
        """The card is away: what it was saying counts as cut, and somebody tries to open it again."""
        child, self._child = self._child, None
        self._lost_at = time.monotonic() if child is None else child.heard_from
        self._give_up = time.monotonic() + self._patience
        self._notice(f"The sound card is lost ({reason}); trying again.")
        self._posts.append(Trouble(self._now, LOST))
        self._cut()
        self._coming = Reopening(self._command, self._config, child, reason)
        return self._silence()

    def _cut(self) -> None:
        self._marks += [Mark(self._now, line, Part.CUT) for line in self._open_lines]
        self._open_lines.clear()
        self._kept.clear()
        self._spoken.cut(self._now)

    def _away(self, coming: Reopening) -> Block | None:
        """Wait for the card a little: a silent block, or None where it is back."""
        try:
            child, ready = coming.done.get(timeout=PULSE)
        except Empty:
            if coming.tries and time.monotonic() >= self._give_up:
                self.close()
                raise DeviceError(f"The sound card was lost and did not come back: {coming.reason}") from None
            return self._silence()
        self._coming = None
        self.restarts += 1
        away = time.monotonic() - self._lost_at
        self._gap = min(max(1, round(away * RATE) - BLOCK), STANDSTILL)
        self._offset = self._now + self._gap
        self._adopt(child, ready)
        for clip, at in self._kept:
            self.play(clip, at)
        self._kept.clear()
        self._notice(f"The sound card is back after {away:.1f} s.")
        self._posts.append(Trouble(self._now, f"{LOST}.over"))
        return None

    def _silence(self) -> Block:
        at, self._now = self._now, self._now + BLOCK
        marks, self._marks = tuple(self._marks), []
        return Block(at, np.zeros((self._config["channels"], BLOCK), np.int16), np.zeros(BLOCK, np.int16), marks)

    def _block(self, message: Message) -> Block:
        head = message.head
        sound = np.frombuffer(message.body, np.int16).reshape(head["channels"] + 1, BLOCK)
        at = head["at"] + self._offset
        fresh = [Mark(time_ + self._offset, line, Part(part)) for time_, line, part in head["marks"]]
        for mark in fresh:
            self._follow(mark)
        marks, self._marks = tuple(self._marks + fresh), []
        gap, self._gap = self._gap, 0
        self.late, self.glitches = head["late"], head["glitches"]
        self._now = at + BLOCK
        self._examine()
        return Block(at, sound[:-1], sound[-1], marks, gap)

    def _follow(self, mark: Mark) -> None:
        if mark.part is Part.BEGAN and mark.line in self._open_lines:
            clip = self._open_lines[mark.line]
            self._spoken.began(clip.words, clip.rate, mark.at)
        elif mark.part is Part.CUT:
            self._spoken.cut(mark.at)
        if mark.part in (Part.ENDED, Part.CUT):
            self._open_lines.pop(mark.line, None)
