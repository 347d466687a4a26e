"""The sound card's child as a process: its two pipes, its start, and starting it again until it comes.

PortAudio can abort, hang or freeze its device list; all of that stays in the child (`card_child`). Nothing
here waits for a child longer than it was told to, and a child that hangs is killed by a thread, not by the game.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from host.clock import BLOCK
from host.devices import DeviceError, card_wire
from host.devices.card_wire import Kind, Message
from host.devices.health import Health

CHILD: tuple[str, ...] = (sys.executable, "-m", "host.devices.card_child")
OPENING = 10.0
"""Seconds that a card may take to open."""
BETWEEN = 0.5
"""Seconds between two tries to open a card that is away."""

_ROOT = Path(__file__).resolve().parents[2]


class Child:
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
        self.found: SimpleQueue[str] = SimpleQueue()
        """What is wrong with the microphone, told as it arrives: a game that is behind hears of it all the same."""
        self._health = Health()
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

    def _examine(self, block: Message) -> None:
        sound = np.frombuffer(block.body, np.int16).reshape(block.head["channels"] + 1, BLOCK)
        for what in self._health.hear(sound[0], sound[-1]):
            self.found.put(what)

    def _read(self) -> None:
        pipe = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while pipe is not None and (message := card_wire.read(pipe)) is not None:  # type: ignore[arg-type]  # as above
                self.heard_from = time.monotonic()
                self.inbox.put(message)
                if message.kind is Kind.BLOCK:
                    self._examine(message)
        if pipe is not None:
            pipe.close()
        self.inbox.put(None)


def first_message(child: Child) -> Message:
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


class Reopening:
    """Tries to open the card on a thread of its own until that succeeds or `stop` is called."""

    def __init__(self, command: Sequence[str], config: Mapping[str, Any], old: Child | None, reason: str) -> None:
        """`old` is ended first; `reason` is why the card is away, and later why it could not be opened."""
        self.reason = reason
        self.tries = 0
        self.done: SimpleQueue[tuple[Child, Message]] = SimpleQueue()
        self._command, self._config, self._old = command, config, old
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if self._old is not None:
            self._old.stop(0.0)
        while not self._stopped.is_set():
            child = Child(self._command, self._config)
            try:
                message = first_message(child)
            except DeviceError as error:
                self.reason = str(error)
                self.tries += 1
                self._stopped.wait(BETWEEN)
                continue
            if self._stopped.is_set():
                child.stop(0.0)
            else:
                self.done.put((child, message))
            return

    def stop(self) -> None:
        """Try no more; a child that comes all the same is ended."""
        self._stopped.set()
        self._thread.join(1.0)
        with contextlib.suppress(Empty):
            self.done.get_nowait()[0].stop()
