"""Curves as an SVG file, with nothing but text: a few panels, axes, a legend, a mark."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 34, 44
COLOURS = ("#0b62a4", "#c8102e", "#2e8b57", "#d98200", "#6a3d9a", "#444444", "#00a0a0", "#a0522d")
_PER_ROW = 2


@dataclass(frozen=True)
class Panel:
    """One set of axes with its lines."""

    title: str
    across: str
    up: str
    lines: Mapping[str, Points] = field(default_factory=dict)
    mark: float | None = None
    """Where across a vertical line shows what was chosen."""


def svg(title: str, panels: Sequence[Panel]) -> str:
    """All panels, two in a row."""
    rows = max(1, -(-len(panels) // _PER_ROW))
    body = [_panel(panel, (at % _PER_ROW) * WIDTH, 24 + (at // _PER_ROW) * HEIGHT) for at, panel in enumerate(panels)]
    width, height = WIDTH * min(_PER_ROW, max(1, len(panels))), 24 + HEIGHT * rows
    drawn = "\n".join([*body, "</svg>", ""])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" '
            f'fill="white"/>\n<text x="8" y="17" font-size="14">{escape(title)}</text>\n{drawn}')


def steps(low: float, high: float) -> list[float]:
    """Five to a dozen round values that span the range."""
    if high <= low:
        high = low + 1.0
    tens = 10.0 ** math.floor(math.log10((high - low) / 4))
    size = max(tens * factor for factor in (1, 2, 5) if (high - low) / (tens * factor) >= 4)
    first = math.floor(low / size + 1e-9)
    found = [round(first * size, 10)]
    while found[-1] < high - size * 1e-6:
        found.append(round(found[-1] + size, 10))
    return found


def _panel(panel: Panel, x0: float, y0: float) -> str:
    points = [point for line in panel.lines.values() for point in line]
    across = steps(min((x for x, _ in points), default=0.0), max((x for x, _ in points), default=1.0))
    up = steps(min(0.0, min((y for _, y in points), default=0.0)), max((y for _, y in points), default=1.0))

    def place(x: float, y: float) -> tuple[float, float]:
        wide = (x - across[0]) / (across[-1] - across[0]) * (WIDTH - LEFT - RIGHT)
        tall = (y - up[0]) / (up[-1] - up[0]) * (HEIGHT - TOP - BOTTOM)
        return round(x0 + LEFT + wide, 1), round(y0 + HEIGHT - BOTTOM - tall, 1)

    out = [f'<text x="{x0 + LEFT}" y="{y0 + 18}" font-weight="bold">{escape(panel.title)}</text>']
    for value in up:
        x, y = place(across[0], value)
        end, _ = place(across[-1], value)
        out.append(f'<path d="M{x} {y}H{end}" stroke="#ddd"/><text x="{x - 5}" y="{y + 4}" '
                   f'text-anchor="end">{value:g}</text>')
    for value in across:
        x, y = place(value, up[0])
        out.append(f'<path d="M{x} {y}v4" stroke="#666"/><text x="{x}" y="{y + 16}" '
                   f'text-anchor="middle">{value:g}</text>')
    left, bottom = place(across[0], up[0])
    out.append(f'<text x="{(left + place(across[-1], 0)[0]) / 2}" y="{bottom + 32}" '
               f'text-anchor="middle">{escape(panel.across)}</text>')
    out.append(f'<text transform="translate({x0 + 14} {y0 + HEIGHT / 2}) rotate(-90)" '
               f'text-anchor="middle">{escape(panel.up)}</text>')
    if panel.mark is not None:
        x, y = place(panel.mark, up[0])
        out.append(f'<path d="M{x} {y}V{place(0, up[-1])[1]}" stroke="#888" stroke-dasharray="4 3"/>')
    for at, (name, line) in enumerate(panel.lines.items()):
        colour = COLOURS[at % len(COLOURS)]
        path = " ".join(f"{x},{y}" for x, y in (place(*point) for point in line))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out.append(f'<text x="{x0 + WIDTH - RIGHT - 4}" y="{y0 + TOP + 10 + 13 * at}" text-anchor="end" '
                   f'fill="{colour}">{escape(name)}</text>')
    return "\n".join(out)
