"""The sound card, seen from the game: a child process behind two pipes.

PortAudio lives in the child (`card_child`). Should it abort, hang, or should the microphone be pulled
out, the child is replaced by a new one that opens the same devices by name; the game notices a gap
in time, and that the line it was saying has been cut. Blocks wait in a queue while the game is busy,
so a slow decode loses nothing, and the voice, which is played by the child, never stutters.

The far end of a block is what was handed to the card while its microphone samples came in. The echo
of it is heard `latency` samples later: give that to the canceller as its delay.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from host.clock import BLOCK, RATE, Samples
from host.devices import DeviceError, card_wire
from host.devices.card_wire import Kind, Message
from host.devices.mouth import GRACE, Spoken
from host.events import Part
from host.sound import Block, Clip, Mark

CHILD: tuple[str, ...] = (sys.executable, "-m", "host.devices.card_child")

WATCHDOG = 1.0
"""Seconds without a block after which the card is taken for hung (AUD-01)."""
OPENING = 10.0
"""Seconds that a card may take to open."""
MUTED = 100
"""Blocks of exact zeros (3 s) after which the microphone is taken for muted (AUD-16)."""

_ROOT = Path(__file__).resolve().parents[2]


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


class _Child:
    """One life of the child: what it sends is read by a thread into `inbox`, None at its end.

    What it is told is written by another thread: a child that hangs must not hang the game.
    """

    def __init__(self, command: Sequence[str], config: Mapping[str, Any]) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [*command, json.dumps(config)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.inbox: SimpleQueue[Message | None] = SimpleQueue()
        self.heard_from = time.monotonic()
        self._outbox: SimpleQueue[Message | None] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._write, daemon=True).start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def send(self, message: Message) -> None:
        """Tell the child something; a dead child is noticed by its inbox."""
        self._outbox.put(message)

    def stop(self, wait: float = 3.0) -> int:
        """End its stdin, give it a moment, then kill it; its exit code."""
        self._outbox.put(None)
        try:
            return self._process.wait(wait)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _write(self) -> None:
        pipe = self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while pipe is not None and (message := self._outbox.get()) is not None:
                card_wire.write(pipe, message)  # type: ignore[arg-type]  # a buffered pipe
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while pipe is not None and (message := card_wire.read(pipe)) is not None:  # type: ignore[arg-type]  # as above
                self.heard_from = time.monotonic()
                self.inbox.put(message)
        if pipe is not None:
            pipe.close()
        self.inbox.put(None)


def _first(child: _Child) -> Message:
    """A child's first message. Raises DeviceError with the reason where it has none to give."""
    try:
        message = child.inbox.get(timeout=OPENING)
    except Empty:
        child.stop(0.0)
        raise DeviceError(
            f"The sound card did not open within {OPENING:.0f} s: unplug it, plug it in, and start again."
        ) from None
    if message is None:
        code = child.stop()
        raise DeviceError(
            f"The sound system broke down while it started (code {code}): check the computer's sound settings."
        )
    if message.kind is Kind.ERROR:
        child.stop()
        raise DeviceError(str(message.head["sentence"]))
    return message


def list_devices(command: Sequence[str] = CHILD) -> tuple[DeviceInfo, ...]:
    """Every sound device, asked afresh. Raises DeviceError where there is no sound system."""
    child = _Child(command, {"list": True})
    message = _first(child)
    child.stop()
    return tuple(DeviceInfo(**entry) for entry in message.head["devices"])


