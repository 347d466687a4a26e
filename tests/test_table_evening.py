"""What any game needs at a table, spoken: pause, repeat, scores, undo, objection, help, stop (GM-1 to GM-4)."""

import pytest
from evening import PLAYERS, Evening

from host.clock import samples
from host.events import Adjust, Part, Resumed, Verdict
from host.games import Player
from host.session import relive


def answer(evening: Evening) -> str:
    """The answer of the card on the table."""
    card = evening.table.rules.expects(evening.state.game).card
    assert card is not None
    return str(card.answer)


def wrong(evening: Evening) -> str:
    """A wrong answer to it that is known to the judge."""
    card = evening.table.rules.expects(evening.state.game).card
    assert card is not None
    return str(card.rivals[0])


def first_card(**options: object) -> Evening:
    """A table at its first card, one second after the first statement."""
    evening = Evening(**options)  # type: ignore[arg-type]
    evening.until("card1/statement1", Part.ENDED)
    evening.wait(1)
    return evening


def solved(seat: int = 0) -> Evening:
    """A table where that seat has just solved the first card."""
    evening = first_card()
    evening.say(f"{PLAYERS[seat].colour} {answer(evening)}")
    evening.until("card1/verdict", Part.ENDED)
    return evening


# --- before the game ----------------------------------------------------------------------------


def test_players_name_themselves_and_the_youngest_begins() -> None:
    """Names and colours are heard, read back, and the youngest reads first (CE-1, CE-17)."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say("anna is blue")
    evening.wait(1)
    evening.say("ben takes red and cleo is green")
    evening.until("table/youngest", Part.ENDED)
    assert "Anna blue, Ben red, Cleo green" in evening.spoken("table/youngest")[0]
    evening.say("me")
    evening.until("table/youngest_who", Part.ENDED)
    evening.say("green")
    evening.until("card1/statement1")
    assert [(player.name, player.colour) for player in evening.state.players] == [
        ("Anna", "blue"), ("Ben", "red"), ("Cleo", "green")]
    assert evening.game["reader"] == 2


def test_a_name_that_is_not_understood_is_played_by_its_colour() -> None:
    """Somebody whose name stays unknown goes by the colour (DESIGN: pronunciations)."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say("anna is blue [unk] is red")
    evening.until("table/youngest")
    assert "Anna blue, Red" in evening.spoken("table/youngest")[0]


def test_the_roll_is_asked_three_times_and_then_waits() -> None:
    """Nobody answering is asked again, then the host waits in silence without end (GM-4)."""
    evening = Evening(players=(), youngest=None)
    evening.wait(120)
    assert len(evening.spoken("table/who_again")) == 2
    assert len(evening.spoken("table/who_wait")) == 1
    evening.say("anna is blue and ben is red")
    evening.until("table/youngest")


@pytest.mark.parametrize(
    ("first", "second", "players"),
    [
        ("anna is blue ben is red", "anna is green", [("Anna", "green"), ("Ben", "red")]),
        ("anna is blue ben is red", "cleo is red", [("Anna", "blue"), ("Cleo", "red")]),
        ("anna is blue ben is red", "anna is red", [("Anna", "red")]),
    ],
)
def test_a_roll_call_is_corrected_by_saying_it_again(
    first: str, second: str, players: list[tuple[str, str]]
) -> None:
    """A name said again changes its colour, a colour said again its name."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say(first)
    evening.wait(0.5)
    evening.say(second)
    assert [(p.name, p.colour) for p in evening.state.gathering.players] == players


def test_how_many_are_playing_ends_the_roll_call_at_once() -> None:
    """Where the number was said, the roll is read back as soon as so many have named themselves."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say("two players")
    evening.until("table/counted", Part.ENDED)
    evening.say("anna is blue and ben is red")
    heard = evening.now
    assert evening.until("table/youngest") - heard < samples(1)


def test_a_number_without_names_plays_by_colours() -> None:
    """"Three players" and nothing more: blue, red and green or whichever colours are first (CE-1)."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say("we are three")
    evening.until("table/youngest", limit=60)
    players = evening.state.gathering.players
    assert len(players) == 3
    assert all(player.name.lower() == player.colour for player in players)


@pytest.mark.parametrize(
    ("words", "option", "value"),
    [("four statements", "statements", 4), ("hide the category", "hide_category", True),
     ("pause six seconds", "pause", 6.0),
     ("with a false statement please", "false_statement", True), ("we play shuffle the statements", "shuffle", True)],
)
def test_how_to_play_is_said_aloud_before_the_game(words: str, option: str, value: object) -> None:
    """Wishes said in the roll call become the game's options."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    evening.say(words)
    evening.until("table/wish", Part.ENDED)
    evening.say("anna is blue and ben is red")
    evening.until("table/youngest", Part.ENDED)
    evening.say("red")
    evening.until("card1/start", limit=30)
    assert getattr(evening.state.game.options, option) == value


