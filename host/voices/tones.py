"""Short tones, made here: every sign that the host gives without words.

All notes belong to one pentatonic scale on C, so that two signs that meet never clash. They lie under
the voice (about -26 dBFS where the voice has -20), except for the gong that ends a round of Venn.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from host.sound import Pcm

_C, _D, _E, _G, _A = 523.25, 587.33, 659.26, 783.99, 880.0
"""One octave of the scale, hertz: C5 to A5."""

_BELL = ((1.0, 1.0), (2.0, 0.35), (3.0, 0.12))
_WOOD = ((1.0, 1.0), (4.0, 0.25))
_GONG = ((1.0, 1.0), (1.48, 0.7), (2.02, 0.55), (2.71, 0.45), (3.42, 0.3), (5.05, 0.2))
_LOW = ((1.0, 1.0), (2.0, 0.5), (3.0, 0.3), (4.0, 0.2))

_ATTACK = 0.004
_RELEASE = 0.015


@dataclass(frozen=True, slots=True)
class _Note:
    """One struck tone: when it begins, its pitch in hertz, and how long it rings, in seconds."""

    at: float
    pitch: float
    length: float


@dataclass(frozen=True, slots=True)
class _Sign:
    """Notes, the partials (ratio, strength) of each, and the peak of the whole, of full scale."""

    notes: tuple[_Note, ...]
    partials: tuple[tuple[float, float], ...] = _BELL
    peak: float = 0.12


_SIGNS = {
    "listening": _Sign((_Note(0.0, _G, 0.12), _Note(0.08, 2 * _C, 0.16))),
    "heard": _Sign((_Note(0.0, _G, 0.10),), peak=0.08),
    "right": _Sign((_Note(0.0, _C, 0.18), _Note(0.10, _E, 0.18), _Note(0.20, _G, 0.18), _Note(0.30, 2 * _C, 0.40)),
                   peak=0.16),
    "wrong": _Sign((_Note(0.0, _E / 2, 0.16), _Note(0.13, _C / 2, 0.26)), _LOW),
    "turn": _Sign((_Note(0.0, _D, 0.14), _Note(0.12, _A, 0.22))),
    "venn": _Sign((_Note(0.0, _C / 4, 1.6), _Note(0.0, _G / 4, 1.2)), _GONG, 0.75),
    "word": _Sign((_Note(0.0, 2 * _E, 0.06),), _WOOD, 0.10),
    "closed": _Sign((_Note(0.0, _A, 0.12), _Note(0.10, _G, 0.12), _Note(0.20, _C, 0.30))),
    "beep": _Sign((_Note(0.0, _A, 0.10),), ((1.0, 1.0),)),
    "now": _Sign((_Note(0.0, 2 * _C, 0.25), _Note(0.0, 2 * _G, 0.25)), peak=0.16),
}

NAMES = tuple(_SIGNS)
"""Every sign there is."""


@lru_cache(maxsize=64)
def chime(name: str, rate: int) -> Pcm:
    """The sign of that name, mono at `rate` samples a second, read-only.

    Begins and ends at zero, so that it never clicks. Raises ValueError for a name that is not in `NAMES`.
    """
    if name not in _SIGNS:
        raise ValueError(f"there is no chime {name!r}: choose one of {', '.join(NAMES)}")
    sign = _SIGNS[name]
    sound = np.zeros(round(max(note.at + note.length for note in sign.notes) * rate))
    for note in sign.notes:
        struck = _struck(note, sign.partials, rate)
        first = round(note.at * rate)
        stop = min(len(sound), first + len(struck))
        sound[first:stop] += struck[: stop - first]
    pcm: Pcm = (sound * (sign.peak * 32767.0 / np.abs(sound).max())).round().astype(np.int16)
    pcm.setflags(write=False)
    return pcm


def _struck(note: _Note, partials: tuple[tuple[float, float], ...], rate: int) -> NDArray[np.float64]:
    """A tone that dies away; higher partials die sooner, and none lies above half the rate."""
    time = np.arange(round(note.length * rate)) / rate
    sound = np.zeros(len(time))
    for ratio, strength in partials:
        if note.pitch * ratio < 0.45 * rate:
            decay = np.exp(-3.5 * ratio**0.5 * time / note.length)
            sound += strength * decay * np.sin(2 * np.pi * note.pitch * ratio * time)
    sound *= np.minimum(1.0, time / _ATTACK)
    ends: NDArray[np.float64] = sound * np.clip((note.length - time - 1 / rate) / _RELEASE, 0.0, 1.0)
    return ends
