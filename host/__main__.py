"""The command line: `python -m host COMMAND`, or `./gamehost COMMAND`."""

import argparse
import importlib
import sys

from host import __version__
from host.app import AppError

COMMANDS = (
    "demo", "play", "replay", "doctor", "packs", "models", "venn", "bench", "testing", "install", "box", "screen",
    "report",
)
"""Modules of host.app, each with `add(commands)`; imported only to build the help and run."""


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(prog="gamehost", description="A voice-driven host for Clever Endeavor and Venn.")
    top.add_argument("--version", action="version", version=f"gamehost {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        try:
            module = importlib.import_module(f"host.app.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"host.app.{name}":
                raise
            continue
        module.add(commands)
    return top


def main(words: list[str] | None = None) -> int:
    """Run one command; what can be mended by whoever typed it ends in one sentence."""
    top = parser()
    arguments, rest = top.parse_known_args(words)
    if rest and not hasattr(arguments, "rest"):
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    arguments.rest = rest
    try:
        return int(arguments.run(arguments))
    except AppError as error:
        print(f"gamehost: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("\ngamehost: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


if __name__ == "__main__":
    sys.exit(main())
