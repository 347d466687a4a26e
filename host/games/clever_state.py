"""Clever Endeavor's state: options, the card on the table, and the phases of a card.

A card goes through these phases::

    Asking  ->  Telling  ->  Reading  <->  Pausing  ->  Telling  ->  Asking ...
    ready?      category     statements    3-6 s         answer, note

`Exacting` ("more exactly?") interrupts and comes back; `Claiming` ("who said it?") decides the card;
`Tapping` and `Listening` stand in for Reading where a player reads. Every phase that waits for the mouth
also has a time at which it stops waiting, so that a report that never comes stalls nothing.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias, TypeVar

from host.clock import Samples, samples
from host.events import Guess
from host.games import Player
from host.games.clever_board import Pieces
from host.packs import Card, Packs

T = TypeVar("T")

LIE = -1
"""In a card's order: the false statement instead of one of its own (CE-23)."""


@dataclass(frozen=True, slots=True)
class Options:
    """How this table plays."""

    pause: float = 5.0
    """Seconds between two statements, 3 to 6 (CE-6)."""
    statements: int = 6
    """Statements a card, 1 to 6 (CE-21)."""
    hide_category: bool = False
    """The category is never revealed (CE-22)."""
    false_statement: bool = False
    """One statement of each card is false (CE-23)."""
    shuffle: bool = False
    """Statements come in any order (CE-5)."""
    wait: bool = False
    """The next statement comes on "go on" (CE-6)."""
    strict: bool = False
    """Every guess must be owned (CE-16)."""
    reader: str = "host"
    """Who reads: host, silent (the reader sits the card out) or player (CE-17)."""
    ready: bool = True
    """The reader is asked "ready?" before a card (CE-17)."""
    youngest: int = 0
    """The seat that reads first (CE-17)."""
    at: Samples = 0
    """The sample at which the game is set up."""


def read_options(options: Mapping[str, Any], seats: int) -> Options:
    """Options with their defaults. Raises ValueError with one sentence that says what to do."""
    known = {entry.name: entry.type for entry in fields(Options)}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"There is no option {name!r}; there are {', '.join(known)}.")
        if known[name] is bool and not isinstance(value, bool):
            raise ValueError(f"Set {name} to true or false, not to {value!r}.")
    read = Options(**options)
    if not _number(read.pause) or not 3 <= read.pause <= 6:
        raise ValueError(f"Set the pause to 3 to 6 seconds, not to {read.pause!r}.")
    if not _whole(read.statements) or not 1 <= read.statements <= 6:
        raise ValueError(f"Set the statements a card to 1 to 6, not to {read.statements!r}.")
    if read.false_statement and read.statements == 1:
        raise ValueError("A false statement needs a true one beside it: set the statements a card to 2 at least.")
    if read.reader not in ("host", "silent", "player"):
        raise ValueError(f"Set the reader to host, silent or player, not to {read.reader!r}.")
    if not 1 <= seats <= 8:
        raise ValueError(f"Clever Endeavor is for two to eight players, or one to practise, not for {seats}.")
    if read.reader != "host" and seats == 1:
        raise ValueError(f"With reader = {read.reader} nobody is left to guess: play with two at least.")
    if not _whole(read.youngest) or not 0 <= read.youngest < seats:
        raise ValueError(f"The youngest is one of the seats 0 to {seats - 1}, not {read.youngest!r}.")
    if not _whole(read.at) or read.at < 0:
        raise ValueError(f"The sample at which the game begins is a whole number from 0, not {read.at!r}.")
    return read


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- the card on the table -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hand:
    """The card on the table and what has happened with it."""

    card: str
    """Its id."""
    order: tuple[int, ...]
    """Its statements in the order of reading; LIE stands for the false one."""
    wrongs: tuple[int, ...]
    """Wrong guesses, a seat each (CE-11)."""
    extra: tuple[int, ...]
    """More free guesses by Venture cards, a seat each."""
    prompted: tuple[int, ...] = ()
    """Seats that have been asked "more exactly?" (CE-14)."""
    opened: Samples | None = None
    """Guesses begun earlier are talk (CE-10)."""
    reads: tuple[Samples, ...] = ()
    """For each statement read, the end of its first word (CE-13)."""
    unowned: int = 0
    """Wrong guesses without an owner (CE-16)."""
    owned_only: bool = False
    """"Colour first, please" has been said (CE-16)."""
    kept: bool = False
    """Its use has been remembered (CE-20)."""
    over: bool = False
    settled: bool = False
    """Over, and not even a guess begun earlier can change it."""
    revealed: Samples | None = None
    """The first sample of the answer (CE-9)."""


# --- phases --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asking:
    """"Ready for the next one?" (CE-17)."""

    line: str
    until: Samples


