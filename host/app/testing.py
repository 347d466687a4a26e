"""`gamehost test`: linter, type checker and tests, each in a process of its own."""

import argparse
import subprocess
import sys

from host.app.paths import ROOT

STEPS = (
    ("linter", ["ruff", "check", "host", "tests"]),
    ("types", ["mypy"]),
)


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("test", help="linter, type checker, tests; more options go to pytest")
    parser.set_defaults(run=run, rest=[])


def run(arguments: argparse.Namespace) -> int:
    """Run all steps, also after one has failed; 0 only where all passed."""
    failed = []
    for name, command in STEPS:
        print(f"== {name}: {' '.join(command)}", flush=True)
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
            failed.append(name)
    command = ["pytest", "-rs", *arguments.rest]
    print(f"== tests: {' '.join(command)}", flush=True)
    if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
        failed.append("tests")
    print(f"== failed: {', '.join(failed)}" if failed else "== all passed", flush=True)
    return 1 if failed else 0
