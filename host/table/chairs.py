"""Who sits where while a game is on: joining, leaving, changing seats, and how phones join (CE-1).

What changes nothing that could be missed is done at once ("Maya joins as green", "red and blue swap seats");
that a piece leaves the board is asked first ("Red is leaving, and the piece goes. Yes or no?"). While the rules
have a question to a player open, a change waits. Undo and objections do not reach back beyond a change.

Sentences are taken from free dictation: every wording in the grammar would cost guesses (see
`host.understand.phrases.LISTENED`). The questions that follow are heard by a grammar of their own. What is Venn's
own, where players have teams and no colours, is in `host.table.venn_chairs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from host import lines
from host.events import Command, Guess, Heard, Listens
from host.games import Player
from host.judge.normal import UNKNOWN
from host.table import venn_chairs
from host.table.chair_words import I_LEAVE, LEAVES, NOBODY, PHONES, WHERE, Wish, joiner, naming, wish
from host.table.gathering import MOST
from host.table.state import LOST, Chair, Owner, Question, State
from host.understand import COLOURS, Understood
from host.understand.phrases import NO, YES
from host.understand.replies import roll

if TYPE_CHECKING:
    from host.table.turn import Turn

KINDS = ("joiner", "leaver", "leave")
"""The kinds of `Question` that are asked here."""
LEAST = 2
"""A game that somebody leaves goes on with so many (CE-1)."""
ASKED = 2
"""Who joins or leaves is asked so often."""


# --- what was said or touched -------------------------------------------------------------------


def heard(turn: Turn, understood: Understood, event: Heard) -> bool:
    """Do what somebody asks for, or answers to a question of this module's; False where it is something else."""
    state = turn.state
    rows = _rows(event)
    if any(_asks_for_phones(turn, " ".join(row)) for row in rows):
        turn.say("phones", code="{code}", address="{address}")
        return True
    if state.game is None or state.gathering is not None:
        return False
    if turn.table.venn:
        return venn_chairs.heard(turn, understood, rows)
    if state.question is not None and state.question.kind in KINDS:
        return _answer(turn, state.question, understood, rows)
    if state.question is not None and state.question.kind != "another":
        return False
    if understood.command == "join":
        name = understood.argument if understood.argument in turn.table.hearing.names else ""
        join(turn, "", name)
        return True
    forms = turn.table.hearing.answer_forms
    for row in rows:
        if " ".join(row) in forms:
            return False  # a known answer, whatever else it could mean (CE-16)
    named = naming(turn.table.hearing.seats(state))
    for row in rows:
        asked = wish(row, named, understood.owner) or joiner(row, turn.table.hearing.names)
        if asked is not None and (asked != Wish("leave") or _idle(turn)):
            _do(turn, asked)
            return True
    return _mixed(turn, understood, rows)


def _asks_for_phones(turn: Turn, text: str) -> bool:
    """A known answer asks for nothing; in Venn, where all talk, it takes a sentence that means nothing else."""
    if turn.table.venn:
        return text in PHONES and ("phone" in text or "join" in text)
    return text in PHONES and text not in turn.table.hearing.answer_forms


def _idle(turn: Turn) -> bool:
    """No card is open: "I have to go" is no talk between guesses."""
    return turn.state.paused or turn.is_over() or turn.table.rules.expects(turn.state.game).card is None


def _mixed(turn: Turn, understood: Understood, rows: Sequence[tuple[str, ...]]) -> bool:
    """The grammar heard the colour in front, dictation the rest ("right is leaving")."""
    if understood.owner is None or understood.owner_position != "first":
        return False
    for row in rows:
        if " ".join(row[1:]) in LEAVES or " ".join(row[1:]) in I_LEAVE:
            _do(turn, Wish("leave", (understood.owner,)))
            return True
    return False


def _rows(event: Heard) -> list[tuple[str, ...]]:
    """Both readings, dictation's first; a grammar's with unknown words in it says too little."""
    readings = [tuple(word.text.lower() for word in words) for words in (event.dictation, event.words)]
    polite = {("please",), ("host",)}
    trimmed = [row[:-1] if row[-1:] in polite else row for row in readings]
    return [row for row in dict.fromkeys(trimmed) if row and UNKNOWN not in row]


def _do(turn: Turn, asked: Wish) -> None:
    match asked:
        case Wish("where"):
            named = "" if asked.seats else "names"
            turn.tell(Command(turn.time(), "where", asked.seats[0] if asked.seats else None, named))
        case Wish("swap", (one, other)):
            change(turn, Chair("swap", (one, other)))
        case Wish("join"):
            join(turn, asked.colour, asked.name)
        case Wish("leave", (seat,)):
            leave(turn, seat)
        case Wish("leave"):
            ask(turn, Question("leaver", turn.at + LOST))
            turn.say("leaver")


