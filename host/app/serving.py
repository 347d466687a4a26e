"""Screen, phones and buttons for the commands: `--screen [PORT]` and `--buttons FILE`."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from host.app import AppError
from host.app.evening import Evening
from host.devices.button_map import ButtonError, Buttons, load
from host.devices.button_watch import Watch
from host.devices.buttons import Inbox
from host.events import Effect, In, Line
from host.server import PORT, ServerError
from host.server.guard import Pairing
from host.server.hub import Hub
from host.sound import Clip
from host.table import Table

if TYPE_CHECKING:
    from host.server.run import Server

NO_PHONES = "To play, say your name and a colour. Phones are off tonight: start me with the option screen."
"""Said instead of a code where nothing is served."""


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Add the option for the pages."""
    parser.add_argument("--screen", type=int, nargs="?", const=PORT, metavar="PORT",
                        help=f"serve the screen and phones as buttons (default port: {PORT})")


def add_buttons(parser: argparse.ArgumentParser) -> None:
    """Add the option for buttons."""
    parser.add_argument("--buttons", type=Path, metavar="FILE.toml", help="buttons and lamps (see docs/BUTTONS.md)")


class Serving:
    """Everything at the edge of one evening: pages, phones, buttons, lamps. Without options it does nothing."""

    def __init__(
        self, table: Table, screen: int | None = None, buttons: Path | None = None, pairing: Pairing | None = None,
        notice: Callable[[str], None] = print,
    ) -> None:
        """Raises AppError where the port can't be had or the settings are wrong."""
        self.table, self._notice = table, notice
        self._evening: Evening | None = None
        self.inbox = Inbox(lambda: 0 if self._evening is None else self._evening.session.now)
        try:
            found = Buttons() if buttons is None else load(buttons)
            self.hub = Hub(table.view, self.inbox, found.keys)
            self.server = None if screen is None else _server(self.hub, screen, pairing)
        except (ButtonError, ServerError) as error:
            raise AppError(str(error), 2) from error
        self._buttons = None if buttons is None else Watch(found, self.inbox.press, notice)

    def start(self, evening: Evening, more: Callable[[], Sequence[In]] = tuple) -> Callable[[], Sequence[In]]:
        """Serve an evening; returns the inbox for its `run`, with what `more` brings."""
        self._evening = evening
        speak = evening.session.parts.speak

        def spoken(line: Line, speed: float) -> Clip:
            line = self.filled(line)
            clip = speak(line, speed)
            self.hub.clip(line, clip)
            return clip

        evening.session.parts = replace(evening.session.parts, speak=spoken)
        if self.server is not None:
            self.server.start()
            print(f"screen: {self.server.screen}; phones: {self.server.address} with the code "
                  f"{' '.join(self.server.pairing.code)}", flush=True)
        if self._buttons is not None:
            self._buttons.start()
        return lambda: (*more(), *self.inbox())

    def filled(self, line: Line) -> Line:
        """A line with the phones' address and code put in: they are the edge's, and stay out of the log."""
        if "{code}" not in line.text:
            return line
        if self.server is None:
            return replace(line, text=NO_PHONES)
        address = said_address(self.server.address)
        code = ", ".join(self.server.pairing.code)
        return replace(line, text=line.text.replace("{address}", address).replace("{code}", code))

    def watch(self, event: In, state: Any, effects: tuple[Effect, ...], view: Mapping[str, Any]) -> None:
        """See an event with what followed, and everybody's view after it."""
        self.hub.watch(event, state, effects)
        if self._buttons is not None:
            self._buttons.show(lit(view))

    def close(self) -> None:
        """Stop serving."""
        if self._buttons is not None:
            self._buttons.close()
        if self.server is not None:
            self.server.close()


def said_address(address: str) -> str:
    """An address of ours as it is said aloud: "192 dot 168 dot 0 dot 7, colon, 8137"."""
    name, _, port = address.removeprefix("http://").rstrip("/").partition(":")
    spelt = " dot ".join(" ".join(part) if part.isdecimal() else part for part in name.split("."))
    return f"{spelt}, colon {' '.join(port)}"


def _server(hub: Hub, port: int, pairing: Pairing | None) -> "Server":
    from host.server.run import Server  # the web framework is loaded only where it is wanted

    return Server(hub, port, pairing)


def lit(view: Mapping[str, Any]) -> list[str]:
    """The lamps that are on: who has the floor, by colour and by name, and that somebody is heard (GAM-05)."""
    lamps = ["listening"] if view["listening"] else []
    if view["floor"] is not None and view["floor"] < len(view["players"]):
        name, colour = view["players"][view["floor"]]
        lamps += [colour, name]
    return lamps
