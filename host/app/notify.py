"""Telling systemd how the service is: a few lines over a datagram socket (`Type=notify`, `WatchdogSec`).

Without systemd (no NOTIFY_SOCKET) every call does nothing. The watchdog is fed from the loop over blocks:
a loop that stands still for `WatchdogSec` is started anew.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

SHARE = 0.25
"""The watchdog is fed each quarter of its time."""


class Notify:
    """The service's end of the socket."""

    def __init__(self, env: Mapping[str, str] | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        env = os.environ if env is None else env
        address = env.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._clock = clock
        self._every = 0.0
        with contextlib.suppress(ValueError):
            ours = env.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
            self._every = SHARE * int(env.get("WATCHDOG_USEC", "0")) / 1e6 if ours else 0.0
        self._fed = -1e9
        self._ready = False

    def send(self, text: str) -> bool:
        """Send one datagram; whether it was taken. Never raises: a game does not end for its keeper's sake."""
        if not self._address:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.settimeout(0.2)
                out.sendto(text.encode(), self._address)
        except OSError:
            return False
        return True

    def ready(self, status: str = "") -> None:
        """The service runs; told once, later calls only change the status."""
        self.send(f"READY=1\nSTATUS={status}" if not self._ready else f"STATUS={status}")
        self._ready = True

    def stopping(self) -> None:
        """The service is about to end by itself."""
        self.send("STOPPING=1")

    def feed(self) -> None:
        """Called at every block: tells the watchdog that the loop runs, as often as it wants to know."""
        if self._every and (now := self._clock()) - self._fed >= self._every:
            self._fed = now
            self.send("WATCHDOG=1")
