"""Joining, leaving and changing seats while a game is on; whose piece is where; how phones join (issue 7, CE-1)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evening import PACKS, PLAYERS, Evening, log_at
from hypothesis import given
from hypothesis import strategies as st

from host import log as logs
from host.events import Part, Typed
from host.games import Player, clever_endeavor
from host.session import relive
from host.table import chair_words, chairs
from host.table.state import Chair


def opened(**options: Any) -> Evening:
    """An evening whose first card is open, its first statement said."""
    evening = Evening(**options)
    evening.until("card1/statement1", Part.ENDED)
    return evening


def touch(evening: Evening, message: str, seat: int | None = None) -> None:
    evening.posts.append(Typed(evening.now, seat, message))
    evening.block()


def colours(evening: Evening) -> list[str]:
    """Who sits where by table and by game, which must be the same."""
    view = evening.table.view(evening.state, None)
    at_table = [colour for _, colour in view["players"]]
    assert [player["colour"] for player in view["game"]["players"]] == at_table
    assert len(view["game"]["standing"]) == len(at_table)
    return at_table


NAMED = chair_words.naming([("blue", "anna"), ("red", "ben"), ("green", "cleo")])

SENTENCES = [
    ("red is leaving", "leave", (1,)), ("read is leaving", "leave", (1,)), ("ben has to go", "leave", (1,)),
    ("green i'm leaving", "leave", (2,)), ("i have to go", "leave", ()), ("cleo drops out", "leave", (2,)),
    ("red and blue swap seats", "swap", (1, 0)), ("anna and cleo change chairs", "swap", (0, 2)),
    ("blue and green want to swap seats", "swap", (0, 2)),
    ("whose piece is where", "where", ()), ("where is red", "where", (1,)), ("where is cleo's piece", "where", (2,)),
    ("how do i join", "phones", ()), ("phone code", "phones", ()),
]
TALK = (
    "red", "red a toothbrush", "is it leaving", "red is a colour", "red and blue", "red and blue make purple",
    "red and red swap seats", "swap seats", "where is it", "the leaves are falling", "red leaves fall", "where is",
    "maya is green", "a joint of beef", "we play music", "", "green playing cards", "yellow playing cards",
    "green a joint", "silver is it playing cards", "joins green", "is it a green joint", "blue the play is hamlet",
)


@pytest.mark.parametrize(("text", "kind", "seats"), SENTENCES)
def test_a_sentence_means_a_change_of_seats(text: str, kind: str, seats: tuple[int, ...]) -> None:
    """What people say by themselves is understood, by colour and by name, in every spelling of a colour."""
    found = chair_words.wish(tuple(text.split()), NAMED)
    assert found is not None
    assert (found.kind, found.seats) == (kind, seats)


@pytest.mark.parametrize("text", TALK)
def test_guesses_and_talk_change_no_seats(text: str) -> None:
    """Guesses, talk and half sentences ask for nothing."""
    row = tuple(text.split())
    assert chair_words.wish(row, NAMED) is None
    assert chair_words.joiner(row, ("maya", "anna")) is None


@pytest.mark.parametrize(("text", "colour", "name"), [
    ("maya joins as green", "green", "maya"), ("green joins", "green", ""), ("my a joint as green", "green", ""),
    ("maya plays silver", "silver", "maya"),
])
def test_a_joiner_is_known_by_colour_and_by_name_where_it_is_sure(text: str, colour: str, name: str) -> None:
    """A name that is on no list goes by its colour."""
    found = chair_words.joiner(tuple(text.split()), ("maya", "anna"))
    assert found is not None
    assert (found.colour, found.name) == (colour, name)


WORDS = ("red", "blue", "green", "and", "is", "leaving", "joins", "swap", "seats", "where", "piece", "i'm", "has", "go")


@given(st.lists(st.sampled_from(WORDS), max_size=7))
def test_any_row_of_words_is_read_without_an_error(row: list[str]) -> None:
    """Whatever is heard, a wish names existing seats only, and two different ones where it takes two."""
    found = chair_words.wish(tuple(row), NAMED)
    if found is not None:
        assert all(0 <= seat < 3 for seat in found.seats)
        assert len(set(found.seats)) == len(found.seats)


# --- joining ------------------------------------------------------------------------------------


def test_a_late_joiner_by_voice_begins_on_start_and_may_guess() -> None:
    """"Maya joins as silver" in the middle of a card: a piece on START, and her guess counts."""
    evening = opened()
    evening.table.hearing.names = ("maya", "anna")
    evening.say("maya joins as silver", dictation="maya joins as silver")
    assert colours(evening) == ["blue", "red", "green", "white", "silver"]
    assert evening.state.players[4] == Player("Maya", "silver")
    evening.until("joined", Part.ENDED, limit=10.0)
    assert "Silver" in evening.spoken("joined")[0]
    evening.until("card1/statement2", Part.ENDED)
    evening.say("silver " + evening.table.rules.expects(evening.state.game).card.essential[0])
    assert evening.places()[4] > 0
    assert evening.places()[:4] == [0, 0, 0, 0]


def test_i_want_to_play_too_asks_for_a_free_colour() -> None:
    """The host names the free colours, hears one, and the game's clock stands meanwhile."""
    evening = opened()
    evening.say("i want to play")
    evening.until("table/joiner", Part.ENDED, limit=15.0)
    asked = evening.spoken("table/joiner")[0]
    assert all(free in asked for free in ("yellow", "purple", "silver", "turquoise"))
    assert "blue" not in asked
    assert "maya purple" not in evening.table.listens(evening.state).phrases  # not a name of this table's list
    assert "anna purple" in evening.table.listens(evening.state).phrases
    before = evening.game
    evening.wait(2.0)
    assert evening.game == before
    evening.say("red")
    assert "taken" in evening.spoken("table/joiner_taken")[0] or "Somebody" in evening.spoken("table/joiner_taken")[0]
    evening.until("table/joiner_taken", Part.ENDED, limit=15.0)
    evening.say("purple")
    assert colours(evening)[-1] == "purple"
    assert evening.state.question is None
    evening.until("card1/statement2", Part.BEGAN, limit=30.0)


