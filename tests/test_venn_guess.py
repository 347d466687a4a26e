"""The three words, the reveal, the score and the end (VN-9 to VN-14)."""

from dataclasses import replace

import pytest
from venn_table import Table, packs

from host.clock import samples
from host.events import ListWord, Part, Said
from host.games import venn
from host.games.venn_score import score, together, winner
from host.games.venn_state import Guessing, State


def called(**options: object) -> Table:
    """The Foxes have called, and the host has asked for their words."""
    return Table(**options).to_go().call(0).quiet()  # type: ignore[arg-type]  # options of many types


def taken(table: Table) -> list[int]:
    return list(venn.view(table.state, None)["taken"])


def test_the_first_three_different_words_are_the_guess() -> None:
    """VN-9: three words in the order spoken; a word said twice is nothing; each has its sound, the third closes."""
    table = called().say(4, 4, 9, 4, 2, 7)
    assert taken(table) == [4, 9, 2]
    assert table.chimes()[-3:] == ["word", "word", "closed"]
    assert table.phase == "Revealing"


def test_words_begun_before_the_call_are_none() -> None:
    """VN-9: only words begun after the call count, however late they are recognised."""
    table = Table().to_go()
    table.call(0, ago=0.5)
    table.tell(ListWord(table.now, 3, table.now - samples(0.6), None))
    table.tell(ListWord(table.now, 4, table.now - samples(0.4), None))
    assert taken(table) == [4]


def test_words_of_the_other_team_or_without_number_are_none() -> None:
    """VN-9: where microphones tell, a stranger's word is none; numbers beyond the list are none."""
    table = called().say(3, team=1).say(5, team=0).say(0, 13)
    assert taken(table) == [5]


def test_a_word_cuts_the_hosts_question_short() -> None:
    """Who answers before the host has asked need not hear the question to its end."""
    table = Table().to_go().call(0).wait(0.1)
    table.tell(ListWord(table.now, 1, table.now, None))
    assert type(table.log[-2][1]).__name__ == "Hush"


def test_after_twenty_seconds_the_host_asks_and_after_twenty_more_it_takes_what_it_has() -> None:
    """VN-9: fewer than three words score their points, without the bonus."""
    table = called().say(1, 2).wait(20.1)
    assert table.ids()[-1] == "more"
    assert "one" in table.last().lower()
    table.quiet().wait(20.1)
    assert table.phase == "Revealing"
    table.quiet().numbers(1, 2, 3).reply(yes=True)
    assert table.state.points == (2, 0)


def test_a_word_starts_the_twenty_seconds_anew() -> None:
    """VN-9: the patience is counted from the last word."""
    table = called().wait(15.0).say(1).wait(15.0)
    assert table.ids()[-1] == "guess"
    assert table.wait(5.2).ids()[-1] == "more"
    table.quiet().say(2).wait(20.1)
    assert table.ids().count("more") == 2


def test_no_word_at_all_scores_nothing_and_needs_no_numbers() -> None:
    """VN-9, VN-12: silence is no points; the other team has its turn all the same."""
    table = called().wait(20.1).quiet().wait(20.1)
    assert "reveal" not in table.ids()
    assert table.state.points == (0, 0)
    assert venn.view(table.state, None)["guessing"] == 1


def test_whoever_is_speaking_is_not_cut_off_by_the_deadline() -> None:
    """VN-9: speech begun before the time was up holds it, eight seconds at most."""
    table = called().say(1, 2).wait(20.1).quiet().wait(19.0).floor(busy=True).wait(2.0)
    assert table.phase == "Guessing"
    table.say(3)
    assert table.phase == "Revealing"
    babble = called().say(1).wait(20.1).quiet().wait(19.0).floor(busy=True).wait(8.5)
    assert babble.phase == "Guessing"
    assert babble.wait(1.0).phase == "Revealing"
    quiet = called().say(1).wait(20.1).quiet().wait(19.0).floor(busy=True).wait(3.0).floor(busy=False)
    assert quiet.wait(0.6).phase == "Revealing"
    free = called().floor(busy=True).floor(busy=False)
    assert free.state.busy is False


# --- strike that ----------------------------------------------------------------------------------


def test_a_strangers_word_is_struck_within_three_seconds() -> None:
    """VN-9: "strike that" removes the last word; later than 3 s it is final."""
    table = called().say(1, 2).wait(2.9).command("strike")
    assert taken(table) == [1]
    assert table.ids()[-1] == "struck"
    late = called().say(1, 2).wait(3.1).command("strike")
    assert taken(late) == [1, 2]
    nothing = called().command("strike").command("keep")
    assert nothing.ids()[-1] == "guess"


