"""The ear that hears what it is told."""

import numpy as np
import pytest

from host.clock import BLOCK
from host.ears import Ear
from host.ears.scripted import ScriptedEar
from host.events import Heard, Listens, Speaking
from host.sound import Cleaned

SPEAKING = Speaking(1_000, 900, 1)
PARTIAL = Heard(1_300, 900, 1_200, (), (), 1, final=False)
FINAL = Heard(2_000, 900, 1_500, (), (), 1)


def block(at: int) -> Cleaned:
    return Cleaned(at, np.zeros(BLOCK, np.int16))


def test_events_come_with_the_block_that_holds_them() -> None:
    """In order, each once, whatever order they were given in; it is an `Ear`."""
    ear: Ear = ScriptedEar([FINAL, SPEAKING, PARTIAL])
    assert [list(ear.hear(block(at))) for at in range(0, 2_400, BLOCK)] == [[], [], [SPEAKING, PARTIAL], [], [FINAL]]


def test_what_is_left_comes_at_the_end() -> None:
    """A recording that stops early still closes its utterance."""
    ear = ScriptedEar([SPEAKING, FINAL])
    ear.hear(block(960))
    assert ear.end() == [FINAL]
    assert ear.end() == []
    ear.close()


def test_what_was_asked_for_is_noted() -> None:
    """Repeats are left out, so that tests can compare."""
    ear = ScriptedEar([])
    for phrase in ("a", "a", "b", "a"):
        ear.listen(Listens((phrase,)))
    assert [listens.phrases[0] for listens in ear.asked] == ["a", "b", "a"]


@pytest.mark.parametrize(("events", "sentence"), [
    ([SPEAKING], "has no final"),
    ([FINAL], "without being open"),
    ([SPEAKING, FINAL, FINAL], "without being open"),
    ([SPEAKING, FINAL, Speaking(3_000, 3_000, 1)], "begins twice"),
])
def test_a_script_that_breaks_the_protocol_is_refused(events, sentence: str) -> None:
    """Every `Speaking` has exactly one final."""
    with pytest.raises(ValueError, match=sentence):
        ScriptedEar(events)
