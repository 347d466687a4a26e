"""Comings and goings in Venn: the rules alone (VN-1, VN-3, VN-4, VN-16)."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from venn_table import FOUR, PAIR, Table, packs

from host.events import Effect, Say
from host.games import Player, venn
from host.games.venn_joining import may_go_over

MAYA = Player("Maya", "")
FIVE = (*FOUR, Player("Finn", "", 0))
SIX = (*FIVE, Player("Gus", "", 1))


def changed(table: Table, made: Callable[..., tuple[Any, tuple[Effect, ...]]], *more: Any) -> list[str]:
    """Carry out a change; what the host says."""
    table.state, effects = made(table.state, *more, table.now)
    table._play(effects)
    return [effect.line.text for effect in effects if isinstance(effect, Say)]


def teams(table: Table) -> list[list[str]]:
    """Names by team."""
    return [team["players"] for team in venn.view(table.state, None)["teams"]]


def after_round(players: tuple[Player, ...] = FOUR, rounds: int = 1, **options: Any) -> Table:
    """A table between two rounds; the Foxes lead."""
    table = Table(players, cards=packs(40), **options)
    for _ in range(rounds):
        table.round(0, (1, 2), (9,)) if table.phase != "Between" else table.ready()
        if table.phase != "Between":
            table.round(0, (1,), (9,))
    assert table.phase == "Between"
    return table


@pytest.mark.parametrize(("players", "wish", "team"), [
    (FOUR, None, 1), (FOUR, 0, 0), (FOUR, 1, 1), (FIVE, 0, 1), (FIVE, None, 1), (SIX, 0, 0),
])
def test_a_newcomer_joins_the_smaller_team(players: tuple[Player, ...], wish: int | None, team: int) -> None:
    """VN-1: teams differ by one at most; level in size the wish counts, and without one the team that is behind."""
    table = after_round(players)
    said = changed(table, venn.join, Player("Maya", "", wish), len(players))
    assert table.state.players[-1] == Player("Maya", "", team)
    assert "Maya" in teams(table)[team]
    assert "Maya" in said[0]
    assert ("even" in said[0]) is (wish is not None and wish != team)


def test_a_newcomer_gives_clues_when_the_turn_comes() -> None:
    """VN-3: in seating order: Anna, Ben, then Maya."""
    table = after_round()
    changed(table, venn.join, Player("Maya", "", 0), 4)
    seen = []
    for _ in range(3):
        table.ready()
        seen.append(table.state.players[table.state.givers[0]].name)
        table.round(0, (1,), (9,))
    assert seen == ["Ben", "Maya", "Anna"]


@pytest.mark.parametrize(("seat", "following"), [(0, "Ben"), (2, "Finn"), (4, "Ben")])
def test_the_turn_to_give_clues_goes_on_when_somebody_leaves(seat: int, following: str) -> None:
    """VN-3: Anna has given clues; whoever of the Foxes leaves, the next of them is who would have followed."""
    table = after_round(FIVE)
    assert table.state.players[table.state.givers[0]].name == "Anna"
    changed(table, venn.leave, seat)
    table.ready()
    assert table.state.players[table.state.givers[0]].name == following


def test_the_larger_team_lends_one_to_the_smaller() -> None:
    """VN-1: three Foxes and two Owls; an Owl leaves: the last Fox who gives no clues goes over, and that is said."""
    table = after_round(FIVE)
    said = changed(table, venn.leave, 1)
    assert teams(table) == [["Anna", "Ben"], ["Eva", "Finn"]]
    assert "Dan" in said[0]
    assert "Finn" in said[1]
    assert "Owls" in said[1]


@pytest.mark.parametrize(("players", "options", "least"), [(FOUR, {}, 4), (PAIR, {"mode": "cooperative"}, 2)])
def test_too_few_to_play_on(players: tuple[Player, ...], options: dict[str, Any], least: int) -> None:
    """VN-1, VN-16: two teams need four, one needs two: a sentence, and nobody leaves."""
    table = Table(players, **options)
    assert venn.least(table.state) == least
    with pytest.raises(ValueError, match=f"{least} are needed"):
        venn.leave(table.state, 0, 0)
    with pytest.raises(ValueError, match="There is a seat 0 to"):
        venn.leave(table.state, 9, 0)


def test_nonsense_is_one_sentence() -> None:
    """A full table, a name that somebody has, a place that is none."""
    eight = tuple(Player(f"P{at}", "", at % 2) for at in range(8))
    with pytest.raises(ValueError, match="Eight play"):
        venn.join(Table(eight).state, MAYA, 8, 0)
    with pytest.raises(ValueError, match="There is a anna already"):
        venn.join(Table().state, Player("anna", ""), 4, 0)
    with pytest.raises(ValueError, match="can sit at 0 to 4"):
        venn.join(Table().state, MAYA, 7, 0)
    with pytest.raises(ValueError, match="takes two"):
        venn.trade(Table().state, 1, 1, 0)
    assert venn.open_teams(Table(eight).state) == ()


def test_two_change_places() -> None:
    """VN-1: each plays for the other's team; two of one team are told that they are in one."""
    table = after_round()
    said = changed(table, venn.trade, 0, 1)
    assert teams(table) == [["Dan", "Ben"], ["Anna", "Eva"]]
    assert "Anna" in said[0]
    assert "Owls" in said[0]
    said = changed(table, venn.trade, 0, 3)
    assert "Anna" in said[0]
    assert teams(table) == [["Dan", "Ben"], ["Anna", "Eva"]]


