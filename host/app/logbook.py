"""The logs of a table's evenings: one to go on with, old ones reduced to their scores.

A log is named by the moment at which its evening began, so that the newest is the last by name. The
newest one of a game is gone on with where it lacks its goodbye and is younger than a day.
"""

import contextlib
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from host import log as logs
from host.app import AppError
from host.app.evening import Setup, last_sample, load_packs, make_table, pronounced, sealed, unfinished
from host.clock import Samples
from host.memory import MARKS, Memory
from host.packs import Packs
from host.session import ReplayError, relive
from host.table import Table

DAY = 86_400.0
KEPT = 30 * DAY
"""Logs older than this are reduced to their scores."""
SCORES = "scores.jsonl"
NAMED = re.compile(r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:\.(\d+))?-")
ASIDE = ".set-aside"
"""Ending of a log that can't be gone on with."""


Again: TypeAlias = Callable[[logs.Read], tuple[Setup, Packs, Table]]
"""From a log's header to cards and table."""


@dataclass(frozen=True)
class Left:
    """An evening that was left in its middle."""

    path: Path
    setup: Setup
    packs: Packs
    """With pronunciations."""
    table: Table
    state: Any
    at: Samples
    records: tuple[logs.Record, ...]


def new_path(folder: Path, game: str) -> Path:
    """Where the log of an evening that begins now is written.

    It is named after every other one, also where the clock has been put back, or has not been set since the
    power came (KIO-12): a Pi without network knows only roughly what time it is.
    """
    stem, number = time.strftime("%Y-%m-%dT%H-%M-%S"), 1
    with contextlib.suppress(OSError):
        last, count = max((order(path) for path in folder.glob("*.jsonl*")), default=("", 0))
        if last >= stem:
            stem, number = last, count + 1
    path = folder / f"{stem}{f'.{number}' if number > 1 else ''}-{game}.jsonl"
    while path.exists():
        number += 1
        path = folder / f"{stem}.{number}-{game}.jsonl"
    return path


def order(path: Path) -> tuple[str, int]:
    """By what logs are sorted: the moment in their names, and the number behind it."""
    found = NAMED.match(path.name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def set_up_again(read: logs.Read) -> tuple[Setup, Packs, Table]:
    """Cards and table as a log's header says. Raises AppError where they are no longer what they were."""
    setup = Setup.of(read.header)
    packs = load_packs(setup)
    setup = sealed(setup, packs)
    packs = pronounced(setup, packs, setup.model or None)
    return setup, packs, make_table(setup, packs)


def has_ended(records: Sequence[logs.Record]) -> bool:
    """Whether the host has said goodbye."""
    return any(effect.get("type") == "Quit" for record in records for effect in record.out)


def newest(folder: Path, game: str) -> Path | None:
    """The newest log of a game."""
    with contextlib.suppress(OSError):
        return max(folder.glob(f"*-{game}.jsonl"), default=None, key=order)
    return None


def take_up(
    folder: Path, game: str, notice: Callable[[str], None], now: float | None = None, again: Again | None = None,
) -> Left | None:
    """The evening to go on with, its log cut to whole records; None to begin a new one.

    A log that can't be gone on with is set aside, and that is told in one sentence. `again` finds cards and
    table in place of `set_up_again`.
    """
    path = newest(folder, game)
    if path is None:
        return None
    try:
        if (time.time() if now is None else now) - path.stat().st_mtime > DAY:
            return None
        read = logs.read(path)
        if not read.records or has_ended(read.records):
            _keep_late(path, read, again)
            return None
        setup, packs, table = (again or set_up_again)(read)
        state, at = relive(table, read.records)
        if not unfinished(state) or state.game is None:
            return None
        logs.cut(path, read.good)
    except (logs.LogError, ReplayError, AppError) as error:
        notice(f"The last game can't be gone on with: {error}; a new one begins, the old log is {_set_aside(path)}.")
        return None
    except OSError as error:
        notice(f"The last game can't be gone on with ({error.strerror}); a new one begins.")
        return None
    return Left(path, setup, packs, table, state, max(at, last_sample(read.records)), read.records)


def _keep_late(path: Path, read: logs.Read, again: Again | None) -> None:
    """The scores of an evening whose power went between the goodbye and its scores."""
    if read.records:
        with contextlib.suppress(OSError, logs.LogError):
            keep_scores(path, again)


def _set_aside(path: Path) -> str:
    aside = path.with_name(path.name + ASIDE)
    try:
        path.replace(aside)
    except OSError:
        return path.name
    return aside.name


def keep_again(records: Sequence[logs.Record], memory: Memory) -> None:
    """Remember the cards of a log that a power cut kept from the memory; those in it already stay once."""
    for record in records:
        for effect in record.out:
            deck, card = effect.get("deck"), effect.get("card")
            if effect.get("type") == "Keep" and card and deck not in MARKS and card not in memory.used(str(deck)):
                memory.add(str(deck), card)


# --- scores -------------------------------------------------------------------------------------


def rounds(table: Table, records: Sequence[logs.Record]) -> list[dict[str, Any]]:
    """Players, standing and winner of each game of an evening, as it ended or as it was left."""
    state, _ = table.start()
    found: dict[int, dict[str, Any]] = {}
    for record in records:
        state, _ = table.step(state, record.event)
        if state.game is not None:
            view = table.rules.view(state.game, None)
            players = [player.name for player in state.players]
            found[state.rounds] = {"players": players, "standing": view["standing"], "winner": view["winner"]}
    return [json.loads(json.dumps(entry, default=str)) for entry in found.values()]


def scored(folder: Path) -> set[str]:
    """Names of the logs whose scores are kept."""
    names = set()
    with contextlib.suppress(OSError):
        for line in (folder / SCORES).read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, TypeError, KeyError):
                names.add(str(json.loads(line)["log"]))
    return names


def keep_scores(path: Path, again: Again | None = None) -> None:
    """Add an evening's scores to the list of scores, once. Raises OSError, LogError."""
    if path.name in scored(path.parent):
        return
    read = logs.read(path)
    entry: dict[str, Any] = {"log": path.name, "game": read.header.get("game", "")}
    try:
        _, _, table = (again or set_up_again)(read)
        entry["rounds"] = rounds(table, read.records)
    except (AppError, LookupError, ValueError, TypeError, AttributeError):  # a log of other cards or another version
        entry["players"] = [player.get("name", "") for player in read.header.get("players", ())]
    disk = logs.FileDisk(path.parent / SCORES)
    try:
        disk.append(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        disk.sync()
    finally:
        disk.close()


def tidy(folder: Path, now: float | None = None) -> int:
    """Reduce logs that are older than 30 days to their scores; how many there were."""
    count, limit = 0, (time.time() if now is None else now) - KEPT
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob("*.jsonl*")):
            if path.name == SCORES or path.stat().st_mtime > limit:
                continue
            with contextlib.suppress(logs.LogError):  # what can't be read has no scores
                keep_scores(path)
            path.unlink()
            count += 1
    return count