def test_the_third_word_can_be_struck_too() -> None:
    """VN-9: also when the list is closed already, as long as no number has been said."""
    table = called().say(1, 2, 3).wait(1.0).command("strike")
    assert table.phase == "Guessing"
    assert taken(table) == [1, 2]
    assert taken(table.say(5)) == [1, 2, 5]
    said = called().say(1, 2, 3).numbers(4).command("strike")
    assert said.phase == "Revealing"
    table.wait(4.0).command("strike")
    assert table.phase == "Revealing"


@pytest.mark.parametrize("how", ["keep", "no"])
@pytest.mark.parametrize(("after", "stays"), [(2.5, True), (3.5, False)])
def test_a_strike_may_be_contradicted(how: str, after: float, stays: bool) -> None:
    """VN-9: "no" or "keep it" within 3 s of "is out" puts the word back in its place, for good."""
    table = called().say(1, 2).command("strike").quiet().wait(after)
    if how == "keep":
        table.command("keep")
    else:
        assert venn.expects(table.state).yes_no
        table.reply(yes=False)
    assert taken(table) == ([1, 2] if stays else [1])
    table.command("strike")
    assert taken(table) == ([1, 2] if stays else [1])


def test_a_struck_word_that_comes_back_drops_what_was_said_after_the_third() -> None:
    """VN-9: the first three words are final: the word back in its place, the fourth is dropped."""
    table = called().say(1, 2, 3).command("strike").say(6)
    assert taken(table) == [1, 2, 6]
    assert table.phase == "Revealing"
    table.reply(yes=False)
    assert taken(table) == [1, 2, 3]
    assert table.phase == "Revealing"
    again = called().say(1, 2).command("strike").say(6, 2, pause=0.4).command("keep")
    assert taken(again) == [1, 2, 6]


def test_a_word_whose_microphone_is_known_cannot_be_struck() -> None:
    """VN-9: striking is for one microphone; where microphones tell, the word was the team's."""
    assert taken(called().say(1, team=0).command("strike")) == [1]


# --- the numbers ----------------------------------------------------------------------------------


def revealed(*numbers: int) -> Table:
    table = called().say(1, 2, 3).quiet()
    return table.numbers(*numbers) if numbers else table


def test_numbers_are_read_back_and_scored_only_after_a_yes() -> None:
    """VN-10: three numbers, read back, a yes; without it nothing is scored."""
    table = revealed(1, 5, 9)
    assert "one, five, nine" in table.last().lower()
    assert table.quiet().wait(300.0).state.points == (0, 0)
    assert table.ids().count("read") == 3
    assert table.reply(yes=True).state.points == (1, 0)
    assert "numbers" not in table.ids()
    assert revealed().reply(yes=True).phase == "Revealing"


def test_numbers_are_corrected_by_saying_them_again() -> None:
    """VN-10: with or without a "no", the last three numbers said are the ones that are read back and count."""
    assert revealed(1, 5, 9).quiet().numbers(1, 2, 9).reply(yes=True).state.points == (2, 0)
    table = revealed(1, 5, 9).reply(yes=False)
    assert table.ids()[-1] == "correct"
    assert table.reply(yes=True).state.points == (0, 0)
    assert table.numbers(1, 2, 3).reply(yes=True).state.points == (4, 0)


def test_after_three_corrections_the_host_offers_another_way() -> None:
    """GM-4, GAM-14: the third "no" brings another wording: one number at a time."""
    table = revealed()
    texts = []
    for _ in range(3):
        table.numbers(1, 5, 9).reply(yes=False)
        texts.append(table.last())
    assert "one" in texts[-1].lower()
    assert "slow" in texts[-1]


def test_numbers_that_are_missing_are_asked_for() -> None:
    """VN-10: where one of three was not heard the host tells what it has after 5 s, and the rest alone suffices."""
    table = revealed(1, 9).wait(4.5)
    assert "rest" not in table.ids()
    table.wait(1.0)
    assert table.ids()[-1] == "rest"
    assert "one, nine" in table.last().lower()
    assert table.numbers(5).ids()[-1] == "read"
    assert "one, nine, five" in table.last().lower()
    again = revealed(1, 9).wait(5.5).numbers(1, 5, 9)
    assert "one, five, nine" in again.last().lower()


