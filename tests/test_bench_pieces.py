"""A long bench goes on where it was ended, and never with what another code has found out."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from host.bench.pieces import Pieces, digest


class Work:
    """Something that takes long: it notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int, factor: int) -> int:
        self.asked.append(number)
        if number == 13:
            raise RuntimeError("the bench is ended here")
        return number * factor


def play(pieces: Pieces, work: Work, numbers: list[int], factor: int = 2) -> list[int]:
    with ThreadPoolExecutor(1) as pool:
        return pieces.run("work", pool, work, [(number, factor) for number in numbers])


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    """The second run plays only what the first had not come to, and says the same of the rest, in order."""
    work = Work()
    with pytest.raises(RuntimeError):
        play(Pieces("x", tmp_path), work, [1, 2, 13])
    assert play(Pieces("x", tmp_path), work, [2, 5, 1]) == [4, 10, 2]
    assert work.asked == [1, 2, 13, 5]


def test_other_arguments_are_another_piece(tmp_path: Path) -> None:
    """A piece is known by all its arguments."""
    work = Work()
    assert play(Pieces("x", tmp_path), work, [3], 2) == [6]
    assert play(Pieces("x", tmp_path), work, [3], 5) == [15]


def test_a_broken_file_is_played_again(tmp_path: Path) -> None:
    """A file that was cut in the middle is no result."""
    work, pieces = Work(), Pieces("x", tmp_path)
    play(pieces, work, [4])
    path = pieces.path("work", (4, 2))
    path.write_bytes(path.read_bytes()[:-1])
    assert play(pieces, work, [4]) == [8]
    assert work.asked == [4, 4]


@pytest.mark.parametrize(("name", "counts"), [
    ("devices/canceller.py", True), ("judge/judge.toml", True), ("bench/interrupting.py", True),
    ("bench/plot.py", False), ("server/web.py", False), ("notes.txt", False),
])
def test_other_code_is_another_bench(tmp_path: Path, name: str, counts: bool) -> None:
    """Code and settings of what is heard count; what only prints or shows does not."""
    for path in ("devices/canceller.py", name):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("one")
    before = digest(tmp_path)
    digest.cache_clear()
    (tmp_path / name).write_text("two")
    assert (digest(tmp_path) != before) is counts
    digest.cache_clear()
