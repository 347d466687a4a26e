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
    """After three more games, open files, threads and memory (to 300 kB) are as after the first three."""
    evening, cards = Evening(), 0
    tracemalloc.start()
    seen = []
    for _ in range(2):
        for _ in range(3):
            cards += play_round(evening)
        evening.said.clear()
        evening.lines.clear()
        gc.collect()
        seen.append((descriptors(), threading.active_count(), tracemalloc.get_traced_memory()[0]))
    tracemalloc.stop()
    assert cards >= 24
    assert seen[1][:2] == seen[0][:2]
    assert seen[1][2] - seen[0][2] < 300_000
