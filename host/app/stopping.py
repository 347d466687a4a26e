"""SIGTERM: the evening ends between two blocks, with its files whole (AUD-15)."""

import contextlib
import signal
from types import FrameType


class StoppedError(KeyboardInterrupt):
    """Somebody asked the program to end."""


class Stopping:
    """Listens for SIGTERM. Before the evening it raises at once, within it only where `check` is called."""

    def __init__(self) -> None:
        self.asked = False
        self.gently = False
        """Set while the loop runs, which calls `check` at every block."""

    def listen(self) -> "Stopping":
        """Take the signal over; on another thread than the first it stays as it is."""
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, self._hear)
        return self

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if again or not self.gently:
            raise StoppedError

    def check(self) -> None:
        """Raises StoppedError where the program was asked to end."""
        if self.asked:
            raise StoppedError
