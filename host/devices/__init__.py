"""Where sound comes from and goes to, behind one small protocol."""

from typing import Protocol

from host.clock import Samples
from host.sound import Block, Clip


class Device(Protocol):
    """A microphone and a speaker that share one clock.

    `play` queues a clip to begin not before sample `at` and after everything queued before it (its
    own `gap` of silence in front counts from there); the device reports by `Mark`s in later blocks
    how far each line has come, at the sample at which it sounded.
    """

    def read(self) -> Block | None:
        """Wait for the next 30 ms and return them; None when there will be no more."""

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""

    def hush(self) -> None:
        """Fall silent within 5 ms of what can still be changed, and drop what is queued."""

    def close(self) -> None:
        """Give the device back."""


class DeviceError(Exception):
    """The device can't be used; the message is one clear sentence that says what to do."""