def test_numbers_may_come_one_by_one() -> None:
    """VN-10: with pauses between them they add up to three."""
    table = revealed(1).wait(1.0).numbers(5)
    assert "read" not in table.ids()
    assert table.numbers(9).ids()[-1] == "read"
    one = table.quiet().numbers(4)
    assert venn.view(one.state, None)["heard"] == [4]
    assert not venn.expects(one.state).yes_no


@pytest.mark.parametrize("said", [(1, 1, 5), (1, 5, 9, 11), (0, 5, 9), (1, 5, 13), (14,)])
def test_what_is_no_number_card_is_asked_again(said: tuple[int, ...]) -> None:
    """VN-4: three different numbers from one to twelve."""
    table = revealed(*said)
    assert table.ids()[-1] == "three"
    assert venn.view(table.state, None)["heard"] == []


def test_numbers_out_of_time_are_nothing() -> None:
    """VN-10: numbers count only when they have been asked for, and none is none."""
    table = called()
    assert table.numbers(1, 2, 3).phase == "Guessing"
    table = revealed()
    state = table.state
    assert table.numbers().state == state


def test_the_numbers_are_asked_for_three_times_at_most() -> None:
    """GM-4: then the host waits in silence, and still hears them."""
    table = revealed().wait(300.0)
    assert table.ids().count("reveal") == 3
    assert table.numbers(1, 2, 3).reply(yes=True).state.points == (4, 0)


# --- points ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "card", "caller", "points"), [
    ((1, 5, 9), (1, 5, 9), True, 4), ((9, 1, 5), (1, 5, 9), True, 4), ((1, 5, 9), (1, 5, 9), False, 3),
    ((1, 5, 2), (1, 5, 9), True, 2), ((2, 3, 4), (1, 5, 9), True, 0), ((1, 5), (1, 5, 9), True, 2), ((), (), True, 0),
])
def test_a_point_for_each_right_word_and_one_more_for_the_callers_three(
    words: tuple[int, ...], card: tuple[int, ...], caller: bool, points: int,
) -> None:
    """VN-11, VN-12: whichever circle it was; the bonus is for the calling team only, and for three words."""
    assert score(0, words, card, caller).points == points


def test_the_verdict_is_one_sentence() -> None:
    """VN-11: what was right, and the points; all three, none, and the bonus in words of their own."""
    table = Table().round(0, (1, 2, 4), (7, 8, 9), card=(1, 2, 3), other=(7, 8, 9))
    verdicts = [line.text for line in table.lines() if "/verdict" in line.id]
    assert table.state.words[0] in verdicts[0].lower()
    assert "two points" in verdicts[0].lower()
    assert "three points" in verdicts[1].lower()
    table.ready().round(0, (1, 2, 3), (4, 5, 6))
    verdicts = [line.text for line in table.lines() if "/verdict" in line.id]
    assert "four points" in verdicts[2].lower()
    assert "owls" in verdicts[3].lower()
    assert table.state.points == (6, 3)
    scores = [line.text for line in table.lines() if "/score" in line.id]
    assert "Foxes six, Owls three" in scores[-1]


def test_the_other_team_guesses_after_the_callers() -> None:
    """VN-12: words said before the host has begun to ask the other team are none; there is no bonus."""
    table = called().say(1, 2, 3).quiet().numbers(1, 2, 3).reply(yes=True)
    table.tell(ListWord(table.now, 5, table.now, None))
    assert taken(table) == []
    table.quiet().say(5, 6, 7).quiet().numbers(5, 6, 7).reply(yes=True)
    assert table.state.points == (4, 3)


def test_a_question_never_heard_to_begin_opens_all_the_same() -> None:
    """VN-12, TTS-05: if the mouth drops the question, words count from then on."""
    table = called().say(1, 2, 3).quiet().numbers(1, 2, 3).reply(yes=True)
    for line in table.state.unsaid:
        table.tell(Said(table.now, line, Part.CUT))
    table.queue.clear()
    assert taken(table.say(5)) == [5]


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "gains", "wins"), [
    ((11, 3), (4, 0), None), ((12, 3), (4, 0), 0), ((3, 12), (0, 3), 1), ((12, 13), (3, 4), 1), ((15, 13), (4, 3), 0),
    ((12, 12), (4, 3), 0), ((12, 12), (2, 3), 1), ((12, 12), (3, 3), None), ((14, 14), (1, 1), None),
])
def test_who_wins_with_a_round(points: tuple[int, int], gains: tuple[int, int], wins: int | None) -> None:
    """VN-13: most points once somebody has twelve; level, the better round; level again, an extra round."""
    assert winner(points, gains) == wins


