"""`gamehost models`: the recogniser's models: which there are, fetching one, checking one."""

import argparse

from host.app import AppError
from host.app.paths import cache_folder
from host.ears import graph
from host.ears.fetch import fetch, show
from host.ears.models import Entry, ModelError, catalogue, find, known_sums, provide


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("models", help="the recogniser's models: list them, fetch one, check one")
    parser.set_defaults(run=listing)
    what = parser.add_subparsers(metavar="WHAT")
    what.add_parser("list", help="all models, and which are here").set_defaults(run=listing)
    fetching = what.add_parser("fetch", help="get a model of vosk's maker; goes on where it was cut")
    fetching.add_argument("name")
    fetching.set_defaults(run=get)
    checking = what.add_parser("check", help="compare a model's sums, load it and decode a second")
    checking.add_argument("name", nargs="?", help="a name or a folder (default: the one that is used)")
    checking.set_defaults(run=check)


def listing(_arguments: argparse.Namespace) -> int:
    """Print the catalogue."""
    try:
        entries = catalogue().entries.values()
    except ModelError as error:
        raise AppError(str(error)) from error
    for entry in entries:
        print(f"{entry.name}  [{where(entry)}]")
        print(f"    {entry.language}, {entry.size / 1e6:.0f} MB; {entry.accuracy}")
        print(f"    licence: {entry.licence}")
    print("fetch one: gamehost models fetch NAME    play with it: gamehost play --model NAME")
    return 0


def where(entry: Entry) -> str:
    """Whether a model is shipped, fetched or only known."""
    if entry.shipped:
        return "shipped"
    try:
        find(entry.name)
    except ModelError:
        return "not here"
    return "fetched"


def get(arguments: argparse.Namespace) -> int:
    """Fetch a model."""
    try:
        folder = fetch(arguments.name, progress=show)
    except ModelError as error:
        raise AppError(f"{error}.") from error
    print(f"{arguments.name} is in {folder}; play with it: gamehost play --model {arguments.name}")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Check a model the way a game does when it starts."""
    try:
        folder = find(arguments.name)
        sums = known_sums(folder)
        provide({}, arguments.name, cache_folder(), graph.show)
    except ModelError as error:
        raise AppError(f"{error}.") from error
    print(f"{folder.name}: {len(sums)} files compared, loaded, and a second decoded: all is well.")
    return 0
