"""Time: the number of samples heard since the session began.

A second is `RATE` samples. The loop moves in blocks of `BLOCK` samples (30 ms). Nothing in the core
knows any other clock, so a recording, a simulated room and a sound card all tell the same time.
"""

from typing import TypeAlias

Samples: TypeAlias = int

RATE = 16_000
"""Samples a second, everywhere in the core."""

BLOCK = 480
"""Samples a block: 30 ms."""


def samples(seconds: float) -> Samples:
    """Turn seconds into samples, rounded to the nearest."""
    return round(seconds * RATE)


def seconds(count: Samples) -> float:
    """Turn samples into seconds."""
    return count / RATE
