"""Power cuts: an evening is killed at random moments, goes on from its files, and takes the same course.

Each life is a process of its own with the real table, rules, loop, log, memory and list of scores; only voice and
ear are silent. It tells through a pipe which events are safely on the disk. SIGKILL comes after a random number of
them, or some milliseconds later, at whatever line of code that may be; the next life goes on from the folder.
`--times 1000` is what the project promises; some `EACH` kills make an evening, spread from its beginning to its end.

What players were saying when the power went is lost in reality, and so it is here: they say it again when the host has
asked whether to go on, as people do (`quiet`). After every evening its course is compared with that of the same evening
without a kill: each state of the rules in their order (`passage`), the memory and the scores.
"""

import contextlib
import copy
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from host import log as logs
from host.app.evening import Setup, load_packs, make_table, sealed
from host.app.logbook import Left, has_ended, keep_again, keep_scores, new_path, newest, take_up
from host.app.stopping import Stopping
from host.bench.frame import MissingError, Options, Report
from host.bench.quiet import open_session, setup
from host.devices.card_process import Child
from host.events import Effect, In, Resumed, Speaking
from host.memory import Memory
from host.packs import Packs
from host.session import relive
from host.table import Table

EACH = 50
"""Kills an evening, where it does not end before them."""
SAMPLE = 100
FULL = 1_000
AGAIN = 10
"""Events that going on takes: what the host says and asks, and the yes."""
LATER = 0.004
"""Seconds after the last of them, at the most."""
STAND_IN = (sys.executable, "-S", "-c", "import sys; sys.stdin.buffer.read()")
"""In place of the sound card's child: lives as long as its pipe."""


@dataclass
class Tally:
    """What happened."""

    kills: int = 0
    resumed: int = 0
    half_written: int = 0
    lost: int = 0
    differing: int = 0
    damaged: int = 0
    orphans: int = 0
    left_over: int = 0
    events: int = 0
    evenings: int = 0
    relived: list[float] = field(default_factory=list)
    """Seconds that a life took until it went on."""


class TellingLog(logs.Log):
    """A log that tells what has been synced: one JSON line an event."""

    def __init__(self, path: Path, pipe: int) -> None:
        super().__init__(logs.FileDisk(path))
        self._pipe, self._waiting = pipe, list[str]()

    def event(self, event: In, effects: Sequence[Effect], state: object) -> None:  # type: ignore[override]  # a sequence
        """Write, and remember to tell."""
        super().event(event, effects, state)
        self._waiting.append(json.dumps(logs.encode(event)))

    def sync(self) -> None:
        """Sync, then tell."""
        super().sync()
        waiting, self._waiting = self._waiting, []
        if waiting:
            os.write(self._pipe, ("\n".join(waiting) + "\n").encode())


@dataclass(frozen=True)
class Evening:
    """What every life of an evening has in common."""

    setup: Setup
    packs: Packs
    table: Table

    def again(self, read: logs.Read) -> tuple[Setup, Packs, Table]:
        """As `logbook.set_up_again`, without loading the same cards a thousand times."""
        if read.header != json.loads(json.dumps(self.setup.header())):
            raise logs.LogError("the header is not what was written")
        return self.setup, self.packs, self.table


def evening_of(seed: int) -> Evening:
    """The evening of that seed."""
    wanted = setup(seed)
    packs = load_packs(wanted)
    wanted = sealed(wanted, packs)
    return Evening(wanted, packs, make_table(wanted, packs))


def live(evening: Evening, data: Path, pipe: int) -> None:
    """One life, to the end of the evening where nobody kills it; the real files in the real order."""
    began = time.monotonic()
    card = Child(STAND_IN, {})
    games, memory = data / "games", Memory.open(data / "memory.json")

    def notice(text: str) -> None:
        os.write(pipe, f"!{text}\n".encode())

    left: Left | None = take_up(games, "clever", notice, again=evening.again)
    if memory.damaged:
        os.write(pipe, b"!memory damaged\n")
    if left is None and (last := newest(games, "clever")) is not None and has_ended(logs.read(last).records):
        card.stop()
        return  # killed after its goodbye; what begins now is another evening
    if left is None:
        path = new_path(games, "clever")
        log: logs.Log = TellingLog(path, pipe)
        log.header(evening.setup.header())
    else:
        keep_again(left.records, memory)
        path = left.path
        log = TellingLog(path, pipe)
    count = sum(isinstance(record.event, Speaking) for record in left.records) if left else 0
    session, device = open_session(evening.table, log, left.at if left else 0,
                                   lambda deck, one: keep(memory, deck, one), count=count, lively=True)
    session.begin(left.state if left else None, left.at if left else 0)
    os.write(pipe, f"?{time.monotonic() - began:.4f}\n".encode())
    while not session.over:
        session.block(device.read())
    log.close()
    keep_scores(path, again=evening.again)
    card.stop()


