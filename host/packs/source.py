"""A pack's file: bytes to text to data, with the line and column of everything in it.

tomllib forgets where a value stood, so the text of a valid file is scanned once more for its table headers,
keys and list items. The scanner may be naive because tomllib has accepted the text before.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.packs import Fault

LARGEST = 4_000_000
"""Bytes; 500 cards take about half a million."""

Place = tuple[int, int]
"""Line and column, from 1."""

_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})|' + r"'''.*?'''(?:'{0,2})|"
    r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|\n|[\[\]{},=]|[^\s\[\]{},=\"'#]+|[^\S\n]+",
    re.DOTALL,
)
_HEADER = re.compile(r"\[\[?\s*([^\]\n]+?)\s*\]")
_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(frozen=True, slots=True)
class Table:
    """Where a table of the file and its keys and list items are."""

    name: str
    place: Place
    places: dict[tuple[str, int], Place] = field(default_factory=dict)
    """(key, item or -1) -> place."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read: its data, and where they stood."""

    file: str
    data: Mapping[str, Any]
    tables: tuple[Table, ...]

    def named(self, name: str) -> list[Table]:
        """The tables of that name in the order of the file."""
        return [table for table in self.tables if table.name == name]


class _Scanner:
    """Reads tokens in order; `state` is what the current line is in the middle of."""

    def __init__(self) -> None:
        self.tables = [Table("", (1, 1))]
        self.state = "start"
        self.key = ""
        self.depth = 0
        self.count = 0
        self.fresh = False

    def take(self, piece: str, place: Place, text: str, at: int) -> None:
        """One piece that is neither blank nor comment."""
        if piece == "\n":
            if self.depth == 0:
                self.state = "start"
        elif self.state == "start":
            self._begin(piece, place, text, at)
        elif self.state == "key" and piece == "=":
            self.state, self.depth, self.count = "value", 0, 0
        elif self.state == "value":
            self._value(piece, place)

    def _begin(self, piece: str, place: Place, text: str, at: int) -> None:
        header = _HEADER.match(text, at) if piece == "[" else None
        if header:
            self.tables.append(Table(header.group(1).strip("\"'"), place))
            self.state = "header"
        else:
            self.key, self.state = piece.strip("\"'").split(".")[0], "key"
            self.tables[-1].places.setdefault((self.key, -1), place)

    def _value(self, piece: str, place: Place) -> None:
        if self.depth == 1 and self.fresh and piece not in ("]", "}", ","):
            self.tables[-1].places.setdefault((self.key, self.count), place)
            self.count += 1
            self.fresh = False
        if piece in ("[", "{"):
            self.depth += 1
            self.fresh = self.depth == 1
        elif piece in ("]", "}"):
            self.depth -= 1
        elif piece == "," and self.depth == 1:
            self.fresh = True


def scan(text: str) -> tuple[Table, ...]:
    """Where the tables, keys and list items of a valid TOML text stand; the first table is the nameless one."""
    scanner = _Scanner()
    line, start = 1, 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece == "\n" or not (piece.isspace() or piece.startswith("#")):
            scanner.take(piece, (line, match.start() - start + 1), text, match.start())
        if "\n" in piece:
            line += piece.count("\n")
            start = match.start() + piece.rindex("\n") + 1
    return tuple(scanner.tables)


def read_text(path: Path) -> tuple[str, tuple[Fault, ...]]:
    """The file as text with plain newlines; "" and a fault where it can't be had."""

    def refuse(text: str, line: int = 1, column: int = 1) -> tuple[str, tuple[Fault, ...]]:
        return "", (Fault(str(path), line, "", text, "refused", column),)

    try:
        if path.is_dir():
            return refuse("this is a folder; name a file in it")
        if path.stat().st_size > LARGEST:
            return refuse(f"the file is larger than {LARGEST // 1_000_000} MB; is it a pack? Split it if it is")
        raw = path.read_bytes()
    except FileNotFoundError:
        return refuse("there is no such file; check its name and folder")
    except OSError as error:
        return refuse(f"the file can't be read ({error.strerror}); check its permissions")
    if raw[:2] in _BOMS:
        return refuse(f"the file is saved as {_BOMS[raw[:2]]}; save it as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        return refuse("a letter here is not UTF-8; save the file as UTF-8", before.count(b"\n") + 1, column)
    if not text.strip():
        return refuse("the file is empty; `gamehost packs new` writes one to begin with")
    return text.replace("\r\n", "\n"), ()


def _syntax(path: Path, text: str, error: tomllib.TOMLDecodeError) -> Fault:
    where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
    lines = text.rstrip("\n").split("\n")
    line, column = (int(where[1]), int(where[2])) if where else (len(lines), len(lines[-1]) + 1)
    what = re.sub(r" *\(at .*\)$", "", str(error))
    what = what[:1].lower() + what[1:]
    help_ = "look for a missing quote, comma or bracket here or just before"
    if "overwrite" in what:
        help_ = "the same key stands twice in this card; remove one"
    return Fault(str(path), line, "", f"not valid TOML: {what}; {help_}", "refused", column)


def read_source(path: Path) -> tuple[Source | None, tuple[Fault, ...]]:
    """The file's data with their places; None and a fault that says what to do where it can't be read."""
    text, faults = read_text(path)
    if faults:
        return None, faults
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, (_syntax(path, text, error),)
    except (RecursionError, ValueError):
        return None, (Fault(str(path), 1, "", "not valid TOML; compare it with docs/PACKS.md", "refused"),)
    return Source(str(path), data, scan(text)), ()
