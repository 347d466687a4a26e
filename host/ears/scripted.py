"""An ear that hears what it is told: for tests, and for replays of what was logged."""

from collections.abc import Iterable, Sequence

from host.events import Heard, Listens, Speaking
from host.sound import Cleaned


class ScriptedEar:
    """The `Ear` protocol over a list of events: each comes with the block in which its `at` lies."""

    def __init__(self, events: Iterable[Speaking | Heard]) -> None:
        """Take the events in any order. Raises ValueError where an utterance lacks its one final `Heard`."""
        self._events = sorted(events, key=lambda event: event.at)
        self._next = 0
        self.asked: list[Listens] = []
        """What the core wanted to listen for, in order, without repeats."""
        check_order(self._events)

    def listen(self, listens: Listens) -> None:
        """Note what is worth hearing."""
        if not self.asked or self.asked[-1] != listens:
            self.asked.append(listens)

    def hear(self, sound: Cleaned) -> list[Speaking | Heard]:
        """The events that became known by the end of this block."""
        first, until = self._next, sound.at + len(sound.pcm)
        while self._next < len(self._events) and self._events[self._next].at <= until:
            self._next += 1
        return self._events[first : self._next]

    def end(self) -> list[Speaking | Heard]:
        """All that is left."""
        rest, self._next = self._events[self._next :], len(self._events)
        return rest

    def close(self) -> None:
        """Nothing to free."""


def check_order(events: Sequence[Speaking | Heard]) -> None:
    """Raise ValueError unless every `Speaking` is followed by exactly one final `Heard`, and none comes without."""
    open_now: set[int] = set()
    seen: set[int] = set()
    for event in events:
        if isinstance(event, Speaking):
            if event.utterance in seen:
                raise ValueError(f"utterance {event.utterance} begins twice")
            seen.add(event.utterance)
            open_now.add(event.utterance)
        elif event.utterance not in open_now:
            raise ValueError(f"utterance {event.utterance} is heard without being open")
        elif event.final:
            open_now.remove(event.utterance)
    if open_now:
        raise ValueError(f"utterance {min(open_now)} has no final")
