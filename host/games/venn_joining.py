"""Who plays in which team while a game of Venn is on: joining, leaving, going over, changing places (VN-1, VN-16).

Teams stay even whatever happens: they differ by one player at most, and each has two or more. So a newcomer joins the
smaller team, and where somebody leaves the larger team lends one to the other. While a round's clock or list is open
nothing changes: the same state comes back, and the table asks again later. A team whose clue giver is gone has the
next one in seating order, with another number card where the host deals them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.clock import Samples
from host.events import Effect
from host.games import Player
from host.games.venn_desk import Desk
from host.games.venn_round import new_card
from host.games.venn_state import Between, Checking, Collecting, Readying, State, Telling

MOST = 8
"""Players at a table."""
LEAST, TOGETHER = 4, 2
"""Players that two teams, or one, need (VN-1, VN-16)."""
SMALLEST = 2
"""Players of a team."""
Change = tuple[State, tuple[Effect, ...]]


def settled(state: State) -> bool:
    """Whether teams may change now: before GO or between two rounds."""
    return isinstance(state.phase, Collecting | Checking | Telling | Readying | Between)


def least(state: State) -> int:
    """So many players the game goes on with."""
    return TOGETHER if state.options.cooperative else LEAST


def open_teams(state: State) -> tuple[int, ...]:
    """The teams that a newcomer may join: none that is larger than the other; none where the table is full."""
    if len(state.players) >= MOST:
        return ()
    if state.options.cooperative:
        return (0,)
    sizes = _sizes(state.players)
    return tuple(team for team in (0, 1) if sizes[team] <= sizes[1 - team])


def may_go_over(players: Sequence[Player], seat: int) -> bool:
    """Whether the teams stay even if that player goes over to the other one."""
    sizes, team = _sizes(players), players[seat].team or 0
    return sizes[team] > max(SMALLEST, sizes[1 - team])


def _sizes(players: Sequence[Player]) -> tuple[int, int]:
    ones = sum(player.team == 1 for player in players)
    return len(players) - ones, ones


# --- changes --------------------------------------------------------------------------------------


def join(state: State, player: Player, seat: int, at: Samples) -> Change:
    """A late joiner sits down as that seat, in the team wished for where that keeps them even (VN-1).

    Raises ValueError with one sentence where the table is full, the place is none or the name is taken.
    """
    if len(state.players) >= MOST:
        raise ValueError("Eight play already, and there is no ninth seat.")
    if not 0 <= seat <= len(state.players):
        raise ValueError(f"The new player can sit at 0 to {len(state.players)}, not at {seat}.")
    if player.name.lower() in [other.name.lower() for other in state.players]:
        raise ValueError(f"There is a {player.name} already: choose another name.")
    if not settled(state):
        return state, ()
    desk, free = Desk(state, at), open_teams(state)
    team = player.team if player.team in free else min(free, key=lambda team: (state.points[team], team))
    together = state.options.cooperative
    count = len(state.players)
    players = (*state.players[:seat], replace(player, team=None if together else team), *state.players[seat:])
    _seat(desk, players, (*range(seat), None, *range(seat, count)))
    wished = player.team in (None, team) or together
    key = "venn_joined_together" if together else "venn_joined" if wished else "venn_joined_even"
    desk.tell("joined", key, name=player.name, team=desk.team(team))
    _clues(desk, state)
    return desk.state, tuple(desk.effects)


def leave(state: State, seat: int, at: Samples) -> Change:
    """That player leaves; where the teams are uneven then, the one who sat down last in the larger one goes over.

    Raises ValueError with one sentence where the seat is none, or too few would be left (VN-1, VN-16).
    """
    if not 0 <= seat < len(state.players):
        raise ValueError(f"There is a seat 0 to {len(state.players) - 1}, not {seat}.")
    if len(state.players) <= least(state):
        raise ValueError(f"{least(state)} are needed to play on.")
    if not settled(state):
        return state, ()
    desk, order = Desk(state, at), tuple(old for old in range(len(state.players)) if old != seat)
    desk.tell("left", "venn_left", name=state.players[seat].name)
    players = tuple(state.players[old] for old in order)
    givers = [order.index(one) for one in state.givers if one in order]
    lent = None if state.options.cooperative else _lent(players, givers)
    if lent is not None:
        team = 1 - (players[lent].team or 0)
        players = _moved(players, {lent: team})
        desk.tell("evened", "venn_evened", name=players[lent].name, team=desk.team(team))
    _seat(desk, players, order)
    _clues(desk, state)
    return desk.state, tuple(desk.effects)


def go_over(state: State, seat: int, at: Samples) -> Change:
    """That player goes over to the other team, where that keeps them even; else the host says what to do (VN-1)."""
    desk = Desk(state, at)
    if state.options.cooperative or not settled(state):
        return state, ()
    team = 1 - state.team_of(seat)
    name = state.players[seat].name
    if not may_go_over(state.players, seat):
        desk.tell("over", "venn_over_no", name=name, team=desk.team(1 - team))
        return desk.state, tuple(desk.effects)
    _seat(desk, _moved(state.players, {seat: team}), range(len(state.players)))
    desk.tell("over", "venn_over", name=name, team=desk.team(team))
    _clues(desk, state)
    return desk.state, tuple(desk.effects)


def trade(state: State, one: int, other: int, at: Samples) -> Change:
    """Two players of different teams change places.

    Raises ValueError with one sentence where these are no two seats.
    """
    if one == other or not all(0 <= seat < len(state.players) for seat in (one, other)):
        raise ValueError("It takes two players to change teams.")
    if state.options.cooperative or not settled(state):
        return state, ()
    desk, teams = Desk(state, at), (state.team_of(one), state.team_of(other))
    names: dict[str, Any] = {"one": state.players[one].name, "other": state.players[other].name}
    if teams[0] == teams[1]:
        desk.tell("traded", "venn_same_team", team=desk.team(teams[0]), **names)
        return desk.state, tuple(desk.effects)
    _seat(desk, _moved(state.players, {one: teams[1], other: teams[0]}), range(len(state.players)))
    desk.tell("traded", "venn_traded", first=desk.team(teams[1]), second=desk.team(teams[0]), **names)
    _clues(desk, state)
    return desk.state, tuple(desk.effects)


# --- how --------------------------------------------------------------------------------------------


def _moved(players: Sequence[Player], teams: dict[int, int]) -> tuple[Player, ...]:
    return tuple(replace(player, team=teams.get(seat, player.team)) for seat, player in enumerate(players))


def _lent(players: Sequence[Player], givers: Sequence[int]) -> int | None:
    """Who goes over to make the teams even: the last of the larger one who gives no clues; None where they are."""
    sizes = _sizes(players)
    if abs(sizes[0] - sizes[1]) <= 1:
        return None
    large = 0 if sizes[0] > sizes[1] else 1
    return max(seat for seat, player in enumerate(players) if player.team == large and seat not in givers)


def _seat(desk: Desk, players: tuple[Player, ...], order: Sequence[int | None]) -> None:
    """Put the players where they sit now, `order[new]` being the old seat; a team keeps its clue giver if it can."""
    before = desk.state
    desk.set(players=players)
    between = isinstance(before.phase, Between)
    givers = []
    for team, old in enumerate(before.givers):
        new = order.index(old) if old in order else None
        if new is None or desk.state.team_of(new) != team:
            place = sum(seat is not None and seat < old for seat in order)
            new = _neighbour(desk.state.members(team), place, between)
        givers.append(new)
    desk.set(givers=tuple(givers))


def _neighbour(members: Sequence[int], place: int, before: bool) -> int:
    """Who gives clues for somebody gone: the next one; after the round the one before, whom the next will follow."""
    if before:
        return max((seat for seat in members if seat < place), default=members[-1])
    return min((seat for seat in members if seat >= place), default=members[0])


def _clues(desk: Desk, before: State) -> None:
    """Say who gives clues instead, and deal a card that nobody else has seen; before GO only."""
    if isinstance(before.phase, Between):
        return
    names = [before.players[seat].name for seat in before.givers]
    for team, name in enumerate(names):
        if desk.giver(team) != name:
            new_card(desk, team)
            desk.tell("giver", "venn_giver", name=desk.giver(team))
            if isinstance(desk.state.phase, Readying):
                desk.enter(Readying())
