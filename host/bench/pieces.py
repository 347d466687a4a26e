"""A long bench in pieces: what a piece found out is kept, so that a bench which was ended goes on where it was.

A piece is known by its arguments and by the project's own code and settings: whatever changes either
makes it run again. What is kept lies in the cache folder and may be deleted at any time.
"""

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from pathlib import Path
from typing import Any

from host.app.paths import ROOT, cache_folder

_KINDS = (".py", ".toml", ".npz", ".csv")
_APART = ("server",)
"""Rooms of the project that no bench hears."""


@cache
def digest(root: Path = ROOT / "host") -> str:
    """The project's code and settings as one short name; the benches' arithmetic is not part of it."""
    found = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        bench = place.parts[0] == "bench" and not place.name.startswith("interrupting")
        if path.suffix in _KINDS and place.parts[0] not in _APART and not bench:
            found.update(str(place).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


class Pieces:
    """Pieces of one bench; `folder` is where they are kept (the cache folder if none is given)."""

    def __init__(self, bench: str, folder: Path | None = None) -> None:
        self.folder = (folder or cache_folder() / "bench" / bench) / digest()

    def path(self, name: str, arguments: object) -> Path:
        """Where a piece lies, played or not."""
        return self.folder / f"{name}-{hashlib.sha256(repr(arguments).encode()).hexdigest()[:20]}.pickle"

    def kept(self, path: Path) -> Any:
        """What the piece found out, or None; what can't be read is played again."""
        try:
            return pickle.loads(path.read_bytes())  # noqa: S301 - written by this class, in the user's own cache
        except (OSError, EOFError, ValueError, AttributeError, ImportError, pickle.UnpicklingError):
            return None

    def keep(self, path: Path, found: Any) -> None:
        """Keep it, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(".tmp")
        half.write_bytes(pickle.dumps(found))
        half.replace(path)

    def run(self, name: str, pool: Executor, work: Any, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """`work(*one)` for all arguments, in their order; those that are kept are not played again."""
        return list(self._run(name, pool, work, arguments))

    def _run(self, name: str, pool: Executor, work: Any, arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        paths = [self.path(name, one) for one in arguments]
        kept = [self.kept(path) for path in paths]
        started: list[Future[Any] | None] = [
            None if found is not None else pool.submit(_kept, self, path, work, one)
            for found, path, one in zip(kept, paths, arguments, strict=True)
        ]
        for found, future in zip(kept, started, strict=True):
            yield found if future is None else future.result()


def _kept(pieces: Pieces, path: Path, work: Any, arguments: tuple[Any, ...]) -> Any:
    """In a process of the pool: play a piece and keep it at once."""
    found = work(*arguments)
    pieces.keep(path, found)
    return found
