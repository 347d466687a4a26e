"""The record of a session: JSON lines, one append an event.

The first line is the header: all that is needed to set the game up again. After it, each event that came
in has one line (`in`), with the digest of the state that it led to; what went out stands beside it so that
living it again can be checked. What came in is synced to the disk before anything that follows from it is
heard (`sync`); a line that a power cut left half written is dropped when the log is read.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from host import events
from host.events import Heard, In, Part, Pressed, Resumed, Said, Speaking, TimeUp, Trouble, Typed, Word

_TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (Speaking, Heard, Pressed, Said, Typed, TimeUp, Resumed, Trouble)
}
FORMAT = 1


class LogError(Exception):
    """The log can't be used; the message is one clear sentence."""


class Disk(Protocol):
    """Where a log's bytes go; the fake of the tests forgets what was not synced."""

    def append(self, data: bytes) -> None:
        """Add bytes at the end. Raises OSError."""

    def sync(self) -> None:
        """Make everything appended so far survive a power cut. Raises OSError."""

    def close(self) -> None:
        """Close it."""


class FileDisk:
    """A real file, opened for appending; its folder entry is synced too."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def append(self, data: bytes) -> None:
        """Write all of the bytes."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view):]

    def sync(self) -> None:
        """Flush to the disk."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


def encode(event: object) -> Any:
    """A frozen event or effect as plain JSON values."""
    match event:
        case Enum():
            return event.value
        case tuple():
            return [encode(item) for item in event]
        case _ if dataclasses.is_dataclass(event) and not isinstance(event, type):
            fields = {field.name: encode(getattr(event, field.name)) for field in dataclasses.fields(event)}
            return {"type": type(event).__name__, **fields}
        case _:
            return event


def decode(data: dict[str, Any]) -> In:
    """An event that came in, from its JSON values. Raises LogError if it is none."""
    values = dict(data)
    kind = _TYPES.get(values.pop("type", ""))
    if kind is None:
        raise LogError(f"the log holds an event that this version does not know: {data!r:.80}")
    for key in ("words", "dictation"):
        if key in values:
            values[key] = tuple(
                Word(word["text"], word["began"], word["ended"], word["confidence"]) for word in values[key]
            )
    if "part" in values:
        values["part"] = Part(values["part"])
    try:
        event: In = kind(**values)
    except TypeError as error:
        raise LogError(f"the log holds an event of another version: {error}") from error
    return event


def digest(state: object) -> str:
    """Sixteen hexadecimal digits that stand for a state."""
    return hashlib.blake2b(repr(state).encode(), digest_size=8).hexdigest()


class Log:
    """An append-only log. A disk that fails is given up once; play goes on without a record."""

    def __init__(self, disk: Disk) -> None:
        self._disk: Disk | None = disk
        self._unsynced = False
        self.failed: str = ""
        """Why nothing is kept any more, or empty."""

    def header(self, header: dict[str, Any]) -> None:
        """Write the first line, synced."""
        self._append({"format": FORMAT, "header": header})
        self.sync()

    def event(self, event: In, effects: Iterable[events.Effect], state: object) -> None:
        """Write what came in, what went out and the digest of where it led."""
        out = [encode(effect) for effect in effects]
        record = {"in": encode(event), "state": digest(state)}
        if out:
            record["out"] = out
        self._append(record)

    def sync(self) -> None:
        """Make all that was written survive a power cut."""
        if self._unsynced and self._disk is not None:
            self._guard(self._disk.sync)
        self._unsynced = False

    def close(self) -> None:
        """Sync and close."""
        self.sync()
        if self._disk is not None:
            self._guard(self._disk.close)
        self._disk = None

    def _append(self, record: dict[str, Any]) -> None:
        if self._disk is None:
            return
        data = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        disk = self._disk
        self._guard(lambda: disk.append(data))
        self._unsynced = True

    def _guard(self, work: Any) -> None:
        try:
            work()
        except OSError as error:
            self.failed = error.strerror or str(error)
            self._disk = None


class NoDisk:
    """Keeps nothing: for sessions that need no record."""

    def append(self, data: bytes) -> None:
        """Forget the bytes."""

    def sync(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    """One event of a log: what came in, the digest after it, and what went out (as JSON values)."""

    event: In
    state: str
    out: tuple[dict[str, Any], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Read:
    """A log read back; `good` is the number of bytes up to the end of the last whole record."""

    header: dict[str, Any]
    records: tuple[Record, ...]
    good: int


def read(path: Path) -> Read:
    """Read a log; a last line that was cut off is left out.

    Raises LogError where the file is no log, or is damaged before its last line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LogError(f"the log {path} can't be read: {error.strerror}") from error
    header: dict[str, Any] | None = None
    records: list[Record] = []
    good = 0
    for line, end, last in _lines(data):
        try:
            value = json.loads(line)
            if header is None:
                header = _header(value, path)
            else:
                records.append(Record(decode(value["in"]), value["state"], tuple(value.get("out", ()))))
        except (ValueError, KeyError, TypeError) as error:
            if last:
                break
            raise LogError(f"the log {path} is damaged at byte {good}; it can't be used beyond that") from error
        good = end
    if header is None:
        raise LogError(f"{path} is not a log of this program")
    return Read(header, tuple(records), good)


def _header(value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict) or "header" not in value:
        raise LogError(f"{path} is not a log of this program")
    if value.get("format") != FORMAT:
        raise LogError(f"{path} was written by another version (format {value.get('format')}, wanted {FORMAT})")
    header: dict[str, Any] = value["header"]
    return header


def _lines(data: bytes) -> Iterator[tuple[bytes, int, bool]]:
    """Each line with the offset of its end and whether it is the last; an unfinished one is left out."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start:end], end + 1, data.find(b"\n", end + 1) < 0
        start = end + 1


def cut(path: Path, size: int) -> None:
    """Cut what a power failure left half written off a log, so that it can be appended to."""
    with path.open("r+b") as file:
        file.truncate(size)
        os.fsync(file.fileno())
