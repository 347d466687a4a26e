"""Clever Endeavor: who was right, who pays, who was first, and what an objection changes."""

from dataclasses import replace

import pytest
from clever_table import RIGHT, UNSPECIFIC, WRONG, Table, make_board, make_packs

from host.clock import samples
from host.events import Chime, Guesses, Hush, Keep, Part, Say, Verdict
from host.games import Expects
from host.games import clever_endeavor as game
from host.games.clever_state import Claiming, Exacting, Over, State
from host.packs import Venture

ON_TRIANGLE = make_board(triangles=(6,))


def started(seats: int = 4, read: int = 1, **more: object) -> Table:
    """A table whose first card has come so far."""
    table = Table(seats, **more)
    table.run_to(f"card1/statement{read}")
    table.run(1)
    return table


def placed(table: Table, *places: int) -> Table:
    table.state = replace(table.state, pieces=replace(table.state.pieces, places=places))
    return table


def given_cards(table: Table, **promises: tuple[int, ...]) -> Table:
    table.state = replace(table.state, pieces=replace(table.state.pieces, **promises))
    return table


# --- when guesses count --------------------------------------------------------------------------


def test_anybody_may_guess_while_a_statement_is_read() -> None:
    """CE-10: a guess in the middle of a statement counts, and the host falls silent for a right one."""
    table = Table()
    table.run_to("card1/statement3", Part.FIRST_WORD)
    table.judge(table.guess(3, RIGHT))
    assert table.places[3] == 4
    assert Hush() in table.effects


@pytest.mark.parametrize(("offset", "counts"), [(-1, False), (0, True)])
def test_guesses_are_open_from_the_categorys_first_sample(offset: int, counts: bool) -> None:
    """CE-10: what began before the category's first sample is talk."""
    table = Table()
    opened = table.run_to("card1/category", Part.BEGAN).at
    table.judge(table.guess(0, RIGHT, opened + offset))
    assert (table.places[0] == 6) is counts


def test_before_the_first_card_nothing_counts() -> None:
    """CE-10: guesses before any category are talk."""
    table = Table()
    table.run(1)
    table.judge(table.guess(0, RIGHT), table.guess(1, WRONG))
    assert table.places == (0, 0, 0, 0)
    assert table.state.hand.wrongs == (0, 0, 0, 0)


@pytest.mark.parametrize("verdict", [Verdict.NONE, Verdict.AGAIN])
def test_what_was_not_understood_costs_nothing(verdict: Verdict) -> None:
    """CE-16: a cough, or a guess too unsure to judge, has no consequence here."""
    table = started()
    before = table.state
    table.judge(table.guess(0, verdict))
    assert table.state == before


def test_unknown_seats_are_ignored() -> None:
    """A guess of a seat that does not exist changes nothing."""
    table = started()
    before = table.state
    table.judge(table.guess(7, RIGHT), table.guess(-1, RIGHT))
    assert table.state == before


# --- wrong guesses -------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "costs"), [
    (0, [0, 0, 0, 0]),
    (1, [0, 0, 1, 0]),
    (10, [0, 0, 1, 1]),
    (19, [0, 0, 1, 1]),
    (20, [0, 1, 1, 1]),
    (21, [0, 1, 1, 1]),
    (25, [0, 1, 1, 1]),
])
def test_wrong_guesses(place: int, costs: list[int]) -> None:
    """CE-11, CE-12: n > 1 on red, n > 2 elsewhere costs a space, by where the piece stands at the verdict."""
    table = placed(started(), place, 0, 0, 0)
    for cost in costs:
        before = table.places[0]
        table.judge(table.guess(0, WRONG))
        assert before - table.places[0] == cost
    assert table.places[1:] == (0, 0, 0)


def test_free_guesses_are_counted_a_card() -> None:
    """CE-11: the next card brings new free guesses, each player has their own."""
    table = placed(started(), 5, 5, 5, 5)
    for seat in (0, 0, 1, 1, 0):
        table.judge(table.guess(seat, WRONG))
    assert table.places == (4, 5, 5, 5)
    table.next_card()
    table.judge(table.guess(0, WRONG))
    assert table.places[0] == 4


