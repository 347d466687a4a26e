"""The bench of power cuts: it kills, goes on, and would notice what it promises to notice."""

import json
import os
import random
import time
from itertools import pairwise
from pathlib import Path

import pytest

from host import log as logs
from host.app.logbook import take_up
from host.bench import kills
from host.events import Resumed, Speaking

pytestmark = pytest.mark.skipif(not hasattr(os, "fork") or not Path("/proc/self/stat").exists(),
                                reason="the bench of power cuts needs Linux")


@pytest.fixture(scope="module")
def evening() -> kills.Evening:
    """One evening of the shipped cards."""
    return kills.evening_of(1)


def test_a_killed_life_goes_on_from_its_files(evening: kills.Evening, tmp_path: Path) -> None:
    """Three lives are killed and a fourth too; each goes on, nothing told is lost, no process and no file is left."""
    dice, told = random.Random(1), []
    for number in range(4):
        lines = kills.life(evening, tmp_path, 40, dice.uniform(0, 0.002))
        assert kills.wait_for_end(int(lines[-1][1:])) == 0
        assert "dead" in lines
        assert not [line for line in lines if line[:1] == "!"]
        told += [line for line in lines if line[:1] == "{"]
        read = logs.read(kills.one_log(tmp_path))
        kept = [json.dumps(logs.encode(record.event)) for record in read.records]
        assert kept[: len(told)] == told
        told = kept
        assert sum(json.loads(line)["type"] == "Resumed" for line in kept) in (number, max(0, number - 1))
    assert kills.foreign(tmp_path) in ([], ["memory.json.new"])
    steps = kills.course(evening, kills.one_log(tmp_path))
    assert len(steps) > 3


def test_another_course_is_noticed(evening: kills.Evening, tmp_path: Path) -> None:
    """A log without one of its guesses does not live again; the course of two evenings of other seeds differs."""
    from host.session import ReplayError

    kills.life(evening, tmp_path, 60, 0.0)
    path = kills.one_log(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if '"Heard"' in line)
    path.write_text("\n".join([*lines[:at], *lines[at + 1 :]]) + "\n", encoding="utf-8")
    with pytest.raises(ReplayError):
        kills.course(evening, path)


def cut_at(path: Path, kind: type, nth: int) -> None:
    """Leave of a log what is written when its nth event of a kind has just been."""
    read, lines = logs.read(path), path.read_bytes().splitlines(keepends=True)
    at = [number for number, record in enumerate(read.records) if isinstance(record.event, kind)][nth]
    path.write_bytes(b"".join(lines[: at + 2]))


def test_a_guess_that_the_power_cut_off_is_made_again(evening: kills.Evening, tmp_path: Path) -> None:
    """Cut off while somebody speaks, thrice: the rules go through the same states as without that."""
    kills.life(evening, tmp_path, 150, 0.0)
    path = kills.one_log(tmp_path)
    wanted = kills.course(evening, path)
    for nth in (1, 3, 6):
        cut_at(path, Speaking, nth)
        kills.life(evening, tmp_path, 150, 0.0)
    kept = [record.event for record in logs.read(path).records]
    assert sum(isinstance(one, Speaking) and isinstance(two, Resumed) for one, two in pairwise(kept)) >= 3
    found = kills.course(evening, path)
    both = min(len(found), len(wanted))
    assert both > 10
    assert found[:both] == wanted[:both]


def test_scores_lost_between_goodbye_and_end_are_kept_at_the_next_start(evening: kills.Evening, tmp_path: Path) -> None:
    """Killed after its goodbye was written: the next start keeps the scores, once, and begins another evening."""
    kills.life(evening, tmp_path, 30, 0.0)
    path = kills.one_log(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)[: len(logs.read(path).records) + 1]
    goodbye = json.dumps({**json.loads(lines[-1]), "out": [{"type": "Quit"}]}).encode() + b"\n"
    path.write_bytes(b"".join([*lines, goodbye]))
    for _ in range(2):
        assert take_up(path.parent, "clever", print, again=evening.again) is None
    (kept,) = (path.parent / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(kept)["rounds"][0]["players"] == ["Anna", "Ben", "Cleo", "Dan"]


def test_a_process_that_outlives_its_life_is_counted() -> None:
    """A child of a dead life that still runs is found by its session, and ended."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(out)
            os.close(into)
            time.sleep(60)
            os._exit(0)
        os._exit(0)
    os.waitpid(child, 0)
    os.close(into)
    os.close(out)
    assert kills.wait_for_end(child, 0.2) == 1
    assert kills.wait_for_end(child, 5.0) == 0
