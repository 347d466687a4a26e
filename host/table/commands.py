"""The commands that anybody may say at any time (GM-1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from host.events import Adjust, Command, Heard, Hush, Keep, Verdict
from host.table import asking, venn_gathering, venn_talk
from host.table.state import LOST, OBJECT, Question

if TYPE_CHECKING:
    from host.table.turn import Turn
    from host.understand import Understood

SLOWEST, FASTEST, SPEED_STEP = 0.55, 1.9, 0.15
QUIETEST, LOUDEST, VOLUME_STEP = 0.25, 2.0, 1.25
ALWAYS = ("pause", "hush", "continue", "score", "turn", "where", "guesses", "stop", "help", "louder", "quieter",
          "slower", "faster", "objection", "undo")
"""Obeyed also while the game's clock stands."""
GAME = ("repeat", "repeat_all", "score", "turn", "guesses", "where", "skip", "category", "pause_length", "strike",
        "word", "team", "go_on", "together")
"""Answered by the game."""


def obey(turn: Turn, understood: Understood, event: Heard) -> bool:
    """Do what was asked; False where the command does not fit the moment (then it was just words)."""
    name = understood.command or ""
    if (turn.state.paused or turn.state.question is not None) and name not in ALWAYS:
        return False
    if name == "continue" and not turn.state.paused:
        name = "go_on"
        if turn.state.game is not None and turn.table.rules.expects(turn.state.game).ready:
            return False  # "go on" is an answer to "ready?"
    if turn.table.venn and venn_talk.obey(turn, understood):
        return True
    if name in _TABLE:
        _TABLE[name](turn, event)
        return True
    if name in ("known_card", "bad_card"):
        return _mark(turn, name)
    if name == "repeat" and turn.state.game is None:
        (venn_gathering.ask if turn.table.venn else asking.ask_gathering)(turn)
        return True
    if name not in GAME or turn.state.game is None:
        return False
    turn.tell(Command(turn.time(), name, understood.owner, understood.argument))
    return True


def _pause(turn: Turn, _event: Heard) -> None:
    if turn.state.game is None:
        return
    if turn.state.paused:
        turn.say("still_paused")
        return
    turn.stop_clock()
    turn.set(paused=True)
    turn.emit(Hush())  # whatever sounds, tones too (BAR-12)
    turn.say("paused")


def _hush(turn: Turn, _event: Heard) -> None:
    turn.emit(Hush())  # whatever sounds, tones too (BAR-12)
    if turn.state.game is not None and turn.state.question is None:
        turn.stop_clock()
        turn.set(paused=True)


def _continue(turn: Turn, _event: Heard) -> None:
    turn.set(paused=False)
    turn.say("continued")
    if turn.state.question is None:
        turn.start_clock()


def _objection(turn: Turn, event: Heard) -> None:
    if not turn.state.before:
        turn.say("objection_none")
        return
    ended = turn.state.verdict_ended
    if ended is not None and event.began > ended + OBJECT:
        turn.say("objection_late")
        return
    owned = [guess for guess in turn.state.before[-1].guesses.guesses if guess.seat is not None]
    if not owned:
        turn.say("objection_none")
        return
    right = [guess for guess in owned if guess.verdict is Verdict.RIGHT]
    guess = (right or owned)[-1]
    turn.hush()
    turn.ask(Question("objection", turn.at + LOST, seat=guess.seat or 0, was_right=bool(right)))
    who = turn.table.hearing.called(turn.state.players, guess.seat)
    turn.say("objection_right" if right else "objection_wrong", who=who)


def _undo(turn: Turn, _event: Heard) -> None:
    scored = [before for before in turn.state.before if before.scored]
    if not scored:
        turn.say("undo_none")
        return
    turn.restore(scored[-1])
    turn.say("undone")
    venn_talk.resume(turn)


def _stop(turn: Turn, _event: Heard) -> None:
    turn.emit(Hush())  # whatever sounds, tones too (BAR-12)
    if turn.state.question is not None and turn.state.question.kind == "quit":
        asking.goodbye(turn)
        return
    turn.ask(Question("quit", turn.at + LOST))
    turn.say("quit")


def _help(turn: Turn, _event: Heard) -> None:
    turn.say("help")


def _speed(step: float, key: str) -> Callable[[Turn, Heard], None]:
    def change(turn: Turn, _event: Heard) -> None:
        speed = round(turn.state.speed + step, 2)
        if not SLOWEST <= speed <= FASTEST:
            turn.say("speed_end")
            return
        turn.set(speed=speed)
        turn.emit(Adjust(speed=speed))
        turn.say(key)

    return change


def _volume(factor: float, key: str) -> Callable[[Turn, Heard], None]:
    def change(turn: Turn, _event: Heard) -> None:
        volume = round(turn.state.volume * factor, 3)
        if not QUIETEST <= volume <= LOUDEST:
            turn.say("speed_end")
            return
        turn.set(volume=volume)
        turn.emit(Adjust(volume=volume))
        turn.say(key)

    return change


def _mark(turn: Turn, name: str) -> bool:
    card = None if turn.state.game is None else turn.table.rules.expects(turn.state.game).card
    if card is None:
        return False
    turn.hush()
    turn.emit(Keep("known" if name == "known_card" else "bad", card.id))
    turn.say("marked")
    turn.tell(Command(turn.time(), "skip"))
    return True


_TABLE: dict[str, Callable[[Turn, Heard], None]] = {
    "pause": _pause,
    "hush": _hush,
    "continue": _continue,
    "objection": _objection,
    "undo": _undo,
    "stop": _stop,
    "help": _help,
    "slower": _speed(-SPEED_STEP, "slower"),
    "faster": _speed(SPEED_STEP, "faster"),
    "louder": _volume(VOLUME_STEP, "louder"),
    "quieter": _volume(1 / VOLUME_STEP, "quieter"),
}
