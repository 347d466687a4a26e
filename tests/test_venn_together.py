"""The cooperative game: the clock, the beep, twelve points in five rounds (VN-16 to VN-18)."""

from dataclasses import replace

import pytest
from venn_table import PAIR, Table, packs

from host.clock import samples
from host.events import Call, ListWord, Said
from host.games import Player, venn

CALLS = (60.0, 90.0, 110.0)


def together(**options: object) -> Table:
    return Table(PAIR, cards=packs(30), mode="cooperative", **options)  # type: ignore[arg-type]  # many types


def go(table: Table) -> int:
    """The last sample of GO."""
    return next(at for at in (table.state.phase.go,))  # type: ignore[union-attr]  # it is Placing


def test_one_ready_is_enough_for_one_clue_giver() -> None:
    """VN-5, VN-16: one team has one clue giver, another one each round."""
    table = together().to_ready()
    assert table.ready(1).phase == "Readying"
    assert table.ready().phase == "Counting"
    assert together().to_ready().ready(0).phase == "Counting"
    seen = []
    table = together()
    for _ in range(4):
        seen.append(table.state.givers)
        table.to_go().call().guess(1, card=(1, 2, 3)).ready()
    assert seen == [(0,), (1,), (0,), (1,)]


def test_the_clock_is_called_and_beeps() -> None:
    """VN-16: two minutes from GO's last sample: calls at one minute, thirty and ten seconds, and a beep."""
    table = together().to_go()
    start = go(table)
    table.wait(118.5)
    beep = next(at for at, effect in table.log if getattr(effect, "name", "") == "beep")
    said = table.times("time")
    assert [at - start for at in said[:3]] == [samples(time) for time in CALLS]
    assert beep - start == samples(120.0)
    assert table.ids()[-2:] == ["time", "guess"]
    assert table.phase == "Guessing"


def test_a_competitive_round_has_no_clock() -> None:
    """VN-16: only the cooperative game is played against the clock."""
    table = Table().to_go()
    assert venn.deadline(table.state) is None
    assert venn.view(table.state, None)["ends"] is None


def test_at_the_beep_the_team_guesses() -> None:
    """VN-17: three guesses, the reveal, one point each, no bonus; words begun before the beep are none."""
    table = together().to_go()
    start = go(table)
    table.wait(119.0)
    table.tell(ListWord(table.now, 9, start + samples(119.9), None))
    table.guess(1, 2, 3, card=(1, 2, 3))
    assert table.state.points == (3,)
    assert table.phase == "Between"


def test_venn_ends_the_round_too() -> None:
    """VN-17: a call stops the clock; nobody is asked which team; no bonus for three."""
    table = together().to_go()
    mark = table.mark()
    table.call()
    assert table.chimes(mark) == ["venn"]
    assert table.ids(mark) == ["stop", "guess"]
    table.guess(1, 2, 3, card=(1, 2, 3))
    assert table.state.points == (3,)
    assert "beep" not in table.wait(200.0).chimes()


def test_the_three_card_rule_binds_here_too() -> None:
    """VN-7, VN-17: where cards are counted, an early call is none."""
    table = together(art_cards="spoken").to_go().command("card").command("card").call()
    assert table.phase == "Placing"
    assert table.command("card", "0").call().phase == "Guessing"


def test_a_call_begun_before_the_beep_and_known_after_it() -> None:
    """VN-17: then words begun after the call count, also those before the beep; too late it is nothing."""
    table = together().to_go()
    end = go(table) + samples(120.0)
    table.wait(118.3)
    assert table.phase == "Guessing"
    table.tell(Call(table.now, end - samples(0.8), None))
    table.tell(ListWord(table.now, 4, end - samples(0.2), None))
    assert venn.view(table.state, None)["taken"] == [4]
    late = together().to_go()
    end = go(late) + samples(120.0)
    late.wait(118.0).wait(3.0)
    late.tell(Call(late.now, end - samples(0.8), None))
    late.tell(ListWord(late.now, 4, end - samples(0.2), None))
    assert venn.view(late.state, None)["taken"] == []


@pytest.mark.parametrize("how", ["nobody", "go_on"])
def test_a_false_alarm_gives_the_time_back(how: str) -> None:
    """VN-8: after "nobody" and another GO the clock has what it had when the call began."""
    table = together().to_go()
    start = go(table)
    table.wait(48.0)
    table.tell(Call(table.now, start + samples(49.0), None))
    table.quiet().wait(5.0).command(how).quiet().wait(6.0)
    assert table.phase == "Placing"
    assert venn.view(table.state, None)["ends"] - go(table) == samples(71.0)
    times = len(table.times("time"))
    table.wait(80.0)
    assert len(table.times("time")) == times + 4
    late = together().to_go().wait(75.0).call().quiet().command("nobody").quiet().wait(6.0).wait(50.0)
    assert len(late.times("time")) == 4


def test_the_beep_is_no_false_alarm() -> None:
    """VN-17: the time that is up cannot be given back."""
    assert together().to_go().wait(119.0).command("nobody").phase == "Guessing"


def test_the_clock_stands_while_the_table_shifts_time() -> None:
    """VN-16: "pause" is the table's: nothing in the state moves by itself, so shifted time gives the same game."""
    table = together().to_go()
    before = venn.deadline(table.state)
    state = table.state
    assert venn.step(state, Said(0, "somebody/else#1", venn.Part.ENDED))[0] == state
    assert venn.deadline(table.state) == before


def test_twelve_points_win() -> None:
    """VN-18: looked at before the number cards are."""
    table = together()
    for _ in range(4):
        table.to_go().call().guess(1, 2, 3, card=(1, 2, 3))
        if table.phase == "Between":
            table.ready()
    assert (table.phase, table.state.points) == ("Over", (12,))
    assert venn.view(table.state, None)["winner"] == 0
    fifth = together()
    fifth.state = replace(fifth.state, points=(9,), before=(9,), played=5)
    fifth.to_go().call().guess(1, 2, 3, card=(1, 2, 3))
    assert fifth.ids()[-1] == "won"


def test_after_five_rounds_it_is_lost() -> None:
    """VN-16, VN-18: five number cards, then no more."""
    table = together()
    for _ in range(5):
        table.to_go().call().guess(1, 2, card=(1, 2, 3)).ready()
    assert (table.phase, table.state.points, table.state.round) == ("Over", (10,), 5)
    assert table.ids()[-1] == "lost"
    view = venn.view(table.state, None)
    assert (view["over"], view["winner"]) == (True, None)
    assert table.command("instead", "2:3").command("instead", "1:4").phase == "Over"


def test_the_score_counts_up_to_twelve() -> None:
    """VN-18: "four points of twelve"."""
    table = together().to_go().call().guess(1, 2, card=(1, 2, 3))
    assert "two points of twelve" in table.lines()[-2].text.lower()
    table.ready()
    begin = next(line.text for line in reversed(table.lines()) if "/begin" in line.id)
    assert "two" in begin
    assert "five" in begin


def test_three_players_play_together() -> None:
    """VN-1: three players are one team, whatever teams they were given."""
    table = Table((*PAIR, Player("Cleo", "", 1)), mode="cooperative")
    assert venn.view(table.state, None)["teams"][0]["players"] == ["Anna", "Ben", "Cleo"]
    state = table.to_go().call().state
    assert table.claim(1).command("team", "1").state == state