def at_points(table: Table, *points: int) -> Table:
    """The same table with other points before this round."""
    table.state = replace(table.state, points=points, before=points)
    return table


def test_the_game_ends_with_the_round_in_which_somebody_has_twelve() -> None:
    """VN-13: the other team has its turn even if the callers have twelve already."""
    table = at_points(Table(), 9, 9)
    table.to_go().call(0).guess(1, 2, 3, card=(1, 2, 3))
    assert table.state.points == (13, 9)
    assert table.phase == "Guessing"
    table.guess(1, 2, 3, card=(1, 2, 3))
    assert table.phase == "Over"
    view = venn.view(table.state, None)
    assert (view["over"], view["winner"]) == (True, 0)
    assert "Foxes" in table.last()
    assert venn.expects(table.state) == venn.expects(table.state).__class__()
    assert venn.deadline(table.state) is None


def test_level_totals_bring_extra_rounds() -> None:
    """VN-13: level in points and in the round: another round, until the totals differ."""
    table = at_points(Table(), 10, 10).round(0, (1, 2), (1, 2))
    assert table.state.points == (12, 12)
    assert table.phase == "Between"
    table.ready().round(1, (1,), ())
    assert table.phase == "Over"
    assert venn.view(table.state, None)["winner"] == 1


def test_best_of_three() -> None:
    """VN-14: two games win; points start anew, clue givers go on in turn."""
    table = at_points(Table(best_of_three=True, cards=packs(30)), 9, 9).round(0, (1, 2, 3), ())
    assert (table.phase, table.state.games) == ("Between", (1, 0))
    table.ready()
    assert table.state.points == (0, 0)
    assert table.state.givers == (2, 3)
    assert (table.state.played, table.state.round) == (1, 2)
    at_points(table, 9, 9).round(1, (1, 2, 3), ())
    assert table.state.games == (1, 1)
    at_points(table.ready(), 9, 9).round(1, (1, 2, 3), ())
    assert (table.phase, table.state.games) == ("Over", (1, 2))
    assert venn.view(table.state, None)["winner"] == 1


def test_between_rounds_anybody_may_go_on() -> None:
    """After the score the table clears its circles; "ready" or "go on" begins the next round."""
    for how in ("ready", "go_on"):
        table = Table().round(0, (1,), (1,))
        (table.ready() if how == "ready" else table.command(how))
        assert (table.state.round, table.phase) == (2, "Telling")


# --- objections (GM-2) ----------------------------------------------------------------------------


def test_a_misheard_word_is_set_right_before_the_reveal() -> None:
    """GM-2: "we said five, not four": the word is changed in its place, nothing else."""
    table = called().say(4).command("instead", "4:5")
    assert taken(table) == [5]
    table.say(1, 2).quiet().command("instead", "1:12")
    assert taken(table) == [5, 12, 2]
    assert table.phase == "Revealing"


def test_a_misheard_word_is_set_right_after_the_score() -> None:
    """GM-2: the points become what they would have been, also where a round is over already."""
    table = Table().to_go().call(0).guess(1, 2, 4, card=(1, 2, 3))
    assert table.state.points == (2, 0)
    table.command("instead", "4:3").quiet()
    assert table.state.points == (4, 0)
    table.guess(1, 5, 6, card=(1, 2, 3))
    assert table.state.points == (4, 1)
    table.command("instead", "5:2")
    assert table.state.points == (4, 2)
    assert "Foxes four, Owls two" in table.lines()[-2].text
    state = table.state
    for argument in ("9:8", "x:1", "1:13", ""):
        assert table.command("instead", argument).state == state


def test_a_win_by_mishearing_is_taken_back() -> None:
    """GM-2: a declared win becomes what it would have been, and the other way round."""
    table = at_points(Table(), 9, 3).round(0, (1, 2, 3), ())
    assert table.phase == "Over"
    table.command("instead", "3:4").quiet()
    assert (table.phase, table.state.points, table.state.games) == ("Between", (11, 3), (0, 0))
    table.command("instead", "4:3")
    assert (table.phase, table.state.games) == ("Over", (1, 0))


def test_words_are_taken_only_while_they_are_asked_for() -> None:
    """VN-9: list words while cards are placed are table talk."""
    table = Table().to_go()
    state: State = table.say(1, 2).state
    assert not isinstance(state.phase, Guessing)
    assert table.chimes() == []


def test_cooperative_results() -> None:
    """VN-18: twelve win, also in the last round; without number cards it is lost."""
    assert [together(*one) for one in ((12, 3), (13, 5), (11, 5), (11, 4), (0, 1))] == [True, True, False, None, None]
