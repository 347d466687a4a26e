"""Buttons: edges in, presses out, in the order in which they were made.

The theory of a bounce (KIO-15). A contact chatters for up to 30 ms when it closes and when it opens. Edges
that come closer together than `SETTLE` are one *burst*. A burst that begins with an open contact is a press,
known at its first edge, without waiting. A burst that begins and ends with a closed one is a disturbance if it
is short, but a release and a new press if it is longer than any bounce; that press is known once the burst has
settled, and it counts from the edge after the longest stretch in which the contact was open.

Sources (host.devices.button_*) hand over edges with the kernel's time stamps; the inbox turns their time into
samples (law 2: one queue, one order). Everything here may be called from any thread.
"""

import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from host.clock import BLOCK, RATE, Samples, samples
from host.events import In, Pressed, Typed

SETTLE = 0.035
"""Seconds without an edge after which a contact is at rest; bounces are up to 30 ms."""
BEFORE = samples(0.3)
"""A press is taken for made at most so long before it came in."""
WINDOW = 64
"""Blocks (2 s) over which the way from the sound card's time to the clock's is measured."""
COMMAND = "command "
"""A button whose name begins so says a command instead of pressing for a player."""


@dataclass(slots=True)
class Contact:
    """One button: takes edges, tells presses. Times in seconds of one monotonic clock."""

    closed: bool = False
    _rest: bool = False
    """The state at rest before the burst."""
    _edges: list[tuple[float, bool]] = field(default_factory=list)
    """The burst so far."""

    def edge(self, at: float, closed: bool) -> list[float]:
        """Take an edge; the times of presses that are now known, a late one of an earlier burst first."""
        presses = self.settle(at)
        if closed == self.closed:
            return presses
        if not self._edges and closed:
            presses.append(at)
        self.closed = closed
        self._edges.append((at, closed))
        return presses

    def settle(self, now: float) -> list[float]:
        """Time has passed: close a burst that is over; the press that it held, if any."""
        if not self._edges or now - self._edges[-1][0] < SETTLE:
            return []
        edges, self._edges = self._edges, []
        was_closed, self._rest = self._rest, self.closed
        long = edges[-1][0] - edges[0][0] >= SETTLE
        return [_after_longest_gap(edges)] if was_closed and self.closed and long else []


def _after_longest_gap(edges: Sequence[tuple[float, bool]]) -> float:
    """When the contact closed after it had been open longest."""
    gaps = [(at - opened, at) for (opened, _), (at, closed) in itertools.pairwise(edges) if closed]
    return max(gaps)[1]


class Stamps:
    """Turns a monotonic clock's seconds into samples, by when blocks came from the device.

    A block can come late but never early, so of the last two seconds the one that came soonest tells.
    """

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=WINDOW)

    def mark(self, at: Samples, when: float) -> None:
        """The device's time was `at` when the clock said `when`."""
        self._offsets.append(when - at / RATE)

    def sample(self, when: float) -> Samples | None:
        """The sample of a moment; None before the first block."""
        return round((when - min(self._offsets)) * RATE) if self._offsets else None


class Inbox:
    """Presses and messages of any thread; the loop takes them between two blocks (`Session.run`)."""

    def __init__(self, now: Callable[[], Samples], clock: Callable[[], float] = time.monotonic) -> None:
        """`now` tells where the loop is: the end of the last block."""
        self._now, self._clock = now, clock
        self._stamps = Stamps()
        self._lock = threading.Lock()
        self._posts: list[tuple[float, str | tuple[int | None, str]]] = []

    def press(self, button: str, when: float | None = None) -> None:
        """A button went down at `when` (seconds of the monotonic clock; None for now)."""
        post: str | tuple[int | None, str] = button
        if button.startswith(COMMAND):
            post = (None, button)
        with self._lock:
            self._posts.append((self._clock() if when is None else when, post))

    def type(self, seat: int | None, message: str) -> None:
        """A message of a screen or a phone."""
        with self._lock:
            self._posts.append((self._clock(), (seat, message)))

    def __call__(self) -> Sequence[In]:
        """What came since the last block, in the order in which it was done."""
        start, when = self._now(), self._clock()
        self._stamps.mark(start + BLOCK, when)
        with self._lock:
            posts, self._posts = self._posts, []
        return [self._event(post, came, start) for came, post in sorted(posts, key=lambda post: post[0])]

    def _event(self, post: str | tuple[int | None, str], when: float, start: Samples) -> In:
        sample = self._stamps.sample(when)
        end = start + BLOCK
        began = end if sample is None else min(max(sample, start - BEFORE), end)
        at = max(began, start)
        if isinstance(post, str):
            return Pressed(at, post, began)
        return Typed(at, *post)


class Panel:
    """The contacts of all sources, each debounced; tells the inbox who pressed."""

    def __init__(self, names: dict[str, str], press: Callable[[str, float], None]) -> None:
        """`names` maps a source's own name of a contact ("gpio 17", "key a") to a button's."""
        self._names, self._press = names, press
        self._contacts = {name: Contact() for name in names}
        self._lock = threading.Lock()

    def edge(self, contact: str, at: float, closed: bool) -> None:
        """A contact of a source closed or opened; one that the settings do not name is ignored."""
        if contact not in self._contacts:
            return
        with self._lock:
            for when in self._contacts[contact].edge(at, closed):
                self._press(self._names[contact], when)

    def settle(self, now: float) -> None:
        """To be called every 20 ms or so: some presses are known only when nothing follows."""
        with self._lock:
            for contact, state in self._contacts.items():
                for when in state.settle(now):
                    self._press(self._names[contact], when)