def test_a_joiner_who_says_nothing_more_is_asked_twice() -> None:
    """Asked once more, and then everything stays as it is (GM-4)."""
    evening = opened()
    evening.say("can i play")
    evening.until("table/chair_stays", Part.ENDED, limit=60.0)
    assert len(evening.spoken("table/joiner")) == 2
    assert len(colours(evening)) == 4
    evening.until("card1/statement2", Part.BEGAN, limit=30.0)


def test_a_ninth_player_is_told_that_the_table_is_full() -> None:
    """Eight colours, eight players."""
    eight = tuple(Player(colour.capitalize(), colour) for colour in
                  ("red", "blue", "green", "white", "yellow", "purple", "silver", "turquoise"))
    evening = opened(players=eight)
    evening.say("i want to join")
    assert evening.spoken("table/table_full")
    assert evening.table.view(evening.state, None)["joining"] == []


# --- leaving ------------------------------------------------------------------------------------


def test_a_leaver_is_asked_and_the_piece_goes() -> None:
    """"Red is leaving" is asked once; on a yes the piece goes, and red is nobody's colour any more."""
    evening = opened()
    evening.say("red is leaving", dictation="read is leaving")
    evening.until("table/leave", Part.ENDED, limit=10.0)
    evening.say("yes")
    assert colours(evening) == ["blue", "green", "white"]
    assert "red" in evening.table.view(evening.state, None)["joining"]
    evening.until("left", Part.ENDED, limit=10.0)
    evening.say("red comb")
    assert [ruling["seat"] for ruling in evening.game["verdicts"]] == []


def test_the_grammars_colour_helps_where_dictation_missed_it() -> None:
    """Dictation wrote "right is leaving", the grammar heard red."""
    evening = opened()
    evening.say("red [unk]", dictation="right is leaving")
    assert evening.state.question is not None
    assert (evening.state.question.kind, evening.state.question.seat) == ("leave", 1)