def test_verdicts_say_what_is_left() -> None:
    """CE-11: the host says how many are free, which was the last, and what it cost."""
    table = placed(started(), 5, 0, 0, 0)
    for _ in range(3):
        table.judge(table.guess(0, WRONG))
    first, second, third = table.said("/verdict")
    assert "One free guess left" in first
    assert "free" in second or "cost" in second
    assert "back" in third.lower()
    assert all("Blue" in text for text in (first, second, third))
    assert table.chimes() == ["wrong"] * 3


def test_venture_cards_give_free_guesses_and_shields() -> None:
    """CE-11, CE-18: more free guesses on the next card; a shield forgives a penalty step."""
    table = given_cards(placed(Table(), 5, 5, 5, 5), free=(1, 0, 0, 0), shield=(0, 1, 0, 0))
    table.run_to("card1/reveal")
    table.next_card()
    for seat in (0, 0, 0, 1, 1, 1):
        table.judge(table.guess(seat, WRONG))
    assert table.places == (5, 5, 5, 5)
    for seat in (0, 1):
        table.judge(table.guess(seat, WRONG))
    assert table.places == (4, 4, 5, 5)
    table.run_to("card2/reveal")
    table.next_card()
    for _ in range(3):
        table.judge(table.guess(0, WRONG))
    assert table.places == (3, 4, 5, 5)  # the extra free guess was for one card


def test_a_penalty_step_may_land_on_a_triangle_and_win() -> None:
    """CE-18, CE-3: a penalty step lands; a card drawn there may win the game in the middle of a card."""
    packs = make_packs(board=make_board(triangles=(4,)), ventures=(Venture("v", "Fly.", "move", "right", 99),))
    table = placed(started(packs=packs), 5, 5, 5, 5)
    for _ in range(3):
        table.judge(table.guess(0, WRONG))
    table.judge(table.guess(1, RIGHT))
    assert isinstance(table.state.phase, Over)
    assert table.state.pieces.winner == 3
    assert table.ids()[-1] == "winner"
    assert table.places == (4, 5, 5, 27)


# --- right guesses and winning -------------------------------------------------------------------


def test_a_right_guess_is_celebrated_with_colour_and_answer() -> None:
    """CE-13: chime, colour, answer, statements and spaces; then the solver reads (CE-17)."""
    table = started()
    table.judge(table.guess(1, RIGHT))
    chime = next(effect for effect in table.effects if isinstance(effect, Chime))
    verdict = table.said("/verdict")[0]
    assert chime.name == "right"
    for part in ("Red", "secret", "One statement", "six spaces"):
        assert part in verdict
    shown = game.view(table.state, None)["verdicts"][-1]
    assert shown == {"card": 1, "seat": 1, "text": "a fork", "verdict": "right", "spaces": 6}


def test_a_bonus_is_added_once() -> None:
    """CE-18: a bonus adds spaces to the next right guess, that one only."""
    table = given_cards(started(), bonus=(0, 2, 0, 0))
    table.judge(table.guess(1, RIGHT))
    assert table.places[1] == 8
    assert table.state.pieces.bonus == (0, 0, 0, 0)
    assert "bonus" in table.ids()


def test_landing_on_a_triangle_is_told() -> None:
    """CE-18: the card is read aloud and what it did is said."""
    swap = Venture("v", "Change places with whoever is last.", "swap", "last")
    ventures = (swap, Venture("w", "Two more with your next answer.", "bonus", "self", 2))
    table = placed(started(packs=make_packs(board=ON_TRIANGLE, ventures=ventures)), 0, 3, 1, 4)
    given_cards(table, deck=(0, 1))
    table.judge(table.guess(0, RIGHT))
    # Green, moved to the triangle by Blue's card, draws in turn
    assert table.state.pieces.bonus == (0, 0, 2, 0)
    assert table.places == (1, 3, 6, 4)
    assert swap.text in table.said("venture")[0]
    assert "Blue and Green" in table.said("places")[0]


@pytest.mark.parametrize(("venture", "told"), [
    (Venture("v", "T.", "move", "leader", 1), "Red"),
    (Venture("v", "T.", "move", "self", 1), None),
    (Venture("v", "T.", "move", "others", 1), None),
    (Venture("v", "T.", "move", "self", 0), "nothing|stays put"),
    (Venture("v", "T.", "bonus", "self", 1), None),
])
def test_what_a_venture_card_did_is_said_where_it_is_not_plain(venture: Venture, told: str | None) -> None:
    """CE-18: who was meant is said, and that nothing has happened."""
    table = placed(started(packs=make_packs(board=ON_TRIANGLE, ventures=(venture,))), 0, 9, 1, 4)
    table.judge(table.guess(0, RIGHT))
    said = table.said("places")
    assert (not said) if told is None else any(word in said[0] for word in told.split("|"))


