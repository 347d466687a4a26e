"""What a client may say, read without trust: a known message with sane values, or None. Never an exception."""

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

LARGEST = 600
"""Characters of a message; the WebSocket itself ends at 2 KiB."""
NAME = 20
VERBS = ("command", "yes", "no", "ready", "seat", "leave", "swap", "over", "say")
"""What a phone may touch; a screen may also `join`."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: who this is, with a code or a token."""

    role: str
    code: str = ""
    token: str = ""


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat by its colour (or name, where there are no colours)."""

    seat: str


@dataclass(frozen=True, slots=True)
class Join:
    """Join while players are gathered."""

    colour: str
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat back."""


@dataclass(frozen=True, slots=True)
class Press:
    """The big button."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A message for the table (host.table.touch)."""

    message: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key on the screen's keyboard."""

    key: str


@dataclass(frozen=True, slots=True)
class Echo:
    """The answer to a ping, by which the way is measured."""

    number: int


Message: TypeAlias = Hello | Sit | Join | Leave | Press | Touch | Key | Echo


def clean(value: Any, longest: int) -> str:
    """Printable text of one line, or ""."""
    if not isinstance(value, str):
        return ""
    text = "".join(sign if sign.isprintable() else " " for sign in value[: 4 * longest])
    return " ".join(text.encode("utf-8", "ignore").decode().split())[:longest].strip()


def read(text: str | bytes | None) -> Message | None:
    """A message from its JSON; None for anything else."""
    if not isinstance(text, str) or len(text) > LARGEST:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _message(data) if isinstance(data, dict) else None


def _message(data: dict[str, Any]) -> Message | None:
    match data.get("type"):
        case "hello" if data.get("role") in ("phone", "screen"):
            return Hello(data["role"], clean(data.get("code"), 12), clean(data.get("token"), 90))
        case "sit" if seat := clean(data.get("seat"), NAME):
            return Sit(seat)
        case "join" if colour := clean(data.get("colour"), NAME):
            return Join(colour, clean(data.get("name"), NAME))
        case "leave":
            return Leave()
        case "press":
            return Press()
        case "touch" if message := clean(data.get("message"), 120):
            return Touch(message)
        case "key" if key := clean(data.get("key"), 10):
            return Key(key.lower())
        case "echo":
            number = data.get("n")
            if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 1 << 31:
                return Echo(number)
    return None


def may_touch(message: str, screen: bool) -> bool:
    """Whether that client may send this to the table."""
    verb = message.partition(" ")[0]
    return verb in VERBS or (screen and verb == "join")
