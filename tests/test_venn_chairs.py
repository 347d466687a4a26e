"""Who comes and goes in a running game of Venn: by voice, touch and phone, with log and power cut (issues 4 and 7)."""

from pathlib import Path
from typing import Any

import pytest
from evening import log_at
from server_table import Client
from test_server_venn import VennServed
from venn_evening import VennEvening

from host import log as logs
from host.events import Part, Typed
from host.games import Player
from host.session import relive
from host.table import chair_words, venn_chair_words

NAMED = chair_words.naming([("anna",), ("dan",), ("ben",), ("eva",)])
NAMES, TEAMS = ("anna", "maya", "leo"), ("foxes", "owls")
SENTENCES: list[tuple[str, str, tuple[int, ...], str, int | None]] = [
    ("maya joins the owls", "join", (), "maya", 1), ("maya joins", "join", (), "maya", None),
    ("leo plays with the foxes", "join", (), "leo", 0), ("maya wants to play too", "join", (), "maya", None),
    ("i want to join the owls", "join", (), "", 1), ("can i play", "join", (), "", None),
    ("anna joins the owls", "over", (0,), "", 1), ("dan goes over to the foxes", "over", (1,), "", 0),
    ("eva changes teams", "over", (3,), "", None), ("ben switches sides", "over", (2,), "", None),
    ("anna and dan change places", "trade", (0, 1), "", None), ("anna and eva swap teams", "trade", (0, 3), "", None),
    ("dan and ben want to swap seats", "trade", (1, 2), "", None), ("eva is leaving", "leave", (3,), "", None),
    ("ben has to go", "leave", (2,), "", None), ("i have to go", "leave", (), "", None),
]
TALK = ("ready", "the owls", "anna", "anna and dan", "anna is ready", "maya", "foxes", "the foxes are ahead", "",
        "change places", "anna and anna swap teams", "is maya with the owls", "join", "the owl goes over to the foxes")


@pytest.mark.parametrize(("text", "kind", "seats", "name", "team"), SENTENCES)
def test_a_sentence_means_a_change(
    text: str, kind: str, seats: tuple[int, ...], name: str, team: int | None,
) -> None:
    """VN-1: joining, leaving, going over and changing places, as people say it."""
    found = venn_chair_words.venn_wish(tuple(text.split()), NAMED, NAMES, TEAMS)
    assert found is not None
    assert (found.kind, found.seats, found.name, found.team) == (kind, seats, name, team)


@pytest.mark.parametrize("text", TALK)
def test_talk_changes_nothing(text: str) -> None:
    """Names, teams and half sentences ask for nothing."""
    assert venn_chair_words.venn_wish(tuple(text.split()), NAMED, NAMES, TEAMS) is None


def touch(evening: VennEvening, message: str, seat: int | None = None) -> None:
    evening.posts.append(Typed(evening.now, seat, message))
    evening.block()


def teams(evening: VennEvening) -> list[list[str]]:
    """Names by team; table and game agree on who plays."""
    assert tuple(evening.state.players) == evening.state.game.players
    return [team["players"] for team in evening.game["teams"]]


def between(**more: Any) -> VennEvening:
    """A game after its first round: the Foxes have two points."""
    evening = VennEvening(**more)
    play_round(evening)
    evening.ended("between")
    assert evening.phase == "between"
    return evening


def play_round(evening: VennEvening) -> None:
    evening.to_go()
    finish(evening)


def finish(evening: VennEvening) -> None:
    """From GO to the score."""
    evening.say("venn foxes")
    evening.ended("guess")
    evening.say(evening.plain(1, 2, 3))
    evening.reveal("one two four")
    evening.ended("guess")
    evening.say(evening.plain(5, 6, 7))
    evening.reveal("eight nine ten")


def names_of(evening: VennEvening, *names: str) -> None:
    """First names that the table may hear."""
    evening.table.hearing.names = (*evening.table.hearing.names, *names)


