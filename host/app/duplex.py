"""What is kept of a microphone and a speaker: by how much the echo lags; and whether they take turns."""

import contextlib
import json
from collections.abc import Callable
from typing import Any

from host.app.evening import Evening, sign
from host.app.files import replace_file
from host.app.paths import data_folder
from host.clock import Samples, samples
from host.devices import Device
from host.devices.duplex import Duplex

REACH = samples(0.15)
"""An echo that begins so long after `delay` leaves two thirds of the filter for the room's ringing."""
BEFORE = samples(0.08)
"""So much before the delay that was found the filter begins: that is the loudest path, and not always the first."""
LOOKS = 6
"""Windows of the host's voice after which the canceller is looked at."""
LEAST = 6.0
"""dB that a canceller takes away at the least, where all is well (BAR-06)."""
FURTHEST = samples(1.5)


def astray(placed: Samples, found: Samples) -> bool:
    """Whether a canceller that looks for the echo from `placed` on should look elsewhere: it was found at `found`."""
    return not placed <= found <= placed + REACH


class Settled:
    """A sound card with its canceller's delay, known from an earlier evening or found in the greeting."""

    def __init__(
        self, device: Device, names: tuple[str, str], told: Samples, *, half: bool = False, start: Samples = 0,
        notice: Callable[[str], None] = print,
    ) -> None:
        """`names` are microphone and speaker; `told` is the delay that the card claims."""
        self._names, self._card, self._notice = names, device, notice
        kept = _read().get(self._key)
        known = isinstance(kept, int) and 0 <= kept <= FURTHEST
        self.delay: Samples = max(0, int(kept) - BEFORE) if known and kept is not None else told
        """Where the canceller begins to look for the echo."""
        self.device = Duplex(device, sign("turn"), half=half, start=start, notice=notice, on_delay=self._found,
                             on_window=self._look, on_clock=self._forget,
                             lag=int(kept) if known and kept is not None else told)
        self._evening: Evening | None = None
        self._windows = 0

    @property
    def _key(self) -> str:
        """By the names in use; a card that was waited for tells them when it is there."""
        return " > ".join(self._names if any(self._names) else getattr(self._card, "names", self._names))

    def attach(self, evening: Evening) -> None:
        """The evening whose canceller is set anew where the delay turns out to be another."""
        self._evening = evening

    def _look(self) -> None:
        """After some of the host's voice: does the canceller take enough of it away? Said once (BAR-06, BAR-14)."""
        self._windows += 1
        cancellers = self._evening.session.parts.cancellers if self._evening else ()
        taken = getattr(cancellers[0], "erle", None) if cancellers else None
        if self._windows == LOOKS and taken is not None and taken < LEAST:
            self._notice(f"The echo canceller takes only {taken:.0f} dB of the host's voice away: switch off any other "
                         "echo cancelling of the system, turn the speaker down, or play with --half-duplex.")

    def _forget(self) -> None:
        for canceller in self._evening.session.parts.cancellers if self._evening else ():
            getattr(canceller, "forget", lambda: None)()

    def _found(self, delay: Samples) -> None:
        with contextlib.suppress(OSError):
            settings = {**_read(), self._key: delay}
            replace_file(data_folder() / "sound.json", (json.dumps(settings, indent=1) + "\n").encode())
        if self._evening is None or not astray(self.delay, delay):
            return
        self.delay = max(0, delay - BEFORE)
        for canceller in self._evening.session.parts.cancellers:
            getattr(canceller, "realign", lambda _delay: None)(self.delay)
        self._notice(f"The host's voice comes back after {1000 * delay // 16_000} ms; the echo canceller knows now.")


def _read() -> dict[str, Any]:
    try:
        found = json.loads((data_folder() / "sound.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
