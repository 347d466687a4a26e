"""The frame of all benches: shares with their intervals, goals, tables, and reports for people and machines."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.app import AppError
from host.bench.plot import Panel, Points, svg

_Z = 1.959964
"""Standard deviations that hold 95 % of a normal distribution."""


class MissingError(AppError):
    """Something that the bench needs is not on this machine; the message names the package. Exit 3."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 3)


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked on the command line."""

    seed: int = 1
    full: bool = False
    """Everything instead of a sample."""
    split: str = "test"
    """Which voices and rooms: figures are of "test", settings are found on "tuning"."""
    model: str | None = None
    times: int | None = None
    """How often, where a bench repeats something (kills); None for its sample or all."""
    hours: float | None = None
    """How long, where a bench goes on and on (soak)."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many; `hits` may be halves (an answer asked again counts as half a wrong verdict)."""

    hits: float
    total: int

    @property
    def rate(self) -> float:
        """From 0 to 1; not a number where nothing was tried."""
        return self.hits / self.total if self.total else math.nan

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the rate."""
        if not self.total:
            return 0.0, 1.0
        n, p = self.total, self.rate
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z / (1 + _Z**2 / n) * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        """As in tables: rate, counts and interval."""
        if not self.total:
            return "-"
        low, high = self.interval()
        return f"{100 * self.rate:.1f} % ({self.hits:g}/{self.total}; {100 * low:.1f}-{100 * high:.1f})"


@dataclass(frozen=True, slots=True)
class Goal:
    """A promise: what was measured, and the least or most of it that keeps the promise."""

    name: str
    measured: Share | float
    wanted: float
    most: bool
    unit: str = ""

    @property
    def value(self) -> float:
        """What is compared."""
        return self.measured.rate if isinstance(self.measured, Share) else float(self.measured)

    @property
    def met(self) -> bool:
        """Whether the promise is kept; what could not be measured is not."""
        return self.value <= self.wanted + 1e-9 if self.most else self.value >= self.wanted - 1e-9

    def __str__(self) -> str:
        """The line that every bench ends with."""
        if isinstance(self.measured, Share):
            measured, wanted = str(self.measured), f"{100 * self.wanted:g} %"
        else:
            unit = f" {self.unit}" if self.unit else ""
            measured, wanted = f"{self.measured:.3g}{unit}", f"{self.wanted:g}{unit}"
        word = "at most" if self.most else "at least"
        return f"goal {self.name}: measured {measured}, wanted {word} {wanted}: {'met' if self.met else 'short'}"


@dataclass
class Report:
    """What a bench found out: text in order, goals, and curves for `--plot`."""

    name: str
    lines: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    """More for `--json`."""

    def note(self, text: str) -> None:
        """A line of text."""
        self.lines.append(text)

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """A table; numbers stand to the right."""
        cells = [list(map(str, row)) for row in rows]
        widths = [max(len(row[at]) for row in [list(head), *cells]) for at in range(len(head))]
        right = [all(isinstance(row[at], int | float | Share) for row in rows) for at in range(len(head))]
        self.lines += ["", title]
        for row in [list(head), *cells]:
            line = "  ".join(cell.rjust(width) if side else cell.ljust(width)
                             for cell, width, side in zip(row, widths, right, strict=True))
            self.lines.append(f"  {line.rstrip()}")
        self.data.setdefault("tables", {})[title] = [dict(zip(head, map(_plain, row), strict=True)) for row in rows]

    def at_least(self, name: str, measured: Share | float, wanted: float, unit: str = "") -> None:
        """A goal that is met from `wanted` on."""
        self.goals.append(Goal(name, measured, wanted, most=False, unit=unit))

    def at_most(self, name: str, measured: Share | float, wanted: float, unit: str = "") -> None:
        """A goal that is met up to `wanted`."""
        self.goals.append(Goal(name, measured, wanted, most=True, unit=unit))

    def curve(self, title: str, across: str, up: str, lines: Mapping[str, Points], mark: float | None = None) -> None:
        """Curves in one panel of the plot; `mark` is where the chosen threshold stands."""
        self.panels.append(Panel(title, across, up, dict(lines), mark))

    @property
    def met(self) -> bool:
        """Whether all goals are met."""
        return all(goal.met for goal in self.goals)

    def text(self) -> str:
        """Everything as it is printed."""
        return "\n".join([*self.lines, "", *map(str, self.goals)])

    def write(self, json_file: Path | None, plot_file: Path | None) -> None:
        """Write the same for machines and for eyes. Raises AppError where a file can't be written."""
        try:
            if json_file:
                json_file.write_text(json.dumps(self.as_json(), indent=1) + "\n", encoding="utf-8")
            if plot_file:
                plot_file.write_text(svg(self.name, self.panels), encoding="utf-8")
        except OSError as error:
            raise AppError(f"{error.filename} can't be written: {error.strerror}") from error

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        goals = [{"name": goal.name, "measured": _plain(goal.measured), "wanted": goal.wanted,
                  "kind": "at most" if goal.most else "at least", "unit": goal.unit, "met": goal.met}
                 for goal in self.goals]
        curves = [{"title": panel.title, "across": panel.across, "up": panel.up, "mark": panel.mark,
                   "lines": {name: [list(point) for point in points] for name, points in panel.lines.items()}}
                  for panel in self.panels]
        return {"bench": self.name, "goals": goals, **self.data, "curves": curves}


def _plain(value: object) -> Any:
    if isinstance(value, Share):
        low, high = value.interval()
        return {"hits": value.hits, "of": value.total, "rate": value.rate if value.total else None, "low": low,
                "high": high}
    return value if isinstance(value, int | float | str | bool | None) else str(value)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all does not exceed; not a number where there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan
