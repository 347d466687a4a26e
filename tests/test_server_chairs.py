"""Phones that join, leave and change seats while a game is on, and the code that is said on request (issue 7)."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from evening import log_at
from server_table import CODE, Client, Served

from host.app.serving import NO_PHONES, Serving, said_address
from host.events import Line, Part
from host.server.guard import Pairing
from host.voices.spoken import spoken, words_of


def test_a_phone_joins_in_the_middle_of_a_game() -> None:
    """A free colour and a name: a piece on START, a seat with a token, and a button that gives the floor."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        assert phone.view["joining"] == ["yellow", "purple", "silver", "turquoise"]
        phone.send(type="join", colour="silver", name="<i>Maya</i>")
        phone.until(lambda one: one.token and one.view["you"]["index"] == 4, served)
        assert phone.view["players"][4] == ["<i>maya</i>".capitalize(), "silver"]
        phone.send(type="press")
        phone.until(lambda one: one.view["floor"] == 4, served)
        phone.close()


def test_a_phone_that_wants_a_taken_colour_is_told_and_asks_nobody() -> None:
    """Red is somebody's: a note to the phone, and no question at the table."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        phone.send(type="join", colour="red", name="Eve")
        phone.until(lambda one: one.notes)
        served.wait(0.3)
        assert "taken" in phone.notes[0]
        assert served.state.question is None
        assert len(served.state.players) == 4
        phone.close()


def test_who_leaves_by_phone_has_no_seat_any_more_and_may_come_back() -> None:
    """The piece goes, the phone is asked who it is, its token is void; joining again is a new piece on START."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        phone.send(type="sit", seat="red")
        phone.until(lambda one: one.token and one.view["you"]["index"] == 1)
        token = phone.token
        phone.send(type="touch", message="leave")
        phone.until(lambda one: one.view["you"] == {"seat": None, "index": None}, served)
        assert [colour for _, colour in phone.view["players"]] == ["blue", "green", "white"]
        late = Client(served.server, code=CODE, token=token).until(lambda one: one.view)
        assert late.view["you"]["seat"] is None
        late.send(type="join", colour="red", name="Ben")
        late.until(lambda one: one.view["you"]["index"] == 3, served)
        for one in (phone, late):
            one.close()


def test_a_phone_keeps_its_colour_when_seats_change() -> None:
    """Blue and green swap: the phone of blue is at another place, and its press is still blue's."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        phone.send(type="sit", seat="blue")
        phone.until(lambda one: one.view["you"]["index"] == 0)
        phone.send(type="touch", message="swap 2")
        phone.until(lambda one: one.view["you"]["index"] == 2, served)
        phone.send(type="press")
        phone.until(lambda one: one.view["floor"] == 2, served)
        phone.close()


# --- the spoken code ------------------------------------------------------------------------------


def serving(code: str | None) -> Any:
    """The part of Serving that fills lines, with a server or without."""
    found = Serving.__new__(Serving)
    found.server = None if code is None else SimpleNamespace(  # type: ignore[assignment]
        address="http://192.168.0.7:8137/", pairing=Pairing(code=code))
    return found


def test_the_code_is_said_digit_by_digit() -> None:
    """Address and code are said so that they can be typed: single digits, dots and a colon."""
    said = serving("90215").filled(Line("table/phones#1", "Open {address}. The code is {code}.")).text
    assert said.endswith("The code is 9, 0, 2, 1, 5.")
    assert "1 9 2 dot 1 6 8 dot 0 dot 7, colon 8 1 3 7" in said
    assert "code is nine zero two one five" in " ".join(words_of(spoken(said)))
    assert "one nine two dot one six eight dot zero" in " ".join(words_of(spoken(said)))
    assert said_address("http://gamehost.local:8137/") == "gamehost dot local, colon 8 1 3 7"


def test_without_pages_the_host_says_that_there_are_no_phones() -> None:
    """Nothing served: one sentence that says what to do; other lines are left alone."""
    assert serving(None).filled(Line("table/phones#1", "The code is {code}.")).text == NO_PHONES
    line = Line("card1/statement1#2", "A set of {braces}.")
    assert serving("12345").filled(line) is line


@pytest.mark.parametrize("asked", ["how do i join", "phone code", "what's the code please"])
def test_the_code_is_in_no_log_and_in_no_view_of_a_stranger(asked: str, tmp_path: Path) -> None:
    """SEC-04: what is logged is the sentence without the code, and a client without it sees nothing."""
    path = tmp_path / "log.jsonl"
    with Served(pairing=Pairing(code="80461"), log=log_at(path)) as served:
        served.until("card1/statement1", Part.ENDED)
        served.say(asked)
        served.until("table/phones", Part.ENDED, limit=20.0)
        stranger = Client(served.server, code="")
        stranger.until(lambda one: one.refused is not None)
        served.session.log.close()
        text = path.read_text(encoding="utf-8")
        assert "80461" not in text
        assert "8, 0, 4" not in text
        assert any("{code}" in json.dumps(json.loads(line)) for line in text.splitlines())
        assert not any("80461" in raw for raw in stranger.raw)
        stranger.close()
