"""A power cut at any moment: what came in is kept, and the evening goes on as if nothing had happened."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crash_driver import says, table
from evening import Evening

from host import log as logs
from host.events import Effect, In, Part, Say
from host.session import relive

HERE = Path(__file__).resolve().parent
LAST = 20
"""Records at whose every byte the log is cut."""


def test_killed_at_fifty_moments_and_resumed_nothing_is_lost(tmp_path: Path) -> None:
    """SIGKILL 50 times: each event told as synced is in the log, each life goes on, and the end is a proper one."""
    command = [sys.executable, str(HERE / "crash_driver.py"), str(tmp_path / "log.jsonl"), "50", "1"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), str(HERE)])}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["lost"] == 0
    assert report["kills"] == 50
    assert 45 <= report["resumed"] <= 50, "a life that is killed before its Resumed is synced does not show"
    assert report["done"]
    assert report["winner"] is not None
    assert report["events"] > 400


def play_on(evening: Evening, seconds: float, seed: int = 5) -> None:
    """Let players do something sensible for so long."""
    dice, end = np.random.default_rng(seed), evening.now + int(seconds * 16_000)
    while evening.now < end and not evening.session.over:
        words = "" if evening.state.saying else says(evening.state, evening.table.rules, Dice(dice), False)
        if words:
            evening.say(words, took=0.4)
        else:
            evening.wait(0.3)


class Dice:
    """The two functions of `random` that players need."""

    def __init__(self, dice: np.random.Generator) -> None:
        self._dice = dice

    def choice(self, options: Any) -> Any:
        return options[int(self._dice.integers(len(options)))]

    def random(self) -> float:
        return float(self._dice.random())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of the first two minutes of an evening."""
    path = tmp_path_factory.mktemp("played") / "log.jsonl"
    log = logs.Log(logs.FileDisk(path))
    log.header({})
    evening = Evening(log=log)
    play_on(evening, 120.0)
    log.close()
    return path


def test_a_log_cut_at_every_byte_of_its_last_records_is_read_up_to_the_cut(played: Path, tmp_path: Path) -> None:
    """Whatever byte the power failed at: the records that are whole are there, and only they."""
    data = played.read_bytes()
    whole = logs.read(played)
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    first = ends[-LAST - 1]
    records, path = len(whole.records), tmp_path / "cut.jsonl"
    assert records > 3 * LAST
    head = data[: ends[-LAST - 2]]  # reading the same beginning thousands of times shows nothing
    skip = len(ends) - LAST - 2
    short = data[: ends[0]] + data[len(head) :]
    shift = len(head) - ends[0]
    for size in range(first, len(data) + 1):
        path.write_bytes(short[: size - shift])
        read = logs.read(path)
        complete = sum(end <= size for end in ends)
        assert read.records == whole.records[skip : complete - 1]
        assert read.good == ends[complete - 1] - shift


def test_a_log_cut_within_each_of_its_last_records_is_lived_again_and_gone_on_with(
    played: Path, tmp_path: Path
) -> None:
    """Lived again with every digest checked, resumed, the question answered: the next line is the game's own."""
    data = played.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    for number in range(len(ends) - LAST, len(ends) + 1):
        path = tmp_path / f"cut{number}.jsonl"
        path.write_bytes(data[: ends[number - 1] + (7 if number < len(ends) else 0)])
        read = logs.read(path)
        state, at = relive(table(), read.records)
        logs.cut(path, read.good)
        log = logs.Log(logs.FileDisk(path))
        evening = Evening(log=log, state=state, start=at)
        evening.until("table/resumed", Part.ENDED)
        evening.say("yes")
        evening.wait(12.0)
        log.close()
        again, _ = relive(table(), logs.read(path).records)
        assert logs.digest(again) == logs.digest(evening.state)
        assert [name for _, name, part in evening.said if part is Part.BEGAN and name.startswith("card")]


class ForgetfulDisk(logs.NoDisk):
    """Keeps a journal of what was appended, and of how much of it a power cut would leave."""

    def __init__(self, journal: list[tuple[str, Any]]) -> None:
        self.journal = journal

    def append(self, data: bytes) -> None:
        self.journal.append(("append", data))

    def sync(self) -> None:
        self.journal.append(("sync", None))


class Journaled(Evening):
    """An evening whose device notes what it is asked to play, in the same journal."""

    def __init__(self, journal: list[tuple[str, Any]], **more: Any) -> None:
        self.journal, self.states = journal, []
        super().__init__(log=logs.Log(ForgetfulDisk(journal)), **more)

    def _watch(self, event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        super()._watch(event, state, effects)
        self.states.append(state)


def test_a_disk_that_forgets_what_was_not_synced_loses_nothing_that_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each moment: a line that was given to the speaker follows from records that are synced."""
    journal: list[tuple[str, Any]] = []
    play = Evening.__init__.__globals__["Quiet"].play

    def noted(device: Any, clip: Any, at: int) -> None:
        journal.append(("play", clip.line))
        play(device, clip, at)

    monkeypatch.setattr(Evening.__init__.__globals__["Quiet"], "play", noted)
    evening = Journaled(journal)
    play_on(evening, 90.0)
    start = {effect.line.id for effect in table().start()[1] if isinstance(effect, Say)}
    safe: set[str] = {*start, ""}
    unsynced: list[bytes] = []
    durable: list[bytes] = []
    heard = 0
    for kind, what in journal:
        if kind == "append":
            unsynced.append(what)
        elif kind == "sync":
            for line in unsynced:
                safe |= {one["line"]["id"] for one in json.loads(line).get("out", ()) if one["type"] == "Say"}
            durable += unsynced
            unsynced = []
        else:
            assert what in safe, f"{what} was given to the speaker before what it follows from was safe"
            heard += 1
    assert heard > 20
    header = b'{"format":1,"header":{}}\n'
    for count in range(5, len(durable), max(1, len(durable) // 25)):
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes(header + b"".join(durable[:count]))
        state, _ = relive(table(), logs.read(path).records)
        assert logs.digest(state) == json.loads(durable[count - 1])["state"]
        assert state in evening.states
