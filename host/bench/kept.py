"""Recognitions kept on disk, so that a bench goes on where it was ended and never hears the same twice.

One file of JSON lines for each configuration of the ear: its digest is over the graph's folder (lexicon, vocabulary),
the files of the acoustic model and its settings, and the source of everything between a clip and the words. What is
heard with another ear is heard anew; what is only judged differently is not. Lines are appended as they come; one
that was cut short is passed over.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from host import devices, ears, sound
from host.app.paths import cache_folder

PROCESSES = "GAMEHOST_PROCESSES"
"""How many processes hear at once; 2 unless this variable says otherwise."""
KEPT = 6
"""Files that stay, a few megabytes each; the least recently used go first."""
_BETWEEN = ("asked", "detector", "fit", "kaldi", "opinion", "second", "trunk", "vosk")
"""The modules of the ear that change what is heard of the same sound; calls and keyword are for Venn only."""

Job = TypeVar("Job")


def configuration(folder: Path, *also: object) -> str:
    """A digest of the ear on that folder: twenty hexadecimal digits."""
    total = hashlib.sha256(f"{folder.name} {also}".encode())
    sources = [Path(str(ears.__file__)).parent / f"{name}.py" for name in _BETWEEN]
    sources += [Path(str(devices.__file__)).parent / f"{name}.py" for name in ("levels", "responses")]
    for path in (*sources, Path(str(sound.__file__)), *model_files(folder)):
        if path.exists():
            total.update(path.read_bytes())
    return total.hexdigest()[:20]


def model_files(folder: Path) -> list[Path]:
    """The files of the net and the settings that vosk loads from that folder.

    The folder's name says nothing of them: it is a digest of the words, and `am` in it a link to the model's.
    """
    return sorted(path for part in ("am", "conf", "ivector") for path in (folder / part).rglob("*") if path.is_file())


def key(*parts: object) -> str:
    """A digest of what a recognition depends on besides the ear."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


class Shelf:
    """The recognitions of one configuration."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder() / "bench" / "heard"
        self.path = self._folder / f"{name}.jsonl"
        self._rows: dict[str, Any] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    one, value = json.loads(line)
                except ValueError:
                    continue
                self._rows[one] = value
            self.path.touch()

    def __contains__(self, one: str) -> bool:
        return one in self._rows

    def __getitem__(self, one: str) -> Any:
        return self._rows[one]

    def keep(self, one: str, value: Any) -> None:
        """Keep a recognition, as plain JSON values."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            old = sorted(self._folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in old[KEPT - 1 :]:
                path.unlink(missing_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([one, value]) + "\n")
        self._rows[one] = value


def processes() -> int:
    """How many processes hear at once."""
    asked = os.environ.get(PROCESSES, "")
    return int(asked) if asked.isdigit() and int(asked) else 2


def fill(
    shelf: Shelf, jobs: Sequence[tuple[str, Job]], hear: Callable[[tuple[str, Job]], tuple[str, Any]],
    start: Callable[..., None], given: tuple[object, ...], what: str,
) -> None:
    """Hear what is not on the shelf; `start(*given)` readies a process, `hear` takes (key, job), gives (key, value)."""
    todo = [job for job in jobs if job[0] not in shelf]
    if not todo:
        return
    if processes() == 1:
        start(*given)
        _note(shelf, map(hear, todo), len(todo), what)
        return
    with get_context("spawn").Pool(processes(), start, given) as pool:
        _note(shelf, pool.imap_unordered(hear, todo, chunksize=2), len(todo), what)


def _note(shelf: Shelf, found: Iterable[tuple[str, Any]], count: int, what: str) -> None:
    for number, (one, value) in enumerate(found, start=1):
        shelf.keep(one, value)
        if number % 25 == 0 or number == count:
            print(f"\rheard: {number} of {count} {what}", end="" if number < count else "\n", file=sys.stderr,
                  flush=True)
