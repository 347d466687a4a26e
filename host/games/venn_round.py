"""A round of Venn up to GO: words, clue givers, number cards, ready, the count (VN-2 to VN-5, VN-15)."""

import random
from dataclasses import replace

from host.clock import Samples
from host.events import Command, Keep, Ready
from host.games.venn_desk import Desk
from host.games.venn_state import (
    BEFORE_COUNT,
    CALLS,
    CLOCK,
    COUNT,
    ROUNDS,
    SECOND,
    TO_WIN,
    WORDS,
    Between,
    Checking,
    Collecting,
    Counting,
    Placing,
    Readying,
    State,
    Telling,
)
from host.games.venn_words import NumberCard, card_id, draw_numbers, draw_words, stem
from host.lines import listed, number


def _draw(desk: Desk) -> random.Random:
    """Randomness for one draw: made of the seed and the draws before it, so that its state is the game's."""
    desk.set(draws=desk.state.draws + 1)
    return random.Random(f"venn/{desk.state.seed}/{desk.state.draws}")


def _deal_words(desk: Desk) -> None:
    """Four new word cards, whose words are told apart by ear (VN-2, CE-20)."""
    state = desk.state
    cards, used, anew = draw_words(state.packs, state.used_words, _draw(desk))
    if anew:
        desk.effects.append(Keep("words", ""))
    known = () if anew else state.used_words
    desk.effects.extend(Keep("words", card) for card in used if card not in known)
    desk.set(words=tuple(word for card in cards for word in card), used_words=used)
    if anew:
        desk.tell("anew", "venn_words_anew")


def _deal_numbers(desk: Desk, count: int) -> tuple[NumberCard, ...]:
    """New number cards (VN-4, CE-20); which they are is told to the memory only when they are no secret any more."""
    state = desk.state
    cards, used, anew = draw_numbers(state.packs, count, state.used_numbers, _draw(desk))
    if anew:
        desk.effects.append(Keep("numbers", ""))
    desk.set(used_numbers=used)
    return cards


def _next_giver(state: State, team: int) -> int:
    """Another clue giver each round, in seating order (VN-3)."""
    members = state.members(team)
    if not state.givers:
        return members[0]
    return members[(members.index(state.givers[team]) + 1) % len(members)]


def start_round(desk: Desk) -> None:
    """New clue givers, new number cards, new words."""
    state = desk.state
    if state.games != state.games_before:  # the game before is won: points start anew (VN-14)
        desk.set(points=tuple(0 for _ in state.points), played=0, games_before=state.games)
    state = desk.state
    desk.set(
        round=state.round + 1, played=state.played + 1, before=state.points, scored=(), cards=(0, 0), warned=False,
        doubts=0, secret=(), words=(), givers=tuple(_next_giver(state, team) for team in range(state.teams)),
    )
    if state.options.own_numbers:
        desk.set(secret=_deal_numbers(desk, state.teams))
    if state.options.family:
        announce(desk)
        desk.tell("list", "venn_collect", 0.4)
        desk.enter(Collecting())
        return
    _deal_words(desk)
    announce(desk)
    desk.list_words()
    desk.enter(Telling())


def announce(desk: Desk) -> None:
    """Say which round it is, and how the game stands."""
    state = desk.state
    key = "venn_round" if sum(state.points) else "venn_round_first"
    if state.options.cooperative:
        key += "_cooperative"
    desk.tell("begin", key, 0.6, number=number(state.played), rounds=number(ROUNDS), score=desk.standing())


def redraw(desk: Desk) -> None:
    """Other words for the same round ("skip")."""
    desk.hush()
    desk.tell("skip", "venn_new_words")
    _deal_words(desk)
    desk.list_words()
    desk.enter(Telling())


def change_giver(desk: Desk, seat: int) -> None:
    """That player gives clues in this round (VN-3); a number card that another one has seen is exchanged."""
    team = desk.state.team_of(seat)
    givers = list(desk.state.givers)
    if givers[team] == seat:
        return
    givers[team] = seat
    desk.set(givers=tuple(givers))
    new_card(desk, team)
    desk.tell("giver", "venn_giver", name=desk.giver(team))
    if isinstance(desk.state.phase, Readying):
        desk.enter(Readying())


def new_card(desk: Desk, team: int) -> None:
    """Another number card of the host's own for a team, since somebody else has seen the one it had (VN-4)."""
    if desk.state.secret:
        secret = list(desk.state.secret)
        desk.effects.append(Keep("numbers", card_id(secret[team])))
        secret[team] = _deal_numbers(desk, 1)[0]
        desk.set(secret=tuple(secret))


# --- the family's own words (VN-2) ----------------------------------------------------------------


def list_word(desk: Desk, command: Command) -> None:
    """A word of the family's own cards: argument "7:river"; again with the same number replaces it."""
    place, _, said = command.argument.partition(":")
    word = " ".join(said.split())
    phase = desk.state.phase
    if not place.isdecimal() or not 1 <= int(place) <= WORDS or not word:
        return
    given = list(phase.given if isinstance(phase, Collecting) else desk.state.words)
    same = [count for count, other in enumerate(given, start=1) if other and stem(other) == stem(word)]
    if any(count != int(place) for count in same):
        desk.tell("twice", "venn_word_twice", word=word, number=number(same[0]))
    elif any(stem(word) == stem(name) for name in desk.state.options.names):
        desk.tell("name", "venn_word_name", word=word)
    else:
        given[int(place) - 1] = word
        desk.chime("word")
        _collected(desk, tuple(given), int(place))