@pytest.mark.parametrize("reply", ["no", ""])
def test_a_piece_never_goes_without_a_yes(reply: str) -> None:
    """A no, or no answer at all, leaves everybody where they are, and the card goes on."""
    evening = opened()
    evening.say("green has to go")
    evening.until("table/leave", Part.ENDED, limit=10.0)
    if reply:
        evening.say(reply)
    evening.until("table/chair_stays", Part.ENDED, limit=30.0)
    assert len(colours(evening)) == 4
    evening.until("card1/statement2", Part.BEGAN, limit=30.0)


def test_the_turn_passes_where_it_was_the_leavers() -> None:
    """Blue reads and leaves before card two: the cards pass to the left, and that player is asked "ready?"."""
    evening = opened()
    evening.say("skip")
    evening.until("card2/ready", Part.ENDED)
    reader = evening.game["reader"]
    colour = colours(evening)[reader]
    after = colours(evening)[(reader + 1) % 4]
    evening.say(f"{colour} i'm leaving")
    evening.until("table/leave", Part.ENDED, limit=10.0)
    evening.say("yes")
    evening.until("card2/ready", Part.ENDED, limit=30.0)
    assert colours(evening)[evening.game["reader"]] == after
    assert after.capitalize() in evening.spoken("card2/ready")[-1]
    evening.say("go")
    evening.until("card2/statement1", Part.BEGAN, limit=20.0)


def test_two_players_are_the_least() -> None:
    """With two left nobody can leave: the host says how the game is ended."""
    evening = opened(players=PLAYERS[:2])
    evening.say("red is leaving")
    assert "stop the game" in evening.spoken("table/leave_last")[0]
    assert colours(evening) == ["blue", "red"]


def test_who_is_leaving_is_asked_where_nobody_was_named() -> None:
    """"I'm leaving" between two cards: "which colour?"; while a card is open it is talk."""
    evening = opened()
    evening.say("i have to go")
    assert evening.state.question is None
    evening.say("skip")
    evening.until("card2/ready", Part.ENDED)
    evening.say("i have to go")
    evening.until("table/leaver", Part.ENDED, limit=10.0)
    evening.say("white")
    assert colours(evening) == ["blue", "red", "green"]


def test_whoever_had_the_floor_loses_it_with_the_seat() -> None:
    """Blue leaves with the floor and green next: the seats' numbers move, green's place does not."""
    evening = opened()
    evening.press("blue")
    evening.press("green")
    touch(evening, "leave", 0)
    view = evening.table.view(evening.state, None)
    assert colours(evening) == ["red", "green", "white"]
    assert view["floor"] in (None, 1)
    evening.until("table/your_turn", Part.ENDED, limit=15.0)
    assert evening.table.view(evening.state, None)["floor"] == 1


# --- seats --------------------------------------------------------------------------------------


def test_two_change_seats_and_keep_their_pieces() -> None:
    """Blue has moved; after the swap red sits first, and blue's piece is still blue's."""
    evening = opened()
    evening.say("blue " + evening.table.rules.expects(evening.state.game).card.essential[0])
    place = evening.places()[0]
    assert place > 0
    evening.until("card2/ready", Part.ENDED)
    evening.say("red and blue swap seats")
    assert colours(evening) == ["red", "blue", "green", "white"]
    assert evening.places() == [0, place, 0, 0]
    assert evening.game["reader"] == 1


def test_a_change_waits_for_an_open_question() -> None:
    """While "who said it?" is open the newcomer waits, and sits down when the card is over."""
    evening = opened()
    evening.say(evening.table.rules.expects(evening.state.game).card.essential[0])
    evening.until("card1/who", Part.BEGAN)
    touch(evening, "join silver Maya")
    assert len(colours(evening)) == 4
    assert evening.spoken("table/chair_wait")
    evening.say("it was blue")
    evening.wait(2.0)
    assert colours(evening)[-1] == "silver"
    assert evening.places()[0] > 0


