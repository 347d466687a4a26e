"""`gamehost bench NAME`: measure one promise; `gamehost bench make`: make the clips for it beforehand."""

import argparse
import importlib
import random
import time
from pathlib import Path
from types import ModuleType

from host.app import AppError
from host.bench import BENCHES
from host.bench.frame import Options, Report
from host.bench.library import Library
from host.bench.voices import Speaker


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"host.bench.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"host.bench.{name}":
            raise
        return None


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("bench", help="measure a promise: table, goals, exit 0 only where all are met")
    parser.add_argument("name", choices=("make", *BENCHES), metavar="NAME", help=", ".join(("make", *BENCHES)))
    parser.add_argument("--full", action="store_true", help="everything instead of a sample of some minutes")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample (default: 1)")
    parser.add_argument("--tuning", action="store_true", help="with the voices and rooms for tuning: no figures")
    parser.add_argument("--model", help="the recogniser's model: a name or a folder")
    parser.add_argument("--times", type=int, metavar="N", help="kills: how many (default: 100, --full: 1000)")
    parser.add_argument("--hours", type=float, metavar="H", help="soak: of evening (default: 2, --full: 24)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write tables, goals and curves for machines")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="write the curves for eyes")
    parser.set_defaults(run=run)


def make(options: Options) -> int:
    """Make the clips of every bench that names them with `clips(options)`: pairs of voice and text."""
    speaker = Speaker(Library())
    for name in BENCHES:
        module = _module(name)
        if module is not None and hasattr(module, "clips"):
            print(f"{name}: {speaker.make(module.clips(options))} clips made", flush=True)
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 0 only where all goals are met."""
    options = Options(arguments.seed, arguments.full, "tuning" if arguments.tuning else "test", arguments.model,
                      arguments.times, arguments.hours)
    if arguments.name == "make":
        return make(options)
    module = _module(arguments.name)
    if module is None:
        there = ", ".join(name for name in BENCHES if _module(name))
        raise AppError(f"there is no bench {arguments.name} yet; there are: {there}", 2)
    started = time.monotonic()
    random.seed(options.seed)
    report: Report = module.measure(options)
    sample = "everything" if options.full else f"a sample drawn with seed {options.seed}"
    report.note(f"\n{arguments.name}: {sample}, voices and rooms for {options.split}, "
                f"{(time.monotonic() - started) / 60:.1f} minutes")
    print(report.text())
    report.write(arguments.json, arguments.plot)
    return 0 if report.met else 1