def test_arrows_are_told() -> None:
    """CE-19: the arrow's goal is said, between the cards that led there."""
    ventures = (Venture("v", "On you go.", "move", "self", 1),)
    table = Table(packs=make_packs(board=make_board(red=5, triangles=(6,), arrows=((7, 5),)), ventures=ventures))
    table.run_to("card1/statement1")
    table.judge(table.guess(0, RIGHT))
    assert table.places[0] == 5
    assert [name for name in table.ids() if name in ("venture", "arrow")] == ["venture", "arrow"]
    assert "five" in table.said("arrow")[0]


def test_the_first_in_the_circle_wins_at_once() -> None:
    """CE-3: the game is over, by name, with cards and minutes; the card's note and all that follows is dropped."""
    table = placed(started(), 22, 0, 0, 0)
    table.judge(table.guess(0, RIGHT))
    assert isinstance(table.state.phase, Over)
    assert game.view(table.state, None)["winner"] == 0
    assert "Anna" in table.said("winner")[0]
    assert "one card" in table.said("winner")[0]
    assert "less than a minute" in table.said("winner")[0]
    assert "card1/note" not in table.ids()
    before = table.state
    assert game.deadline(before) is None
    assert game.expects(before) == Expects()
    table.run(20)
    table.judge(table.guess(1, RIGHT))
    table.ready()
    assert table.state.phase == before.phase
    assert table.places == before.pieces.places
    table.command("score")
    assert "Blue" in table.said("score")[0]


@pytest.mark.parametrize(("minutes", "said"), [(1, "one minute."), (7, "seven minutes"), (31, "31 minutes")])
def test_the_winners_time(minutes: int, said: str) -> None:
    """CE-3: the winner hears how many cards and minutes it took."""
    table = placed(started(), 0, 25, 0, 0)
    table.command("skip")
    table.next_card()
    at = table.state.started + samples(60 * minutes)
    state, effects = game.step(table.state, Guesses(at, (table.guess(1, RIGHT, at),)))
    text = effects[-1].line.text
    assert isinstance(state.phase, Over)
    assert "two cards" in text
    assert said.rstrip(".") in text


# --- more exactly --------------------------------------------------------------------------------


def test_too_general_is_asked_back_without_cost() -> None:
    """CE-14: "more exactly?", no wrong guess; the reply counts from the first utterance's start."""
    table = Table()
    table.run_to("card1/statement2", Part.FIRST_WORD)
    began = table.at - 1
    table.judge(table.guess(2, UNSPECIFIC, began))
    assert "Green" in table.said("/exactly")[0]
    assert [ruling["verdict"] for ruling in game.view(table.state, None)["verdicts"]] == ["unspecific"]
    assert game.view(table.state, None)["asked"] == 2
    table.run_to("card1/statement2")
    table.run(1)
    table.judge(table.guess(2, RIGHT))
    assert table.places[2] == 6
    assert table.state.hand.wrongs == (0, 0, 0, 0)


def test_the_reply_needs_no_colour() -> None:
    """CE-14: after "more exactly, Green?" an answer without a colour is Green's; a wrong one is talk."""
    table = started()
    table.judge(table.guess(2, UNSPECIFIC))
    table.run_to("card1/exactly")
    table.judge(table.guess(None, WRONG))
    table.judge(table.guess(None, RIGHT))
    assert table.places[2] == 6


@pytest.mark.parametrize("verdict", [UNSPECIFIC, WRONG])
def test_a_reply_that_fails_is_a_wrong_guess(verdict: Verdict) -> None:
    """CE-14: the next unspecific answer is wrong, and so is a wrong reply."""
    table = started()
    table.judge(table.guess(2, UNSPECIFIC))
    table.run_to("card1/exactly")
    table.judge(table.guess(2, verdict))
    assert table.state.hand.wrongs[2] == 1
    assert table.phase == "Pausing"
    table.judge(table.guess(2, UNSPECIFIC))
    assert table.state.hand.wrongs[2] == 2


