"""A quarter of one core, in place of a small computer: how much later the host answers, in real time.

The same games and calls are played twice by the clock, at full speed and held to a quarter of one core by a control
group: recorded players in a measured room, the whole game from the card's pipes to the log, nothing synthesised
before. Three latencies are read off what the speaker played: from the last sample of an answer to the sound of its
verdict, from the onset of speech over the host's voice to silence, and from the end of "venn" to the gong. They may
double at most, and no block may be missed. With the voices for tuning: these are no figures of what is understood.
"""

import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.bench.frame import MissingError, Options, Report, quantile
from host.bench.slow_play import CALL, OVER, PAUSE, VERDICTS, Run, Stage
from host.bench.slowed import SHARE, Slow, first

GAMES, CALLS = 2, 16
"""Games of eight cards and calls of "venn"; with --full three times as many. Each is played twice, in real time."""
TIMES = 2.0
"""By so much the latencies may grow."""
LEAST = 5
"""So many must have been measured both ways for a comparison to be one."""


@dataclass(frozen=True)
class Pair:
    """The same scene at full speed and held."""

    free: Run
    held: Run

    def both(self, measured: Callable[[Run], float | None]) -> tuple[float | None, float | None]:
        """One figure of both."""
        return measured(self.free), measured(self.held)


@dataclass(frozen=True)
class Compared:
    """A latency in seconds, of the same cues at full speed and held; None where there was nothing to measure."""

    what: str
    pairs: tuple[tuple[float | None, float | None], ...]
    lags: tuple[float | None, ...] = ()
    """By how much the game was behind when it decided, held."""

    def values(self, side: int) -> list[float]:
        """At full speed (0) or held (1), of the cues that were measured both ways."""
        return [pair[side] for pair in self.pairs if pair[0] is not None and pair[1] is not None]  # type: ignore[misc]  # none is None

    def at(self, side: int, share: float) -> float:
        """A quantile of these."""
        return quantile(self.values(side), share)

    def times(self, share: float) -> float:
        """How many times as long it takes when held, by a quantile; not a number where too little was measured."""
        free, held = self.at(0, share), self.at(1, share)
        return held / free if len(self.values(0)) >= LEAST and free > 0 else math.nan

    def answered(self, side: int) -> int:
        """Cues that were measured on this side."""
        return sum(pair[side] is not None for pair in self.pairs)


def measure(options: Options) -> Report:
    """Play everything twice, compare."""
    report = Report("slow")
    if not Path("/proc/self/stat").exists():
        raise MissingError("this bench needs Linux: a control group holds the game to a quarter of a core.")
    more = 3 if options.full else 1
    first()
    with tempfile.TemporaryDirectory(prefix="gamehost-slow-") as scratch:
        slow = Slow()
        try:
            stage = Stage(Path(scratch), slow, options.seed, options.model)
            free, held = stage.shares()
            games = twice(stage.deals(GAMES * more), stage.game)
            placing = stage.placing()
            calls = twice(stage.calls(CALLS * more), lambda cue, *, held: stage.call(placing, cue, held=held))
        except OSError as error:
            raise MissingError(f"this process can't be held to a quarter of a core ({error}): run as root.") from error
        finally:
            slow.release([os.getpid()])
    report.note(f"of one core this process got {100 * free:.0f} %, and {100 * held:.0f} % while it was held")
    return tell(report, compare(games, calls), [*games, *calls])


def twice(scenes: Sequence[Any], play: Callable[..., Run]) -> list[Pair]:
    """Each scene at full speed and held; which comes first changes from one to the next."""
    pairs = []
    for number, scene in enumerate(scenes, 1):
        runs = {held: play(scene, held=held) for held in ((False, True) if number % 2 else (True, False))}
        pairs.append(Pair(runs[False], runs[True]))
        print(f"{number} of {len(scenes)}: behind by {max(runs[False].behind):.2f} s at most, held "
              f"{max(runs[True].behind):.2f} s", file=sys.stderr, flush=True)
    return pairs


def compare(games: Iterable[Pair], calls: Iterable[Pair]) -> list[Compared]:
    """The three latencies, answers told apart by whether the host was speaking."""
    answers: dict[str, list[tuple[float | None, float | None]]] = {PAUSE: [], OVER: []}
    lags: dict[str, list[float | None]] = {PAUSE: [], OVER: []}
    stops = []
    for pair in games:
        for name in sorted({cue for run in (pair.free, pair.held) for cue, _, _ in run.tape.fired}):
            kind = name.rstrip("0123456789")
            answers[kind].append(pair.both(lambda run, name=name: run.answered(name, VERDICTS)))  # type: ignore[misc]  # bound at once
            lags[kind].append(pair.held.lagged(name, VERDICTS))
            if kind == OVER:
                stops.append(pair.both(lambda run, name=name: run.silenced(name)))  # type: ignore[misc]  # as above
    calls = list(calls)
    gongs = tuple(pair.both(lambda run: run.answered(CALL, ("venn",))) for pair in calls)
    return [
        Compared("answer in a pause to verdict", tuple(answers[PAUSE]), tuple(lags[PAUSE])),
        Compared("answer over the host's voice to verdict", tuple(answers[OVER]), tuple(lags[OVER])),
        Compared("speech over the host's voice to silence", tuple(stops)),
        Compared('end of "venn" to the gong', gongs, tuple(pair.held.lagged(CALL, ("venn",)) for pair in calls)),
    ]


def tell(report: Report, found: Sequence[Compared], pairs: Sequence[Pair]) -> Report:
    """Table and goals."""
    report.table(f"Latencies in real time: at full speed, and at {SHARE:g} of one core", (
        "from ... to", "cues", "measured", "measured, held", "median", "median, held", "times", "95 %", "95 %, held",
        "times at 95 %", "at most doubled",
    ), [_row(one) for one in found])
    runs = [(pair.free, pair.held) for pair in pairs]
    for side, name in enumerate(("at full speed", "held")):
        behind = [lag for both in runs for lag in both[side].behind]
        report.note(f"{name}: {len(behind)} blocks in {len(behind) * 0.03 / 60:.1f} minutes, dealt with "
                    f"{1000 * quantile(behind, 0.5):.0f} ms (median), {1000 * quantile(behind, 0.99):.0f} ms (99 %), "
                    f"{1000 * max(behind):.0f} ms (at most) after they had been heard")
    for one in found:
        if lags := [lag for lag in one.lags if lag is not None]:
            report.note(f"held, {one.what}: the game was behind by {1000 * quantile(lags, 0.5):.0f} ms (median) to "
                        f"{1000 * max(lags):.0f} ms when it came to decide")
    report.data["cues"] = {one.what: {"pairs": one.pairs, "behind": one.lags} for one in found}
    late = max(run.tape.late for both in runs for run in both)
    report.note(f"the room itself was late by {1000 * late:.0f} ms at most")
    for one in found:
        report.at_most(f"{one.what}, median, times as long", one.times(0.5), TIMES)
        report.at_most(f"{one.what}, 95 %, times as long", one.times(0.95), TIMES)
    report.at_most("blocks missed", float(sum(run.missed for both in runs for run in both)), 0.0)
    return report


def _row(one: Compared) -> tuple[object, ...]:
    cells: list[object] = [one.what, len(one.pairs), one.answered(0), one.answered(1)]
    for share in (0.5, 0.95):
        cells += [f"{one.at(0, share):.3f} s", f"{one.at(1, share):.3f} s", f"{one.times(share):.2f}"]
    doubled = max(one.times(0.5), one.times(0.95))
    return (*cells, "-" if math.isnan(doubled) else "yes" if doubled <= TIMES else "no")