def keep(memory: Memory, deck: str, card: str) -> None:
    """As the app keeps it."""
    if deck in ("known", "bad"):
        memory.mark(card, deck)
    elif card:
        memory.add(deck, card)
    else:
        memory.forget(deck)


def life(evening: Evening, data: Path, until: int, pause: float) -> list[str]:
    """Let a child live until so many events are synced (0: to its end), and kill it; what it told."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            os.close(out)
            live(evening, data, into)
            code = 0
        finally:
            os._exit(code)
    os.close(into)
    told, killed = b"", False
    try:
        with os.fdopen(out, "rb", buffering=0) as pipe:
            while piece := pipe.read(65_536):
                told += piece
                if until and not killed and sum(line[:1] == b"{" for line in told.split(b"\n")) >= until:
                    time.sleep(pause)  # somewhere within the next events
                    os.kill(child, signal.SIGKILL)
                    killed = True
    except KeyboardInterrupt:  # the bench is to end; so is what it began
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise RuntimeError(f"a life failed by itself, with {data}")
    return [*told.decode().splitlines(), *(["dead"] if killed else []), f"#{child}"]


def session_members(leader: int) -> list[int]:
    """Processes of a session that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) == leader:
            found.append(int(stat.parent.name))
    return found


def wait_for_end(leader: int, seconds: float = 5.0) -> int:
    """How many processes outlive a life by so long."""
    give_up = time.monotonic() + seconds
    while (members := session_members(leader)) and time.monotonic() < give_up:
        time.sleep(0.005)
    for one in members:
        os.kill(one, signal.SIGKILL)
    return len(members)


def one_log(data: Path) -> Path:
    """The evening's log."""
    (path,) = (data / "games").glob("*-clever.jsonl")
    return path


def play(evening: Evening, data: Path, kills: int, longest: int, dice: random.Random, tally: Tally) -> None:
    """One evening with so many kills, each after `longest` synced events at the most, to its end."""
    told: list[str] = []
    for number in range(kills + 1):
        until = 0 if number == kills else dice.randint(1, longest)
        lines = life(evening, data, until, dice.uniform(0.0, LATER))
        tally.orphans += wait_for_end(int(lines[-1][1:]))
        tally.kills += "dead" in lines
        tally.damaged += sum(line[:1] == "!" for line in lines)
        tally.relived += [float(line[1:]) for line in lines if line[:1] == "?"]
        told += [line for line in lines if line[:1] == "{"]
        path = one_log(data)
        read = logs.read(path)
        kept = [json.dumps(logs.encode(record.event)) for record in read.records]
        tally.half_written += read.good < path.stat().st_size
        tally.lost += kept[: len(told)] != told
        told = kept  # what was written but not yet told came in as well
        if until and "dead" not in lines:
            return  # it ended before its time


def course(evening: Evening, path: Path) -> list[Any]:
    """Through what an evening went: each state of the rules that differs from the one before it.

    Raises ReplayError where a state or what went out differs from what was written.
    """
    records = logs.read(path).records
    relive(evening.table, records)
    state, _ = evening.table.start()
    found: list[Any] = []
    for record in records:
        state, _ = evening.table.step(state, record.event)
        if state.game is None:
            continue
        now = passage(state.game)
        if not found or found[-1] != now:
            found.append(now)
    return found


CLOCK = ("opened", "reads", "revealed")
"""What of a card on the table are samples."""


def passage(game: Any) -> dict[str, Any]:
    """What of a game's state must not depend on power cuts: all but times, wordings and what is just being said."""
    hand = {entry.name: getattr(game.hand, entry.name) for entry in fields(game.hand) if entry.name not in CLOCK}
    return {
        "card": game.number, "hand": hand, "read": len(game.hand.reads), "reader": game.reader, "pieces": game.pieces,
        "deck": game.deck, "draws": game.draws, "rulings": game.rulings,
    }


def foreign(data: Path) -> list[str]:
    """Files that should not be there once an evening is over."""
    known = ("memory.json", "memory.json.old", "scores.jsonl")
    return [str(path.relative_to(data)) for path in data.rglob("*")
            if path.is_file() and path.name not in known and not path.name.endswith("-clever.jsonl")]


