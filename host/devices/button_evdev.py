"""USB quiz buzzers, presenters and keyboards on Linux: the kernel's input events, read byte by byte.

No package is needed: an event is a struct of time, type, code and value (linux/input.h).
"""

import contextlib
import fcntl
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

EVENT = struct.Struct("@llHHi")
"""struct input_event: seconds, microseconds, type, code, value."""
SYN, KEY = 0, 1
DROPPED = 3
CLOCK = 0x400445A0
"""EVIOCSCLOCKID: whose time the events carry."""
MONOTONIC = struct.pack("i", 1)
NAME_LENGTH = 256
NAME = 0x80004506 | NAME_LENGTH << 16
"""EVIOCGNAME."""
FOLDER = Path("/dev/input")


@dataclass(slots=True)
class Parser:
    """Takes bytes as they come, in pieces of any length; tells edges of keys: time, code, closed.

    Where the kernel says that it dropped events, what follows up to its next report is not to be trusted, and
    every key that was down counts as let go.
    """

    size: int = EVENT.size
    layout: struct.Struct = EVENT
    _rest: bytes = b""
    _down: set[int] = field(default_factory=set)
    _lost: bool = False

    def feed(self, data: bytes) -> Iterator[tuple[float, int, bool]]:
        """The edges in these bytes, after those of earlier ones."""
        data = self._rest + data
        whole = len(data) - len(data) % self.size
        self._rest = data[whole:]
        for seconds, micros, kind, code, value in self.layout.iter_unpack(data[:whole]):
            yield from self._event(seconds + micros / 1e6, kind, code, value)

    def _event(self, at: float, kind: int, code: int, value: int) -> Iterable[tuple[float, int, bool]]:
        if kind == SYN and code == DROPPED:
            self._lost = True
            lost, self._down = sorted(self._down), set()
            return [(at, key, False) for key in lost]
        if kind == SYN:
            self._lost = False
            return ()
        if kind != KEY or value not in (0, 1) or self._lost:  # 2 is a key held down, said again and again
            return ()
        if value:
            self._down.add(code)
        else:
            self._down.discard(code)
        return [(at, code, value == 1)]

    def gone(self, at: float) -> list[tuple[float, int, bool]]:
        """The device was pulled out: whatever was down is let go."""
        lost, self._down, self._rest = sorted(self._down), set(), b""
        return [(at, key, False) for key in lost]


def find(part: str, folder: Path = FOLDER) -> list[Path]:
    """Input devices with this part in their names; all where it is empty."""
    found = []
    for path in sorted(folder.glob("event*")):
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            try:
                if part.lower() in device_name(fd).lower():
                    found.append(path)
            finally:
                os.close(fd)
    return found


def device_name(fd: int) -> str:
    """What a device calls itself; empty where it says nothing (a pipe in tests)."""
    try:
        raw = fcntl.ioctl(fd, NAME, bytes(NAME_LENGTH))
    except OSError:
        return ""
    return raw.split(b"\0", 1)[0].decode(errors="replace")


def open_device(path: Path) -> int:
    """Open for reading without waiting, its events stamped with the monotonic clock. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with contextlib.suppress(OSError):  # a kernel from before 3.4, or a pipe
        fcntl.ioctl(fd, CLOCK, MONOTONIC)
    return fd
