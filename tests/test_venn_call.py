""""VENN!": when it counts, which team it was, false alarms (VN-7, VN-8)."""

import pytest
from venn_table import Table

from host.clock import samples
from host.events import Call, Chime, Claim, Hush, ListWord, Say
from host.games import venn
from host.games.venn_state import Guessing


def guess(table: Table) -> Guessing:
    phase = table.state.phase
    assert isinstance(phase, Guessing)
    return phase


def test_venn_sounds_at_once_and_stops_both_clue_givers() -> None:
    """VN-8: a loud sound first, then "stop", then the question, in the same step."""
    table = Table().to_go()
    effects = table.tell(Call(table.now, table.now - 8000, None))
    assert effects[0] == Chime("venn")
    assert [effect.line.id.split("/")[1].split("#")[0] for effect in effects[1:] if isinstance(effect, Say)] == [
        "stop", "which",
    ]


def test_a_call_with_its_team_needs_no_question() -> None:
    """VN-8: a button, a microphone or the name in the same breath tells the team."""
    table = Table().to_go()
    mark = table.mark()
    table.call(1)
    assert table.ids(mark) == ["stop", "guess"]
    assert guess(table).team == 1


@pytest.mark.parametrize("how", ["claim", "team", "call"])
def test_the_question_which_team_has_three_answers(how: str) -> None:
    """VN-8: a player, a team's name, or a call with the team answers it."""
    table = Table().to_go().call().quiet()
    if how == "claim":
        table.claim(3)
    elif how == "team":
        table.command("team", "1")
    else:
        table.call(1)
    assert guess(table).team == 1
    assert "Owls" in table.last()


@pytest.mark.parametrize("seat", [-1, 4])
def test_nobody_at_the_table_is_no_answer(seat: int) -> None:
    """VN-8: a seat that does not exist, a team that does not, or another call without a team answers nothing."""
    table = Table().to_go().call().quiet()
    state = table.state
    assert table.claim(seat).command("team", "2").call().state == state


def test_a_question_unanswered_is_asked_once_more_then_it_was_nobody() -> None:
    """VN-8: after ten seconds the host asks again, after ten more it takes the call for a false alarm."""
    table = Table().to_go().call().quiet().wait(10.1).quiet()
    assert table.ids().count("which") == 2
    table.wait(10.1)
    assert "alarm" in table.ids()
    assert table.wait(8.0).phase == "Placing"


@pytest.mark.parametrize("word", ["nobody", "go_on"])
def test_a_false_alarm_goes_on_after_another_count(word: str) -> None:
    """VN-8: "nobody" or "go on": play resumes after one, two, three, go."""
    table = Table().to_go().call().quiet()
    mark = table.mark()
    table.command(word).wait(9.0)
    assert table.ids(mark) == ["alarm", "one", "two", "three", "go"]
    assert table.phase == "Placing"


def test_nobody_undoes_a_call_until_a_word_is_taken() -> None:
    """VN-8, VN-9: "nobody" also where the team was told, but not after a word; "go on" is talk then."""
    assert Table().to_go().call(0).quiet().command("nobody").phase == "Counting"
    assert Table().to_go().call(0).quiet().command("go_on").phase == "Guessing"
    assert Table().to_go().call(0).quiet().say(1).command("nobody").phase == "Guessing"
    table = Table().to_go()
    assert table.command("nobody").phase == "Placing"


def test_a_call_during_the_count_is_not_yet_once() -> None:
    """VN-7: "not yet", once; the count begins anew, and a second early call is nothing."""
    table = Table().to_ready().ready(0).ready(1).wait(1.8)
    table.call()
    assert table.ids()[-1] == "not_yet"
    mark = table.mark()
    table.wait(1.5).call().wait(5.0)
    assert table.ids(mark) == ["one", "two", "three", "go"]
    assert table.phase == "Placing"
    assert "venn" not in table.chimes()


def test_a_call_begun_before_the_last_sample_of_go_is_not_yet() -> None:
    """VN-7: what counts is when the call began, not when it was recognised; from GO's last sample on it is one."""
    table = Table().to_go()
    go = table.state.phase.go  # type: ignore[union-attr]  # it is Placing
    table.tell(Call(table.now, go - 1, None))
    assert table.ids()[-1] == "not_yet"
    assert table.phase == "Placing"
    table.tell(Call(table.now, go, None))
    assert table.phase == "Asking"