def test_no_reply_costs_nothing_and_the_pause_goes_on() -> None:
    """CE-14, CE-6: after 5 s without a reply the pause goes on where it stopped."""
    table = Table()
    table.run_to("card1/statement1")
    table.run(2)
    table.judge(table.guess(2, UNSPECIFIC))
    ended = table.run_to("card1/exactly").at
    assert table.run_to("card1/statement2", Part.BEGAN).at == ended + samples(5 + 3)
    assert table.state.hand.wrongs[2] == 0


def test_a_reply_in_the_air_is_waited_for_a_late_one_is_a_guess_of_its_own() -> None:
    """CE-14: a reply begun within 5 s counts when it is judged; one begun later is an ordinary guess."""
    for late, spaces in ((-0.1, 6), (0.1, 4)):
        table = started(read=1)
        table.judge(table.guess(2, UNSPECIFIC))
        due = table.run_to("card1/exactly").at + samples(5)
        table.run(4.8)
        table.floor(True)
        table.run(2)
        assert isinstance(table.state.phase, Exacting)
        hand = table.state.hand
        table.state = replace(table.state, hand=replace(hand, reads=(*hand.reads, due - samples(1), due)))
        table.judge(table.guess(2, RIGHT, due + samples(late)))
        assert table.places[2] == spaces


def test_a_reply_that_never_ends_is_given_up() -> None:
    """CE-14, TTS-05: where speech is never judged the card goes on after 8 s more."""
    table = started()
    table.judge(table.guess(2, UNSPECIFIC))
    table.run_to("card1/exactly")
    table.run(4)
    table.floor(True)
    table.run(12)
    assert not isinstance(table.state.phase, Exacting)
    table.floor(False)
    table.run_to("card1/statement2")


def test_others_answers_wait_for_the_reply() -> None:
    """CE-14: others' right answers are kept, and count only if the reply fails; wrong ones are charged at once."""
    for reply, solver in ((RIGHT, 2), (WRONG, 3), (None, 3)):
        table = started()
        table.judge(table.guess(2, UNSPECIFIC))
        table.run_to("card1/exactly")
        table.judge(table.guess(1, WRONG))
        table.judge(table.guess(3, RIGHT))
        assert table.state.hand.wrongs[1] == 1
        assert not table.state.hand.over
        if reply is None:
            table.run(10)
        else:
            table.judge(table.guess(2, reply))
        assert table.state.reader == solver
        assert table.places[solver] == 6


def test_another_unspecific_answer_has_its_turn_after_the_first() -> None:
    """CE-14: a second player's unspecific answer is asked back when the first one has failed."""
    table = started()
    table.judge(table.guess(2, UNSPECIFIC), table.guess(3, UNSPECIFIC, table.at + samples(0.5)))
    table.run_to("card1/exactly")
    table.judge(table.guess(2, WRONG))
    table.run_to("card1/exactly")
    table.judge(table.guess(None, RIGHT))
    assert table.state.reader == 3


def test_more_exactly_during_the_category_and_during_a_statement() -> None:
    """CE-14: asked in the middle of a line, the card goes on with that line."""
    table = Table()
    table.run_to("card1/category", Part.BEGAN)
    table.judge(table.guess(0, UNSPECIFIC))
    table.run_to("card1/statement1")
    table = Table()
    table.run_to("card1/statement2", Part.FIRST_WORD)
    table.speak(0, UNSPECIFIC)
    table.run_to("card1/exactly")
    table.run_to("card1/statement2")
    assert len(table.state.hand.reads) == 2


def test_the_question_can_be_said_again() -> None:
    """CE-14, GAM-07: "say that again" repeats "more exactly?" and gives the time anew."""
    table = started()
    table.judge(table.guess(0, UNSPECIFIC))
    table.run_to("card1/exactly")
    table.run(4)
    table.command("repeat")
    table.run_to("card1/exactly")
    table.run(4)
    table.judge(table.guess(0, RIGHT))
    assert table.places[0] == 6