class SoundCard:
    """Microphone and speaker. Raises DeviceError, in one sentence, where they can't be opened.

    `microphone` and `speaker` are parts of device names; without them the defaults serve. `channels`
    microphones are read. `latency` in seconds overrides what the card says of itself. `notice` is
    told in one sentence what happens to the card; a lost card is waited for `patience` seconds.
    Time begins at `start`.
    """

    def __init__(
        self, microphone: str | None = None, speaker: str | None = None, *, channels: int = 1,
        latency: float | None = None, start: Samples = 0, notice: Callable[[str], None] = _quiet,
        patience: float = 60.0, command: Sequence[str] = CHILD,
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
        """Microphone and speaker in use."""
        self._config = {"microphone": microphone, "speaker": speaker, "channels": channels, "latency": latency}
        self._notice, self._patience, self._command = notice, patience, command
        self._now = start
        self._offset = start
        self._gap: Samples = 0
        self._volume = 1.0
        self._open_lines: dict[str, Clip] = {}
        self._cut: list[Mark] = []
        self._spoken = Spoken()
        self._zeros = 0
        self._closed = False
        self._child = self._start()

    @property
    def pid(self) -> int:
        """The child's process number."""
        return self._child.pid

    def read(self) -> Block | None:
        """Wait for the next 30 ms; None once closed.

        Raises DeviceError where the card was lost and did not come back.
        """
        while not self._closed:
            try:
                message = self._child.inbox.get(timeout=WATCHDOG)
            except Empty:
                if time.monotonic() - self._child.heard_from >= WATCHDOG:
                    self._restart("no sound has come for a second")
                continue
            if message is None:
                self._restart("it stopped by itself")
            elif message.kind is Kind.ERROR:
                self._restart(str(message.head["sentence"]))
            elif message.kind is Kind.BLOCK:
                return self._block(message)
        return None

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip to be heard not before `at`."""
        if clip.line:
            self._open_lines[clip.line] = clip
        words = [[word.text, word.began, word.ended] for word in clip.words]
        head = {"line": clip.line, "rate": clip.rate, "gap": clip.gap, "at": at - self._offset, "words": words}
        self._child.send(Message(Kind.PLAY, head, np.ascontiguousarray(clip.pcm, np.int16).tobytes()))

    def hush(self) -> None:
        """Fall silent at the next 10 ms that the card takes, drop what is queued."""
        self._child.send(Message(Kind.HUSH, {}))

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter; 1 is normal."""
        self._volume = volume
        self._child.send(Message(Kind.VOLUME, {"volume": volume}))

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that the host is saying."""
        return self._spoken.saying(now, grace)

    def close(self) -> None:
        """Give the card back; the child is gone when this returns."""
        if not self._closed:
            self._closed = True
            self._child.stop()

    def _start(self) -> _Child:
        child = _Child(self._command, self._config)
        head = _first(child).head
        self.latency, self.rate = int(head["latency"]), int(head["rate"])
        self.names = (str(head["microphone"]), str(head["speaker"]))
        if self._volume != 1.0:
            child.send(Message(Kind.VOLUME, {"volume": self._volume}))
        return child

    def _restart(self, reason: str) -> None:
        """Replace the child; what it was saying counts as cut."""
        self.restarts += 1
        lost_at = self._child.heard_from
        self._child.stop(0.0)
        self._notice(f"The sound card is lost ({reason}); trying again.")
        give_up = time.monotonic() + self._patience
        while True:
            try:
                self._child = self._start()
                break
            except DeviceError as error:
                if time.monotonic() >= give_up:
                    self._closed = True
                    raise DeviceError(f"The sound card was lost and did not come back: {error}") from error
                time.sleep(min(0.5, self._patience))
        self._gap = max(0, round((time.monotonic() - lost_at) * RATE) - BLOCK)
        self._offset = self._now + self._gap
        self._cut = [Mark(self._offset, line, Part.CUT) for line in self._open_lines]
        self._open_lines.clear()
        self._spoken.cut(self._now)
        self._notice(f"The sound card is back after {self._gap / RATE:.1f} s.")

    def _block(self, message: Message) -> Block:
        head = message.head
        sound = np.frombuffer(message.body, np.int16).reshape(head["channels"] + 1, BLOCK)
        at = head["at"] + self._offset
        fresh = [Mark(time_ + self._offset, line, Part(part)) for time_, line, part in head["marks"]]
        for mark in fresh:
            self._follow(mark)
        marks, self._cut = tuple(self._cut + fresh), []
        gap, self._gap = self._gap, 0
        self.late, self.glitches = head["late"], head["glitches"]
        self._now = at + BLOCK
        self._watch_for_silence(bool(sound[:-1].any()))
        return Block(at, sound[:-1], sound[-1], marks, gap)

    def _follow(self, mark: Mark) -> None:
        if mark.part is Part.BEGAN and mark.line in self._open_lines:
            clip = self._open_lines[mark.line]
            self._spoken.began(clip.words, clip.rate, mark.at)
        elif mark.part is Part.CUT:
            self._spoken.cut(mark.at)
        if mark.part in (Part.ENDED, Part.CUT):
            self._open_lines.pop(mark.line, None)

    def _watch_for_silence(self, sounding: bool) -> None:
        self._zeros = 0 if sounding else self._zeros + 1
        if self._zeros == MUTED:
            self._notice("The microphone sends digital silence: is it muted or switched off?")
