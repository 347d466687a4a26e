"""Sound as it passes through the loop: clips to play, blocks heard, blocks cleaned of echo."""

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from host.clock import Samples
from host.events import Part, Word

Pcm: TypeAlias = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Clip:
    """A synthesised line: mono PCM at `rate` samples a second.

    `words` carry times in samples of `rate`, counted from the clip's first sample.
    """

    line: str
    pcm: Pcm
    rate: int
    words: tuple[Word, ...] = ()
    gap: Samples = 0
    """Silence before it, in samples at 16 kHz."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line has come to `part` at sample `at` (16 kHz, the time at which it sounded)."""

    at: Samples
    line: str
    part: Part


@dataclass(frozen=True, slots=True)
class Block:
    """30 ms of sound: what the microphones heard while the speaker played `far`.

    `at` is the first sample's time. `mic` has shape (channels, 480), `far` shape (480,).
    """

    at: Samples
    mic: Pcm
    far: Pcm
    marks: tuple[Mark, ...] = ()
    gap: Samples = 0
    """Samples lost before this block (a device that went away); time has moved on by them."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A block after the echo canceller, one channel."""

    at: Samples
    pcm: Pcm
    residue: float = -120.0
    """Expected level of what is left of the host's own voice, dBFS; -120 where it is silent."""
    host_words: tuple[str, ...] = field(default=())
    """Words that the host is saying now (with half a second's grace), lower case."""
    channel: int = 0