def test_a_penalty_may_end_the_game_during_more_exactly() -> None:
    """CE-3, CE-14: a wrong reply, or another's wrong guess, may win the game for somebody; then it is over."""
    packs = make_packs(board=make_board(triangles=(4,)), ventures=(Venture("v", "Fly.", "move", "last", 99),))
    for seat in (0, 1):
        table = placed(started(packs=packs), 5, 5, 5, 3)
        table.judge(table.guess(seat, WRONG))
        table.judge(table.guess(seat, WRONG))
        table.judge(table.guess(0, UNSPECIFIC))
        table.judge(table.guess(seat, WRONG), table.guess(2, WRONG, table.at + 9000), table.guess(3, RIGHT,
                                                                                                 table.at + 9001))
        assert isinstance(table.state.phase, Over)
        assert table.state.pieces.winner == 3
    table = placed(started(packs=packs), 5, 5, 5, 3)
    table.judge(table.guess(1, WRONG), table.guess(1, WRONG), table.guess(1, WRONG), table.guess(1, RIGHT,
                                                                                               table.at + 9000))
    assert table.state.pieces.winner == 3


def test_no_word_of_the_answer_before_the_card_is_over() -> None:
    """CE-14a: whatever happens on a card, no line before its end holds a word of the answer."""
    table = started(read=6)
    for seat, verdict in ((0, WRONG), (1, UNSPECIFIC), (1, WRONG), (None, WRONG), (None, WRONG), (None, UNSPECIFIC)):
        table.judge(table.guess(seat, verdict, text="the secret thing"))
        table.run(3)
    for name in ("repeat", "repeat_all", "score", "turn", "where", "guesses", "category"):
        table.command(name)
    assert len(table.said()) > 15
    assert not any("secret" in text for text in table.said())


# --- order ---------------------------------------------------------------------------------------


def test_alternatives_in_one_breath_are_guesses_in_order() -> None:
    """CE-14b: "a fork or a comb": the wrong one before is charged, then the right one moves; later ones do not."""
    table = placed(started(), 5, 5, 5, 5)
    for _ in range(2):
        table.judge(table.guess(0, WRONG))
    began = table.at
    table.judge(
        table.guess(0, WRONG, began, answer_began=began + 8000),
        table.guess(0, RIGHT, began, answer_began=began + 16000),
        table.guess(0, WRONG, began, answer_began=began + 24000),
        table.guess(1, WRONG, began + 30000),
    )
    assert table.places[0] == 5 - 1 + 6
    assert table.state.hand.wrongs == (3, 0, 0, 0)


def test_guesses_are_judged_in_the_order_of_their_starts() -> None:
    """CE-14b: given out of order, the earlier right one wins; a wrong one begun before it counts."""
    table = started()
    now = table.at
    table.judge(table.guess(2, RIGHT, now + 9000), table.guess(1, RIGHT, now + 4000), table.guess(0, WRONG, now))
    assert table.state.reader == 1
    assert table.state.hand.wrongs[0] == 1


def test_each_guess_sees_the_move_of_the_one_before() -> None:
    """CE-14b, CE-11: the zone is looked at with all earlier moves done."""
    table = placed(started(), 20, 5, 5, 5)
    table.judge(*(table.guess(0, WRONG, table.at + n) for n in range(3)))
    # first free on red; the second costs and leaves the red zone; the third costs as the third one there
    assert table.places[0] == 18


# --- at exactly the same time --------------------------------------------------------------------

MS = 16


@pytest.mark.parametrize(("first", "second", "apart", "tie"), [
    ({"by_button": True}, {"by_button": True}, 0, True),
    ({"by_button": True}, {"by_button": True}, 50 * MS, True),
    ({"by_button": True}, {"by_button": True}, 50 * MS + 1, False),
    ({"by_button": True}, {"channel": 1}, 150 * MS, True),
    ({"channel": 0}, {"by_button": True}, 150 * MS + 1, False),
    ({"channel": 0}, {"channel": 1}, 0, True),
    ({"channel": 0}, {"channel": 1}, 150 * MS, True),
    ({"channel": 0}, {"channel": 1}, 150 * MS + 1, False),
])
def test_ties(first: dict, second: dict, apart: int, tie: bool) -> None:
    """CE-15, GAM-16: within 50 ms between buttons, 150 ms otherwise, nobody moves; beyond it the earlier one does."""
    table = started()
    now = table.at
    table.judge(table.guess(1, RIGHT, now, **first), table.guess(2, RIGHT, now + apart, **second))
    if tie:
        assert table.places == (0, 0, 0, 0)
        assert table.state.reader == 0
        assert table.kept() == [table.state.hand.card]
        assert "Red and Green" in table.said("/verdict")[0]
        table.run_to("card1/reveal")
        table.run_to("card1/note")
    else:
        assert table.places == (0, 6, 0, 0)


