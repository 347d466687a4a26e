"""Venn by phones and touch: names, team buttons, the clue giver's secret, what the screen shows (issue 7 part 6)."""

from typing import Any

import pytest
from server_table import Client, Served
from venn_evening import FOUR, VennEvening

from host.events import Part, Pressed, Typed


class VennServed(Served, VennEvening):
    """An evening of Venn with pages."""


def touch(evening: VennEvening, message: str, seat: int | None = None) -> None:
    evening.posts.append(Typed(evening.now, seat, message))
    evening.block()


def placing(**more: Any) -> VennEvening:
    """A game of two teams in which art cards are being placed."""
    evening = VennEvening(**more)
    evening.to_go()
    assert evening.phase == "placing"
    return evening


def test_a_whole_roll_call_by_touch() -> None:
    """Names, "that is all", the teams, yes: without a word."""
    evening = VennEvening(players=())
    evening.until("table/venn_greeting", Part.ENDED)
    for name in ("Anna", "dan", "Ben", "Eva", "Anna"):
        touch(evening, f"join - {name}")
    assert evening.table.view(evening.state, None)["players"] == [(player.name, "") for player in FOUR]
    touch(evening, "ready")
    evening.until("table/venn_teams", Part.ENDED)
    assert evening.table.view(evening.state, None)["wants"] == ["yes_no"]
    touch(evening, "yes")
    assert [team["players"] for team in evening.game["teams"]] == [["Anna", "Ben"], ["Dan", "Eva"]]


@pytest.mark.parametrize(("button", "team"), [
    ("anna", 0), ("Eva", 1), ("foxes", 0), ("Owls", 1), ("nobody", None),
])
def test_a_button_calls_venn_for_its_team(button: str, team: int | None) -> None:
    """A player's or a team's button is "VENN!" of that team: no "which team?" is asked."""
    evening = placing()
    evening.press(button)
    evening.wait(0.5)
    assert evening.game["guessing"] == team
    assert (evening.phase == "placing") is (team is None)


def test_the_call_counts_from_when_the_button_went_down() -> None:
    """VN-8: two teams press 5 ms apart; whichever came in first, the earlier press calls."""
    for order in ((0, 1), (1, 0)):
        evening = placing()
        began = (evening.now - 400, evening.now - 320)
        names = ("anna", "dan")
        evening.posts = [Pressed(evening.now, names[one], began[one]) for one in order]
        evening.posts.sort(key=lambda event: event.began)  # as the inbox hands them over
        evening.block()
        evening.wait(0.3)
        assert evening.game["guessing"] == 0


def test_a_team_is_named_by_touch() -> None:
    """After a voice's "venn" without a team, a touched player answers "which team?"."""
    evening = placing()
    evening.say("venn")
    evening.wait(2.0)
    assert evening.phase == "asking"
    touch(evening, "seat 1")
    evening.wait(0.3)
    assert evening.game["guessing"] == 1


def test_touch_is_never_table_talk() -> None:
    """While art cards are placed most words mean nothing, but a touched command does."""
    evening = placing()
    evening.say("pause")
    spoken = evening.state.paused
    touch(evening, "command pause")
    assert evening.state.paused
    touch(evening, "command continue")
    assert not evening.state.paused
    assert spoken in (True, False)


def test_typed_words_are_said_words() -> None:
    """ "say ..." on a phone: list words as if they had been heard."""
    evening = placing()
    evening.press("anna")
    evening.wait(1.0)
    touch(evening, f"say {evening.plain(1, 4)}", 0)
    assert evening.taken == [evening.words[0], evening.words[3]]


def test_only_the_clue_giver_sees_the_secret() -> None:
    """VN-4: the number card is on its giver's phone and on no other, nor on the screen."""
    with VennServed(numbers="host") as served:
        served.until("table/venn_greeting_known", Part.ENDED)
        served.wait(2.0)
        givers = [team["giver"] for team in served.game["teams"]]
        secret = served.state.game.secret
        assert len(secret) == 2
        for seat, player in enumerate(served.state.players):
            client = Client(served.server).until(lambda one: one.view)
            client.send(type="sit", seat=player.name.lower())
            client.until(lambda one, seat=seat: one.view.get("you", {}).get("index") == seat)
            expected = list(secret[givers.index(seat)]) if seat in givers else None
            assert client.view["game"].get("secret") == expected
        screen = Client(served.server, "screen").until(lambda one: one.view)
        assert "secret" not in screen.view["game"]


def test_phones_join_by_name() -> None:
    """Without colours a phone joins by its name, which is its seat."""
    with VennServed(players=()) as served:
        served.until("table/venn_greeting", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        assert phone.view["colours"] == []
        phone.send(type="join", colour="red", name="Zoe")
        phone.send(type="join", colour="-", name="")
        phone.take(0.1)
        assert phone.view["you"]["seat"] is None
        phone.send(type="join", colour="-", name="Zoe")
        phone.until(lambda one: one.view["you"]["index"] == 0, served)
        assert phone.view["players"] == [["Zoe", ""]]


def test_the_screen_has_words_clock_and_score() -> None:
    """Twelve words, the sand, the teams' points and the words said reach the screen."""
    with VennServed() as served:
        served.to_go()
        screen = Client(served.server, "screen").until(lambda one: one.view.get("game", {}).get("phase") == "placing")
        assert len(screen.view["game"]["words"]) == 12
        assert [team["points"] for team in screen.view["game"]["teams"]] == [0, 0]
        served.press("anna")
        served.wait(1.0)
        served.say(served.plain(2))
        screen.until(lambda one: one.view["game"]["taken"] == [2], served)