def join(turn: Turn, colour: str, name: str) -> None:
    """A late joiner: at once where the colour is free, else ask for one; the name is plain text or empty."""
    state = turn.state
    free = free_colours(state)
    if not free:
        turn.say("table_full")
    elif colour in free:
        close(turn)
        change(turn, Chair("join", (), Player((name or colour).capitalize(), colour)))
    else:
        ask(turn, Question("joiner", turn.at + LOST, name=name))
        key = "joiner_taken" if colour else "joiner"
        turn.say(key, colours=lines.listed(list(free)), colour=colour.capitalize())


def leave(turn: Turn, seat: int, sure: bool = False) -> None:
    """Somebody leaves, once that is sure."""
    least = venn_chairs.least(turn) if turn.table.venn else LEAST
    if len(turn.state.players) - sum(chair.kind == "leave" for chair in turn.state.chairs) <= least:
        close(turn)
        turn.say("leave_last" if least == LEAST else "venn_leave_last")
    elif sure:
        close(turn)
        change(turn, Chair("leave", (seat,)))
    else:
        ask(turn, Question("leave", turn.at + LOST, seat=seat))
        turn.say(line(turn, "leave"), who=turn.table.hearing.called(turn.state.players, seat))


def free_colours(state: State) -> tuple[str, ...]:
    """The colours that nobody has, none where the table is full."""
    waiting = [chair.player.colour for chair in state.chairs if chair.player is not None]
    taken = {player.colour for player in state.players} | set(waiting)
    return tuple(colour for colour in COLOURS if colour not in taken)[: MOST - len(taken)]


# --- questions ----------------------------------------------------------------------------------


def line(turn: Turn, key: str) -> str:
    """The line of that name, where Venn's table says it otherwise its own."""
    return f"venn_{key}" if turn.table.venn and f"venn_{key}" in lines.VENN_TABLE else key


def ask(turn: Turn, question: Question) -> None:
    """Put a question of this module's."""
    if turn.is_over():  # "another round?" waits meanwhile, and is asked again
        turn.set(question=question)
    else:
        turn.ask(question)


def close(turn: Turn) -> None:
    """An open question of this module's is settled; whatever stood goes on."""
    if turn.state.question is None or turn.state.question.kind not in KINDS:
        return
    turn.set(question=None)
    if turn.is_over():
        turn.ask(Question("another", turn.at + LOST))
        turn.say("another")
    else:
        turn.start_clock()


def _answer(turn: Turn, question: Question, understood: Understood, rows: Sequence[tuple[str, ...]]) -> bool:
    """A reply to who joins, who leaves, or whether; False where the words are none."""
    if understood.yes is False or any(" ".join(row) in NOBODY for row in rows):
        close(turn)
        turn.say("chair_stays")
        return True
    if question.kind == "leave":
        if understood.yes or (understood.owner_only and understood.owner == question.seat):
            leave(turn, question.seat, sure=True)
            return True
        return False
    if question.kind == "leaver":
        named = naming(turn.table.hearing.seats(turn.state))
        who = {named[word] for row in rows for word in row if word in named}
        if understood.owner is not None:
            who = {understood.owner}
        if len(who) == 1:
            leave(turn, who.pop(), sure=True)
        return bool(who)
    for row in reversed(rows):  # the grammar of this question knows colours and names
        pairs = roll(row, turn.table.hearing.names)
        if pairs:
            join(turn, pairs[-1][1], pairs[-1][0] or question.name)
            return True
    return False


def unanswered(turn: Turn, question: Question) -> None:
    """Nobody answered: ask once more, then leave everything as it is; a piece never goes by silence."""
    if question.kind == "leave" or question.tries + 1 >= ASKED:
        close(turn)
        turn.say("chair_stays")
        return
    turn.set(question=replace(question, tries=question.tries + 1, until=turn.at + LOST))
    turn.say(line(turn, question.kind), colours=lines.listed(list(free_colours(turn.state))))


def listens(turn_names: tuple[str, ...], seats: tuple[tuple[str, ...], ...], state: State) -> Listens:
    """What the ear should listen for while a question of this module's is open."""
    kind = "" if state.question is None else state.question.kind
    return _listens(turn_names, tuple(words[0] for words in seats if words), kind, free_colours(state))


@lru_cache(maxsize=16)
def _listens(names: tuple[str, ...], seats: tuple[str, ...], kind: str, free: tuple[str, ...]) -> Listens:
    said = tuple(_said(names, seats, kind, free))
    return Listens(tuple(dict.fromkeys(said)), complete=(*YES, *NO, *(free if kind == "joiner" else seats)))


def _said(names: tuple[str, ...], seats: tuple[str, ...], kind: str, free: tuple[str, ...]) -> Iterator[str]:
    yield from (*YES, *NO, *NOBODY, "repeat", "stop the game", "help")
    if kind == "joiner":
        for colour in free:
            yield from (colour, f"i'm {colour}", f"i take {colour}", f"is {colour}", f"joins as {colour}")
            yield from (f"{name} {colour}" for name in names)
            yield from (f"{name} is {colour}" for name in names)
    else:
        for word in seats:
            yield from (word, f"{word} is leaving", f"it's {word}", f"i'm {word}")


