"""Synthesisers behind one small protocol."""

from typing import Protocol

from host.events import Line
from host.sound import Clip


class Voice(Protocol):
    """Turns a line of text into PCM with word times."""

    name: str
    """Part of the cache's key, with version and settings."""

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """Synthesise; deterministic for the same text and speed. Raises VoiceError where it can't."""

    def close(self) -> None:
        """Free the engine."""


class VoiceError(Exception):
    """The voice can't speak; the message is one clear sentence that says what to do."""
