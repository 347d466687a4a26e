"""Whose guess it was, through the table: next in line, "who said it?", two claims, `strict` (issue 7, CE-15, CE-16)."""

import pytest
from evening import Evening
from server_table import Client, Served

from host.events import Part, Pressed


def opened(**options: object) -> Evening:
    """An evening whose first card is open, its first statement said."""
    evening = Evening(**options)
    evening.until("card1/statement1", Part.ENDED)
    return evening


def answer(evening: Evening) -> str:
    return str(evening.table.rules.expects(evening.state.game).card.essential[0])


def asked(**options: object) -> Evening:
    """Somebody has said the answer without a colour, and the host has asked who it was."""
    evening = opened(**options)
    evening.say(answer(evening))
    evening.until("card1/who", Part.ENDED, limit=10.0)
    return evening


def test_the_second_presser_is_told_to_be_next_and_is_named_when_the_first_is_wrong() -> None:
    """Issue 7: phones and screen say at once who is next; the host names that player when the first was wrong, and
    then the words are that player's."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone, screen = Client(served.server), Client(served.server, "screen")
        phone.until(lambda one: one.view)
        phone.send(type="sit", seat="red")
        phone.until(lambda one: one.view["you"]["index"] == 1)
        served.press("blue")
        phone.send(type="press")
        for one in (phone, screen):
            one.until(lambda one: one.view.get("next") == [1] and one.view["floor"] == 0, served)
        served.say("fork")
        served.until("table/your_turn", Part.ENDED, limit=10.0)
        assert "Red" in served.spoken("table/your_turn")[0]
        served.say(answer(served))
        served.wait(1.0)
        assert served.places()[1] > 0
        assert served.places()[0] == 0
        for one in (phone, screen):
            one.close()


def test_who_said_it_is_asked_once_more_and_then_the_card_is_passed_on() -> None:
    """CE-16: six seconds, once more, six seconds: nobody moves, the answer is said, the next player reads."""
    evening = asked()
    first = evening.now
    evening.until("card1/who", Part.BEGAN, limit=10.0)
    assert 6 * 16_000 < evening.now - first < 7 * 16_000
    evening.until("card1/reveal", Part.BEGAN, limit=20.0)
    assert len(evening.spoken("card1/who")) == 2
    assert evening.places() == [0, 0, 0, 0]
    evening.until("card2/ready", Part.BEGAN, limit=30.0)
    assert evening.game["reader"] == 1


@pytest.mark.parametrize(("said", "seat"), [("red", 1), ("it was green", 2), ("me it's dan", 3)])
def test_a_colour_or_a_name_answers_who_said_it(said: str, seat: int) -> None:
    """CE-16: whoever is named within six seconds has the points, and nobody else moves."""
    evening = asked()
    evening.say(said)
    evening.wait(3.0)
    assert [place > 0 for place in evening.places()] == [at == seat for at in range(4)]


@pytest.mark.parametrize(("replies", "moved"), [
    (("green",), [2]), (("together",), []), ((), []),
])
def test_two_claims_settle_by_who_was_first(replies: tuple[str, ...], moved: list[int]) -> None:
    """CE-15: red and green claim one answer: "who was first?" once; together, or no answer: a tie, and nobody moves."""
    evening = asked()
    evening.say("red", settle=0.1)
    evening.say("green", settle=0.1)
    evening.until("card1/first", Part.ENDED, limit=10.0)
    assert all(name in evening.spoken("card1/first")[0] for name in ("Red", "Green"))
    for reply in replies:
        evening.say(reply)
    evening.wait(14.0)
    assert [seat for seat, place in enumerate(evening.places()) if place > 0] == moved
    assert len(evening.spoken("card1/first")) == 1


@pytest.mark.parametrize("how", ["colour", "button"])
def test_strict_wants_an_owner(how: str) -> None:
    """CE-16, `strict`: a bare answer is nothing and nobody is asked; with a colour, or behind a press, it counts."""
    evening = opened(strict=True)
    evening.say(answer(evening))
    evening.wait(2.0)
    assert evening.spoken("card1/who") == []
    assert evening.places() == [0, 0, 0, 0]
    if how == "colour":
        evening.say(f"green {answer(evening)}")
    else:
        evening.posts.append(Pressed(evening.now, "green"))
        evening.block()
        evening.say(answer(evening))
    evening.wait(2.0)
    assert evening.places()[2] > 0
