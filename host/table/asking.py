"""The table's own questions: who is playing, who is the youngest, resume, stop, another round, objection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from host import lines
from host.clock import Samples
from host.events import Quit, Verdict
from host.games import Player
from host.table import chairs, venn_gathering, wishes
from host.table.gathering import ANSWER, MOST, Gathering, confusable
from host.table.state import CONTRADICT, LOST, QUESTION, STAY, TRIES, Question
from host.understand import COLOURS

if TYPE_CHECKING:
    from host.table.turn import Turn
    from host.understand import Understood


# --- who is playing (CE-1, CE-17) ---------------------------------------------------------------


def gather(turn: Turn, understood: Understood) -> None:
    """Names, colours, or who is the youngest."""
    gathering = turn.state.gathering or Gathering()
    if (wish := wishes.find(turn.state.heard)) is not None:
        words, name, value = wish
        turn.set(gathering=replace(gathering.with_options(name, value), until=turn.at + LOST))
        turn.say("wish", wish=words)
    elif understood.count is not None and not understood.roll and gathering.step == "who":
        turn.set(gathering=replace(gathering, wanted=min(understood.count, MOST), until=turn.at + LOST))
        turn.say("counted", number=lines.number(min(understood.count, MOST)))
    elif understood.roll and not (gathering.step == "youngest" and understood.owner_only):
        turn.set(gathering=replace(gathering.with_roll(understood.roll, turn.at), step="who"))
    elif gathering.step == "who":
        if gathering.players and (understood.ready or understood.yes is not None):
            turn.set(gathering=replace(gathering, until=turn.at))
    elif understood.owner is not None:
        begin_game(turn, understood.owner)
    elif understood.me:
        turn.say("youngest_who")
        turn.set(gathering=replace(gathering, until=turn.at + LOST))


def ask_gathering(turn: Turn) -> None:
    """Ask (again) what is missing before the game."""
    gathering = turn.state.gathering or Gathering()
    turn.set(gathering=replace(gathering, until=turn.at + LOST))
    if gathering.step == "youngest":
        turn.say("youngest_again")
    else:
        turn.say("who_again")


def gathered(turn: Turn) -> None:
    """Nobody said more: go on, or ask again (three times at most, GM-4)."""
    gathering = turn.state.gathering or Gathering()
    tries = gathering.tries + 1
    if gathering.step == "youngest":
        if tries >= TRIES:
            turn.say("youngest_skip", who=turn.table.hearing.called(gathering.players, 0))
            begin_game(turn, 0)
            return
        turn.say("youngest_again")
        turn.set(gathering=replace(gathering, tries=tries, until=turn.at + LOST))
        return
    if gathering.wanted is not None and tries >= TRIES - 1:
        gathering = gathering.with_colours(tuple(COLOURS))
    if len(gathering.players) > 1 or (gathering.players and tries >= TRIES - 1):
        alike = sorted(confusable(gathering.players, turn.table.packs.pronunciations))
        if alike:
            turn.say("names_alike", names=lines.listed([gathering.players[seat].name for seat in alike]))
        turn.say("youngest", roll=gathering.roll())
        gathering, tries = replace(gathering, step="youngest"), 0
        if len(gathering.players) == 1:
            turn.set(gathering=gathering)
            begin_game(turn, 0)
            return
    elif gathering.players:
        turn.say("who_more", roll=gathering.roll())
    elif tries >= TRIES:
        turn.say("who_wait")
        turn.set(gathering=replace(gathering, tries=0, until=None))
        return
    else:
        turn.say("who_again")
    turn.set(gathering=replace(gathering, tries=tries, until=turn.at + LOST))


def begin_game(turn: Turn, youngest: int) -> None:
    """Set the game up with the players gathered."""
    gathering = turn.state.gathering
    players = gathering.players if gathering is not None else turn.state.players
    set_up(turn, players, youngest)


def set_up(turn: Turn, players: tuple[Player, ...], youngest: int) -> None:
    """Start a game; its clock starts with it."""
    table, rounds, gathering = turn.table, turn.state.rounds, turn.state.gathering
    if gathering is not None:
        turn.set(wishes=gathering.options)
    turn.set(players=players, gathering=None, rounds=rounds + 1, before=(), question=None, stopped=None, nexts=())
    if table.venn:
        options = venn_gathering.options(turn)
    else:
        turn.say("starts", who=table.hearing.called(players, youngest))
        options = {**table.options, **dict(turn.state.wishes), "youngest": youngest}
    turn.set(offset=turn.at)
    used = (*table.used, *(card for deck, card in turn.state.used if deck == table.deck))
    try:
        game, effects = table.rules.setup(players, table.packs, options, table.seed + rounds, used)
    except ValueError:  # wishes that do not go together; those on the command line were tried before anybody sat down
        turn.say("wish_no")
        options = {**table.options, "youngest": youngest}
        game, effects = table.rules.setup(players, table.packs, options, table.seed + rounds, used)
    turn.set(game=game)
    turn.pass_on(effects)


# --- questions while the game's clock stands ----------------------------------------------------


def spoken(turn: Turn, at: Samples) -> None:
    """The table's line has ended: from here on its question waits for an answer."""
    if turn.state.saying:
        return
    question, gathering = turn.state.question, turn.state.gathering
    if question is not None and question.until is not None and not question.agreed:
        wait = STAY if question.kind == "quit" else QUESTION
        turn.set(question=replace(question, until=at + wait))
    elif gathering is not None and gathering.until not in (None, turn.at):
        turn.set(gathering=replace(gathering, until=at + ANSWER))


