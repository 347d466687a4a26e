"""The settings of buttons and lamps: a small TOML file (docs/BUTTONS.md)."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.devices.buttons import COMMAND

PINS = range(28)
"""GPIO numbers of a Raspberry Pi's header."""


class ButtonError(Exception):
    """The settings or a source of buttons can't be used; one clear sentence that says what to do."""


@dataclass(frozen=True)
class Buttons:
    """Which contact is whose button: a colour, a player's or a team's name, or "command NAME"."""

    keys: dict[str, str] = field(default_factory=dict)
    """Characters typed at the terminal or on the screen's keyboard."""
    usb: dict[int, str] = field(default_factory=dict)
    """Key codes of Linux input devices (evdev)."""
    device: str = ""
    """A part of the input device's name; empty for all that have one of the keys."""
    gpio: dict[int, str] = field(default_factory=dict)
    lamps: dict[int, str] = field(default_factory=dict)
    """GPIO outputs: a button's name lights up with its floor, "listening" while somebody is heard."""


def load(path: Path) -> Buttons:
    """Read the settings. Raises ButtonError naming file and entry."""
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise ButtonError(f"{path} can't be read ({error.strerror}): check --buttons.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ButtonError(f"{path} is no TOML: {error}.") from error
    try:
        return read(data)
    except ButtonError as error:
        raise ButtonError(f"{path}: {error}") from error


def read(data: dict[str, Any]) -> Buttons:
    """Settings from a TOML file's values. Raises ButtonError."""
    unknown = set(data) - {"keys", "usb", "gpio", "lamps"}
    if unknown:
        raise ButtonError(f"there is no [{sorted(unknown)[0]}]; there are [keys], [usb], [gpio] and [lamps].")
    for name, section in data.items():
        if not isinstance(section, dict):
            raise ButtonError(f'write [{name}] and entries below it, like this: 17 = "blue".')
    usb = dict(data.get("usb", {}))
    device = usb.pop("device", "")
    if not isinstance(device, str):
        raise ButtonError('[usb] device is a part of a name, like this: device = "Buzzer".')
    return Buttons(
        {_key(key): _name("keys", key, value) for key, value in data.get("keys", {}).items()},
        {_number("usb", key, range(1, 768)): _name("usb", key, value) for key, value in usb.items()}, device,
        {_number("gpio", key, PINS): _name("gpio", key, value) for key, value in data.get("gpio", {}).items()},
        {_number("lamps", key, PINS): _name("lamps", key, value) for key, value in data.get("lamps", {}).items()},
    )


def _key(key: str) -> str:
    if len(key) == 1:
        return key.lower()
    if key in ("space", "enter"):
        return key
    raise ButtonError(f'[keys] "{key}" is no key: write one character, space or enter.')


def _number(section: str, key: str, known: range) -> int:
    if not (key.isascii() and key.isdecimal() and len(key) < 5 and int(key) in known):
        what = "a GPIO number" if known is PINS else "a key code, as `evtest` shows it"
        raise ButtonError(f'[{section}] "{key}" is not {what}, {known.start} to {known.stop - 1}.')
    return int(key)


def _name(section: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or value.strip() == COMMAND.strip():
        raise ButtonError(f'[{section}] {key} names no button: write a colour, a name or "command pause".')
    return value.strip()
