"""What stays is not looked through for garbage; what became garbage is freed all the same."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from host.heap import settle


@pytest.fixture(autouse=True)
def thawed() -> Iterator[None]:
    """Other tests find the collector as it was."""
    yield
    gc.unfreeze()


class Ring:
    """An object that holds itself: only a collection frees it."""

    def __init__(self) -> None:
        self.me = self


def test_what_is_there_is_left_out_of_later_collections() -> None:
    """It counts as frozen, and what comes later as before."""
    kept = [Ring() for _ in range(100)]
    settle()
    assert gc.get_freeze_count() > 100
    assert not any(one is kept[0] for one in gc.get_objects())
    later = weakref.ref(Ring())
    gc.collect()
    assert later() is None


def test_an_evening_that_is_over_is_freed_by_the_next() -> None:
    """What was settled and has become garbage since is freed when everything is settled again."""
    ring = Ring()
    gone = weakref.ref(ring)
    settle()
    del ring
    gc.collect()
    assert gone() is not None
    settle()
    assert gone() is None