@lru_cache(maxsize=16)
def between_cards(heard: Listens, seats: tuple[tuple[str, ...], ...], free: tuple[str, ...]) -> Listens:
    """What the ear listens for at "ready?", and these sentences with it: no guess can be lost to them there."""
    words = [words[0] for words in seats if words]
    said = [*PHONES[:1], "phone code", "what is the code", WHERE[0], "i'm leaving", "i have to go"]
    said += [f"{word} {tail}" for word in words for tail in ("is leaving", "has to go")]
    said += [f"{one} and {other} swap seats" for one, other in permutations(words, 2)]
    if free:
        said += ["i want to play", "i want to play too", "can i play", "can i join"]
        said += [f"{colour} joins" for colour in free]
    return replace(heard, phrases=tuple(dict.fromkeys((*heard.phrases, *said))))


# --- the change itself --------------------------------------------------------------------------


def change(turn: Turn, chair: Chair) -> None:
    """Change the seats now, or as soon as the rules and the round allow."""
    rules: Any = turn.table.rules  # only games whose seats may change get here
    if turn.is_over():
        turn.set(chairs=(*turn.state.chairs, chair))
        turn.say(line(turn, "chair_round"), who=_who(turn, chair))
    elif rules.settled(turn.state.game):
        _carry_out(turn, chair)
    else:
        turn.set(chairs=(*turn.state.chairs, chair))
        if not turn.table.venn or turn.state.stopped is not None:  # while cards are placed the host is silent (VN-7)
            turn.say(line(turn, "chair_wait"))


def settle(turn: Turn) -> None:
    """What had to wait, once it can be done."""
    rules: Any = turn.table.rules
    while turn.state.chairs and turn.state.game is not None and not turn.is_over():
        if not rules.settled(turn.state.game):
            return
        first, *others = turn.state.chairs
        turn.set(chairs=tuple(others))
        _carry_out(turn, first)


def next_round(turn: Turn) -> tuple[Player, ...]:
    """The players of the next round: those who waited for it have joined, left or changed seats."""
    if turn.table.venn:
        return venn_chairs.next_game(turn)
    players = list(turn.state.players)
    for chair in turn.state.chairs:
        players = [players[old] if old is not None else chair.player or players[0]
                   for old in order(chair, len(players))]
    turn.set(chairs=())
    return tuple(players)


def order(chair: Chair, seats: int) -> tuple[int | None, ...]:
    """The seats in their new order: each is its old number, None the newcomer's, who sits down last."""
    if chair.kind == "join":
        return (*range(seats), None)
    if chair.kind == "leave":
        return tuple(seat for seat in range(seats) if seat != chair.seats[0])
    if chair.kind in ("trade", "over"):
        return tuple(range(seats))
    one, other = chair.seats
    return tuple({one: other, other: one}.get(seat, seat) for seat in range(seats))


def _carry_out(turn: Turn, chair: Chair) -> None:
    rules: Any = turn.table.rules  # only games whose seats may change get here
    game, at = turn.state.game, turn.time()
    count = len(turn.state.players)
    if chair.kind == "join" and chair.player is not None:
        game, effects = rules.join(game, chair.player, count, at)
    elif chair.kind == "leave":
        game, effects = rules.leave(game, chair.seats[0], at)
    elif chair.kind == "over":
        game, effects = rules.go_over(game, chair.seats[0], at)
    elif chair.kind == "trade":
        game, effects = rules.trade(game, *chair.seats, at)
    else:
        game, effects = rules.swap(game, *chair.seats, at)
    moved = {old: new for new, old in enumerate(order(chair, count)) if old is not None}
    turn.set(game=game, players=game.players, before=(), verdict_ended=None, **_moved(turn.state, moved))
    turn.pass_on(effects)


def _moved(state: State, moved: Mapping[int, int]) -> dict[str, object]:
    """What the table keeps by seat, with the seats' new numbers; what was the leaver's goes."""

    def guess(old: Guess) -> Guess:
        return old if old.seat is None else replace(old, seat=moved[old.seat])

    def floor(old: Owner) -> Owner:
        return replace(old, seat=moved[old.seat])

    chairs = tuple(replace(chair, seats=tuple(moved[seat] for seat in chair.seats))
                   for chair in state.chairs if all(seat in moved for seat in chair.seats))
    return {
        "held": tuple(guess(old) for old in state.held if old.seat is None or old.seat in moved),
        "owner": floor(state.owner) if state.owner is not None and state.owner.seat in moved else None,
        "nexts": tuple(floor(old) for old in state.nexts if old.seat in moved),
        "chairs": chairs,
        "voice": None,
    }


def _who(turn: Turn, chair: Chair) -> str:
    if chair.player is not None:
        return chair.player.colour.capitalize() or chair.player.name
    return lines.listed([turn.table.hearing.called(turn.state.players, seat) for seat in chair.seats])