# --- by voice ---------------------------------------------------------------------------------------


def test_a_newcomer_says_a_name_and_a_team() -> None:
    """VN-1: "Maya joins the Owls" between two rounds; she plays the next one."""
    evening = between()
    names_of(evening, "maya")
    evening.say("[unk] joins", dictation="maya joins the owls")
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva", "Maya"]]
    evening.until("round1/joined", Part.ENDED, limit=10.0)
    evening.say("ready")
    evening.until("round2/words1")
    assert evening.state.players[4] == Player("Maya", "", 1)


def test_i_want_to_play_asks_for_the_name() -> None:
    """VN-1: the host asks for the name, the team asked for is kept; a name that somebody has is asked again."""
    evening = between()
    names_of(evening, "maya", "anna")
    evening.say("i want to join the foxes")
    evening.until("table/venn_joiner", Part.ENDED, limit=10.0)
    assert "maya" in evening.table.listens(evening.state).phrases
    assert evening.table.view(evening.state, None)["question"] == "joiner"
    evening.say("anna")
    evening.until("table/venn_joiner_taken", Part.ENDED, limit=10.0)
    evening.say("i'm maya")
    assert teams(evening) == [["Anna", "Ben", "Maya"], ["Dan", "Eva"]]
    assert evening.state.question is None
    evening.until("round1/joined", Part.ENDED, limit=10.0)
    assert "Foxes" in evening.spoken("round1/joined")[0]


@pytest.mark.parametrize("reply", ["no", "never mind", ""])
def test_a_newcomer_who_says_nothing_leaves_all_as_it_is(reply: str) -> None:
    """GM-4: asked twice at most."""
    evening = between()
    evening.say("can i play")
    evening.until("table/venn_joiner", Part.ENDED, limit=10.0)
    if reply:
        evening.say(reply)
    evening.until("table/chair_stays", Part.ENDED, limit=60.0)
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva"]]
    evening.say("ready")
    evening.until("round2/words1", limit=20.0)


def test_who_leaves_is_asked_and_the_teams_stay_even() -> None:
    """VN-1: five play; Dan leaves after a yes, and a Fox goes over, whom the host names."""
    evening = between(players=(*VennEvening().state.players, Player("Finn", "", 0)))
    evening.say("dan has to go")
    evening.until("table/venn_leave", Part.ENDED, limit=10.0)
    assert "Dan" in evening.spoken("table/venn_leave")[0]
    evening.say("yes")
    assert teams(evening) == [["Anna", "Ben"], ["Eva", "Finn"]]
    evening.until("round1/evened", Part.ENDED, limit=15.0)
    evening.say("ready")
    evening.until("round2/words1", limit=20.0)


def test_four_are_the_least() -> None:
    """VN-1: the host says that two teams need four, and how the game is ended; nobody leaves."""
    evening = between()
    evening.say("eva is leaving")
    assert "stop the game" in evening.spoken("table/venn_leave_last")[0]
    assert evening.state.question is None
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva"]]


def test_who_is_leaving_is_asked_where_nobody_was_named() -> None:
    """"I have to go" on one microphone: "who?", and a name."""
    evening = between(players=(*VennEvening().state.players, Player("Finn", "", 0)))
    evening.say("i have to go")
    evening.until("table/venn_leaver", Part.ENDED, limit=10.0)
    evening.say("finn")
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva"]]


def test_two_change_places_and_one_goes_over() -> None:
    """VN-1: by voice, at once."""
    evening = between(players=(*VennEvening().state.players, Player("Finn", "", 0)))
    evening.say("anna and dan change places")
    assert teams(evening) == [["Dan", "Ben", "Finn"], ["Anna", "Eva"]]
    evening.wait(4.0)
    evening.say("finn goes over to the owls")
    assert teams(evening) == [["Dan", "Ben"], ["Anna", "Eva", "Finn"]]
    evening.say("ben changes teams")
    assert evening.spoken("round1/over")[-1].startswith(("Ben is needed", "Then"))