@dataclass(frozen=True, slots=True)
class Telling:
    """Lines that must be heard: before the first statement, or after the card is over."""

    lines: tuple[tuple[str, str], ...]
    """(id, text) of those not yet said to the end."""
    then: Literal["read", "ask"]
    until: Samples
    cut: bool = False
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement is being said; `line` is empty where it was cut off and waits for a free floor."""

    index: int
    line: str
    until: Samples


@dataclass(frozen=True, slots=True)
class Pausing:
    """The pause after a statement, or the last chance (CE-6, CE-9)."""

    index: int
    """Statements read so far."""
    until: Samples | None
    """Its end; None where only "go on" ends it."""
    length: Samples
    left: Samples | None = None
    """What is left of it while its clock stands still."""
    held: bool = False
    """Somebody speaks, and that is why it stands still."""
    spent: bool = False
    """Speech has stopped this clock once; it does so only once a pause."""
    waiting: bool = False
    """Option `wait`: ends on "go on"; `until` only reminds of it."""
    last: bool = False
    """The last chance (CE-9)."""


@dataclass(frozen=True, slots=True)
class Tapping:
    """reader = player: the reader's tap begins the next statement (CE-17)."""

    index: int


@dataclass(frozen=True, slots=True)
class Listening:
    """Under reader = player the reader is reading a statement aloud, until the floor is free (CE-17)."""

    index: int
    until: Samples


@dataclass(frozen=True, slots=True)
class Exacting:
    """"More exactly?" (CE-14). `back` is the phase to which it returns."""

    seat: int
    first: Guess
    line: str
    until: Samples
    due: Samples
    """A reply begun later is none."""
    back: "Phase"
    kept: tuple[Guess, ...] = ()
    """Others' answers in that time; they count only if this one fails."""


@dataclass(frozen=True, slots=True)
class Claiming:
    """"Right! Who said it?" (CE-16), and "who was first?" where two did (CE-15)."""

    guess: Guess
    line: str
    until: Samples
    asked: int = 1
    likely: int | None = None
    """Who was asked "was that you?"."""
    claims: tuple[int, ...] = ()
    between: tuple[int, ...] = ()
    """Those who claimed, once "who was first?" has been asked."""


@dataclass(frozen=True, slots=True)
class Over:
    """Somebody is in the Winner's Circle (CE-3)."""

    seat: int


Phase: TypeAlias = Asking | Telling | Reading | Pausing | Tapping | Listening | Exacting | Claiming | Over


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict as the screen shows it: `spaces` won, or lost where negative."""

    card: int
    """The card's number in this game."""
    seat: int
    text: str
    verdict: str
    spaces: int = 0


@dataclass(frozen=True)
class State:
    """A game of Clever Endeavor; its `repr` is the same in every process for the same history."""

    players: tuple[Player, ...]
    options: Options
    packs: Packs = field(repr=False)
    seed: int
    pieces: Pieces
    deck: tuple[str, ...]
    """Clue cards still to come, the top one first (CE-20)."""
    reader: int
    hand: Hand
    phase: Phase
    number: int = 0
    """Cards begun so far."""
    draws: int = 0
    """Random draws so far; with the seed they make the next one."""
    busy: bool = False
    """Somebody speaks, or what was said is not judged yet."""
    overdue: bool = False
    """A deadline has passed while somebody spoke, and waits for the judge."""
    again: tuple[int, ...] = ()
    """Statements still to be said again (CE-7)."""
    mouth: str = ""
    """The newest line that has been asked for and not ended: while there is one, the host speaks."""
    length: Samples = 0
    """How long that line takes at most, by a careful guess."""
    quiet_by: Samples = 0
    """When the host is silent again at the latest, by a careful guess."""
    spoken: int = 0
    """Makes lines' ids unique."""
    turns: tuple[tuple[str, int], ...] = ()
    """How often each line has been said, for its wordings to take turns."""
    rulings: tuple[Ruling, ...] = ()
    """All verdicts of this game."""
    started: Samples | None = None

    @property
    def card(self) -> Card:
        """The clue card on the table."""
        return self.packs.card(self.hand.card)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)

    def statement(self, index: int) -> str:
        """The text of the statement that is read at that place."""
        which = self.hand.order[index]
        return self.card.false_statement if which == LIE else self.card.statements[which]

    def guesses(self, seat: int) -> bool:
        """May that seat guess (CE-10, CE-17)?"""
        return self.options.reader == "host" or seat != self.reader

    def silence(self) -> Samples:
        """The pause between two statements (CE-6)."""
        return samples(self.options.pause)


def shuffled(items: Sequence[T], seed: int, draw: int) -> tuple[T, ...]:
    """The items in a random order that depends on nothing but seed and draw (the same everywhere)."""
    mixed = list(items)
    random.Random(f"{seed}/{draw}").shuffle(mixed)
    return tuple(mixed)


def pick_order(card: Card, options: Options, count: int, seed: int, draw: int) -> tuple[int, ...]:
    """Which statements are read, in which order: vague ones first (CE-5, CE-21), one false (CE-23)."""
    count = max(1, min(count, len(card.statements)))
    lie = options.false_statement and bool(card.false_statement) and count > 1 and options.reader != "player"
    order = list(range(count - 1 if lie else count))
    chance = random.Random(f"{seed}/{draw}")
    if options.shuffle:
        chance.shuffle(order)
    if lie:
        order.insert(chance.randrange(count), LIE)
    return tuple(order)
