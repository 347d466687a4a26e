"""Who comes and goes in Venn while a game is on: players with names and teams, without colours (VN-1, VN-16).

By voice it is heard before GO, between two rounds and in a pause; while art cards are placed or words are guessed the
same sentences are table talk. A touch counts at any time. What comes in the middle of a round is done after it,
without a word until then: the host is silent while it listens for a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from host import lines
from host.events import Listens
from host.games import Player
from host.table import chairs, venn_gathering
from host.table.chair_words import NOBODY, Wish, naming
from host.table.gathering import MOST
from host.table.state import LOST, Chair, Question, State
from host.table.venn_chair_words import naming_words, sentences, venn_wish
from host.understand import Understood
from host.understand.phrases import NO, YES

if TYPE_CHECKING:
    from host.table.turn import Turn

Rows = Sequence[tuple[str, ...]]
ASIDES = ("repeat", "help", "stop the game")


def heard(turn: Turn, understood: Understood, rows: Rows) -> bool:
    """Do what somebody asks for, or answers; False where it is something else."""
    question = turn.state.question
    if question is not None and question.kind in chairs.KINDS:
        return _answer(turn, question, understood, rows)
    if question is not None and question.kind != "another":
        return False
    if not (turn.is_over() or turn.state.paused or _rules(turn).settled(turn.state.game)):
        return False
    named = naming(turn.table.hearing.seats(turn.state))
    for row in rows:
        asked = venn_wish(row, named, turn.table.hearing.names, _teams(turn))
        if asked is not None:
            _do(turn, asked, understood.owner)
            return True
    return False


def _do(turn: Turn, asked: Wish, owner: int | None) -> None:
    match asked:
        case Wish("join"):
            join(turn, asked.team, asked.name)
        case Wish("over", (seat,)):
            if asked.team is None or asked.team != turn.state.players[seat].team:
                chairs.close(turn)
                chairs.change(turn, Chair("over", (seat,)))
        case Wish("trade", seats):
            chairs.close(turn)
            chairs.change(turn, Chair("trade", seats))
        case Wish("leave", (seat,)):
            chairs.leave(turn, seat)
        case _ if owner is not None:
            chairs.leave(turn, owner)
        case _:
            chairs.ask(turn, Question("leaver", turn.at + LOST))
            turn.say("venn_leaver")


def join(turn: Turn, team: int | None, name: str) -> None:
    """A late joiner: at once where the name is known and nobody else's, else the host asks for it."""
    if not joining(turn):
        chairs.close(turn)
        turn.say("venn_table_full")
    elif is_new(turn, name):
        chairs.close(turn)
        chairs.change(turn, Chair("join", (), Player(name.capitalize(), "", team)))
    else:
        chairs.ask(turn, Question("joiner", turn.at + LOST, team=team))
        turn.say("venn_joiner_taken" if name else "venn_joiner", name=name.capitalize())


def is_new(turn: Turn, name: str) -> bool:
    """Whether it is a name that nobody has who plays, or will play after the round."""
    return bool(name) and name.lower() not in {player.name.lower() for player in _coming(turn.state)}


def joining(turn: Turn) -> tuple[int, ...]:
    """The teams that a newcomer may join, those who wait for the end of a round counted; none at a full table."""
    return free_teams(turn.table.rules, turn.state)


def free_teams(rules: Any, state: State) -> tuple[int, ...]:
    """The same of a state."""
    if len(_coming(state)) >= MOST:
        return ()
    teams: tuple[int, ...] = rules.open_teams(state.game)
    return teams


def least(turn: Turn) -> int:
    """So many players have to stay; after the end two, who can play the next game as one team (VN-16)."""
    return chairs.LEAST if turn.is_over() else int(_rules(turn).least(turn.state.game))


def _coming(state: State) -> tuple[Player, ...]:
    """The players, and those who will join after the round."""
    return (*state.players, *(chair.player for chair in state.chairs if chair.player is not None))


def _rules(turn: Turn) -> Any:
    return turn.table.rules


