"""The ends of a clip and of its words, read off its sound.

The pauses of the game are counted from the last sample of one statement to the first of the next, so a
clip may carry no silence of its own worth mentioning: at most `LEAD` in front and `TAIL` behind.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from host.events import Word
from host.sound import Pcm

LEAD = 0.020
"""Seconds kept in front of the first audible sound: the soft start of an "h" or an "f" lies here."""

TAIL = 0.030
"""Seconds kept behind the last audible sound."""

_FRAME = 0.005
_AUDIBLE_DB = -46.0
"""A frame counts as audible above this level, relative to the clip's loudest frame."""

_SPOKEN_DB = -36.0
"""Above this level a frame counts as part of a word; below it, as its dying away."""

_FADE = 0.002


def audible(pcm: Pcm, rate: int, level: float = _AUDIBLE_DB) -> NDArray[np.bool_]:
    """Which frames of 5 ms can be heard; the last frame may be shorter.

    `level` is in dB relative to the loudest frame.
    """
    size = int(rate * _FRAME)
    padded = np.zeros(-(-len(pcm) // size) * size, np.float32)
    padded[: len(pcm)] = pcm
    power = np.mean(padded.reshape(-1, size) ** 2, axis=1)
    loudest = float(power.max(initial=0.0))
    return np.asarray(power > max(loudest * 10 ** (level / 10), 1.0))


def trimmed(pcm: Pcm, words: Sequence[Word], rate: int) -> tuple[Pcm, tuple[Word, ...]]:
    """Cut the silence at both ends, move the words along, and fade 2 ms at each end against clicks.

    The first word begins with the first audible sound, whatever the synthesiser said of it. Sound
    without anything audible is returned as it is.
    """
    heard = np.flatnonzero(audible(pcm, rate))
    if not len(heard):
        return pcm, tuple(words)
    size = int(rate * _FRAME)
    first = max(0, int(heard[0]) * size - int(LEAD * rate))
    last = min(len(pcm), (int(heard[-1]) + 1) * size + int(TAIL * rate))
    cut = pcm[first:last].astype(np.float32)
    ramp = np.linspace(0.0, 1.0, int(_FADE * rate), dtype=np.float32)
    cut[: len(ramp)] *= ramp
    cut[-len(ramp) :] *= ramp[::-1]
    moved = tuple(
        replace(word, began=_within(word.began - first, len(cut)), ended=_within(word.ended - first, len(cut)))
        for word in words
    )
    if moved:
        onset = int(heard[0]) * size - first
        moved = (replace(moved[0], began=min(moved[0].began, onset)), *moved[1:])
    return cut.round().astype(np.int16), moved


def ended_at_sound(pcm: Pcm, words: Sequence[Word], rate: int) -> tuple[Word, ...]:
    """End each word at its last audible frame: for synthesisers that only tell where words begin."""
    heard = audible(pcm, rate, _SPOKEN_DB)
    size = int(rate * _FRAME)
    ended = []
    for word in words:
        frames = np.flatnonzero(heard[word.began // size : word.ended // size])
        end = (word.began // size + int(frames[-1]) + 1) * size if len(frames) else word.ended
        ended.append(replace(word, ended=max(word.began, min(end, word.ended))))
    return tuple(ended)


def spread(texts: Sequence[str], began: int, ended: int) -> tuple[Word, ...]:
    """Words whose own times are unknown, spread over a stretch in proportion to their letters."""
    weights = np.cumsum([0.0, *(len(text) + 1.0 for text in texts)])
    edges = (began + (ended - began) * weights / weights[-1]).astype(int).tolist()
    return tuple(Word(text, edges[i], edges[i + 1]) for i, text in enumerate(texts))


def _within(at: int, length: int) -> int:
    return min(max(at, 0), length)
