"""Steps of installing: each can be told before it is done, is safe to repeat, and works below another root."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from host.app import AppError

LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*cache")


def below(root: Path, path: str) -> Path:
    """A path of the machine that is installed, seen from here."""
    return root / path.lstrip("/")


class Step(Protocol):
    """One step. `tell` needs nothing, `do` raises AppError or OSError."""

    def tell(self) -> str:
        """What would be done, in one line or with the file's text."""

    def do(self, root: Path) -> None:
        """Do it below a root."""


@dataclass(frozen=True)
class Run:
    """A command; `needed` says whether it is worth running, `may_fail` that its failure is only told."""

    command: Sequence[str]
    needed: Callable[[], bool] = lambda: True
    may_fail: bool = False
    env: dict[str, str] = field(default_factory=dict)

    def tell(self) -> str:
        """The command line."""
        return "run     " + " ".join([*(f"{key}={value}" for key, value in self.env.items()), *self.command])

    def do(self, root: Path) -> None:
        """Run it where it is needed; its output is shown only where it fails."""
        del root
        if not self.needed():
            return
        try:
            done = subprocess.run(list(self.command), env={**os.environ, **self.env}, capture_output=True, text=True,
                                  check=False)
            code, said = done.returncode, (done.stderr or done.stdout).strip()
        except FileNotFoundError:
            code, said = 127, "there is no such program here"
        if code and self.may_fail:
            print(f"        ({self.command[0]} ended with {code}: {said.splitlines()[-1] if said else 'no words'})")
        elif code:
            last = said.splitlines()[-1] if said else "it said nothing"
            raise AppError(f"{' '.join(self.command)} ended with {code}: {last}. Mend that and run the same again.")


@dataclass(frozen=True)
class Write:
    """A file with a text; one that `stays` is not written over."""

    path: str
    text: str
    mode: int = 0o644
    stays: bool = False
    owner: Callable[[], tuple[int, int] | None] = lambda: None

    def tell(self) -> str:
        """Path, mode and text."""
        kept = " unless it is there" if self.stays else ""
        body = "".join(f"        | {line}\n" for line in self.text.splitlines())
        return f"write   {self.path} ({self.mode:04o}){kept}\n{body}".rstrip("\n")

    def do(self, root: Path) -> None:
        """Written beside it and renamed, so that it is whole or not there."""
        path = below(root, self.path)
        if self.stays and path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.new")
        new.write_text(self.text, encoding="utf-8")
        new.chmod(self.mode)
        if (owner := self.owner()) is not None:
            os.chown(new, *owner)
        new.replace(path)


@dataclass(frozen=True)
class Copy:
    """A file or folder of the project, put in place of what was there."""

    source: Path
    path: str

    def tell(self) -> str:
        """From and to."""
        return f"copy    {self.source} to {self.path}"

    def do(self, root: Path) -> None:
        """Copied beside it first; a copy that was broken off is begun anew."""
        path = below(root, self.path)
        if path.exists() and path.samefile(self.source):
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f".{path.name}.new")
        remove(new)
        if self.source.is_dir():
            shutil.copytree(self.source, new, ignore=LEFT_OUT)
        else:
            shutil.copy2(self.source, new)
        if path.is_dir():
            remove(path)
        new.replace(path)


@dataclass(frozen=True)
class Folder:
    """A folder that belongs to the service's user."""

    path: str
    mode: int
    owner: Callable[[], tuple[int, int] | None] = lambda: None

    def tell(self) -> str:
        """Path and mode."""
        return f"folder  {self.path} ({self.mode:04o})"

    def do(self, root: Path) -> None:
        """Made where it is missing; what lies in it stays, and is given to the user."""
        path = below(root, self.path)
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(self.mode)
        if (owner := self.owner()) is None:
            return
        os.chown(path, *owner)
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                os.chown(Path(folder) / name, *owner, follow_symlinks=False)


@dataclass(frozen=True)
class Remove:
    """Take a file or folder away."""

    path: str

    def tell(self) -> str:
        """The path."""
        return f"remove  {self.path}"

    def do(self, root: Path) -> None:
        """Where it is there."""
        remove(below(root, self.path))


def remove(path: Path) -> None:
    """Take away what is there, if anything."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