def test_a_call_into_go_itself_does_not_restart_the_count() -> None:
    """VN-7: while GO sounds the host says "not yet" after it, and the cards are placed."""
    table = Table().to_ready().ready(0).ready(1)
    while "go" not in table.ids():
        table.wait(0.01)
    table.call(ago=0.1).quiet()
    assert table.ids()[-1] == "not_yet"
    assert table.phase == "Placing"
    assert table.ids().count("one") == 1


@pytest.mark.parametrize("phase", ["Telling", "Readying", "Between"])
def test_a_call_out_of_time_is_nothing(phase: str) -> None:
    """VN-7: before the count and after the round nobody can call."""
    table = Table()
    if phase == "Readying":
        table.to_ready()
    elif phase == "Between":
        table.round(0, (1,), (1,))
    state = table.state
    assert table.phase == phase
    assert table.call(0).state == state


@pytest.mark.parametrize(("cards", "team", "line"), [
    (("0", "0"), 0, "only"), (("0", "0", "0"), 0, None), (("0", "0", "0"), 1, "only"), (("", "", ""), 1, None),
    (("0", "1"), None, "only"), (("0", "0", "0", "1"), None, None), ((), 0, "only"),
])
def test_a_call_before_the_third_art_card(cards: tuple[str, ...], team: int | None, line: str | None) -> None:
    """VN-7: where cards are counted, an early call gets "only two cards yet" and play goes on."""
    table = Table(art_cards="spoken").to_go()
    for card in cards:
        table.command("card", card)
    mark = table.mark()
    table.call(team)
    if line:
        assert table.ids(mark) == ["only"]
        assert table.phase == "Placing"
        assert table.chimes(mark) == []
    else:
        assert table.chimes(mark) == ["venn"]


def test_how_many_cards_there_are_is_said() -> None:
    """VN-7: none, one and two are told apart."""
    table = Table(art_cards="button").to_go()
    said = []
    for card in ("0", "0", "x"):
        table.call(0).quiet()
        said.append(table.last())
        table.command("card", card)
    assert "card yet" in said[0]
    assert "one card" in said[1].lower()
    assert "two cards" in table.call(0).last().lower()


def test_the_team_that_answers_must_have_three_cards() -> None:
    """VN-7: if the team turns out to have two cards, play goes on after another count."""
    table = Table(art_cards="spoken").to_go()
    for card in ("0", "0", "0", "1", "1"):
        table.command("card", card)
    table.call().quiet().claim(1)
    assert table.ids()[-1] == "only"
    assert table.phase == "Counting"
    table.quiet().wait(6.0)
    assert table.phase == "Placing"
    assert table.state.cards == (3, 2)
    assert table.command("card", "1").call(1).phase == "Guessing"


def test_cards_are_counted_only_while_they_are_placed() -> None:
    """VN-7: "card" at another moment is talk."""
    table = Table(art_cards="spoken")
    assert table.command("card", "0").state.cards == (0, 0)


# --- two calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("later", "team"), [(-1, 1), (1, 0)])
def test_of_two_calls_the_earlier_sample_wins(later: int, team: int) -> None:
    """VN-8: where buttons or microphones tell, the call that began earlier counts, even if it was known later."""
    table = Table().to_go()
    began = table.now - samples(0.5)
    table.tell(Call(table.now, began, 0))
    table.wait(0.3)
    table.tell(Call(table.now, began + later, 1))
    assert guess(table).team == team
    assert guess(table).bonus
    assert ("earlier" in table.ids()) is (team == 1)


def test_an_earlier_call_that_comes_far_too_late_is_nothing() -> None:
    """VN-8: two seconds after the call its team stands; the same team's second call is nothing."""
    table = Table().to_go()
    began = table.now - samples(0.5)
    table.tell(Call(table.now, began, 0))
    state = table.wait(0.5).state
    table.tell(Call(table.now, began, 0))
    table.tell(Call(table.now, began - 5, None))
    assert table.state == state
    table.wait(3.0)
    table.tell(Call(table.now, began - 100, 1))
    assert guess(table).team == 0


def test_calls_in_the_same_sample_are_a_tie_without_bonus() -> None:
    """VN-8: two calls in one sample: the team behind guesses first, nobody gets the bonus."""
    table = Table().round(0, (1, 2), (8,)).ready().to_go()
    began = table.now - samples(0.5)
    table.tell(Call(table.now, began, 0))
    table.tell(Call(table.now, began, 1))
    assert (guess(table).team, guess(table).bonus, guess(table).since) == (1, False, began)


def test_a_rival_call_with_too_few_cards_is_nothing() -> None:
    """VN-7, VN-8: an earlier call of a team with two cards does not take the turn."""
    table = Table(art_cards="spoken").to_go()
    for _ in range(3):
        table.command("card", "0")
    table.tell(Call(table.now, table.now - 100, 0))
    table.tell(Call(table.now, table.now - 200, 1))
    assert guess(table).team == 0


