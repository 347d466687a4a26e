"""Sums of files."""

import hashlib
from pathlib import Path


def sha256(path: Path) -> str:
    """The file's sum."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sums(folder: Path) -> dict[str, str]:
    """The sums of all files below a folder, by path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}
