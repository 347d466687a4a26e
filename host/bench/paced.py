"""A simulated room in place of the sound card's child: it speaks the card's language and runs by the clock.

    python -m host.bench.paced GROUP SCENE OUT '{...}'

Every 30 ms it does what the game asked for meanwhile, hands over what the microphone heard, and plays on. What is
heard and played has the sample at which it was, so every latency can be read off its far end. It is no part of what is
measured: it joins another group (`GROUP`) than the one by which the game is held, before it loads anything. At its end
it writes to `OUT` what it played and which cues were heard.
"""

import os
import pickle
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, BinaryIO

from host.bench.slowed import first, join

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from host.devices.card_wire import Message
    from host.devices.room import Room
    from host.sound import Block

PERIOD = 0.03
"""Seconds of a block."""


@dataclass(frozen=True)
class Taped:
    """What a room has to tell at its end; all times in samples of the room."""

    far: "NDArray[np.int16]"
    """What the speaker played."""
    volumes: tuple[float, ...]
    """The speaker's volume, block by block."""
    fired: tuple[tuple[str, int, int], ...]
    """Name of each cue, its first sample of speech and the one after its last."""
    began: float
    """When the first block began, by the monotonic clock."""
    late: float
    """By how many seconds the room itself was late at the most."""


def command(group: Path, scene: Path, out: Path) -> tuple[str, ...]:
    """For `SoundCard(command=...)`; the card appends its own configuration."""
    return (sys.executable, "-m", "host.bench.paced", str(group), str(scene), str(out))


def taped(path: Path) -> Taped:
    """Read what a room wrote."""
    found = pickle.loads(path.read_bytes())  # noqa: S301 - written by this module, in the bench's own folder
    assert isinstance(found, Taped)  # noqa: S101 - as written
    return found


class Paced:
    """The room and its two pipes."""

    def __init__(self, room: "Room", commands: BinaryIO, out: BinaryIO) -> None:
        self._room, self._commands, self._out = room, commands, out
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._volume = 1.0

    def run(self) -> Taped:
        """Play until the game goes away."""
        import numpy as np

        threading.Thread(target=self._listen, daemon=True).start()
        self._ready()
        began, number, late = time.monotonic(), 0, 0.0
        far: list[NDArray[np.int16]] = []
        volumes: list[float] = []
        waiting: Block | None = None
        try:
            while self._obey():
                if waiting is not None:
                    self._send(waiting)
                waiting = self._room.read()
                if waiting is None:
                    break
                far.append(waiting.far)
                volumes.append(self._volume)
                number += 1
                left = began + number * PERIOD - time.monotonic()
                late = max(late, -left)
                if left > 0:
                    time.sleep(left)
        except BrokenPipeError:
            pass
        fired = tuple((one.cue.name, one.began, one.ended) for one in self._room.fired)
        return Taped(np.concatenate(far) if far else np.zeros(0, np.int16), tuple(volumes), fired, began, late)

    def _listen(self) -> None:
        from host.devices import card_wire

        while (message := card_wire.read(self._commands)) is not None:
            self._messages.put(message)
        self._messages.put(None)

    def _ready(self) -> None:
        from host.clock import RATE
        from host.devices import card_wire
        from host.devices.card_wire import Kind, Message

        head = {"microphone": "a room", "speaker": "a room", "rate": RATE, "channels": 1, "latency": 0}
        card_wire.write(self._out, Message(Kind.READY, head))

    def _obey(self) -> bool:
        """Do what was asked for; whether the game is still there."""
        while True:
            try:
                message = self._messages.get_nowait()
            except Empty:
                return True
            if message is None:
                return False
            self._do(message)

    def _do(self, message: "Message") -> None:
        import numpy as np

        from host.devices.card_wire import Kind
        from host.events import Word
        from host.sound import Clip

        head: Any = message.head
        if message.kind is Kind.PLAY:
            words = tuple(Word(text, began, ended) for text, began, ended in head["words"])
            pcm = np.frombuffer(message.body, np.int16)
            self._room.play(Clip(head["line"], pcm, head["rate"], words, head["gap"]), head["at"])
        elif message.kind is Kind.HUSH:
            self._room.hush()
        elif message.kind is Kind.VOLUME:
            self._volume = float(head["volume"])
            self._room.set_volume(self._volume)

    def _send(self, block: "Block") -> None:
        from host.devices import card_wire
        from host.devices.card_wire import Kind, Message

        marks = [[mark.at, mark.line, mark.part.value] for mark in block.marks]
        head = {"at": block.at, "channels": len(block.mic), "marks": marks, "late": 0, "glitches": 0}
        card_wire.write(self._out, Message(Kind.BLOCK, head, block.mic.tobytes() + block.far.tobytes()))


def main(arguments: Sequence[str]) -> int:
    """Play the scene."""
    free, scene, out = map(Path, arguments[:3])
    join(free, os.getpid())
    first(-10)
    from host.devices.room import Room  # only now: loading must not be held

    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    room = Room(pickle.loads(scene.read_bytes()))  # noqa: S301 - written by the bench, in its own folder
    found = Paced(room, sys.stdin.buffer, pipe).run()
    half = out.with_suffix(".half")
    half.write_bytes(pickle.dumps(found))
    half.replace(out)
    return 0


if __name__ == "__main__":
    from host.bench import paced  # what is pickled is of this module's own name

    sys.exit(paced.main(sys.argv[1:]))
