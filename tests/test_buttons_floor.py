"""Who has the floor by a button, and who is next (issue 7, GAM-16)."""

import random

import pytest
from evening import PACKS, PLAYERS, Evening

from host.clock import BLOCK, samples
from host.events import Part, Pressed, Speaking
from host.games import clever_endeavor
from host.table import Table

COLOURS = tuple(player.colour for player in PLAYERS)


def opened(**options: object) -> Evening:
    """An evening whose first card is open, its first statement said."""
    evening = Evening(**options)
    evening.until("card1/statement1", Part.ENDED)
    return evening


def view(evening: Evening) -> dict:
    return evening.table.view(evening.state, None)


def answer(evening: Evening) -> str:
    return evening.table.rules.expects(evening.state.game).card.essential[0]


def test_a_press_gives_the_floor_and_the_words_are_the_pressers() -> None:
    """Blue presses, says the answer without a colour, and it is blue's."""
    evening = opened()
    evening.press("blue")
    assert view(evening)["floor"] == 0
    evening.say(answer(evening))
    assert evening.places()[0] > 0
    assert evening.places()[1:] == [0, 0, 0]


def test_a_press_silences_a_statement() -> None:
    """The statement that is being said falls silent at a press."""
    evening = Evening()
    evening.until("card1/statement1", Part.BEGAN)
    evening.press("red")
    evening.until("card1/statement1", Part.CUT, limit=1.0)


def test_no_words_is_no_guess() -> None:
    """Five seconds after a press without words the floor is free and nothing is lost."""
    evening = opened()
    evening.press("green")
    evening.wait(4.9)
    assert view(evening)["floor"] == 2
    evening.wait(0.3)
    assert view(evening)["floor"] is None
    assert evening.game["verdicts"] == []


def test_who_presses_second_is_next_and_has_the_floor_when_the_first_is_wrong() -> None:
    """Red presses after blue: told to be next; blue is wrong; the host names red, whose words then count."""
    evening = opened()
    evening.press("blue")
    evening.press("red")
    assert (view(evening)["floor"], view(evening)["next"]) == (0, [1])
    evening.say("fork")
    evening.until("table/your_turn", Part.ENDED, limit=10.0)
    assert "Red" in evening.spoken("table/your_turn")[0]
    assert (view(evening)["floor"], view(evening)["next"]) == (1, [])
    evening.say(answer(evening))
    assert evening.places()[1] > 0
    assert evening.places()[0] == 0


def test_the_second_has_five_seconds_from_when_it_was_named() -> None:
    """The floor passed on lasts 5 s from the end of the host's words."""
    evening = opened()
    evening.press("blue")
    evening.press("red")
    said = evening.until("table/your_turn", Part.ENDED, limit=10.0)
    while view(evening)["floor"] == 1:
        evening.block()
    assert evening.now - said == pytest.approx(samples(5.0), abs=3 * BLOCK)


def test_nobody_is_next_when_the_first_was_right() -> None:
    """A right answer ends the card, and with it the queue."""
    evening = opened()
    evening.press("blue")
    evening.press("red")
    evening.say(answer(evening))
    evening.wait(1.0)
    assert (view(evening)["floor"], view(evening)["next"]) == (None, [])
    assert evening.spoken("table/your_turn") == []


def test_a_second_press_of_the_same_player_changes_nothing() -> None:
    """Hammering on the button neither prolongs the floor nor queues."""
    evening = opened()
    evening.press("blue")
    until = evening.state.owner.until
    for _ in range(5):
        evening.press("blue")
    assert (evening.state.owner.until, evening.state.nexts) == (until, ())


def test_an_answer_well_before_the_press_is_not_the_pressers() -> None:
    """What somebody began to say a second before the press is not the presser's guess (CE-16)."""
    evening = opened()
    evening.count += 1
    start = evening.now
    evening.posts.append(Speaking(start + 1600, start, evening.count))
    evening.wait(1.5)
    evening.press("blue")
    evening.posts.append(evening.heard("is it a fork", None, start, samples(1.4)))
    evening.block()
    assert [ruling["seat"] for ruling in evening.game["verdicts"]] != [0]


@pytest.mark.parametrize("apart_ms", [0, 1, 5, 20])
def test_presses_apart_sort_by_their_own_time_a_thousand_times(apart_ms: int) -> None:
    """GAM-16: whichever way two presses come in, the earlier has the floor and the other is next, once each."""
    evening = opened()
    table, state = evening.table, evening.state
    chance = random.Random(apart_ms)
    for _ in range(1000):
        first, second = chance.sample(range(4), 2)
        at = evening.now + chance.randrange(BLOCK)
        early = Pressed(at, COLOURS[first], at - samples(0.06))
        late = Pressed(at, COLOURS[second], at - samples(0.06) + apart_ms * 16)
        pair = [early, late]
        if apart_ms:
            chance.shuffle(pair)
        after, _ = table.step(state, pair[0])
        after, _ = table.step(after, pair[1])
        seen = table.view(after, None)
        assert (seen["floor"], seen["next"]) == (first, [second])


def test_a_phone_that_comes_late_but_was_pressed_first_has_the_floor() -> None:
    """80 ms on its way, pressed 10 ms before the wired button: the phone's."""
    evening = opened()
    at = evening.now
    evening.posts = [Pressed(at, "blue", at)]
    evening.wait(0.09)
    evening.posts = [Pressed(evening.now, "red", at - samples(0.01))]
    evening.block()
    assert (view(evening)["floor"], view(evening)["next"]) == (1, [0])


def test_a_press_before_the_game_joins_by_its_colour_and_names_the_youngest() -> None:
    """In the roll call a colour's button is a player; asked for the youngest, it is the answer."""
    evening = Evening(players=(), youngest=None)
    evening.press("blue")
    evening.press("red")
    evening.press("nonsense")
    assert view(evening)["players"] == [("Blue", "blue"), ("Red", "red")]
    evening.until("table/youngest", Part.ENDED)
    evening.press("red")
    assert view(evening)["gathering"] is None
    assert evening.game["reader"] == 1


def test_a_button_of_the_settings_goes_before_colours_and_unknown_ones_do_nothing() -> None:
    """`buttons` maps a name to a seat; a name that nobody knows changes nothing."""
    table = Table(clever_endeavor, PACKS, {}, 3, players=PLAYERS, youngest=0, buttons={"left": 2, "gone": 9})
    evening = opened()
    for button, seat in (("left", 2), ("gone", None), ("", None), ("anna", 0)):
        after, _ = table.step(evening.state, Pressed(evening.now, button))
        assert table.view(after, None)["floor"] == seat


def test_a_button_answers_ready_and_who_said_it() -> None:
    """Asked "ready?", any player's button is a yes; asked "who said it?", it is a claim."""
    evening = opened()
    evening.say(answer(evening))
    evening.until("card2/ready", Part.ENDED)
    evening.press("red")
    evening.until("card2/statement1", Part.ENDED)
    evening.say(answer(evening))
    evening.until("card2/who", Part.ENDED)
    evening.press("white")
    evening.wait(8.0)
    assert evening.places()[3] > 0
