"""Before a game of Venn: who plays, and in which team (VN-1, VN-16).

Players go by name, in the order in which they sit. Four or more make two teams, every other seat in the
same one, unless somebody says otherwise ("Anna and Ben are Foxes"); to fewer the host offers the
cooperative game.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from host import lines
from host.events import Heard, Listens
from host.games import Player
from host.table import asking
from host.table.gathering import ANSWER, MOST, SETTLE, Gathering
from host.table.state import LOST, TRIES
from host.table.venn_words import base, team_in
from host.understand import Understood
from host.understand.phrases import NO, YES

if TYPE_CHECKING:
    from host.table.turn import Turn

TEAMS = ("Foxes", "Owls")
ENOUGH = 4
"""Players for two teams (VN-1)."""
NAME_SURE = 0.7
"""Confidence below which a first name is not believed; the host reads the roll back, and it is said again."""
THAT_IS_ALL = ("that is all", "that's all", "that's everybody", "that is everybody", "that's it", "done")
_REPLIES = (*THAT_IS_ALL, "help", "repeat", "say that again", "stop the game")


def teams_of(turn: Turn) -> tuple[str, str]:
    """The teams' names."""
    one, other = turn.table.options.get("teams", TEAMS)
    return str(one), str(other)


def cooperative(turn: Turn) -> bool:
    """Whether everybody plays as one team."""
    return turn.state.together or turn.table.options.get("mode") == "cooperative"


def options(turn: Turn) -> dict[str, Any]:
    """The game's options, as one team where that was agreed on."""
    chosen = dict(turn.table.options)
    if turn.state.together:
        chosen = {name: value for name, value in chosen.items() if name not in ("best_of_three", "teams")}
        chosen["mode"] = "cooperative"
    return chosen


