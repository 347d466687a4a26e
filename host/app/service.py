"""An evening as a service: systemd is told how it is, SIGTERM ends it between two blocks, troubles are posted."""

from collections.abc import Callable, Iterable, Sequence

from host.app.notify import Notify
from host.app.stopping import Stopping
from host.clock import Samples
from host.events import In, Trouble

Inbox = Callable[[], Sequence[In]]


class Service:
    """Everything that is asked once a block beside screen and buttons."""

    def __init__(self, stopping: Stopping, notify: Notify | None = None) -> None:
        self._stopping = stopping
        self.notify = Notify() if notify is None else notify
        self._inboxes: list[Inbox] = []

    def add(self, inbox: Inbox) -> None:
        """One more source of events."""
        self._inboxes.append(inbox)

    def tell(self, at: Samples, troubles: Iterable[str]) -> None:
        """Troubles that the host is to say as soon as it can."""
        waiting: list[In] = [Trouble(at, what) for what in troubles]

        def take() -> Sequence[In]:
            found, waiting[:] = tuple(waiting), []
            return found

        self.add(take)

    def begin(self, status: str) -> None:
        """The evening runs from here on."""
        self._stopping.gently = True
        self.notify.ready(status)

    def block(self) -> Sequence[In]:
        """Called by the loop at every block; raises StoppedError where the program was asked to end."""
        self._stopping.check()
        self.notify.feed()
        return tuple(event for inbox in self._inboxes for event in inbox())

    def end(self) -> None:
        """The evening is over, whatever ended it."""
        self.notify.stopping()
        self._stopping.gently = False
