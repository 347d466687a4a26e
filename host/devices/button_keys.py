"""Keys of the terminal as buttons: no enter is needed, and nothing is echoed."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

HELD = 0.1
"""A key that comes again sooner than this is being held down: the terminal repeats it about every 30 ms."""
NAMES = {" ": "space", "\r": "enter", "\n": "enter"}


class Terminal:
    """Standard input, key by key, while it lasts; does nothing where standard input is no terminal."""

    def __init__(self, fd: int | None = None) -> None:
        self.fd: int | None = None
        self._before: Any = None
        with contextlib.suppress(ImportError, OSError, ValueError):
            import termios
            import tty

            fd = sys.stdin.fileno() if fd is None else fd
            if os.isatty(fd) and os.getpgrp() == os.tcgetpgrp(fd):
                self._before = termios.tcgetattr(fd)
                tty.setcbreak(fd)
                self.fd = fd
        self._last: dict[str, float] = {}

    def keys(self, now: float) -> Iterator[str]:
        """The keys that were pressed and are not merely held; to be called when there is something to read."""
        if self.fd is None:
            return
        for sign in os.read(self.fd, 64).decode(errors="ignore").lower():
            last, self._last[sign] = self._last.get(sign, -1.0), now
            if now - last >= HELD:
                yield NAMES.get(sign, sign)

    def close(self) -> None:
        """Make the terminal as it was."""
        if self.fd is not None:
            import termios

            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self.fd, termios.TCSADRAIN, self._before)
        self.fd = None
