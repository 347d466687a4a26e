"""Recognisers behind one small protocol."""

from collections.abc import Iterable
from typing import Protocol

from host.events import Heard, Listens, Speaking
from host.sound import Cleaned


class Ear(Protocol):
    """Turns cleaned blocks into `Speaking` and `Heard`.

    Every `Speaking` is followed by exactly one final `Heard` with the same utterance number.
    """

    def listen(self, listens: Listens) -> None:
        """Set what is worth hearing; takes effect at the next legal moment, at any time callable."""

    def hear(self, sound: Cleaned) -> Iterable[Speaking | Heard]:
        """Take 480 samples and return what became known by them."""

    def close(self) -> None:
        """Free the recogniser."""