def test_between_two_rounds_seats_change_for_the_next() -> None:
    """At "another round?" a newcomer is noted, and plays from the next round on."""
    evening = Evening(players=PLAYERS[:2])
    for number in range(1, 12):
        evening.until(f"card{number}/statement1", Part.BEGAN)
        evening.say("blue " + evening.table.rules.expects(evening.state.game).card.essential[0])
        evening.wait(1.0)
        if evening.game["winner"] is not None:
            break
        evening.until(f"card{number + 1}/ready", Part.ENDED)
        evening.say("go")
    evening.until("table/another", Part.ENDED, limit=60.0)
    touch(evening, "join green Cleo")
    assert len(evening.state.players) == 2
    evening.say("yes")
    assert colours(evening) == ["blue", "red", "green"]


# --- phones and screen --------------------------------------------------------------------------


@pytest.mark.parametrize(("message", "seat", "wanted"), [
    ("join silver <b>Eve</b>", None, ["blue", "red", "green", "white", "silver"]),
    ("join red Eve", None, None),  # taken: the host asks for another colour
    ("join pink Eve", None, ["blue", "red", "green", "white"]),
    ("leave", 1, ["blue", "green", "white"]),
    ("leave", None, ["blue", "red", "green", "white"]),
    ("leave 1", 2, ["blue", "red", "green", "white"]),
    ("swap 2", 0, ["green", "red", "blue", "white"]),
    ("swap 0", 0, ["blue", "red", "green", "white"]),
    ("swap 0 3", None, ["white", "red", "green", "blue"]),
    ("swap 0 3", 1, ["blue", "red", "green", "white"]),
    ("swap 9", 0, ["blue", "red", "green", "white"]),
    ("leave nonsense", 1, ["blue", "red", "green", "white"]),
])
def test_seats_change_by_touch(message: str, seat: int | None, wanted: list[str] | None) -> None:
    """A phone joins, leaves and swaps for itself only; the screen for anybody; nonsense does nothing."""
    evening = opened()
    touch(evening, message, seat)
    if wanted is None:
        assert evening.state.question is not None
        assert evening.state.question.kind == "joiner"
        wanted = ["blue", "red", "green", "white"]
    assert colours(evening) == wanted


def test_the_screen_is_asked_whether_somebody_leaves() -> None:
    """A touch on the screen may be anybody's: the host asks, and a touch answers."""
    evening = opened()
    touch(evening, "leave 2")
    assert evening.state.question is not None
    touch(evening, "yes")
    assert colours(evening) == ["blue", "red", "white"]


def test_whose_piece_is_where_is_told_with_names() -> None:
    """Names, colours and places of all, or of one."""
    evening = opened()
    evening.say("whose piece is where")
    told = evening.spoken("where")[0]
    assert all(text in told for text in ("Anna is Blue", "Dan is White", "on Start"))
    evening.until("where", Part.ENDED, limit=30.0)
    evening.say("where is red")
    assert "Red" in evening.spoken("where")[1]
    assert "Blue" not in evening.spoken("where")[1]


def test_the_code_for_phones_is_said_on_request_but_never_logged(tmp_path: Path) -> None:
    """The line holds places for address and code; what fills them is the edge's and stays out of the log."""
    evening = Evening(log=log_at(tmp_path / "log.jsonl"))
    evening.until("card1/statement1", Part.ENDED)
    evening.say("how do i join")
    line = evening.spoken("table/phones")[0]
    assert "{code}" in line
    assert "{address}" in line


# --- the log ------------------------------------------------------------------------------------


