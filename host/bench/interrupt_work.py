"""What the processes of `gamehost bench interrupt` do: one game, or one room in which only the host speaks."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from host.bench.interrupting import OPTIONS, Bench, Deal, Listened, Place, Watched
from host.clock import Samples, samples

_bench: list[Bench] = []


def workers(split: str, seed: int, model: str | None) -> ProcessPoolExecutor:
    """Two processes at the most, each with its own model and voice."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(min(2, os.cpu_count() or 1), spawn, _open, (split, seed, model))


def _open(split: str, seed: int, model: str | None) -> None:
    _bench.append(Bench(split, seed, model))


def game(place: Place, level: float | None, deal: Deal) -> Watched:
    """A game in that room, the host's echo at that level (None: no echo)."""
    bench = _bench[0]
    return bench.play(bench.room(place, level, deal.cues), deal.seed)


def alone(place: Place, seed: int, level: float, noise: Path | None, snr: float, minutes: float) -> Watched:
    """So many minutes of the host's voice with nobody speaking."""
    bench = _bench[0]
    room = bench.room(place, level, snr=snr, noise=noise)
    stop = partial(_spoken, room, samples(60.0 * minutes))
    return bench.play(room, seed, stop, {**OPTIONS, "statements": 6})


def _spoken(room: Listened, wanted: Samples, _state: object) -> bool:
    return room.spoken >= wanted
