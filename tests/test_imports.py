"""The rooms of docs/DESIGN.md: who may import whom."""

import ast
from pathlib import Path

import pytest

HOST = Path(__file__).resolve().parents[1] / "host"

# room -> rooms of host it may import. A room is a module or a folder directly below host/.
PACKS = {"packs"}
MAY = {
    "clock": set(),
    "events": {"clock"},
    "sound": {"clock", "events"},
    "phones": set(),
    "heap": set(),
    "lines": {"clock", "events"},
    "packs": {"clock", "events"},
    "judge": {"clock", "events", "phones", *PACKS},
    "understand": {"clock", "events", "judge", *PACKS},
    "games": {"clock", "events", "lines", *PACKS},
    "table": {"clock", "events", "lines", "games", "judge", "understand", *PACKS},
    "log": {"clock", "events"},
    "session": {"clock", "events", "sound", "log"},
    "ears": {"clock", "events", "sound", "phones", "heap"},
    "voices": {"clock", "events", "sound", "heap"},
    "devices": {"clock", "events", "sound"},
    "memory": {"clock", "events"},
    "server": {"clock", "events"},
    "home": {"clock", "events"},
}
EVERYBODY = {"__main__", "app", "bench"}
"""They may know everybody; nobody may know them."""


def room(path: Path) -> str:
    part = path.relative_to(HOST).parts[0]
    return part.removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The rooms that a module imports."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module] if node.module != "host" else [f"host.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("host.")}
    return rooms - {room(path), "__version__"}


MODULES = sorted(path for path in HOST.rglob("*.py") if path.name != "__init__.py" or path.parent != HOST)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(HOST)))
def test_a_module_imports_only_the_rooms_it_may_know(path: Path) -> None:
    """Every module of host/ imports only what docs/DESIGN.md allows its room."""
    here = room(path)
    if here in EVERYBODY:
        return
    assert here in MAY, f"{here} has no entry: decide which rooms it may know, in docs/DESIGN.md first"
    assert imported(path) <= MAY[here]


def test_the_core_reads_no_clock_and_starts_no_thread() -> None:
    """Nothing in the core imports time, threading, asyncio or datetime (law 1)."""
    core = ("clock", "events", "sound", "lines", "packs", "judge", "understand", "games", "table", "session", "log")
    for path in MODULES:
        if room(path) not in core:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"time", "threading", "asyncio", "datetime"} & set(names), path