def test_wishes_that_do_not_go_together_are_let_go() -> None:
    """One statement, and one of them false: the host says so and plays the usual way."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    for words in ("one statement", "one false statement"):
        evening.say(words)
        evening.until("table/wish", Part.ENDED)
    evening.say("anna is blue and ben is red")
    evening.until("table/youngest", Part.ENDED)
    evening.say("blue")
    evening.until("table/wish_no")
    evening.until("card1/statement2")


# --- commands at any time -----------------------------------------------------------------------


def test_a_pause_leaves_to_the_sample_what_was_left(tmp_path: object) -> None:
    """During a pause nothing is said; afterwards what was left of the five seconds is left (GAM-10)."""
    plain, paused = first_card(), first_card()
    ended = paused.said[-1][0]
    next_plain = plain.until("card1/statement2")
    paused.say("pause")
    stopped = paused.state.stopped
    before = len(paused.lines)
    paused.wait(20)
    assert [line.text for line in list(paused.lines.values())[before:]] == []
    paused.say("go on")
    started = paused.now - 480
    next_paused = paused.until("card1/statement2")
    left = ended + samples(5) - stopped
    busy = samples(0.65) // 480 * 480 + 480  # while "pause" is being said, the clock of CE-6 stands anyway
    assert abs((next_paused - started) - left) <= busy + samples(0.06)
    assert next_plain - ended == samples(5)


def test_a_statement_cut_by_a_pause_is_read_again_and_counts_once() -> None:
    """Pause in the middle of a statement: it is read from its start afterwards (CE-13)."""
    evening = Evening()
    evening.until("card1/statement1", Part.FIRST_WORD)
    evening.say("pause")
    evening.until("table/paused", Part.ENDED)
    evening.say("continue")
    evening.until("card1/statement1", Part.ENDED)
    evening.wait(0.5)
    evening.say(f"blue {answer(evening)}")
    assert evening.places() == [6, 0, 0, 0]


@pytest.mark.parametrize("words", ["repeat", "say that again", "what was that", "pardon"])
def test_a_statement_is_said_again_at_any_time(words: str) -> None:
    """Everyday words make the host say the statement again, without penalty (CE-7, GAM-07)."""
    evening = first_card()
    evening.say(words)
    evening.until("card1/statement1", Part.ENDED)
    assert evening.places() == [0, 0, 0, 0]
    assert len(set(evening.spoken("card1/statement1"))) == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [("score", "score"), ("who's winning", "score"), ("how many guesses", "guesses"), ("whose turn is it", "turn"),
     ("help", "table/help"), ("slower", "table/slower"), ("louder", "table/louder"), ("undo", "table/undo_none"),
     ("we object", "table/objection_none")],
)
def test_what_is_asked_is_answered(words: str, line: str) -> None:
    """Each question of GM-1 gets its answer, and the card goes on afterwards."""
    evening = first_card()
    evening.say(words)
    evening.until(line, Part.ENDED, limit=20)
    evening.until("card1/statement2")


def test_speed_and_volume_change_within_bounds() -> None:
    """Slower and louder change the voice by steps, and the host says where they end."""
    evening = first_card()
    for _ in range(4):
        evening.say("slower")
        evening.say("louder")
    assert evening.state.speed == pytest.approx(0.55)
    assert evening.state.volume == pytest.approx(1.953, abs=0.01)
    assert evening.spoken("table/speed_end")


def test_stop_alone_is_asked_about_and_stays_without_an_answer() -> None:
    """"Stop the game" asks once and stays by default; "yes" ends the evening (GM-1, GAM-08)."""
    evening = first_card()
    evening.say("stop the game")
    evening.until("table/quit_stay", limit=20)
    evening.until("card1/statement2")
    evening.say("stop")
    evening.until("table/quit", Part.ENDED)
    evening.say("yes")
    evening.wait(15)
    assert evening.session.over


def test_shut_up_silences_the_host_until_go_on() -> None:
    """"Shut up" stops the voice at once, and "go on" takes the statement up again."""
    evening = Evening()
    evening.until("card1/statement1", Part.FIRST_WORD)
    evening.say("shut up")
    count = len(evening.lines)
    evening.wait(10)
    assert len(evening.lines) == count
    evening.say("go on")
    evening.until("card1/statement1", Part.ENDED)


# --- guesses ------------------------------------------------------------------------------------


def test_speaking_silences_a_statement_at_once() -> None:
    """The host falls silent in the block in which it learns that somebody speaks."""
    evening = Evening()
    evening.until("card1/statement1", Part.FIRST_WORD)
    evening.say(f"red {answer(evening)}")
    cuts = [at for at, line, part in evening.said if (line, part) == ("card1/statement1", Part.CUT)]
    assert len(cuts) == 1
    assert evening.places() == [0, 6, 0, 0]


def test_a_cough_costs_no_statement() -> None:
    """An utterance without words lets the statement be read again from its start."""
    evening = Evening()
    evening.until("card1/statement1", Part.FIRST_WORD)
    evening.say("", took=0.4)
    evening.until("card1/statement1", Part.ENDED)
    evening.say(f"green {answer(evening)}")
    assert evening.places() == [0, 0, 6, 0]


def test_a_colour_and_then_the_answer_are_one_guess() -> None:
    """"Blue ..." and within three seconds the answer: it is Blue's, from the colour's first sample (CE-16)."""
    evening = first_card()
    evening.say("blue")
    evening.wait(1)
    evening.say(answer(evening))
    assert evening.places() == [6, 0, 0, 0]


def test_a_colour_alone_is_no_guess() -> None:
    """A colour without an answer within three seconds costs nothing (CE-16)."""
    evening = first_card()
    evening.say("blue")
    evening.wait(4)
    evening.say(wrong(evening))
    assert evening.game["verdicts"] == []


def test_nobody_is_punished_for_an_unowned_wrong_guess() -> None:
    """A wrong answer without an owner is table talk (CE-16)."""
    evening = first_card()
    evening.say(wrong(evening))
    assert evening.game["verdicts"] == []
    assert evening.places() == [0, 0, 0, 0]


def test_who_said_it_is_settled_by_a_colour() -> None:
    """A right answer without an owner is asked for its owner, who gets the spaces (CE-16)."""
    evening = first_card()
    evening.say(answer(evening))
    evening.until("card1/who", Part.ENDED)
    evening.say("white")
    evening.wait(2)
    assert evening.places() == [0, 0, 0, 6]


def test_three_misunderstandings_escalate_and_then_let_go() -> None:
    """Once more, once more slowly, then it is left alone; never a fourth time (GM-4, GAM-14)."""
    evening = first_card()
    evening.table.hearing.judge = lambda *_: Verdict.AGAIN  # type: ignore[method-assign]
    for _ in range(4):
        evening.say(f"blue {answer(evening)}")
        evening.wait(2)
    asked = [line.text for name, line in evening.lines.items() if name.startswith("table/again")]
    assert len(asked) == 4
    assert len(set(asked[:3])) == 3
    assert evening.spoken("table/again_leave")
    assert evening.places() == [0, 0, 0, 0]


# --- undo and objection (GM-2) ------------------------------------------------------------------


def test_undo_takes_back_what_changed_the_score_and_twice_is_fine() -> None:
    """After two scored guesses, two undos lead back to the start."""
    evening = solved(0)
    evening.until("card2/statement1", Part.ENDED)
    evening.say(f"red {answer(evening)}")
    evening.until("card2/verdict", Part.ENDED)
    assert evening.places() == [6, 6, 0, 0]
    evening.say("undo")
    evening.until("table/undone", Part.ENDED)
    assert evening.places() == [6, 0, 0, 0]
    evening.say("undo")
    evening.wait(3)
    assert evening.places() == [0, 0, 0, 0]


def test_after_undo_the_card_goes_on_and_can_be_solved() -> None:
    """The state before is a state in which the game goes on."""
    evening = solved(0)
    evening.say("undo")
    evening.until("card1/statement2", Part.ENDED)
    evening.say(f"green {answer(evening)}")
    evening.wait(2)
    assert evening.places() == [0, 0, 5, 0]


def test_an_objection_turns_a_wrong_verdict_right() -> None:
    """"We object", "yes", and three seconds without a no: the guess counts (GM-2)."""
    evening = first_card()
    evening.say(f"white {wrong(evening)}")
    evening.until("card1/verdict", Part.ENDED)
    evening.say("we object")
    evening.until("table/objection_wrong", Part.ENDED)
    assert "White" in evening.spoken("table/objection_wrong")[0]
    evening.say("yes")
    evening.wait(5)
    assert evening.places() == [0, 0, 0, 6]


def test_an_objection_turns_a_right_verdict_wrong() -> None:
    """Turned the other way, the card is unsolved and the guess a wrong one (GM-2)."""
    evening = solved(1)
    evening.say("we object")
    evening.until("table/objection_right", Part.ENDED)
    evening.say("yes")
    evening.wait(5)
    assert evening.places() == [0, 0, 0, 0]
    evening.until("card2/statement1", limit=60)


def test_an_objection_gives_the_card_to_another_colour() -> None:
    """A colour as the answer gives the spaces to that player (GM-2)."""
    evening = solved(2)
    evening.say("we object")
    evening.until("table/objection_right", Part.ENDED)
    evening.say("white")
    evening.wait(5)
    assert evening.places() == [0, 0, 0, 6]


@pytest.mark.parametrize("replies", [["no"], ["yes", "no"], []])
def test_without_agreement_the_verdict_stands(replies: list[str]) -> None:
    """No, or a yes that is contradicted, or silence: nothing changes (GM-2)."""
    evening = solved(0)
    evening.say("we object")
    evening.until("table/objection_right", Part.ENDED)
    for reply in replies:
        evening.say(reply)
        evening.wait(0.5)
    evening.wait(12)
    assert evening.places() == [6, 0, 0, 0]
    assert evening.state.question is None


def test_an_objection_comes_too_late_after_twenty_seconds() -> None:
    """Twenty seconds after the end of a verdict it stands (GM-2)."""
    evening = solved(0)
    evening.wait(25)
    evening.say("we object")
    evening.until("table/objection_late", limit=10)


def test_an_objection_takes_back_a_declared_win() -> None:
    """A win that an objection takes back is no win (GM-2)."""
    evening = Evening()
    for number in range(1, 6):
        evening.until(f"card{number}/statement1", Part.ENDED)
        evening.wait(0.5)
        evening.say(f"blue {answer(evening)}")
        if evening.game["winner"] is not None:
            break
        evening.until(f"card{number}/verdict", Part.ENDED)
    assert evening.game["winner"] == 0
    evening.until("table/another", Part.ENDED)
    evening.say("we object")
    evening.until("table/objection_right", Part.ENDED)
    evening.say("yes")
    evening.wait(5)
    assert evening.game["winner"] is None


# --- ends and beginnings ------------------------------------------------------------------------


def test_another_round_begins_with_other_cards() -> None:
    """"Another round?" - "yes": a new game in which no card of the first comes again (CE-20)."""
    evening = Evening()
    first = []
    for number in range(1, 6):
        evening.until(f"card{number}/statement1", Part.ENDED)
        evening.wait(0.5)
        first.append(answer(evening))
        evening.say(f"blue {answer(evening)}")
        if evening.game["winner"] is not None:
            break
        evening.until(f"card{number}/verdict", Part.ENDED)
    evening.until("table/another", Part.ENDED)
    evening.say("yes please")
    evening.until("card1/statement1")
    assert answer(evening) not in first
    assert evening.places() == [0, 0, 0, 0]


def test_after_a_power_cut_the_host_says_where_the_game_stands_and_asks() -> None:
    """A resumed table says the score, asks, and reads the half-read statement again on a yes (GM-3)."""
    before = Evening()
    before.until("card1/statement1", Part.FIRST_WORD)
    after = Evening(state=before.state, start=before.now)
    after.until("score", limit=10)
    after.until("table/resumed", Part.ENDED)
    count = len(after.lines)
    after.wait(3)
    assert len(after.lines) == count
    after.say("yes")
    after.until("card1/statement1", Part.ENDED)
    after.say(f"blue {answer(after)}")
    assert after.places() == [6, 0, 0, 0]


def test_speed_and_volume_are_restored_after_a_power_cut() -> None:
    """A resumed table sets the voice as it was."""
    before = first_card()
    before.say("slower")
    state, effects = before.table.step(before.state, Resumed(before.now))
    assert Adjust(speed=0.85, volume=1.0) in effects
    assert state.speed == pytest.approx(0.85)


def test_a_resumed_roll_call_asks_again() -> None:
    """A power cut before the game asks the open question again."""
    before = Evening(players=(), youngest=None)
    before.wait(2)
    after = Evening(players=(), youngest=None, state=before.state, start=before.now)
    after.until("table/who_again", limit=5)


def test_the_table_steps_alike_from_the_same_events() -> None:
    """Stepping the same events again leads to the same state: the table is a function."""
    evening = Evening(players=[Player("Anna", "blue"), Player("Ben", "red")])
    events = []
    watch = evening.session._take

    def take(event: object) -> None:
        events.append(event)
        watch(event)  # type: ignore[arg-type]

    evening.session._take = take  # type: ignore[method-assign,assignment]
    evening.until("card1/statement2")
    evening.say(f"red {answer(evening)}")
    evening.wait(10)
    state, _ = evening.table.start()
    for event in events:
        state, _ = evening.table.step(state, event)
    assert state == evening.state
    assert relive(evening.table, [], check=False)[1] == 0
    assert Resumed(3) == Resumed(3)
