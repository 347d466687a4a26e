"""Where things are: the project's own files, the data folder, the cache."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds host/, models/ and clues/."""
CLUES = ROOT / "clues"
MODELS = ROOT / "models"
FIXTURES = ROOT / "audio_fixtures"


def data_folder() -> Path:
    """Logs, memory and settings: GAMEHOST_DATA, else the XDG data folder."""
    own = os.environ.get("GAMEHOST_DATA")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "gamehost"


def cache_folder() -> Path:
    """What can be made again: GAMEHOST_CACHE, else the XDG cache folder."""
    own = os.environ.get("GAMEHOST_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gamehost"


def shared_folder() -> Path:
    """Recordings that are not part of the project: GAMEHOST_SHARED, else ../shared beside it."""
    own = os.environ.get("GAMEHOST_SHARED")
    return Path(own) if own else ROOT.parent / "shared"