@pytest.mark.parametrize(("players", "seat", "may"), [
    (FOUR, 0, False), (FIVE, 0, True), (FIVE, 1, False), (SIX, 0, False),
])
def test_one_goes_over(players: tuple[Player, ...], seat: int, may: bool) -> None:
    """VN-1: only from the larger team, and only where two stay; otherwise the host says what to do."""
    table = after_round(players)
    before = teams(table)
    assert may_go_over(table.state.players, seat) is may
    said = changed(table, venn.go_over, seat)
    assert (teams(table) != before) is may
    assert ("place" in said[0]) is not may


# --- before GO --------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", ["Telling", "Readying"])
def test_who_comes_before_go_plays_this_round(phase: str) -> None:
    """VN-1: while the words are said or the clue givers look at their numbers nothing is missed yet."""
    table = Table()
    if phase == "Readying":
        table.to_ready()
    assert table.phase == phase
    changed(table, venn.join, MAYA, 4)
    assert table.phase == phase
    assert sum(len(team) for team in teams(table)) == 5
    if phase == "Readying":
        table.quiet().ready(0).ready(1).wait(6.0)
        assert table.phase == "Placing"


def test_a_clue_giver_who_leaves_before_go_is_followed_by_the_next() -> None:
    """VN-3, VN-4: the next in seating order gives clues, with a card that nobody has seen, and says "ready" anew."""
    table = Table(FIVE, cards=packs(40), numbers="host").to_ready()
    table.ready(0)
    before = table.state.secret
    said = changed(table, venn.leave, 0)
    assert [table.state.players[seat].name for seat in table.state.givers] == ["Ben", "Dan"]
    assert table.state.secret[0] not in before
    assert table.state.secret[1] == before[1]
    assert any("Ben" in text for text in said)
    assert venn.view(table.state, table.state.givers[0])["secret"] == list(table.state.secret[0])
    assert table.quiet().ready(table.state.givers[1]).phase == "Readying"
    assert table.wait(2.0).ready(table.state.givers[0]).phase == "Counting"