def test_the_answers_own_words_are_compared() -> None:
    """CE-15: not "um, Blue, I think" but where the answer's own words begin; CE-13 counts from where speech began."""
    table = started()
    now = table.at
    table.judge(table.guess(1, RIGHT, now, answer_began=now + 20000), table.guess(2, RIGHT, now + 9000))
    assert table.state.reader == 2
    table = started()
    now = table.at
    table.judge(table.guess(1, RIGHT, now, answer_began=now + 9100), table.guess(2, RIGHT, now + 9000))
    assert table.places == (0, 0, 0, 0)


def test_the_same_player_twice_is_no_tie() -> None:
    """CE-15: one player heard twice is one player; three at once are named once each."""
    table = started()
    table.judge(table.guess(1, RIGHT), table.guess(1, RIGHT, channel=1))
    assert table.places[1] == 6
    table = started()
    table.judge(*(table.guess(seat, RIGHT) for seat in (1, 2, 2, 3)))
    assert "Red, Green and White" in table.said("/verdict")[0]


def test_of_a_specific_and_an_unspecific_answer_the_specific_is_right() -> None:
    """CE-15: the unspecific one is neither asked back nor charged."""
    table = started()
    table.judge(table.guess(1, UNSPECIFIC), table.guess(2, RIGHT, table.at + 100))
    assert table.places[2] == 6
    assert "card1/exactly" not in table.ids()


def test_a_tie_stops_a_winning_move() -> None:
    """CE-15, CE-3: two at once one step before the Circle: nobody wins; a wrong guess before it stands."""
    table = placed(started(), 26, 26, 5, 5)
    now = table.at
    table.judge(table.guess(2, WRONG, now - 9000), table.guess(0, RIGHT, now), table.guess(1, RIGHT, now))
    assert table.state.pieces.winner is None
    assert table.state.hand.wrongs[2] == 1
    assert game.expects(table.state).card is None


# --- who was it ----------------------------------------------------------------------------------


def test_right_but_whose() -> None:
    """CE-16: "Right! Who said it?": the one who claims it moves, from where the guess began."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    assert game.expects(table.state).claim
    assert "?" in table.said("/who")[0]
    table.run_to("card1/who")
    table.run(3)
    table.claim(3)
    table.claim(3)
    table.run(1)
    assert table.places == (0, 0, 0, 6)


def test_asked_twice_then_unsolved() -> None:
    """CE-16, GAM-14: asked twice at most; then the card counts as unsolved, and the player to the left reads."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    ended = table.run_to("card1/who").at
    assert table.run_to("card1/who", Part.BEGAN).at == ended + samples(6 + 0.35)
    table.run_to("card1/reveal")
    assert table.ids().count("card1/who") == 2
    assert table.places == (0, 0, 0, 0)
    assert table.state.reader == 1


def test_the_answer_with_a_colour_is_a_claim() -> None:
    """CE-16: "Red, the toothbrush" in reply is Red's claim; other guesses are too late; "again" asks again."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    table.command("repeat")
    table.judge(table.guess(2, WRONG), table.guess(None, RIGHT))
    table.judge(table.guess(1, RIGHT))
    table.run(1)
    assert table.places == (0, 6, 0, 0)
    assert table.state.hand.wrongs[2] == 0


def test_two_claims_are_asked_who_was_first() -> None:
    """CE-15: two claims on one microphone: "who was first?" once; who is named then has it."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    table.claim(1)
    table.claim(2)
    table.run_to("card1/first")
    assert game.expects(table.state).guessing == (1, 2)
    assert game.expects(table.state).commands == ("together",)
    table.claim(0)
    table.claim(2)
    table.run(1)
    assert table.places == (0, 0, 6, 0)