def answer(turn: Turn, understood: Understood) -> bool:
    """Take an answer to the table's question; False where the words were none."""
    question = turn.state.question
    if question is None:
        return False
    yes = understood.yes
    if question.kind == "objection":
        return _object(turn, question, understood)
    if question.kind in ("resume", "another") and yes is None and (
        understood.ready or understood.command in ("continue", "go_on")
    ):
        yes = True
    if yes is None:
        return False
    match question.kind:
        case "mishearing":
            turn.say("stands")
            close(turn)
        case "resume" if yes:
            turn.say("continued")
            close(turn)
        case "resume":
            turn.say("resume_wait")
            turn.set(question=replace(question, until=None))
        case "quit" if yes:
            goodbye(turn)
        case "quit":
            turn.say("quit_stay")
            close(turn)
        case "another" if yes:
            set_up(turn, chairs.next_round(turn), 0)
        case "another":
            goodbye(turn)
    return True


def _object(turn: Turn, question: Question, understood: Understood) -> bool:
    owner = understood.owner
    if understood.yes is False:
        turn.say("disputed" if question.agreed else "stands")
        close(turn)
    elif owner is not None and owner != question.seat and question.was_right and understood.owner_only:
        turn.set(question=replace(question, seat=owner, agreed=True, until=turn.at + CONTRADICT))
    elif understood.yes or (understood.owner_only and owner == question.seat):
        if not question.agreed:
            turn.set(question=replace(question, agreed=True, until=turn.at + CONTRADICT))
    else:
        return False
    return True


def unanswered(turn: Turn) -> None:
    """The time for an answer is over."""
    question = turn.state.question
    if question is None:
        return
    if question.kind in chairs.KINDS:
        chairs.unanswered(turn, question)
        return
    match question.kind:
        case "objection" if question.agreed:
            overrule(turn, question)
        case "objection":
            turn.say("stands")
            close(turn)
        case "mishearing":
            turn.say("stands")
            close(turn)
        case "quit":
            turn.say("quit_stay")
            close(turn)
        case "another":
            goodbye(turn)
        case _ if question.tries + 1 < TRIES:
            turn.say("resumed")
            turn.set(question=replace(question, tries=question.tries + 1, until=turn.at + LOST))
        case _:
            turn.say("resume_wait")
            turn.set(question=replace(question, until=None))


def overrule(turn: Turn, question: Question) -> None:
    """Turn the verdict round: the game goes on from before it, as it would have been (GM-2)."""
    before = turn.state.before[-1]
    turn.restore(before)
    guesses = replace(before.guesses, at=turn.time())
    mine = [guess for guess in guesses.guesses if guess.seat == question.seat]
    if question.was_right and not mine:  # it was right, but somebody else's
        moved = tuple(
            replace(guess, seat=question.seat) if guess.verdict is Verdict.RIGHT else guess for guess in guesses.guesses
        )
        turn.judged(replace(guesses, guesses=moved))
        return
    game, effects = turn.table.rules.overrule(turn.state.game, guesses, question.seat, not question.was_right)
    turn.set(game=game, before=(*turn.state.before, replace(before, scored=True)))
    turn.pass_on(effects)


def close(turn: Turn) -> None:
    """The question is settled; the game goes on."""
    turn.set(question=None)
    if turn.is_over():  # an objection after the end: the evening is at its last question again
        turn.ask(Question("another", turn.at + LOST))
        turn.say("another")
    else:
        turn.start_clock()


def goodbye(turn: Turn) -> None:
    """The evening is over."""
    turn.say("goodbye")
    turn.set(done=True, question=None)
    turn.emit(Quit())
