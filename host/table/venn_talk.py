"""Venn by voice: calls, list words and team names out of running talk, replies and commands (VN-5 to VN-10).

Laws of this module:

1. A call counts on the first partial that holds it: the sound must come before the utterance is over (KEY-01).
2. A list word, a team's name or what may have been a call counts when two successive partials hold it with the
   same start, or the final does; what the game was told no revision takes back, and nothing is told twice of one
   utterance (VN-9).
3. Starts never run backwards within an utterance. A partial's words carry the sample at which they were known,
   about their end (KEY-12); they are taken to have begun `WORD` before it.
4. While art cards are placed nothing but a call and a few whole sentences means anything: that is table talk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from host.clock import Samples, samples
from host.events import Call, Claim, Command, Guesses, Heard, Intent, ListWord, Numbers, Ready, Reply, Word
from host.table.pressing import team_of_channel
from host.table.state import KEPT, LOST, Before, Breath, Question
from host.table.venn_words import (
    CALL,
    FINDING,
    PERHAPS,
    Sentences,
    guessing,
    instead,
    is_ready,
    team_in,
    told_numbers,
    words_at,
)
from host.understand import Understood
from host.understand.utterance import texts

if TYPE_CHECKING:
    from host.games import Expects
    from host.table.turn import Turn

CALLS = ("call", "perhaps")
"""Kinds of what is found that stand for "venn", surely or not."""
WORD = samples(0.35)
"""How long before it was known a word in a partial is taken to have begun."""


@dataclass(frozen=True, slots=True)
class Found:
    """A call (or perhaps one), a team or a list word in an utterance; `value` is the team, or the word's number."""

    kind: str
    value: int
    word: Word
    ended: Samples


# --- out of running talk ---------------------------------------------------------------------------


def partial(turn: Turn, event: Heard) -> None:
    """What is known of an utterance that is still going on."""
    state = turn.state
    if state.game is None or state.stopped is not None or state.question is not None or state.gathering is not None:
        return
    if any((one.utterance, one.channel) == (event.utterance, event.channel) for one in state.busy):
        hear(turn, event)


def hear(turn: Turn, event: Heard) -> bool:
    """Tell the game what it listens for in an utterance; whether there was anything."""
    expects = turn.table.rules.expects(turn.state.game)
    if not expects.call and not guessing(expects):
        _leave(turn, event)
        return False
    breath = _breath(turn, event)
    found = find(event, expects)
    for one in found:
        if (one.kind, one.value) in breath.told or not holds(one, breath, event):
            continue
        told = _tell(turn, event, one, breath)
        breath = told or breath
    seen = tuple((one.kind, one.value, one.word.began) for one in found if (one.kind, one.value) not in breath.told)
    _keep(turn, event, replace(breath, seen=seen))
    return bool(breath.told)


def find(event: Heard, expects: Expects) -> list[Found]:
    """Calls, teams' names and list words in the order in which they were said."""
    row = event.words
    found: list[Found] = []
    at = 0
    while at < len(row):
        team, length = team_in(row, at, expects.teams)
        number, taken = (0, 0) if length else words_at(row, at, expects.words, event.final)
        if row[at].text == CALL and expects.call:
            found.append(Found("call", 0, row[at], row[at].ended))
        elif row[at].text == PERHAPS and expects.call:
            found.append(Found("perhaps", 0, row[at], row[at].ended))
        elif length:
            found.append(Found("team", team, row[at], row[at + length - 1].ended))
        elif taken:
            found.append(Found("word", number, row[at], row[at + taken - 1].ended))
        at += max(length, taken, 1)
    call = next((place for place, one in enumerate(found) if one.kind in CALLS), 0)
    return [one for place, one in enumerate(found) if one.kind != "word" or place >= call]


def holds(one: Found, breath: Breath, event: Heard) -> bool:
    """Whether it is there for good: a call at once, all else in two partials or the final.

    The start of what may be a call moves with its score; in two partials it is the same one.
    """
    if one.kind == "perhaps" and any(kind == one.kind for kind, _, _ in breath.seen):
        return True
    return one.kind == "call" or event.final or (one.kind, one.value, one.word.began) in breath.seen


def _tell(turn: Turn, event: Heard, one: Found, breath: Breath) -> Breath | None:
    """Tell the game one of them; the breath after it, None where it means nothing here."""
    timed = one.word.ended > one.word.began
    began = max(one.word.began if timed else one.word.began - WORD, event.began)
    expects = turn.table.rules.expects(turn.state.game)
    if one.kind in CALLS:
        if one.kind == "perhaps" and breath.called is not None:
            return None  # the call itself was heard in this breath
        team = team_of_channel(turn, event.channel)
        turn.tell(Call(turn.time(), turn.time(began), team, turn.time(one.ended), one.kind == "call"))
        breath = replace(breath, called=began)
    elif one.kind == "team":
        if not _team(turn, one, max(began, breath.last), breath, expects):
            return None
    elif breath.called is not None and began < breath.called:
        return None  # said before the call
    elif not guessing(expects) and breath.called is None and not asked(expects):
        return None
    else:
        began = max(began, breath.last)
        team = team_of_channel(turn, event.channel)
        tell(turn, ListWord(turn.time(), one.value, turn.time(began), team, turn.time(one.ended)))
    return replace(breath, told=(*breath.told, (one.kind, one.value)), last=max(began, breath.last))


