"""The bench of hours: it would notice what grows, and is not led astray by what only goes up and down."""

import math
from pathlib import Path

import pytest

from host.bench.frame import Report
from host.bench.soak import Held, held, tell


class Played:
    """A soak that is over: so many MB at each minute, by a saw of 20 minutes and by growth."""

    games = ended = heard = 1

    def __init__(self, saw: float, growth: float, files: int = 0) -> None:
        self.held = [
            Held(minute, 300 + saw * (minute % 20) / 20 + growth * minute / 60, 14 + files * (minute > 60), 2, "clever",
                 150.0, 800)
            for minute in range(1, 121)
        ]


@pytest.mark.parametrize(("saw", "growth", "files", "short"), [
    (0.0, 0.0, 0, set()),
    (30.0, 0.0, 0, set()),
    (20.0, 2.0, 0, set()),
    (20.0, 7.0, 0, {"memory, growth"}),
    (0.0, 0.0, 1, {"open files, more than after 20 minutes"}),
])
def test_what_grows_is_noticed(saw: float, growth: float, files: int, short: set[str]) -> None:
    """Seven megabytes an hour are short under a saw of twenty, two are not; one file too many is."""
    report = tell(Report("soak"), Played(saw, growth, files), 2.0, 400.0, "silent")  # type: ignore[arg-type]
    assert {goal.name for goal in report.goals if not goal.met} == short
    assert "handed out by the C library +0.0 MB" in report.text()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the bench of hours needs Linux")
def test_what_is_held_is_told() -> None:
    """A hundred thousand texts are seen in Python's objects, and memory, files and threads are counted."""
    before = held(1.0, "")
    kept = [str(number) for number in range(100_000)]
    after = held(2.0, "")
    assert after.blocks - before.blocks >= 99
    assert after.memory > 1
    assert after.files >= 3
    assert after.threads >= 1
    assert math.isnan(after.used) or after.used > 0
    assert kept