def seated(players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Players with teams: as they were chosen where that makes two even ones, else every other seat (VN-1)."""
    chosen = [player.team for player in players]
    left = [seat for seat, team in enumerate(chosen) if team not in (0, 1)]
    for seat in left:
        chosen[seat] = 0 if chosen.count(0) <= chosen.count(1) else 1
    if abs(chosen.count(0) - chosen.count(1)) > 1 or len(left) == len(chosen):
        chosen = [seat % 2 for seat in range(len(players))]
    return tuple(replace(player, team=team) for player, team in zip(players, chosen, strict=True))


# --- asking ------------------------------------------------------------------------------------------


def greet(turn: Turn, players: tuple[Player, ...]) -> None:
    """Players came by flag: greet them; only what is open is asked."""
    turn.set(gathering=Gathering(step="who", players=players, until=turn.at + LOST))
    turn.say("venn_greeting_known", game=turn.table.title, roll=lines.listed([player.name for player in players]))
    if cooperative(turn) or len(players) >= ENOUGH:
        begin(turn)
    else:
        _settled(turn)


def ask(turn: Turn) -> None:
    """Ask (again) what is missing before the game."""
    gathering = turn.state.gathering or Gathering()
    turn.set(gathering=replace(gathering, until=turn.at + LOST))
    if gathering.step == "teams":
        _read_teams(turn, gathering.players)
    elif gathering.step == "offer":
        turn.say("venn_offer_cooperative", number=lines.number(len(gathering.players)))
    else:
        turn.say("venn_who_again")


def _read_teams(turn: Turn, players: tuple[Player, ...]) -> None:
    one, other = ([player.name for player in players if player.team == team] for team in (0, 1))
    names = teams_of(turn)
    turn.say("venn_teams", first=names[0], one=lines.listed(one), second=names[1], other=lines.listed(other))


def _settled(turn: Turn) -> None:
    """Nobody more has said a name: read back the teams, or offer the cooperative game."""
    gathering = turn.state.gathering or Gathering()
    if cooperative(turn):
        turn.say("venn_together_roll", roll=lines.listed([player.name for player in gathering.players]))
        begin(turn)
        return
    if len(gathering.players) >= ENOUGH:
        gathering = replace(gathering, step="teams", players=seated(gathering.players), tries=0)
    else:
        gathering = replace(gathering, step="offer", tries=0)
    turn.set(gathering=gathering)
    ask(turn)


def gathered(turn: Turn) -> None:
    """Nobody answered: go on, or ask again (three times at most, GM-4)."""
    gathering = turn.state.gathering or Gathering()
    tries = gathering.tries + 1
    turn.set(gathering=replace(gathering, tries=tries, until=turn.at + LOST))
    count = len(gathering.players)
    if gathering.step == "teams":
        begin(turn)  # they were read out, and nobody said no
    elif gathering.step == "offer" and tries >= TRIES:
        _begin_together(turn)
    elif gathering.step == "offer":
        ask(turn)
    elif count > 1:
        _settled(turn)
    elif tries >= TRIES:
        turn.say("venn_who_wait")
        turn.set(gathering=replace(gathering, tries=0, until=None))
    elif count:
        turn.say("venn_who_more", roll=gathering.players[0].name)
    else:
        turn.say("venn_who_again")


def begin(turn: Turn) -> None:
    """Set the game up with the players gathered."""
    gathering = turn.state.gathering or Gathering()
    players = gathering.players if cooperative(turn) else seated(gathering.players)
    turn.set(gathering=replace(gathering, players=players))
    asking.begin_game(turn, 0)


def _begin_together(turn: Turn) -> None:
    turn.set(together=True)
    begin(turn)


# --- answers -----------------------------------------------------------------------------------------


def gather(turn: Turn, understood: Understood, event: Heard) -> None:
    """Names, teams, yes and no."""
    gathering = turn.state.gathering or Gathering()
    named = roll(event, turn.table.hearing.names, tuple(player.name for player in gathering.players), teams_of(turn))
    if named and gathering.step != "offer":
        players = with_names(gathering.players, named)
        if gathering.step == "teams":
            turn.set(gathering=replace(gathering, players=seated(players)))
            ask(turn)
        else:
            turn.set(gathering=replace(gathering, players=players, until=turn.at + SETTLE, tries=0))
    elif gathering.step == "who":
        done = event.text in THAT_IS_ALL or understood.ready or understood.yes is not None
        if len(gathering.players) > 1 and done:
            turn.set(gathering=replace(gathering, until=turn.at))
    elif understood.yes and gathering.step == "offer":
        _begin_together(turn)
    elif understood.yes or (understood.ready and gathering.step == "teams"):
        begin(turn)
    elif understood.yes is False:
        players = gathering.players if gathering.step == "offer" else ()
        turn.set(gathering=Gathering(players=players, until=turn.at + ANSWER))
        turn.say("venn_who_more" if players else "venn_who_anew",
                 roll=lines.listed([player.name for player in players]))


def roll(
    event: Heard, names: tuple[str, ...], known: tuple[str, ...], teams: tuple[str, str]
) -> list[tuple[str, int | None]]:
    """(name, team) of everybody named; a team's name holds for the names before it in the utterance."""
    allowed = {*names, *(name.lower() for name in known)}
    found: list[tuple[str, int | None]] = []
    for at, word in enumerate(event.words):
        team, length = team_in(event.words, at, teams)
        if length:
            found = [(name, team if had is None else had) for name, had in found]
        elif word.text.removesuffix("'s") in allowed and word.confidence >= NAME_SURE:
            found.append((word.text.removesuffix("'s").capitalize(), None))
    return found


def with_names(players: tuple[Player, ...], named: list[tuple[str, int | None]]) -> tuple[Player, ...]:
    """Players with those that were named, at the end where they are new.

    Where teams were named for some, those chosen so are theirs and all others go to the other one.
    """
    listed = list(players)
    for name, _ in named:
        if all(player.name != name for player in listed) and len(listed) < MOST:
            listed.append(Player(name, ""))
    chosen = {name: team for name, team in named if team is not None}
    if chosen:
        only = set(chosen.values())
        rest = 1 - min(only) if len(only) == 1 else None
        listed = [replace(player, team=chosen.get(player.name, rest)) for player in listed]
    return tuple(listed)


@lru_cache(maxsize=32)
def listens(names: tuple[str, ...], gathering: Gathering, teams: tuple[str, ...]) -> Listens:
    """What to listen for while players are gathered."""
    who = tuple(player.name.lower() for player in gathering.players)
    said: tuple[str, ...] = _REPLIES
    if gathering.step == "who":
        said += (*names, *(f"{name} and" for name in names), *(f"i'm {name}" for name in names), "and", "i am",
                 "my name is", "we are", "this is")
    else:
        said += (*YES, *NO)
    if gathering.step == "teams":
        team = tuple(form for name in teams for form in dict.fromkeys((name.lower(), base(name.lower()))))
        said += (*team, *who, "and", "are", "is", "is a", *(f"{name} and" for name in who),
                 *(f"{name} are {one}" for name in who for one in team))
    complete = (*THAT_IS_ALL, *(() if gathering.step == "who" else (*YES, *NO)))
    return Listens(phrases=tuple(dict.fromkeys(said)), complete=complete, patience=SETTLE // 3)


