"""What the processes of `gamehost bench interrupt` do: one game, or one room in which only the host speaks."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from host.bench.interrupting import OPTIONS, Bench, Deal, Listened, Place, Watched
from host.clock import RATE, Samples, samples
from host.devices.levels import Floats

_bench: list[Bench] = []
_asked: list[tuple[str, int, str | None]] = []


def workers(split: str, seed: int, model: str | None) -> ProcessPoolExecutor:
    """Two processes at the most, each with its own model and voice; fewer where fewer cores may be used."""
    spawn = multiprocessing.get_context("spawn")
    allowed = getattr(os, "sched_getaffinity", lambda _process: range(os.cpu_count() or 1))
    return ProcessPoolExecutor(min(2, len(allowed(0))), spawn, partial(_set, split, seed, model))


def _set(split: str, seed: int, model: str | None) -> None:
    _asked[:] = [(split, seed, model)]


def _opened() -> Bench:
    """The bench of this process, opened for the first piece that is not kept."""
    if not _bench:
        _bench.append(Bench(*_asked[0]))
    return _bench[0]


def game(place: Place, level: float | None, deal: Deal) -> Watched:
    """A game in that room, the host's echo at that level (None: no echo)."""
    bench = _opened()
    return bench.play(bench.room(place, level, deal.cues), deal.seed)


def alone(place: Place, seed: int, level: float, noise: Path | None, snr: float, minutes: float) -> Watched:
    """So many minutes of the host's voice with nobody speaking."""
    bench = _opened()
    room = bench.room(place, level, snr=snr, noise=noise)
    stop = partial(_spoken, room, samples(60.0 * minutes))
    return bench.play(room, seed, stop, {**OPTIONS, "statements": 6})


def _spoken(room: Listened, wanted: Samples, _state: object) -> bool:
    return room.spoken >= wanted


def others(place: Place, clips: tuple[str, ...]) -> Watched:
    """A game in a room in which real people talk of something else beside a loudspeaker."""
    bench = _opened()
    pieces: list[Floats] = []
    for clip in clips:
        pieces += [bench.library.recording(clip), np.zeros(RATE, np.float32)]
    return bench.play(bench.room(place, None, added=np.concatenate(pieces), snr=40.0), 1, lambda _state: False)