@pytest.mark.parametrize("reply", ["nobody", "both", "together"])
def test_disputed_claims_are_a_tie(reply: str) -> None:
    """CE-15: if it stays disputed, or both say that it was together, it is a tie."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    table.claim(1)
    table.command("together")
    assert isinstance(table.state.phase, Claiming)
    table.claim(2)
    table.run_to("card1/first")
    if reply == "both":
        table.claim(1)
        table.claim(2)
    elif reply == "together":
        table.command("together")
    table.run(16)
    assert table.places == (0, 0, 0, 0)
    assert table.state.reader == 0
    assert "Red and Green" in table.said("/verdict")[0]


def test_a_claim_in_the_air_is_waited_for() -> None:
    """CE-16: somebody who is just saying "red" when the time ends is heard."""
    table = started()
    table.judge(table.guess(None, RIGHT))
    table.run_to("card1/who")
    table.run(5.9)
    table.floor(True)
    table.run(1)
    table.claim(1)
    table.run(0.5)
    table.floor(False)
    table.run(1)
    assert table.places[1] == 6
    assert table.ids().count("card1/who") == 1


def test_claims_only_where_asked_and_only_by_guessers() -> None:
    """CE-16, CE-17: a colour alone is nothing; the silent reader cannot claim, nor a seat that is not there."""
    table = started(reader="silent")
    before = table.state
    table.claim(2)
    assert table.state == before
    table.judge(table.guess(None, RIGHT))
    table.claim(0)
    table.claim(9)
    assert table.state.phase.claims == ()


def test_an_owned_right_answer_beside_an_unowned_one() -> None:
    """CE-16: of two right answers at once the owned one has it; an unowned one that was earlier is asked."""
    table = started()
    table.judge(table.guess(None, RIGHT), table.guess(2, RIGHT, table.at + 100))
    assert table.places[2] == 6
    table = started()
    table.judge(table.guess(None, RIGHT), table.guess(2, RIGHT, table.at + 16000))
    assert isinstance(table.state.phase, Claiming)


def test_colour_first_please() -> None:
    """CE-16: unowned wrong guesses cost nothing; after two of them only owned guesses count, on that card only."""
    table = started()
    table.judge(table.guess(None, WRONG))
    table.judge(table.guess(None, UNSPECIFIC))
    assert "card1/owner" not in table.ids()
    table.judge(table.guess(None, WRONG))
    assert table.ids()[-1] == "card1/owner"
    assert game.expects(table.state).owned_only
    table.judge(table.guess(None, RIGHT))
    table.judge(table.guess(None, WRONG))
    assert table.phase == "Pausing"
    assert table.ids()[-1] == "card1/owner"
    table.judge(table.guess(0, RIGHT))
    assert table.places[0] == 6
    table.next_card()
    assert not game.expects(table.state).owned_only


def test_strict_wants_an_owner_for_every_guess() -> None:
    """CE-16: with `strict` unowned guesses are nothing, right or wrong."""
    table = started(strict=True)
    before = table.state
    table.judge(table.guess(None, RIGHT), table.guess(None, WRONG))
    assert table.state == before
    assert game.expects(table.state).owned_only


# --- objections ----------------------------------------------------------------------------------


def ruled(state: State, guesses: Guesses, seat: int, right: bool) -> tuple[State, list[str], tuple]:
    """The state after an objection, what was said, and all effects."""
    after, effects = game.overrule(state, replace(guesses, at=guesses.at + samples(10)), seat, right)
    return after, [effect.line.text for effect in effects if isinstance(effect, Say)], effects


def test_wrong_turned_right() -> None:
    """GM-2: the card is solved by that guess, counted where it began; the answer is said, the solver reads."""
    table = started(read=2)
    state, guesses = table.state, Guesses(table.at, (table.guess(3, WRONG),))
    after, said, effects = ruled(state, guesses, 3, True)
    assert after.pieces.places == (0, 0, 0, 5)
    assert after.reader == 3
    assert "White" in said[0]
    assert "five spaces" in said[0]
    assert any("secret" in text for text in said)
    assert Keep("clues", state.hand.card) in effects or state.hand.kept
    assert after.hand.wrongs[3] == 0


def test_right_turned_wrong() -> None:
    """GM-2: the guess is charged as a wrong one and the card is unsolved: the player to the left reads."""
    table = placed(started(), 5, 5, 5, 5)
    for _ in range(2):
        table.judge(table.guess(2, WRONG))
    guesses = Guesses(table.at, (table.guess(2, RIGHT),))
    after, said, _ = ruled(table.state, guesses, 2, False)
    assert after.pieces.places == (5, 5, 4, 5)
    assert after.reader == 1
    assert after.hand.settled
    assert len(said) == 2


def test_it_was_somebody_elses() -> None:
    """GM-2: Green's right guess was White's: White moves, Green does not, and the answer is not said again."""
    table = started(read=3)
    guesses = Guesses(table.at, (table.guess(0, WRONG, table.at - 50), table.guess(2, RIGHT)))
    after, said, _ = ruled(table.state, guesses, 3, True)
    assert after.pieces.places == (0, 0, 0, 4)
    assert after.hand.wrongs == (1, 0, 0, 0)
    assert len(said) == 1


def test_a_ruling_on_an_unowned_guess() -> None:
    """GM-2: what nobody owned was White's; a claimed one that was not right is charged to who claimed it."""
    table = placed(started(), 5, 5, 5, 5)
    talk = Guesses(table.at, (table.guess(None, WRONG),))
    assert ruled(table.state, talk, 3, True)[0].pieces.places == (5, 5, 5, 11)
    claimed = Guesses(table.at, (table.guess(None, RIGHT),))
    assert ruled(table.state, claimed, 1, False)[0].hand.wrongs == (0, 1, 0, 0)


