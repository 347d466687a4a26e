"""Who may talk to us: Host and Origin, the pairing code, seat tokens, how much and how often (SEC-01, SEC-03)."""

import hmac
import ipaddress
import json
import os
import secrets
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

DIGITS = 5
"""Of the pairing code."""
WRONG_EACH, WRONG_ALL, MINUTE = 5, 20, 60.0
"""So many wrong codes a minute from one address; after so many in all there is a new code."""


def host_of(header: str) -> str | None:
    """The name in a Host header, lower case and without its port; None where it is none."""
    with suppress(ValueError):
        parts = urlsplit(f"//{header.strip()}")
        if parts.path or parts.query or parts.fragment or parts.username is not None:
            return None
        _ = parts.port  # raises where it is no number
        return parts.hostname
    return None


def host_allowed(header: str | None) -> bool:
    """Whether a page under this name can only be ours: an IP literal, localhost or a .local name (SEC-01)."""
    name = host_of(header or "")
    if not name:
        return False
    with suppress(ValueError):
        ipaddress.ip_address(name.partition("%")[0])
        return True
    name = name.removesuffix(".")
    return name == "localhost" or (name.endswith(".local") and name != ".local")


def origin_allowed(origin: str | None, host: str | None) -> bool:
    """Whether a WebSocket was opened by a page of ours; a missing Origin is for the pairing code to judge (SEC-03)."""
    if origin is None:
        return True
    with suppress(ValueError):
        parts = urlsplit(origin)
        ours = (host or "").strip().lower()
        return parts.scheme in ("http", "https") and parts.netloc.lower() == ours and host_allowed(host)
    return False


def is_here(address: str | None) -> bool:
    """Whether the other end is on this machine."""
    with suppress(ValueError):
        found = ipaddress.ip_address((address or "").partition("%")[0])
        mapped = getattr(found, "ipv4_mapped", None)
        return found.is_loopback or bool(mapped and mapped.is_loopback)
    return False


class Pairing:
    """The code that phones join with, and the tokens by which they come back to their seats.

    Both depend on a key that can be kept with the game (`keep`), so that phones find back after a power cut.
    """

    def __init__(self, key: bytes | None = None, code: str | None = None) -> None:
        self._key = secrets.token_bytes(16) if key is None else key
        self.code = _new_code() if code is None else code
        self._wrong: dict[str, deque[float]] = {}
        self._wrong_all = 0

    @classmethod
    def kept(cls, path: Path, fresh: bool) -> "Pairing":
        """The pairing of the game that goes on, or a fresh one, kept in this file as far as the disk allows."""
        if not fresh:
            with suppress(OSError, ValueError, KeyError, TypeError):
                data = json.loads(path.read_text(encoding="utf-8"))
                key, code = bytes.fromhex(data["key"]), str(data["code"])
                if len(key) == 16 and len(code) == DIGITS and code.isdecimal():
                    return cls(key, code)
        made = cls()
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(fd, "w", encoding="utf-8") as file:
                json.dump({"key": made._key.hex(), "code": made.code}, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        return made

    def admits(self, code: str, address: str, now: float) -> str:
        """Why a code is refused: wrong, or too often wrong; empty where it is right."""
        tries = self._wrong.setdefault(address, deque())
        while tries and now - tries[0] > MINUTE:
            tries.popleft()
        if len(tries) >= WRONG_EACH:
            return "Too many wrong codes; wait a minute."
        if hmac.compare_digest(code.encode(), self.code.encode()):
            return ""
        tries.append(now)
        self._wrong_all += 1
        if self._wrong_all >= WRONG_ALL:
            self._wrong_all, self.code = 0, _new_code()
        if len(self._wrong) > 1000:
            self._wrong = {key: value for key, value in self._wrong.items() if value and now - value[-1] < MINUTE}
        return "That is not the code on the screen."

    def token(self, seat: str) -> str:
        """A new token for a seat."""
        return self._signed(seat, secrets.token_urlsafe(9))

    def seat_of(self, token: str) -> str | None:
        """The seat that a token of ours is for; None where it is not ours."""
        nonce, _, rest = token.partition(".")
        _, _, seat = rest.partition(".")
        return seat if seat and hmac.compare_digest(token.encode(), self._signed(seat, nonce).encode()) else None

    def _signed(self, seat: str, nonce: str) -> str:
        mac = hmac.new(self._key, f"{nonce}.{seat}".encode(), "sha256").hexdigest()[:24]
        return f"{nonce}.{mac}.{seat}"


def _new_code() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(DIGITS))


@dataclass(slots=True)
class Bucket:
    """A rate limit: `burst` messages at once, `rate` a second in the long run."""

    rate: float = 10.0
    burst: float = 30.0
    _left: float = field(default=-1.0)
    _then: float = 0.0
    dropped: int = 0
    """Messages refused so far."""

    def takes(self, now: float) -> bool:
        """Whether one more message is let through."""
        if self._left < 0:
            self._left, self._then = self.burst, now
        self._left = min(self.burst, self._left + (now - self._then) * self.rate)
        self._then = now
        if self._left < 1:
            self.dropped += 1
            return False
        self._left -= 1
        return True
