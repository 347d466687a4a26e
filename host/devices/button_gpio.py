"""Buttons and lamps on a Raspberry Pi's pins, by gpiozero where it is installed.

A button lies between its pin and ground. Edges carry the kernel's time stamps (lgpio), and are debounced here
and not by the library, which would lose quick presses.
"""

import contextlib
import importlib
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from host.devices.button_map import ButtonError


def factory() -> Any:
    """The library's way to the pins. Raises ButtonError in one sentence where there is none here."""
    try:
        library: Any = importlib.import_module("gpiozero")
    except ImportError as error:
        raise ButtonError("buttons on pins need gpiozero: sudo apt install python3-gpiozero python3-lgpio.") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of every way that it tries in vain
            library.Device.ensure_pin_factory()
    except (library.exc.GPIOZeroError, OSError, RuntimeError) as error:
        raise ButtonError("there are no pins on this machine (no /dev/gpiochip); play goes on without.") from error
    return library.Device.pin_factory


class Pins:
    """The pins in use. `edge` is called with contact, seconds of the monotonic clock, and closed."""

    def __init__(
        self, inputs: Iterable[int], lamps: Mapping[int, str], edge: Callable[[str, float, bool], None],
        pins: Any = None,
    ) -> None:
        """Raises ButtonError where there are no pins, or one is in use."""
        self._factory = factory() if pins is None else pins
        self._edge = edge
        self._pins: list[Any] = []
        self._callbacks: list[Callable[[float, int], None]] = []  # the library holds them weakly
        self._lamps: dict[str, list[Any]] = {}
        self._lit: frozenset[str] = frozenset()
        try:
            for number in inputs:
                self._input(number)
            for number, name in lamps.items():
                pin = self._factory.pin(number)
                pin.output_with_state(0)
                self._pins.append(pin)
                self._lamps.setdefault(name, []).append(pin)
        except Exception as error:
            self.close()
            raise ButtonError(f"a pin can't be used ({error}); play goes on without pins.") from error

    def _input(self, number: int) -> None:
        pin = self._factory.pin(number)
        self._pins.append(pin)
        pin.input_with_pull("up")
        pin.bounce = None
        pin.edges = "both"
        name = f"gpio {number}"

        def changed(ticks: float, state: int) -> None:
            age = max(0.0, self._factory.ticks_diff(self._factory.ticks(), ticks))
            self._edge(name, time.monotonic() - age, not state)

        self._callbacks.append(changed)
        pin.when_changed = changed

    def show(self, lit: Iterable[str]) -> None:
        """Light the lamps of these names and no others."""
        wanted = frozenset(lit)
        for name in wanted ^ self._lit:
            for pin in self._lamps.get(name, ()):
                pin.state = 1 if name in wanted else 0
        self._lit = wanted

    def close(self) -> None:
        """Give the pins back, lamps off."""
        for pin in self._pins:
            with contextlib.suppress(Exception):
                pin.close()
        self._pins = []