def test_a_ruling_about_nothing_changes_nothing() -> None:
    """GM-2: where that seat said nothing that could be turned round, nothing changes."""
    table = started()
    guesses = Guesses(table.at, (table.guess(0, WRONG),))
    assert ruled(table.state, guesses, 1, False)[0] == table.state
    assert ruled(table.state, Guesses(table.at, ()), 1, True)[0] == table.state
    assert ruled(table.state, guesses, 1, True)[0] == table.state


def test_a_ruling_on_a_reply() -> None:
    """GM-2, CE-14: a reply turned right counts from the first utterance's start."""
    table = Table()
    table.run_to("card1/statement1")
    table.judge(table.guess(2, UNSPECIFIC))
    table.run_to("card1/exactly")
    hand = table.state.hand
    table.state = replace(table.state, hand=replace(hand, reads=(*hand.reads, table.at - 10)))
    guesses = Guesses(table.at, (table.guess(2, WRONG),))
    assert ruled(table.state, guesses, 2, True)[0].pieces.places[2] == 6
    other = Guesses(table.at, (table.guess(3, WRONG),))
    assert ruled(table.state, other, 3, True)[0].pieces.places[3] == 5


def test_a_ruling_may_win_or_lose_a_game() -> None:
    """GM-2, CE-3: a declared win is what it would have been; a penalty may win as ever."""
    table = placed(started(), 26, 5, 5, 5)
    guesses = Guesses(table.at, (table.guess(0, WRONG),))
    assert isinstance(ruled(table.state, guesses, 0, True)[0].phase, Over)
    won = Guesses(table.at, (table.guess(0, RIGHT),))
    assert ruled(table.state, won, 0, False)[0].pieces.winner is None

    packs = make_packs(board=make_board(triangles=(4,)), ventures=(Venture("v", "Fly.", "move", "right", 99),))
    table = placed(started(packs=packs), 5, 5, 5, 5)
    for _ in range(2):
        table.judge(table.guess(0, WRONG))
    now = table.at
    charged = Guesses(now, (table.guess(0, RIGHT),))
    assert ruled(table.state, charged, 0, False)[0].pieces.winner == 3
    before = Guesses(now, (table.guess(0, WRONG, now - 99), table.guess(0, WRONG, now - 98), table.guess(1, WRONG)))
    assert ruled(table.state, before, 1, True)[0].pieces.winner == 3


def test_a_ruling_silences_what_is_being_said() -> None:
    """GM-2: a statement that sounds when the ruling comes is hushed, and not heard behind it."""
    table = Table()
    table.run_to("card1/statement2", Part.FIRST_WORD)
    _, _, effects = ruled(table.state, Guesses(table.at, (table.guess(3, WRONG),)), 3, True)
    assert effects[0] == Hush()
    table.run_to("card1/statement2")
    for right in (True, False):
        verdict = WRONG if right else RIGHT
        _, _, effects = ruled(table.state, Guesses(table.at, (table.guess(3, verdict),)), 3, right)
        assert Hush() not in effects


def test_play_goes_on_after_a_ruling() -> None:
    """GM-2: after a ruling the next card comes, with a new line for every id."""
    table = started()
    state, guesses = table.state, Guesses(table.at, (table.guess(3, WRONG),))
    table.judge(*guesses.guesses)
    table.run(3)
    table.mouth.hush(table.at)
    table.mouth.reports.clear()
    table.state, effects = game.overrule(state, replace(guesses, at=table.at), 3, True)
    table._out(effects)
    table.next_card()
    assert table.state.number == 2
    ids = [effect.line.id for effect in table.effects if isinstance(effect, Say)]
    assert len(ids) == len(set(ids))