def test_a_game_with_comings_and_goings_is_lived_again_from_its_log(tmp_path: Path) -> None:
    """Joined, left and swapped by voice and touch: the log leads to the same state, digest by digest."""
    path = tmp_path / "log.jsonl"
    evening = Evening(log=log_at(path))
    evening.until("card1/statement1", Part.ENDED)
    touch(evening, "join silver Maya")
    evening.say("red is leaving")
    evening.until("table/leave", Part.ENDED, limit=10.0)
    evening.say("yes")
    evening.say("blue and green swap seats")
    evening.until("card1/statement3", Part.ENDED, limit=60.0)
    evening.say("silver " + evening.table.rules.expects(evening.state.game).card.essential[0])
    evening.wait(1.0)
    assert colours(evening) == ["green", "blue", "white", "silver"]
    evening.session.log.close()
    again, _ = relive(evening.table, logs.read(path).records)
    assert logs.digest(again) == logs.digest(evening.state)


STEP = st.tuples(st.sampled_from(["join", "leave", "swap"]), st.integers(0, 8), st.integers(0, 8))


@given(st.lists(STEP, max_size=8))
def test_any_changes_of_seats_against_a_naive_reference(steps: list[tuple[str, int, int]]) -> None:
    """Joins, leaves and swaps in any order: a plain list of colours and places tells the same."""
    game, _ = clever_endeavor.setup(PLAYERS, PACKS, {}, 1)
    pieces = [1, 2, 3, 4]
    game = replace(game, pieces=replace(game.pieces, places=tuple(pieces)))
    naive = [[player.colour, place, 0] for player, place in zip(PLAYERS, pieces, strict=True)]
    reader = "blue"
    free = ["yellow", "purple", "silver", "turquoise"]
    for kind, one, other in steps:
        count = len(naive)
        if kind == "join" and free and one <= count:
            colour = free.pop()
            game, _ = clever_endeavor.join(game, Player("N", colour), one, 0)
            naive.insert(one, [colour, 0, 0])
        elif kind == "leave" and one < count and count > 2:
            game, _ = clever_endeavor.leave(game, one, 0)
            if naive[one][0] == reader:
                reader = naive[(one + 1) % count][0]
            free.append(naive.pop(one)[0])
        elif kind == "swap" and one != other and max(one, other) < count:
            game, _ = clever_endeavor.swap(game, one, other, 0)
            naive[one], naive[other] = naive[other], naive[one]
    assert [player.colour for player in game.players] == [colour for colour, _, _ in naive]
    assert list(game.pieces.places) == [place for _, place, _ in naive]
    assert game.players[game.reader].colour == reader
    assert len(game.hand.wrongs) == len(game.hand.extra) == len(game.pieces.free) == len(naive)
    clever_endeavor.view(game, None)


def test_between_two_cards_the_sentences_are_in_the_grammar_and_never_while_a_card_is_open() -> None:
    """At "ready?" the ear knows them: free colours only, pairs of seats; in a card they would cost guesses."""
    evening = opened()
    assert "red is leaving" not in evening.table.listens(evening.state).phrases
    evening.say("blue " + evening.table.rules.expects(evening.state.game).card.essential[0])
    evening.until("card2/ready", Part.ENDED)
    phrases = evening.table.listens(evening.state).phrases
    for text in ("red is leaving", "blue and white swap seats", "silver joins", "i want to play too", "phone code"):
        assert text in phrases
    assert "red joins" not in phrases
    assert evening.table.listens(evening.state) is evening.table.listens(evening.state)


def test_orders_of_seats() -> None:
    """The order after each change, as old numbers; None is the newcomer."""
    assert chairs.order(Chair("join"), 2) == (0, 1, None)
    assert chairs.order(Chair("leave", (1,)), 3) == (0, 2)
    assert chairs.order(Chair("swap", (0, 2)), 3) == (2, 1, 0)


@pytest.mark.parametrize("reader", ["silent", "player"])
def test_a_card_ends_when_its_reader_leaves(reader: str) -> None:
    """CE-17: where a player reads, or sits the card out, the card is over unsolved, and the cards pass."""
    game, _ = clever_endeavor.setup(PLAYERS, PACKS, {"reader": reader}, 1)
    game, effects = clever_endeavor.leave(game, 0, 0)
    assert game.hand.over
    assert game.players[game.reader].colour == "red"
    assert any("/reveal" in effect.line.id for effect in effects if hasattr(effect, "line"))