def _team(turn: Turn, one: Found, began: Samples, breath: Breath, expects: Expects) -> bool:
    """A team's name after "venn", or in reply to "which team?"; a second one disputes it (VN-8)."""
    if not asked(expects) and breath.called is None:
        return False
    named = any(kind == "team" for kind, _ in breath.told)
    if "team" in expects.commands and not named:
        turn.tell(Call(turn.time(), turn.time(began), one.value, turn.time(one.ended)))
    else:
        turn.tell(Command(turn.time(), "team", argument=str(one.value)))
    return True


def asked(expects: Expects) -> bool:
    """Whether a team's name answers a question: "which team?", or "was that a call?"."""
    return expects.claim or "nobody" in expects.commands


def _breath(turn: Turn, event: Heard) -> Breath:
    known = [one for one in turn.state.breaths if (one.utterance, one.channel) == (event.utterance, event.channel)]
    return known[0] if known else Breath(event.utterance, event.channel)


def _keep(turn: Turn, event: Heard, breath: Breath) -> None:
    """Remember what was made of an utterance until its final."""
    others = tuple(one for one in turn.state.breaths
                   if (one.utterance, one.channel) != (event.utterance, event.channel))
    wanted = () if event.final or not (breath.seen or breath.told) else (breath,)
    if turn.state.breaths != (*others, *wanted):
        turn.set(breaths=(*others, *wanted))


def _leave(turn: Turn, event: Heard) -> None:
    if event.final:
        _keep(turn, event, Breath(event.utterance, event.channel))


# --- whole utterances --------------------------------------------------------------------------------


def play(turn: Turn, understood: Understood, event: Heard) -> None:
    """A whole utterance that is no command: words, a reply, numbers, ready."""
    spent = bool(_breath(turn, event).told)  # its words closed the list: the rest of it is no number
    if hear(turn, event) or spent:
        return
    expects = turn.table.rules.expects(turn.state.game)
    owner, yes = understood.owner, understood.yes
    said = told_numbers(understood.numbers, texts(event.words), texts(event.dictation))
    if expects.numbers and said and (yes is None or len(said) >= len("abc")):
        tell(turn, Numbers(turn.time(), said))
    elif expects.yes_no and yes is not None:
        tell(turn, Reply(turn.time(), yes))
    elif expects.ready and (understood.ready or yes or is_ready(texts(event.words), names_of(turn))):
        turn.tell(Ready(turn.time(), owner))
    elif expects.claim and owner is not None:
        turn.tell(Claim(turn.time(), owner, turn.time(event.began)))


def names_of(turn: Turn) -> tuple[str, ...]:
    """The players' names as they are heard."""
    return tuple(player.name.lower() for player in turn.state.players)


def tell(turn: Turn, intent: Intent) -> None:
    """Step the game; where the score changed by it, keep the game as it was, for undo (GM-1)."""
    state, score = turn.state, turn.score()
    before = Before(state.game, turn.time(), state.saying, Guesses(turn.time(), ()), scored=True)
    turn.tell(intent)
    if turn.score() != score:
        turn.set(before=(*turn.state.before, before)[-KEPT:])


def meaning(turn: Turn, understood: Understood, event: Heard) -> Understood:
    """What an utterance means in Venn: its own commands, and table talk left alone."""
    state = turn.state
    if state.game is None or state.gathering is not None or state.question is not None or state.paused:
        return understood
    expects = turn.table.rules.expects(state.game)
    if _breath(turn, event).told:
        return replace(understood, command=None)
    listening = expects.call or guessing(expects)
    if listening and any(one.kind in (*CALLS, "word") for one in find(event, expects)):
        return replace(understood, command=None)
    view = turn.table.rules.view(state.game, None)
    sentences = Sentences(expects, names_of(turn), view["phase"], tuple(word.lower() for word in view["words"]))
    command, argument = sentences.command(event)
    if command:
        return replace(understood, command=command, argument=argument)
    if sentences.placing:
        return replace(understood, command=None)
    if understood.command == "repeat" and expects.yes_no and expects.ready:
        return replace(understood, command=None, yes=True)  # "again" in reply to "again?"
    if understood.command == "pause_length":
        return replace(understood, command=None)
    return understood


def obey(turn: Turn, understood: Understood) -> bool:
    """Commands that only Venn has, and those that the table answers otherwise in it; False for all others."""
    name = understood.command or ""
    if turn.state.game is None or turn.state.paused or turn.state.question is not None:
        return False
    if name == "objection":
        turn.hush()
        turn.ask(Question("mishearing", turn.at + LOST))
        turn.say("venn_object")
        return True
    if name in FINDING:
        tell(turn, Command(turn.time(), name, understood.owner, understood.argument))
        return True
    return False


def corrected(turn: Turn, event: Heard) -> bool:
    """What was misheard, said in reply to "what did I get wrong?" (GM-2); False where it is no such sentence."""
    question = turn.state.question
    if question is None or question.kind != "mishearing":
        return False
    old, new = instead(texts(event.words), turn.table.rules.view(turn.state.game, None)["words"])
    if not old:
        return False
    turn.set(question=None)
    turn.start_clock()
    tell(turn, Command(turn.time(), "instead", argument=f"{old}:{new}"))
    return True


def resume(turn: Turn) -> None:
    """The game's clock runs on after a pause, an undo or a power cut: what is open is asked again."""
    if turn.table.venn and turn.state.game is not None and turn.state.stopped is None:
        turn.tell(Command(turn.time(), "resume"))