def measure(options: Options) -> Report:
    """Kill, go on, compare."""
    if not hasattr(os, "fork") or not Path("/proc/self/stat").exists():
        raise MissingError("this bench needs Linux: processes that fork, and /proc.")
    times = options.times or (FULL if options.full else SAMPLE)
    report, tally, dice = Report("kills"), Tally(), random.Random(options.seed)
    evening = evening_of(options.seed)
    with tempfile.TemporaryDirectory(prefix="gamehost-kills-") as scratch:
        passing = Path(scratch) / "tmp"  # where the lives' passing files would lie
        passing.mkdir()
        tempfile.tempdir = os.environ["TMPDIR"] = str(passing)
        whole = Path(scratch) / "whole"
        play(evening, whole, 0, 0, dice, Tally())
        wanted = course(evening, one_log(whole))
        longest = 2 * (len(logs.read(one_log(whole)).records) // EACH + AGAIN)
        Stopping().listen()
        whole_evenings = tally
        with contextlib.suppress(KeyboardInterrupt):  # the table is of the evenings that came to their ends
            while tally.kills < times:
                tally = copy.deepcopy(whole_evenings)
                data = Path(scratch) / str(tally.evenings)
                play(evening, data, min(EACH, times - tally.kills), longest, dice, tally)
                compare(evening, data, whole, wanted, tally, report)
                whole_evenings = tally
                print(f"{tally.kills} kills", file=sys.stderr, flush=True)
        tally = whole_evenings
        tally.left_over += len(list(passing.iterdir()))
        tempfile.tempdir = os.environ.pop("TMPDIR") and None
    return tell(report, tally, wanted)


def compare(evening: Evening, data: Path, whole: Path, wanted: list[Any], tally: Tally, report: Report) -> None:
    """Count what differs from the evening without a kill, and throw the folder away."""
    found, records = course(evening, one_log(data)), logs.read(one_log(data)).records
    used = [Memory.open(folder / "memory.json").used("clues") for folder in (data, whole)]
    scores = [[json.loads(line)["rounds"] for line in (folder / "games/scores.jsonl").read_text("utf-8").splitlines()]
              for folder in (data, whole)]
    same = found == wanted and used[0] == used[1] and scores[0] == scores[1]
    tally.differing += not same
    tally.left_over += len(foreign(data))
    tally.events += len(records)
    tally.resumed += sum(isinstance(record.event, Resumed) for record in records)
    tally.evenings += 1
    if not same:
        _keep_for_the_curious(data, found, wanted, report)
    shutil.rmtree(data)


def _keep_for_the_curious(data: Path, found: Sequence[Any], wanted: Sequence[Any], report: Report) -> None:
    first = next((at for at, (one, two) in enumerate(zip(found, wanted, strict=False)) if one != two),
                 min(len(found), len(wanted)))
    kept = data.parents[1] / f"gamehost-kills-differs-{os.getpid()}.jsonl"
    shutil.copyfile(one_log(data), kept)
    one, two = (steps[first] if first < len(steps) else {} for steps in (found, wanted))
    other = {key: (one.get(key), two.get(key)) for key in {**one, **two} if one.get(key) != two.get(key)}
    report.note(f"another course from step {first} of {len(wanted)} on, what was and what should be: {other!s:.400}; "
                f"the log: {kept}")


def tell(report: Report, tally: Tally, wanted: Sequence[Any]) -> Report:
    """Table and goals."""
    relived = sorted(tally.relived)
    report.table("Power cuts", ("what", "count"), [
        ("SIGKILLs", tally.kills), ("evenings gone on with to their end", tally.evenings),
        ("steps in the course of one evening", len(wanted)), ("lives that were gone on with", tally.resumed),
        ("events in all logs", tally.events), ("kills that left a line half written", tally.half_written),
        ("kills that lost an event told as safe", tally.lost), ("evenings that took another course", tally.differing),
        ("memory or log found damaged", tally.damaged), ("processes left", tally.orphans),
        ("files left", tally.left_over),
    ])
    report.note(f"from start to going on: {relived[len(relived) // 2]:.2f} s in the middle, {relived[-1]:.2f} s at "
                "most (cards and recogniser loaded before)")
    report.at_least("lives gone on with", float(tally.resumed), 0.8 * tally.kills)
    goals: list[tuple[str, Callable[[Tally], int]]] = [
        ("events lost", lambda found: found.lost), ("evenings of another course", lambda found: found.differing),
        ("damaged files", lambda found: found.damaged), ("processes left", lambda found: found.orphans),
        ("files left", lambda found: found.left_over),
    ]
    for name, count in goals:
        report.at_most(name, float(count(tally)), 0.0)
    return report