def _teams(turn: Turn) -> tuple[str, ...]:
    view = turn.table.rules.view(turn.state.game, None)
    return tuple(team["name"].lower() for team in view["teams"]) if view["mode"] == "competitive" else ()


# --- questions ------------------------------------------------------------------------------------


def _answer(turn: Turn, question: Question, understood: Understood, rows: Rows) -> bool:
    """A reply to who joins, who leaves, or whether; False where the words are none."""
    if understood.yes is False or any(" ".join(row) in NOBODY for row in rows):
        chairs.close(turn)
        turn.say("chair_stays")
        return True
    named = naming(turn.table.hearing.seats(turn.state))
    if question.kind == "leave":
        if understood.yes:
            chairs.leave(turn, question.seat, sure=True)
        return bool(understood.yes)
    if question.kind == "leaver":
        who = {named[word] for row in rows for word in row if word in named}
        who = who if understood.owner is None else {understood.owner}
        if len(who) == 1:
            chairs.leave(turn, who.pop(), sure=True)
        return bool(who)
    for row in reversed(rows):  # the grammar of this question knows the names
        asked = venn_wish(("i", "join", *row[-2:]), named, (), _teams(turn)) if len(row) > 1 else None
        team = question.team if asked is None else asked.team
        known = [word for word in row if word in turn.table.hearing.names]
        if known:
            join(turn, team, known[-1])
            return True
    return False


def listens(names: tuple[str, ...], seats: tuple[tuple[str, ...], ...], state: State) -> Listens:
    """What the ear listens for while one of these questions is open."""
    kind = "" if state.question is None else state.question.kind
    return _listens(names if kind == "joiner" else tuple(words[0] for words in seats if words), kind)


@lru_cache(maxsize=16)
def _listens(names: tuple[str, ...], kind: str) -> Listens:
    said = [*YES, *NO, *NOBODY, *ASIDES, *naming_words(names, ())]
    return Listens(tuple(dict.fromkeys(said)), complete=(*YES, *NO, *(() if kind == "joiner" else names)))


@lru_cache(maxsize=16)
def between_rounds(listened: Listens, names: tuple[str, ...], teams: tuple[str, ...], newcomers: bool) -> Listens:
    """What the ear listens for between two rounds, these sentences with it: no guess can be lost to them there."""
    return replace(listened, phrases=tuple(dict.fromkeys((*listened.phrases, *sentences(names, teams, newcomers)))))


# --- the next game --------------------------------------------------------------------------------


def next_game(turn: Turn) -> tuple[Player, ...]:
    """The players of the next game, with those who came and without those who went after the last one.

    Where fewer than four are left they play as one team; where teams were uneven, they are made anew.
    """
    players, waiting = list(turn.state.players), turn.state.chairs
    gone = {chair.seats[0] for chair in waiting if chair.kind == "leave"}
    for chair in waiting:
        players = _after(players, chair)
    players = [player for seat, player in enumerate(players) if seat not in gone]
    turn.set(chairs=())
    if venn_gathering.cooperative(turn) or not waiting:
        return tuple(players)
    if len(players) < venn_gathering.ENOUGH:
        turn.set(together=True)
        turn.say("venn_together_roll", roll=lines.listed([player.name for player in players]))
        return tuple(replace(player, team=None) for player in players)
    made = venn_gathering.seated(tuple(players))
    first, second = venn_gathering.teams_of(turn)
    one, other = (lines.listed([player.name for player in made if player.team == team]) for team in (0, 1))
    turn.say("venn_teams_now", first=first, one=one, second=second, other=other)
    return made


def _after(players: list[Player], chair: Chair) -> list[Player]:
    """The players after a change that waited for the end of the game; seats keep their numbers, leavers go last."""
    if chair.player is not None:
        return [*players, chair.player]
    teams = [player.team or 0 for player in players]
    if chair.kind == "trade":
        one, other = chair.seats
        teams[one], teams[other] = teams[other], teams[one]
    elif chair.kind == "over":
        teams[chair.seats[0]] = 1 - teams[chair.seats[0]]
    else:
        return players
    return [replace(player, team=team) for player, team in zip(players, teams, strict=True)]