def test_while_cards_are_placed_it_is_table_talk() -> None:
    """VN-7: sentences about leaving and joining mean nothing in the middle of a round, but do in a pause."""
    evening = VennEvening(players=(*VennEvening().state.players, Player("Finn", "", 0)))
    evening.to_go()
    evening.say("finn has to go")
    assert evening.state.question is None
    assert evening.state.chairs == ()
    evening.say("pause")
    evening.say("finn has to go")
    evening.until("table/venn_leave", Part.ENDED, limit=15.0)
    evening.say("yes")
    assert len(teams(evening)[0]) == 3
    assert evening.spoken("table/venn_chair_wait")
    assert evening.table.view(evening.state, None)["coming"] == [("leave", ["Finn"])]
    evening.say("continue")
    evening.wait(3.0)
    finish(evening)
    evening.wait(2.0)
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva"]]


def test_the_sentences_are_in_the_grammar_between_two_rounds_only() -> None:
    """Elsewhere each of them would cost list words."""
    evening = between()
    phrases = evening.table.listens(evening.state).phrases
    assert {"anna is leaving", "dan and eva change places", "ben changes teams", "i want to play"} <= set(phrases)
    assert evening.table.listens(evening.state) is evening.table.listens(evening.state)
    evening.say("ready")
    evening.until("round2/words1")
    assert "anna is leaving" not in evening.table.listens(evening.state).phrases


# --- by touch and by phone --------------------------------------------------------------------------


@pytest.mark.parametrize(("message", "seat", "wanted"), [
    ("join - Maya", None, [["Anna", "Ben"], ["Dan", "Eva", "Maya"]]),
    ("join 0 <b>Maya</b>", None, [["Anna", "Ben", "<b>maya</b>"], ["Dan", "Eva"]]),
    ("join 1 Maya", None, [["Anna", "Ben"], ["Dan", "Eva", "Maya"]]),
    ("join 2 Maya", None, None), ("join blue Maya", None, None), ("join -", None, None),
    ("swap 1", 0, [["Dan", "Ben"], ["Anna", "Eva"]]), ("swap 2 3", None, [["Anna", "Eva"], ["Dan", "Ben"]]),
    ("swap 0 3", 1, None), ("swap 9", 0, None), ("over", 0, None), ("leave", 0, None),
])
def test_teams_change_by_touch(message: str, seat: int | None, wanted: list[list[str]] | None) -> None:
    """VN-1: a phone for itself, the screen for anybody; what is not possible, and nonsense, changes nobody."""
    evening = between()
    before = teams(evening)
    touch(evening, message, seat)
    assert teams(evening) == (wanted or before)


def test_a_touch_in_the_middle_of_a_round_waits_in_silence() -> None:
    """VN-7: the host says nothing while cards are placed; the newcomer plays from the next round on."""
    evening = VennEvening()
    evening.to_go()
    said = len(evening.lines)
    touch(evening, "join - Maya")
    touch(evening, "join - maya")  # a name that is taken
    assert evening.state.question is None
    evening.wait(5.0)
    assert list(evening.lines)[said:] == []
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva"]]
    assert evening.table.view(evening.state, None)["coming"] == [("join", ["Maya"])]
    finish(evening)
    evening.wait(1.0)
    assert teams(evening) == [["Anna", "Ben"], ["Dan", "Eva", "Maya"]]