def claims(table: Table, first: int, second: int, apart: float = 1.0) -> Table:
    return table.call().quiet().claim(first).wait(apart).claim(second)


def test_both_claim_it_and_the_team_behind_guesses_first() -> None:
    """VN-8: on one microphone, if both claim the call, the team behind is first, and nobody gets the bonus."""
    table = claims(Table().round(0, (1, 2), (8,)).ready().to_go(), 0, 1)
    assert "both" in table.ids()
    assert (guess(table).team, guess(table).bonus) == (1, False)
    table.guess(4, 5, 6, card=(4, 5, 6))
    assert table.state.points == (2, 3)
    table.guess(1, 2, 3, card=(1, 2, 3))
    assert table.state.points == (5, 3)
    assert table.state.called == (2, 2)


def test_level_teams_and_the_one_that_called_less_recently_guesses_first() -> None:
    """VN-8: at equal points the team whose last call is longer ago is first; if neither has, the one named first."""
    table = claims(Table().round(0, (1,), (1,)).ready().to_go(), 0, 1)
    assert table.state.points == (1, 1)
    assert guess(table).team == 1
    assert guess(claims(Table().to_go(), 1, 0)).team == 1
    assert guess(claims(Table().to_go(), 0, 1)).team == 0


def test_a_second_claim_is_heard_for_three_seconds_only() -> None:
    """VN-8: a claim of the same team, or of the other one later than 3 s, disputes nothing."""
    assert guess(claims(Table().to_go(), 0, 2)).bonus
    assert guess(claims(Table().to_go(), 0, 1, apart=3.2)).bonus
    assert not guess(claims(Table().to_go(), 0, 1, apart=2.9)).bonus


def test_a_named_call_after_the_answer_disputes_it_too() -> None:
    """VN-8: "Venn, Owls!" right after "Foxes!" is a claim of the other team."""
    table = Table().to_go().call().quiet().claim(0).wait(0.5).call(1)
    assert not guess(table).bonus


# --- words in the breath of the call ---------------------------------------------------------------


@pytest.mark.parametrize(("after", "ended", "kept"), [
    ((0.6,), None, 1), ((1.4,), None, 1), ((1.6,), None, 0), ((0.6, 1.9), None, 2), ((0.6, 2.3), None, 1),
    ((-0.1,), None, 0), ((1.1,), 0.05, 0), ((1.0,), 0.05, 1),
])
def test_words_in_the_same_breath_count_once_the_team_is_known(
    after: tuple[float, ...], ended: float | None, kept: int,
) -> None:
    """VN-9, KEY-13: a gap under one second is the same breath; the words count when the team has been named."""
    table = Table().to_go()
    began = table.now
    table.tell(Call(table.now, began, None, None if ended is None else began + samples(ended)))
    for number, offset in enumerate(after, start=1):
        table.tell(ListWord(table.now, number, began + samples(offset), None))
    assert "word" not in table.chimes()
    table.quiet().claim(0)
    assert guess(table).numbers == tuple(range(1, kept + 1))
    assert table.chimes().count("word") == kept


def test_three_words_in_the_breath_close_the_list() -> None:
    """VN-9, KEY-09: "Venn river heavy wedding" and "Foxes" are all that is needed, in the order of their starts."""
    table = Table().to_go()
    began = table.now
    table.tell(Call(table.now, began, None))
    for number, offset in ((5, 1.0), (4, 0.5), (6, 1.5)):
        table.tell(ListWord(table.now, number, began + samples(offset), None, began + samples(offset + 0.4)))
    table.quiet().claim(0)
    assert table.phase == "Revealing"
    assert venn.view(table.state, None)["taken"] == [4, 5, 6]
    assert table.chimes()[-1] == "closed"


def test_words_of_the_other_microphone_are_not_the_callers() -> None:
    """VN-9: where microphones tell, only that team's words are taken."""
    table = Table().to_go()
    table.tell(Call(table.now, table.now, None))
    table.tell(ListWord(table.now, 1, table.now + 100, 1))
    table.tell(Claim(table.now, 0, table.now))
    assert guess(table).numbers == ()


def test_a_call_cuts_what_the_host_is_saying() -> None:
    """VN-8: if the host happens to speak, it falls silent before the sound."""
    table = Table().to_go().command("repeat_all").wait(0.5)
    effects = table.tell(Call(table.now, table.now, 0))
    assert effects[:2] == (Hush(), Chime("venn"))
