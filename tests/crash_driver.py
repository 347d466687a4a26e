"""An evening that plays itself, many times killed: `python tests/crash_driver.py LOG KILLS SEED`.

Each life is a forked child: the real table, rules, loop and log on a silent device, with players who do
something sensible about once a second. It tells through a pipe which events are safely on the disk. The
parent kills it with SIGKILL after a random number of them, or a little later, and starts the next life,
which goes on from the log. The last life may play to the end. Prints what happened as JSON.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from evening import PACKS, PLAYERS, Evening

from host import log as logs
from host.clock import BLOCK, samples
from host.events import Effect, In
from host.games import clever_endeavor
from host.session import relive
from host.table import Table

LONGEST = 30
"""A life is killed at the latest after so many synced events."""
THINKING = 1.0
"""Seconds between two things that players do."""


class TellingLog(logs.Log):
    """A log that tells what has been synced: one JSON line an event."""

    def __init__(self, path: Path, pipe: int) -> None:
        super().__init__(logs.FileDisk(path))
        self._pipe, self._waiting = pipe, []

    def event(self, event: In, effects: tuple[Effect, ...], state: object) -> None:
        super().event(event, effects, state)
        self._waiting.append(json.dumps(logs.encode(event)))

    def sync(self) -> None:
        super().sync()
        waiting, self._waiting = getattr(self, "_waiting", []), []
        if waiting:
            os.write(self._pipe, ("\n".join(waiting) + "\n").encode())


def table(seed: int = 3) -> Table:
    """The table that `Evening` plays at."""
    return Table(clever_endeavor, PACKS, {}, seed, players=PLAYERS, names=("anna", "ben", "cleo", "dan"), youngest=0)


def says(state: Any, rules: Any, dice: random.Random, last: bool) -> str:
    """What somebody says at this moment, or nothing."""
    if state.question is not None:
        return {"resume": "yes", "another": "no" if last else "yes"}.get(state.question.kind, "")
    if state.game is None:
        return ""
    expects = rules.expects(state.game)
    if expects.yes_no or expects.claim:
        return dice.choice(("yes", "red"))
    if expects.ready:
        return "ready"
    if expects.card is not None and expects.guessing:
        seat = dice.choice(expects.guessing)
        right = dice.random() < 0.4
        word = expects.card.answer if right else dice.choice(expects.card.rivals)
        return f"{state.players[seat].colour} {word.lower()}"
    return ""


def live(path: Path, pipe: int, seed: int, last: bool) -> None:
    """One life: from the log, if there is one, to the end of the evening."""
    state, at = None, 0
    if path.exists() and (read := logs.read(path)).records:
        state, at = relive(table(), read.records)
        logs.cut(path, read.good)
        log = TellingLog(path, pipe)
    else:
        path.unlink(missing_ok=True)
        log = TellingLog(path, pipe)
        log.header({})
    evening = Evening(log=log, state=state, start=at)
    dice, next_word = random.Random(seed), evening.now
    while not evening.session.over:
        if evening.now >= next_word and not evening.state.saying and not evening.state.done:
            next_word = evening.now + samples(THINKING)
            words = says(evening.state, evening.table.rules, dice, last)
            if words:
                evening.say(words, took=0.4)
                continue
        evening.block()
    log.close()


def life(path: Path, seed: int, until: int, pause: float) -> list[str]:
    """Let a child live until so many events are synced (0: to its end), and kill it; what it told."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(out)
            live(path, into, seed, last=not until)
            code = 0
        finally:
            os._exit(code)
    os.close(into)
    told = b""
    with os.fdopen(out, "rb", buffering=0) as pipe:
        while piece := pipe.read(65_536):
            told += piece
            if until and told.count(b"\n") >= until:
                time.sleep(pause)  # somewhere within the next events
                os.kill(child, signal.SIGKILL)
                until = 0
                pause = -1.0
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"a life failed by itself, with {path}")
    if pause >= 0.0 and until:
        raise SystemExit("the evening ended before its time")
    return told.decode().splitlines()


def main(path: Path, kills: int, seed: int) -> None:
    """Kill and go on; print a report."""
    dice = random.Random(seed)
    told: list[str] = []
    lost = cut = 0
    for number in range(kills + 1):
        until = 0 if number == kills else dice.randint(1, LONGEST)
        told += life(path, seed * 1_000 + number, until, dice.uniform(0.0, 0.004))
        size, read = path.stat().st_size, logs.read(path)
        kept = [json.dumps(logs.encode(record.event)) for record in read.records]
        cut += read.good < size
        lost += kept[: len(told)] != told
        told = kept  # what was written but not yet told came in as well
    state, at = relive(table(), read.records)
    print(json.dumps({
        "kills": kills, "lost": lost, "half_written": cut, "events": len(read.records), "seconds": at // BLOCK * 0.03,
        "resumed": sum(json.loads(line)["type"] == "Resumed" for line in told), "done": state.done,
        "winner": table().rules.view(state.game, None)["winner"], "rounds": state.rounds,
    }))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
