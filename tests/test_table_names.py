"""Names at the table: those that sound alike are told apart by colour (issue 7 part 1, CE-16)."""

from dataclasses import replace

import pytest
from evening import PACKS, Evening

from host.events import Part
from host.games import Player
from host.table.gathering import confusable

SOUNDS = {
    "anna": (("AE", "N", "AH"),), "hannah": (("HH", "AE", "N", "AH"),), "tim": (("T", "IH", "M"),),
    "tom": (("T", "AA", "M"),), "ben": (("B", "EH", "N"),), "cleo": (("K", "L", "IY", "OW"),),
    "jon": (("JH", "AA", "N"),), "john": (("JH", "AA", "N"),), "lou": (("L", "UW"),), "blue": (("B", "L", "UW"),),
    "bloo": (("B", "L", "UW"),),
}


@pytest.mark.parametrize(("names", "seats"), [
    (("Anna", "Hannah", "Ben"), {0, 1}), (("Jon", "John", "Tim", "Tom"), {0, 1, 2, 3}),
    (("Anna", "Ben", "Cleo"), set()),
    (("Anna", "Anna"), {0, 1}), (("Anna", "Bloo"), {1}), (("Ben",), set()), (("Blue", "Red"), set()), (("", ""), set()),
])
def test_names_that_sound_alike_are_found(names: tuple[str, ...], seats: set[int]) -> None:
    """By sound where it is known, by letters elsewhere; a name like another's colour counts, a colour as name not."""
    colours = ("blue", "red", "green", "white")
    players = tuple(Player(name, colour) for name, colour in zip(names, colours, strict=False))
    assert confusable(players, SOUNDS) == seats


def test_an_alike_name_names_nobody_and_the_colour_does() -> None:
    """With Anna and Hannah at the table "Anna, a fork" is nobody's, "blue, a fork" is Anna's, "Ben ..." is Ben's."""
    players = (Player("Anna", "blue"), Player("Hannah", "red"), Player("Ben", "green"))
    evening = Evening(players=players, packs=replace(PACKS, pronunciations=SOUNDS))
    assert evening.table.hearing.seats(evening.state) == (("blue",), ("red",), ("green", "ben"))
    evening.until("card1/statement1", Part.ENDED)
    evening.say("anna a comb")
    assert evening.game["verdicts"] == []
    evening.wait(2.0)
    evening.say("ben a comb")
    assert [ruling["seat"] for ruling in evening.game["verdicts"]] == [2]


def test_the_roll_call_says_so_once() -> None:
    """After the names the host says which it may mix up, and goes on."""
    evening = Evening(players=(), youngest=None, packs=replace(PACKS, pronunciations=SOUNDS))
    evening.table.hearing.names = ("anna", "hannah", "ben")
    evening.until("table/greeting", Part.ENDED)
    evening.say("anna is blue hannah is red ben is green")
    evening.until("table/youngest", Part.ENDED, limit=30.0)
    said = evening.spoken("table/names_alike")
    assert len(said) == 1
    assert "Anna" in said[0]
    assert "Hannah" in said[0]
    assert "Ben" not in said[0]


def test_an_unsure_colour_claims_nothing() -> None:
    """"Who said it?" - a colour that the ear is not sure of is asked for again, and nobody gets the points by it."""
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    evening.say(evening.table.rules.expects(evening.state.game).card.essential[0])
    evening.until("card1/who", Part.ENDED, limit=10.0)
    evening.say("it was green", confidence=0.4)
    evening.until("card1/who", Part.ENDED, limit=15.0)
    assert evening.places() == [0, 0, 0, 0]
    evening.say("it was blue")
    evening.wait(2.0)
    assert evening.places() == [evening.places()[0], 0, 0, 0]
    assert evening.places()[0] > 0