def test_two_clue_givers_who_change_places_have_seen_the_wrong_cards() -> None:
    """VN-3, VN-4: the next in seating order give clues, and both cards are exchanged."""
    table = Table(FOUR, cards=packs(40), numbers="host").to_ready()
    before = set(table.state.secret)
    changed(table, venn.trade, 0, 1)
    assert [table.state.players[seat].name for seat in table.state.givers] == ["Dan", "Eva"]
    assert not before & set(table.state.secret)


@pytest.mark.parametrize("phase", ["Counting", "Placing", "Asking", "Guessing", "Revealing", "Over"])
def test_while_a_clock_or_a_list_is_open_nobody_comes_or_goes(phase: str) -> None:
    """VN-1: in the middle of a round, and after the end, the same state comes back."""
    table = Table(FIVE)
    table.to_ready().ready(0).ready(1)
    if phase != "Counting":
        table.wait(6.0)
    if phase == "Asking":
        table.call()
    elif phase in ("Guessing", "Revealing", "Over"):
        table.call(0)
    if phase == "Revealing":
        table.quiet().say(1, 2, 3)
    elif phase == "Over":
        from dataclasses import replace

        table.state = replace(table.state, before=(11, 0), points=(11, 0))
        table.guess(1, card=(1, 2, 3)).guess(9, card=(1, 2, 3))
    assert table.phase == phase
    assert not venn.settled(table.state)
    state = table.state
    assert venn.join(state, MAYA, 5, table.now) == (state, ())
    assert venn.leave(state, 0, table.now) == (state, ())
    assert venn.trade(state, 0, 1, table.now) == (state, ())
    assert venn.go_over(state, 0, table.now) == (state, ())


def test_one_team_comes_and_goes_as_it_likes() -> None:
    """VN-16: in the cooperative game a newcomer simply plays along; there is no other team."""
    table = Table(PAIR, cards=packs(30), mode="cooperative")
    changed(table, venn.join, Player("Maya", "", 1), 2)
    assert teams(table) == [["Anna", "Ben", "Maya"]]
    assert table.state.players[2].team is None
    assert venn.go_over(table.state, 0, 0) == (table.state, ())
    assert venn.trade(table.state, 0, 1, 0) == (table.state, ())
    changed(table, venn.leave, 0)
    assert teams(table) == [["Ben", "Maya"]]
    table.to_ready().ready(0).wait(6.0).call().guess(1, card=(1, 2, 3)).ready()
    assert table.state.players[table.state.givers[0]].name == "Maya"


STEP = st.tuples(st.sampled_from(["join", "leave", "over", "trade", "round"]), st.integers(0, 8), st.integers(0, 8))


@given(st.lists(STEP, max_size=14))
def test_any_comings_and_goings_keep_the_teams_even(steps: list[tuple[str, int, int]]) -> None:
    """VN-1, VN-3: joins, leaves, changes and rounds in any order: teams of two or more that differ by one at most, a
    clue giver in each of its own, and everybody a naive list knows is there."""
    table = after_round()
    naive = {player.name for player in table.state.players}
    fresh = iter(f"N{at}" for at in range(20))
    for kind, one, other in steps:
        count = len(table.state.players)
        if kind == "join" and count < 8:
            name = next(fresh)
            changed(table, venn.join, Player(name, "", other % 3 if other % 3 < 2 else None), min(one, count))
            naive.add(name)
        elif kind == "leave" and count > 4 and one < count:
            naive.discard(table.state.players[one].name)
            changed(table, venn.leave, one)
        elif kind == "over" and one < count:
            changed(table, venn.go_over, one)
        elif kind == "trade" and one != other and max(one, other) < count:
            changed(table, venn.trade, one, other)
        elif kind == "round" and table.phase == "Between":
            table.ready()
        elif kind == "round":
            table.round(0, (12,), (12,))
        sizes = sorted(len(team) for team in teams(table))
        assert sizes[0] >= 2
        assert sizes[1] - sizes[0] <= 1
        assert {player.name for player in table.state.players} == naive
        assert [table.state.team_of(seat) for seat in table.state.givers] == [0, 1]