def _collected(desk: Desk, given: tuple[str, ...], place: int) -> None:
    """Go on collecting, or repeat what was collected for a yes."""
    if not all(given):
        desk.enter(Collecting(given))
        return
    whole = isinstance(desk.state.phase, Collecting)
    desk.set(words=given)
    if whole:
        desk.list_words()
    else:
        say_word(desk, place)
    desk.tell("right", "venn_list_right", 0.4)
    desk.enter(Checking())


def say_missing(desk: Desk, phase: Collecting) -> None:
    """Say which of the family's words are wanted next."""
    missing = [count for count, word in enumerate(phase.given, start=1) if not word]
    few = listed([number(count) for count in missing]) if len(missing) <= 3 else number(missing[0])
    desk.tell("missing", "venn_missing" if len(missing) <= 3 else "venn_collect_next", number=few)


def say_word(desk: Desk, count: int) -> None:
    """Say one of the words with its number."""
    desk.say("word", f"{number(count).capitalize()}, {desk.word(count)}.", 0.2)


# --- ready and the count (VN-5) -------------------------------------------------------------------


def begin_ready(desk: Desk) -> None:
    """Name the clue givers, and wait until they are ready."""
    ask_ready(desk)
    desk.enter(Readying())


def ask_ready(desk: Desk) -> None:
    """Name the clue givers and ask for "ready"."""
    state = desk.state
    names = listed([desk.giver(team) for team in range(state.teams)])
    desk.tell("ready", f"venn_ready_{'one' if state.teams == 1 else 'both'}", names=names)


def ready(desk: Desk, intent: Ready) -> None:
    """Somebody is ready (VN-5): both clue givers by name, or twice "ready" at least a second apart."""
    phase = desk.state.phase
    match phase:
        case Between():
            desk.hush()
            start_round(desk)
        case Telling(asked=True):
            desk.hush()
            begin_ready(desk)
        case Readying():
            _count_ready(desk, phase, intent)


def _count_ready(desk: Desk, phase: Readying, intent: Ready) -> None:
    state = desk.state
    near = phase.last is not None and desk.at - phase.last < SECOND
    teams, others = phase.teams, phase.others
    if intent.seat is None:
        if near:
            return
        others += 1
    elif intent.seat in state.givers:
        teams = tuple(sorted({*teams, state.team_of(intent.seat)}))
        if near and others:
            others -= 1  # the same "ready", now with a name
    else:
        return
    desk.set(phase=replace(phase, teams=teams, others=others, last=desk.at))
    if len(teams) + others >= state.teams:
        desk.hush()
        begin_count(desk)


def begin_count(desk: Desk, left: Samples = CLOCK, again: bool = False) -> None:
    """Count to GO; the expert's reminder comes before it (VN-15)."""
    if desk.state.options.expert and not again:
        desk.tell("expert", "venn_expert")
    desk.enter(Counting(0, left, again, None if desk.state.unsaid else desk.at + BEFORE_COUNT))


def count(desk: Desk, phase: Counting) -> None:
    """The next of "one, two, three, GO": a second from the one before, to the sample."""
    name = COUNT[phase.step]
    desk.tell(name, f"venn_{name}", 0.0)
    until = None if name == COUNT[-1] else (phase.until or desk.at) + SECOND
    desk.set(phase=replace(phase, step=phase.step + 1, until=until))


def count_again(desk: Desk, phase: Counting) -> None:
    """The count was broken off: it begins anew when the host is silent."""
    desk.enter(replace(phase, step=0, until=None if desk.state.unsaid else desk.at + BEFORE_COUNT))


def gone(desk: Desk, phase: Counting) -> None:
    """The last sample of GO: the art cards are placed, the cooperative clock runs (VN-16)."""
    if not desk.state.options.cooperative:
        desk.set(phase=Placing(desk.at))
        return
    calls = tuple(left for left in CALLS if left < phase.left)
    desk.set(phase=Placing(desk.at, desk.at + phase.left, calls))


# --- patience and silence -------------------------------------------------------------------------


def quiet(desk: Desk) -> None:
    """The host has said what it had to say, before GO."""
    phase = desk.state.phase
    match phase:
        case Telling(asked=False):
            desk.tell("again", "venn_again", 0.4)
            desk.set(phase=Telling(asked=True))
        case Counting(step=0):
            desk.set(phase=replace(phase, until=desk.at + BEFORE_COUNT))
        case Counting(step=step) if step == len(COUNT):
            gone(desk, phase)
        case _:
            desk.wait()


def overdue(desk: Desk) -> None:
    """The patience before GO is at its end."""
    phase = desk.state.phase
    match phase:
        case Collecting():
            say_missing(desk, phase)
            desk.set(phase=replace(phase, tries=phase.tries + 1, until=None))
        case Checking():
            desk.tell("right", "venn_list_right")
            desk.set(phase=replace(phase, tries=phase.tries + 1, until=None))
        case Telling():
            begin_ready(desk)
        case Readying():
            ask_ready(desk)
            desk.set(phase=replace(phase, tries=phase.tries + 1, until=None))
        case Counting():  # pragma: no branch - no other phase has a deadline
            count(desk, phase)


def reply(desk: Desk, yes: bool) -> None:
    """Yes or no to "again?" or to "is that right?"."""
    match desk.state.phase:
        case Telling(asked=True):
            desk.hush()
            if yes:
                desk.list_words(0.2)
                desk.enter(Telling())
            else:
                begin_ready(desk)
        case Checking():
            desk.hush()
            if yes:
                begin_ready(desk)
            else:
                desk.tell("which_word", "venn_list_wrong")
                desk.enter(Checking())


def extra_round(state: State) -> bool:
    """Whether somebody has twelve, and it is level all the same (VN-13)."""
    return not state.options.cooperative and max(state.points) >= TO_WIN
