"""`gamehost packs`: check packs, begin a new one, import a spreadsheet."""

import argparse
from pathlib import Path

from host.app import AppError
from host.app.paths import CLUES, MODELS
from host.packs import PackError
from host.packs.tools import from_csv, new_pack, run_check, to_toml


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("packs", help="check packs of clue cards, begin a new one, import a spreadsheet")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    checking = what.add_parser("check", help="name file, card and line of every fault")
    checking.add_argument("paths", nargs="*", type=Path, default=[CLUES], help="files or folders (default: ours)")
    checking.add_argument("--no-warnings", action="store_true", help="faults only")
    checking.set_defaults(run=check)
    new = what.add_parser("new", help="write a commented template of a pack")
    new.add_argument("name")
    new.add_argument("--folder", type=Path, default=Path())
    new.set_defaults(run=begin)
    csv = what.add_parser("import", help="make a pack out of a spreadsheet saved as CSV")
    csv.add_argument("file", type=Path)
    csv.add_argument("--title", default="")
    csv.add_argument("--out", type=Path, help="default: beside it, as .toml")
    csv.set_defaults(run=take)


def lexicon() -> Path | None:
    """The shipped model's list of words, to find those that it does not know."""
    return next(iter(sorted(MODELS.glob("*/lang/lexicon.txt*"))), None)


def check(arguments: argparse.Namespace) -> int:
    """Check, print, and say by the exit code whether all is well."""
    code, text = run_check(arguments.paths, lexicon(), warnings=not arguments.no_warnings)
    print(text)
    return code


def begin(arguments: argparse.Namespace) -> int:
    """Write a template."""
    try:
        path = new_pack(arguments.name, arguments.folder)
    except FileExistsError as error:
        raise AppError(f"{error.filename} is there already; choose another name.") from error
    except (ValueError, OSError) as error:
        raise AppError(str(error)) from error
    print(f"wrote {path}; edit it, then: gamehost packs check {path}")
    return 0


def take(arguments: argparse.Namespace) -> int:
    """Turn a CSV file into a pack."""
    out = arguments.out or arguments.file.with_suffix(".toml")
    if out.exists():
        raise AppError(f"{out} is there already; name another one with --out.")
    try:
        pack = from_csv(arguments.file, title=arguments.title)
        out.write_text(to_toml(pack), encoding="utf-8")
    except PackError as error:
        raise AppError(str(error)) from error
    except OSError as error:
        raise AppError(f"{out} can't be written: {error.strerror}") from error
    print(f"wrote {out} with {len(pack.cards)} cards; now: gamehost packs check {out}")
    return 0
