"""Where a power cut meets a card (GM-3): what was being said is said again, and nobody loses time to answer."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from evening import CARDS, PACKS, Evening

from host.clock import samples, seconds
from host.events import Part, Speaking
from host.games.clever_flow import LAST_CHANCE

PAUSE = 5.0
PROMPTING = replace(PACKS, clues=CARDS[:1])
"""The toothbrush only, which may be "a brush" at first."""


def cut(before: Evening) -> Evening:
    """The evening after a power cut; not yet told to go on."""
    after = Evening(state=before.state, start=before.now)
    after.count = before.count + 100
    after.until("table/resumed", Part.ENDED)
    return after


def speaking(evening: Evening, took: float = 0.6) -> None:
    """Somebody has begun to speak, and nobody will ever know what was said."""
    evening.count += 1
    evening.posts.append(Speaking(evening.now, evening.now, evening.count))
    evening.wait(took)


def test_a_guess_that_the_power_cut_off_can_be_made_again_for_as_much() -> None:
    """The statement read last is said once more after a yes, counts once, and the pause after it is a whole one."""
    before = Evening()
    before.until("card1/statement1", Part.ENDED)
    before.wait(PAUSE - 1.0)
    speaking(before)
    after = cut(before)
    after.say("yes")
    ended = after.until("card1/statement1", Part.ENDED)
    assert after.game["card"]["read"] == 1
    assert seconds(after.until("card1/statement2") - ended) >= PAUSE - 0.1


def test_a_guess_after_going_on_counts_the_statements_read_before() -> None:
    """The same guess, said again after the cut, moves by 7 minus the statements read."""
    before = Evening()
    before.until("card1/statement2", Part.ENDED)
    speaking(before)
    after = cut(before)
    after.say("yes")
    after.until("card1/statement2", Part.ENDED)
    after.say(f"blue {after.table.rules.expects(after.state.game).card.answer}")
    assert after.places() == [5, 0, 0, 0]


def test_lines_that_must_be_heard_are_heard_however_often_the_power_goes() -> None:
    """Cut twice while the category is said: it is said to its end before the first statement."""
    evening = Evening()
    for _ in range(3):
        evening.until("card1/category", Part.BEGAN)
        evening = cut(evening)
        evening.say("yes")
    evening.until("card1/category", Part.ENDED)
    assert not [name for _, name, _ in evening.said if name == "card1/statement1"]
    evening.until("card1/statement1", Part.ENDED)


def last_chance(evening: Evening) -> None:
    """The last chance is all but over, and somebody speaks."""
    evening.until("card1/last_chance", Part.ENDED)
    evening.wait(seconds(LAST_CHANCE) - 0.5)
    speaking(evening, 1.5)


def test_the_last_chance_is_a_whole_one_after_a_power_cut() -> None:
    """Nothing of the time that passed before the words that were lost is missing after them."""
    before = Evening()
    last_chance(before)
    after = cut(before)
    after.say("yes")
    ended = after.until("card1/statement6", Part.ENDED)
    assert after.until("card1/reveal") - ended >= LAST_CHANCE - samples(0.1)


def exactly(evening: Evening) -> None:
    """The host has asked "more exactly?"."""
    evening.until("card1/statement1", Part.ENDED)
    card = evening.table.rules.expects(evening.state.game).card
    evening.say(f"red {card.prompt[0] if card.prompt else card.answer}")
    evening.until("card1/exactly", Part.ENDED)


def who(evening: Evening) -> None:
    """The host has asked "who said it?"."""
    evening.until("card1/statement1", Part.ENDED)
    evening.say(evening.table.rules.expects(evening.state.game).card.answer)
    evening.until("card1/who", Part.ENDED)


@pytest.mark.parametrize(
    ("ask", "line", "reply"),
    [(exactly, "card1/exactly", "red {answer}"), (who, "card1/who", "red")],
)
def test_a_question_is_asked_again_after_a_power_cut(
    ask: Callable[[Evening], None], line: str, reply: str
) -> None:
    """A question of the game's is asked once more, with all its time, and its answer counts as it would have."""
    before = Evening(packs=PROMPTING)
    ask(before)
    before.wait(3.0)
    speaking(before)
    after = cut(before)
    after.say("yes")
    after.until(line, Part.ENDED)
    after.wait(3.0)
    after.say(reply.format(answer="toothbrush"))
    after.wait(2.0)
    assert after.places() == [0, 6, 0, 0]


def test_ready_is_asked_again_after_a_power_cut() -> None:
    """The reader is asked again, and a "go" begins the card."""
    before = Evening()
    who(before)
    before.say("red")
    before.until("card2/ready", Part.ENDED)
    after = cut(before)
    after.say("yes")
    after.until("card2/ready", Part.ENDED)
    after.say("go")
    after.until("card2/statement1")
    assert after.places() == [0, 6, 0, 0]
