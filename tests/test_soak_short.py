"""A long evening leaves nothing behind (GAM-20); `gamehost bench soak` will do it for hours."""

import gc
import os
import threading
import tracemalloc

from evening import Evening
from test_table_evening import answer

from host.events import Part


def play_round(evening: Evening) -> int:
    """One game to its end and a yes to another; how many cards it took."""
    cards = 0
    while evening.game["winner"] is None:
        cards += 1
        evening.until(f"card{cards}/statement1", Part.ENDED)
        evening.say(f"blue {answer(evening)}")
    evening.until("table/another", Part.ENDED)
    evening.say("yes please")
    return cards


def descriptors() -> int:
    folder = "/proc/self/fd"
    return len(os.listdir(folder)) if os.path.isdir(folder) else 0  # noqa: PTH112, PTH208 - counts, no paths


def test_gam_20_rounds_leave_no_memory_files_or_threads() -> None:
    """After six more games, open files and threads are as after two, and memory has grown by less than 300 kB."""
    evening = Evening()
    cards = sum(play_round(evening) for _ in range(2))
    evening.said.clear()
    gc.collect()
    files, threads = descriptors(), threading.active_count()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(6):
        cards += play_round(evening)
        evening.said.clear()
        evening.lines.clear()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert cards >= 30
    assert (descriptors(), threading.active_count()) == (files, threads)
    assert grown < 300_000
