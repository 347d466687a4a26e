"""What was played, and what players said of a card; kept over evenings and power cuts (CE-20, KIO-08, CON-04).

One JSON file with its own checksum, replaced by rename after a sync; the copy before it stays as `.old`. Opening
takes the newest good copy; a broken file is set aside as `.bad-1`, `.bad-2`, ..., and told once. Where nothing can
be written, the evening goes on in memory, and that too is told once.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

MARKS = ("known", "bad")
SKIPPED_AFTER = 2
"""Reports of a bad card after which it is no longer drawn (CON-04)."""
_VERSION = 1
_LONGEST_HEARD = 200


def _checksum(body: object) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _lists(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(name, str) and isinstance(cards, list) and all(isinstance(card, str) for card in cards)
        for name, cards in value.items()
    )


def _read(path: Path) -> dict[str, Any] | None:
    """The body of a file; None where there is no file. Raises ValueError where it is broken, OSError."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        whole = json.loads(raw)
        body = whole["body"]
        good = whole["sum"] == _checksum(body) and body["version"] == _VERSION
        good = good and isinstance(body["saved"], int) and _lists(body["decks"])
        good = good and all(kind in MARKS and _lists(cards) for kind, cards in body["marks"].items())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(path.name) from error
    if not good:
        raise ValueError(path.name)
    return dict(body)


class Memory:
    """Played cards by deck, and marks by card. `open` makes one; every change is saved at once.

    `notice` is the last thing to tell the players, "" if all is well.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = ""
        self.damaged = False
        """Whether a damaged file was found, for the host to say so."""
        self._saved = 0
        self._decks: dict[str, dict[str, None]] = {}
        self._marks: dict[str, dict[str, list[str]]] = {kind: {} for kind in MARKS}
        self._told_unsaved = False

    @classmethod
    def open(cls, path: Path) -> "Memory":
        """The memory kept in a file, empty where there is none. Never raises for what it finds on the disk."""
        memory = cls(path)
        newest: dict[str, Any] | None = None
        broken = []
        for copy in (path, memory._beside("new"), memory._beside("old")):
            try:
                body = _read(copy)
            except ValueError:
                broken.append(copy)
                continue
            except OSError as error:
                memory._unsaved(error)
                continue
            if body is not None and (newest is None or body["saved"] > newest["saved"]):
                newest = body
        if newest is not None:
            memory._saved = newest["saved"]
            memory._decks = {deck: dict.fromkeys(cards) for deck, cards in newest["decks"].items()}
            memory._marks |= {kind: dict(cards) for kind, cards in newest["marks"].items()}
        # a broken .new is only a save that a power cut interrupted: nothing that was there before is lost
        set_aside = [memory._set_aside(copy) for copy in broken if copy != memory._beside("new")]
        if path in broken:
            rest = "an earlier copy is used" if newest is not None else "the list of played cards starts anew"
            memory.damaged = True
            memory.notice = f"The memory of played cards was damaged; {rest}. The damaged file: {set_aside[0]}"
        return memory

    def used(self, deck: str) -> tuple[str, ...]:
        """Ids of the deck's played cards in the order they were played."""
        return tuple(self._decks.get(deck, ()))

    def add(self, deck: str, card: str) -> str:
        """Notes a card as played. Returns a notice for the players, "" unless saving has begun to fail."""
        self._decks.setdefault(deck, {})[card] = None
        return self._save()

    def take_back(self, deck: str, card: str) -> str:
        """Notes a card as not played after all (undo, GM-2). Returns a notice as `add` does."""
        self._decks.get(deck, {}).pop(card, None)
        return self._save()

    def forget(self, deck: str, cards: Collection[str] | None = None) -> str:
        """Starts a deck anew, once all of it was played (CE-20), or only those `cards` of it: what was played of other
        packs stays. Marks stay. Returns a notice as `add` does.
        """
        played = self._decks.pop(deck, {})
        kept = [] if cards is None else [card for card in played if card not in cards]
        if kept:
            self._decks[deck] = dict.fromkeys(kept)
        return self._save()

    def mark(self, card: str, kind: str, heard: str = "") -> str:
        """Notes "we know this one" (known) or "bad card" (bad) with what was heard. Returns a notice as `add` does.

        Raises ValueError for another kind.
        """
        if kind not in MARKS:
            raise ValueError(f"a mark is one of {', '.join(MARKS)}, not {kind}")
        self._marks[kind].setdefault(card, []).append(heard[:_LONGEST_HEARD])
        return self._save()

    def marked(self, kind: str, times: int = 1) -> tuple[str, ...]:
        """Ids of the cards that were marked so at least that many times."""
        return tuple(card for card, heard in self._marks[kind].items() if len(heard) >= times)

    def heard(self, card: str, kind: str) -> tuple[str, ...]:
        """What was heard at each mark, for the author."""
        return tuple(self._marks[kind].get(card, ()))

    def skipped(self) -> tuple[str, ...]:
        """Ids of the cards that are no longer drawn: reported as bad twice (CON-04)."""
        return self.marked("bad", SKIPPED_AFTER)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{ending}")

    def _save(self) -> str:
        self._saved += 1
        body = {
            "version": _VERSION, "saved": self._saved,
            "decks": {deck: list(cards) for deck, cards in self._decks.items()}, "marks": self._marks,
        }
        try:
            self._write(json.dumps({"sum": _checksum(body), "body": body}, indent=1).encode())
        except OSError as error:
            return self._unsaved(error)
        self._told_unsaved = False
        return ""

    def _write(self, raw: bytes) -> None:
        """New copy synced, then the old one kept, then the new one in its place: at each moment one is good."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self._beside("new")
        with new.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if self.path.exists():
            self.path.replace(self._beside("old"))
        new.replace(self.path)
        with contextlib.suppress(OSError):  # not every system opens folders; the renames are made all the same
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _unsaved(self, error: OSError) -> str:
        if self._told_unsaved:
            return ""
        self._told_unsaved = True
        self.notice = (f"Played cards can't be saved ({error.strerror or 'disk error'}); this evening goes on all the "
                       f"same. Free some space or allow writing to {self.path.parent}.")
        return self.notice

    def _set_aside(self, copy: Path) -> str:
        """Renames a broken file to the first free .bad-N; its name."""
        number = 1
        while self._beside(f"bad-{number}").exists():
            number += 1
        bad = self._beside(f"bad-{number}")
        try:
            copy.replace(bad)
        except OSError:
            return copy.name
        return bad.name
