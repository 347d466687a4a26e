"""`gamehost box`: what the service runs: an evening by the settings of the data folder (docs/KIOSK.md).

The settings are the options of `gamehost play`. A file that can't be used is set aside and the newest good copy
used; the host says so. The box waits for a microphone instead of giving up, also one that comes a minute after
the power (KIO-11).
"""

import argparse
import contextlib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from host.app import AppError, play
from host.app.files import replace_file
from host.app.paths import data_folder

SETTINGS = "settings.toml"
DEFAULTS: Mapping[str, Any] = {"game": "clever", "screen": 8137}
"""What is played where there is no good file at all."""


class _Parser(argparse.ArgumentParser):
    """Raises instead of leaving."""

    def error(self, message: str) -> NoReturn:
        """Raises ValueError."""
        raise ValueError(message)


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("box", help="play by the settings file of the data folder, as the service does")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where settings, logs and memory lie")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """One evening; 0 at its end."""
    if arguments.data is not None:
        os.environ["GAMEHOST_DATA"] = str(arguments.data.absolute())
    playing, notice = settings(data_folder())
    if notice:
        print(notice, flush=True)
    playing.box = True
    playing.troubles = ("settings",) if notice else ()
    return play.run(playing)


def settings(folder: Path) -> tuple[argparse.Namespace, str]:
    """The options of the newest good settings file, and a notice, "" where all is well.

    The file that was used is kept beside as `.old`. Never raises for what it finds on the disk.
    """
    path, old = folder / SETTINGS, folder / f"{SETTINGS}.old"
    try:
        text = path.read_bytes()
        found = read(text)
    except FileNotFoundError:
        return _fallback(old, "") if old.exists() else (parsed(DEFAULTS), "")
    except (OSError, ValueError) as error:
        return _fallback(old, f"{SETTINGS} can't be used ({_short(error)}), it is now {_aside(path)}")
    with contextlib.suppress(OSError):
        if not old.exists() or old.read_bytes() != text:
            replace_file(old, text)
    return found, ""


def _fallback(old: Path, notice: str) -> tuple[argparse.Namespace, str]:
    """The newest good copy, or what is always played; a copy that is used takes the file's place."""
    what = f"{notice}; " if notice else f"{SETTINGS} is gone; "
    try:
        text = old.read_bytes()
        found = read(text)
    except (OSError, ValueError):
        return parsed(DEFAULTS), f"{what}the box plays with its defaults."
    with contextlib.suppress(OSError):
        replace_file(old.with_name(SETTINGS), text)
    return found, f"{what}the last good settings are used."


def _short(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).splitlines()[0][:160]


def _aside(path: Path) -> str:
    number = 1
    while path.with_name(f"{path.name}.bad-{number}").exists():
        number += 1
    bad = path.with_name(f"{path.name}.bad-{number}")
    try:
        path.replace(bad)
    except OSError:
        return path.name
    return bad.name


def read(raw: bytes) -> argparse.Namespace:
    """Options out of a settings file. Raises ValueError in one line."""
    return parsed(tomllib.loads(raw.decode("utf-8")))


def parsed(table: Mapping[str, Any]) -> argparse.Namespace:
    """Options out of keys and values. Raises ValueError in one line."""
    words: list[str] = [str(table.get("game", "clever"))]
    for key, value in table.items():
        option = f"--{key.replace('_', '-')}"
        if key == "game":
            continue
        if isinstance(value, Mapping):
            raise ValueError(f"[{key}] is no setting")  # noqa: TRY004 - a file of the wrong form, not a bug
        for one in value if isinstance(value, list) else [value]:
            if one is False and key == "ready":
                words.append("--no-ready")
            elif one is True and key != "ready":
                words.append(option)
            elif not isinstance(one, bool):
                words.append(f"{option}={one}")
    top = _Parser(exit_on_error=False, add_help=False)
    play.add(top.add_subparsers(parser_class=_Parser))
    try:
        options = top.parse_args(["play", *words])
        play.setup_of(options)
    except (argparse.ArgumentError, AppError) as error:
        raise ValueError(str(error)) from error
    return options
