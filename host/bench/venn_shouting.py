"""A spoken clip as somebody shouts it: longer, higher, brighter, and louder than the microphone likes."""

import random

import numpy as np
import soxr

from host.clock import RATE
from host.devices.levels import SPEECH, Floats, active_level, factor

_PIECE = 512
_SEARCH = 128


def stretched(sound: Floats, by: float) -> Floats:
    """As many times as long at the same pitch: overlapping pieces, each laid where it fits the one before (WSOLA)."""
    half = _PIECE // 2
    padded = np.pad(sound, (_SEARCH, _PIECE + half + _SEARCH))
    window = np.hanning(_PIECE + 1)[:-1].astype(np.float32)
    count = int(len(sound) * by) // half + 1
    made = np.zeros(count * half + _PIECE, np.float32)
    place = _SEARCH
    for at in range(count):
        if at:
            wanted = padded[place + half : place + half + half]
            aim = _SEARCH + min(int(at * half / by), len(sound))
            offsets = np.lib.stride_tricks.sliding_window_view(padded[aim - _SEARCH : aim + _SEARCH + half], half)
            length = np.sqrt(np.square(offsets).sum(axis=1)) + 1.0
            place = aim - _SEARCH + int(np.argmax(offsets[: 2 * _SEARCH] @ wanted / length[: 2 * _SEARCH]))
        piece = padded[place : place + _PIECE]
        made[at * half : at * half + len(piece)] += piece * window[: len(piece)]
    return made[: int(len(sound) * by)]


def shouted(sound: Floats, seed: int) -> Floats:
    """The clip shouted: 1.2 to 1.6 times as long, 5 to 18 % higher, 8 to 16 dB louder; deterministic by seed.

    The highs are raised by 2 to 5 dB an octave.
    """
    draw = random.Random(seed)
    higher = draw.uniform(1.05, 1.18)
    longer = stretched(sound, draw.uniform(1.2, 1.6) * higher)
    made = np.asarray(soxr.resample(longer, RATE * higher, RATE), np.float32)
    spectrum = np.fft.rfft(made)
    octaves = np.log2(np.maximum(np.linspace(0, RATE / 2, len(spectrum)), 200) / 800)
    made = np.asarray(np.fft.irfft(spectrum * 10 ** (draw.uniform(2, 5) * octaves / 20), len(made)), np.float32)
    loud = factor(SPEECH + draw.uniform(8, 16) - active_level(made))
    return np.asarray(np.clip(made * np.float32(loud), -32768, 32767), np.float32)
