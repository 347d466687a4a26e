"""One thread that watches terminal, USB devices and pins, and hands presses over as they are made."""

import contextlib
import os
import selectors
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from host.devices.button_evdev import FOLDER, Parser, find, open_device
from host.devices.button_gpio import Pins
from host.devices.button_keys import Terminal
from host.devices.button_map import ButtonError, Buttons
from host.devices.buttons import Panel

STEP = 0.02
"""Seconds between two looks at what has settled."""
LOOK = 2.0
"""Seconds between two looks for devices that were plugged in."""


class Watch:
    """Buttons of all kinds, from `start` to `close`. What is missing is one line to `notice`, and play goes on."""

    def __init__(
        self, buttons: Buttons, press: Callable[[str, float], None], notice: Callable[[str], None] = print,
        terminal: bool = True, folder: Path = FOLDER,
    ) -> None:
        self._buttons, self._press, self._notice, self._folder = buttons, press, notice, folder
        names = {f"usb {code}": name for code, name in buttons.usb.items()}
        names |= {f"gpio {pin}": name for pin, name in buttons.gpio.items()}
        self._panel = Panel(names, press)
        self._terminal = Terminal() if terminal and buttons.keys else None
        self._pins: Pins | None = None
        self._selector = selectors.DefaultSelector()
        self._open: dict[Path, tuple[int, Parser]] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> "Watch":
        """Begin to watch."""
        if self._buttons.gpio or self._buttons.lamps:
            try:
                self._pins = Pins(self._buttons.gpio, self._buttons.lamps, self._panel.edge)
            except ButtonError as error:
                self._notice(str(error))
        if self._terminal is not None and self._terminal.fd is not None:
            self._selector.register(self._terminal.fd, selectors.EVENT_READ, None)
        if self._buttons.usb:
            self._look()
            if not self._open:
                what = f'"{self._buttons.device}"' if self._buttons.device else "a USB button"
                self._notice(f"{what} is not plugged in; it may be at any time.")
        self._thread.start()
        return self

    def show(self, lit: Iterable[str]) -> None:
        """Light these lamps."""
        if self._pins is not None:
            self._pins.show(lit)

    def close(self) -> None:
        """Stop watching and give everything back."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        for path in list(self._open):
            self._drop(path)
        if self._terminal is not None:
            self._terminal.close()
        if self._pins is not None:
            self._pins.close()
        self._selector.close()

    def _run(self) -> None:
        looked = time.monotonic()
        while not self._over.is_set():
            if self._selector.get_map():
                for key, _ in self._selector.select(STEP):
                    self._read(key.data)
            else:
                self._over.wait(STEP)
            now = time.monotonic()
            self._panel.settle(now)
            if self._buttons.usb and now - looked > LOOK:
                looked = now
                self._look()

    def _read(self, path: Path | None) -> None:
        now = time.monotonic()
        if path is None:
            if self._terminal is not None:
                with contextlib.suppress(OSError):
                    for name in self._terminal.keys(now):
                        if name in self._buttons.keys:
                            self._press(self._buttons.keys[name], now)
            return
        fd, parser = self._open[path]
        try:
            data = os.read(fd, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(path)
            return
        for at, code, closed in parser.feed(data):
            self._panel.edge(f"usb {code}", at, closed)

    def _look(self) -> None:
        for path in find(self._buttons.device, self._folder):
            if path not in self._open:
                with contextlib.suppress(OSError):
                    fd = open_device(path)
                    self._open[path] = (fd, Parser())
                    self._selector.register(fd, selectors.EVENT_READ, path)

    def _drop(self, path: Path) -> None:
        fd, parser = self._open.pop(path)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(fd)
        os.close(fd)
        for at, code, closed in parser.gone(time.monotonic()):
            self._panel.edge(f"usb {code}", at, closed)