def test_a_phone_joins_changes_places_and_leaves() -> None:
    """Issue 7: a phone by its name: join a team with room, change places, leave; its seat goes with it."""
    with VennServed() as served:
        play_round(served)
        served.ended("between")
        phone = Client(served.server).until(lambda one: one.view)
        assert phone.view["joining"] == ["0", "1"]
        phone.send(type="join", colour="0", name="Maya")
        phone.until(lambda one: one.token and one.view["you"]["index"] == 4, served)
        assert teams(served) == [["Anna", "Ben", "Maya"], ["Dan", "Eva"]]
        assert phone.view["joining"] == ["1"]
        other = Client(served.server).until(lambda one: one.view)
        other.send(type="join", colour="0", name="Leo")
        other.until(lambda one: one.notes)
        assert "no place" in other.notes[0]
        other.send(type="join", colour="-", name="Anna")  # who is at the table already only takes the seat
        other.until(lambda one: one.view["you"]["index"] == 0, served)
        assert len(served.state.players) == 5
        phone.send(type="touch", message="swap 1")
        phone.until(lambda one: "Maya" in one.view["game"]["teams"][1]["players"], served)
        phone.send(type="touch", message="leave")
        phone.until(lambda one: one.view["you"] == {"seat": None, "index": None}, served)
        assert len(served.state.players) == 4
        for one in (phone, other):
            one.close()


# --- the end of a game, log, power cut --------------------------------------------------------------


def to_the_end(evening: VennEvening) -> None:
    from dataclasses import replace

    evening.session.state = replace(evening.state, game=replace(evening.state.game, points=(11, 0), before=(11, 0)))
    finish(evening)
    evening.until("table/another", Part.ENDED, limit=60.0)


def test_after_a_game_teams_are_made_anew() -> None:
    """VN-1: who comes at "another round?" plays the next game, and the host says who is in which team."""
    evening = VennEvening()
    evening.to_go()
    to_the_end(evening)
    touch(evening, "join 1 Maya")
    assert evening.spoken("table/venn_chair_round") == ["Maya: from the next game on."]
    touch(evening, "leave 0")
    touch(evening, "yes")
    touch(evening, "yes")
    assert sorted(name for team in teams(evening) for name in team) == ["Ben", "Dan", "Eva", "Maya"]
    assert evening.spoken("table/venn_teams_now")


def test_three_who_are_left_play_the_next_game_together() -> None:
    """VN-16: after the end somebody may leave four; the others are one team."""
    evening = VennEvening()
    evening.to_go()
    to_the_end(evening)
    touch(evening, "leave 3")
    touch(evening, "yes")
    touch(evening, "yes")
    assert evening.game["mode"] == "cooperative"
    assert teams(evening) == [["Anna", "Dan", "Ben"]]


def test_comings_and_goings_are_lived_again_from_the_log(tmp_path: Path) -> None:
    """The log leads to the same state, digest by digest; undo does not reach back beyond a change."""
    path = tmp_path / "log.jsonl"
    evening = VennEvening(log=log_at(path))
    evening.to_go()
    touch(evening, "join 0 Maya")
    finish(evening)
    evening.wait(1.0)
    evening.say("anna and dan change places")
    touch(evening, "leave 4")
    touch(evening, "yes")
    evening.say("undo")
    assert evening.spoken("table/undo_none")
    evening.say("ready")
    evening.until("round2/words1", limit=20.0)
    assert teams(evening) == [["Dan", "Ben"], ["Anna", "Eva"]]
    evening.session.log.close()
    again, _ = relive(evening.table, logs.read(path).records)
    assert logs.digest(again) == logs.digest(evening.state)


@pytest.mark.parametrize("waits", [True, False])
def test_a_power_cut_loses_nobody_who_came(waits: bool) -> None:
    """GM-3: who joined plays on, and who waits for the end of the round sits down then."""
    evening = VennEvening() if waits else between()
    if waits:
        evening.to_go()
    touch(evening, "join 1 Maya")
    again = VennEvening(state=evening.state, start=evening.now)
    again.count = 1000
    again.ended("resumed")
    again.say("yes")
    again.wait(2.0)
    if waits:
        assert len(again.state.players) == 4
        finish(again)
        again.wait(1.0)
    assert teams(again) == [["Anna", "Ben"], ["Dan", "Eva", "Maya"]]
