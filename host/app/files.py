"""Files that are whole or not there: written beside, synced, renamed (KIO-08)."""

import contextlib
import os
from pathlib import Path


def replace_file(path: Path, raw: bytes) -> None:
    """Put a new content in a file's place, so that a power cut leaves the old one or the new one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    with new.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    with contextlib.suppress(OSError):  # not every system opens folders; the rename is made all the same
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
