"""`gamehost report`: one file for whoever is to find out what went wrong.

Versions, settings, the doctor's findings, the service's journal, the newest logs of games. No sound, unless a
recording is named with `--audio`. Passwords, the phones' code and their tokens are taken out, whatever file they
may have come into.
"""

import argparse
import contextlib
import importlib.metadata
import io
import json
import platform
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from host import __version__
from host.app import AppError
from host.app.paths import ROOT, data_folder
from host.app.units import HOST, SCREEN

GAMES = 3
"""Logs of games, the newest."""
SETTINGS = ("settings.toml", "settings.toml.old", "sound.json", "memory.json", "games/scores.jsonl")
LONGEST = 20_000_000
"""Bytes of a file, its end, that are taken at the most."""
REMOVED = "(removed)"
ACCOUNT = re.compile(r"(\w+://)[^/\s\"'@]+@")
SECRET = re.compile(r'(?i)("?[\w.-]*(?:password|passwd|secret|token|api_?key)[\w.-]*"?\s*[=:]\s*)("[^"\n]*"|[^\s,}]+)')
CODE = re.compile(r"(with the code )\d(?: ?\d)*")
AUDIO = (".wav", ".flac", ".ogg", ".mp3")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("report", help="pack logs, settings and versions into one file (no sound)")
    parser.add_argument("--out", type=Path, metavar="FILE.zip", help="where to (default: here, named by the time)")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the data folder (default: your own)")
    parser.add_argument("--audio", type=Path, action="append", default=[], metavar="FILE", help="this recording, too")
    parser.add_argument("--no-games", action="store_true", help="without what was said in the games")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the file and say what is in it."""
    folder = arguments.data or data_folder()
    out = arguments.out or Path(f"gamehost-report-{time.strftime('%Y-%m-%dT%H-%M-%S')}.zip")
    for path in arguments.audio:
        if not path.is_file():
            raise AppError(f"there is no recording {path}: check the path.", 2)
    secrets = known_secrets(folder)
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in parts(folder, not arguments.no_games):
                clean = without(text, secrets)
                packed.writestr(name, clean)
                print(f"  {name}: {len(clean.encode())} bytes")
            for path in arguments.audio:
                packed.write(path, f"audio/{path.name}")
                print(f"  audio/{path.name}: SOUND, because you asked for it")
    except OSError as error:
        raise AppError(f"{out} can't be written ({error.strerror}): name another file with --out.") from error
    print(f"{out}: what was said in the games is in it, as text; look through it before you give it away."
          if not arguments.no_games else f"{out} is written.")
    return 0


def parts(folder: Path, games: bool) -> Iterator[tuple[str, str]]:
    """(name, text) of everything."""
    yield "versions.txt", versions()
    yield "doctor.txt", said_by([sys.executable, "-m", "host", "doctor", "--no-sound"], 120.0)
    if shutil.which("journalctl"):
        yield "journal.txt", said_by(["journalctl", "--no-pager", "-n", "2000", "-u", HOST, "-u", SCREEN], 30.0)
    yield "files.txt", "\n".join(listing(folder)) + "\n"
    for name in SETTINGS:
        with contextlib.suppress(OSError):
            yield name, end_of(folder / name)
    if games:
        logs = sorted((folder / "games").glob("*.jsonl*"), reverse=True) if (folder / "games").is_dir() else []
        for path in [path for path in logs if path.name != "scores.jsonl"][:GAMES]:
            with contextlib.suppress(OSError):
                yield f"games/{path.name}", end_of(path)


def versions() -> str:
    """Of program, system and packages."""
    lines = [f"gamehost {__version__}", f"Python {sys.version}", platform.platform(), platform.machine()]
    for path in ("/etc/os-release", "/proc/device-tree/model", "/proc/meminfo", "/proc/asound/cards"):
        with contextlib.suppress(OSError):
            lines += [f"-- {path}", Path(path).read_text(encoding="utf-8", errors="replace").strip("\0\n")]
    packages = sorted({f"{found.name} {found.version}" for found in importlib.metadata.distributions()})
    return "\n".join([*lines, "-- packages", *packages]) + "\n"


def said_by(command: list[str], patience: float) -> str:
    """What a program says; why it says nothing where it does not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience, check=False,
                              cwd=ROOT)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{' '.join(command)}: {error}\n"
    return f"{done.stdout}{done.stderr}\n(exit code {done.returncode})\n"


def listing(folder: Path) -> list[str]:
    """Size, time and name of each file of the data folder; the caches only by their sum."""
    found, cached = [], 0
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(OSError):
            state = path.lstat()
            if "cache" in path.relative_to(folder).parts[:1]:
                cached += state.st_size if path.is_file() else 0
            elif path.is_file():
                moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(state.st_mtime))
                found.append(f"{state.st_size:>10} {moment} {path.relative_to(folder)}")
    return [*found, f"{cached:>10} in caches"]


def end_of(path: Path) -> str:
    """A file's text, its last part where it is long. Raises OSError."""
    if path.suffix in AUDIO:
        raise OSError("no sound")
    with path.open("rb") as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - LONGEST))
        return file.read().decode("utf-8", errors="replace")


def known_secrets(folder: Path) -> tuple[str, ...]:
    """The phones' code and key, and whatever else is written in the file that keeps them."""
    with contextlib.suppress(OSError, ValueError):
        return tuple(sorted(strings(json.loads((folder / "games/pairing.json").read_text(encoding="utf-8")))))
    return ()


def strings(value: object) -> Iterator[str]:
    """All texts of four signs or more in JSON values."""
    if isinstance(value, str) and len(value) >= 4:
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings(inner)


def without(text: str, secrets: tuple[str, ...]) -> str:
    """A text without passwords, code and tokens."""
    for secret in secrets:
        spaced = r"\s?".join(map(re.escape, secret)) if secret.isdecimal() else re.escape(secret)
        text = re.sub(rf"(?<!\w){spaced}(?!\w)", REMOVED, text)
    text = CODE.sub(rf"\1{REMOVED}", text)
    text = ACCOUNT.sub(rf"\1{REMOVED}@", text)
    return SECRET.sub(rf"\1{REMOVED}", text)
