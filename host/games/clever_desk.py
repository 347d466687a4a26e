"""The host's desk in Clever Endeavor: one step while it is being taken, and how its events are told.

A `Desk` lives only inside one `step`: it gathers the new state and the effects. What is said here is
said with colours, as at the table; names come at the win.
"""

from dataclasses import replace
from typing import Any, Literal

from host.clock import RATE, Samples, samples
from host.events import Chime, Effect, Hush, Keep, Line, Say
from host.games.clever_board import Drew, Happening, Moved, Slid, in_red
from host.games.clever_state import LIE, Phase, Ruling, State, Telling
from host.lines import listed, number, say

SLOWEST = 0.15
"""Seconds a letter in the slowest speech; with `SPARE` it says how long to wait for a line's end."""
SPARE = 3.0
QUEUE = samples(20)
"""So long a line may wait behind others that the table says, until it begins."""


class Desk:
    """One step being taken at `at`: the state so far, and what goes out."""

    def __init__(self, state: State, at: Samples) -> None:
        self.state = state
        self.at = at
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    def hand(self, **changes: Any) -> None:
        """Change fields of the card on the table."""
        self.set(hand=replace(self.state.hand, **changes))

    def enter(self, phase: Phase) -> None:
        """Go over to a phase; its deadline is a new one."""
        self.set(phase=phase, overdue=False)

    def who(self, seat: int) -> str:
        """How a player is called at the table: by colour (by name where there is none)."""
        player = self.state.players[seat]
        return player.colour.capitalize() or player.name

    def names(self, seats: tuple[int, ...]) -> str:
        """Several players by colour, as they are said in a row."""
        return listed([self.who(seat) for seat in seats])

    def words(self, key: str, **values: object) -> str:
        """The next wording of a line, so that none is heard twice in a row."""
        turns = dict(self.state.turns)
        turn = turns.get(key, self.state.seed % 7)
        self.set(turns=tuple(sorted({**turns, key: turn + 1}.items())))
        return say(key, turn, **values)

    def say(self, line: str, text: str, gap: float = 0.0) -> str:
        """Say a text after `gap` seconds of silence; returns the line's full id. Statements yield to players.

        The number in an id grows with time, so that it stays unique also after an undo.
        """
        spoken = max(self.state.spoken + 1, self.at // (RATE // 100))
        full = f"{line}#{spoken}"
        length = samples(SLOWEST * len(text) + SPARE)
        quiet = max(self.at + QUEUE, self.state.quiet_by) + samples(gap) + length
        self.effects.append(Say(Line(full, text, yields="/statement" in line), samples(gap)))
        self.set(spoken=spoken, mouth=full, length=length, quiet_by=quiet)
        return full

    def tell(self, line: str, key: str, gap: float = 0.35, **values: object) -> str:
        """Say a line out of `host.lines`; returns its full id."""
        return self.say(line, self.words(key, **values), gap)

    def on_card(self, part: str) -> str:
        """The id of a line that belongs to the card on the table."""
        return f"card{self.state.number}/{part}"

    def tell_all(
        self, lines: tuple[tuple[str, str, float], ...], then: Literal["read", "ask"], tries: int = 1,
    ) -> None:
        """Say lines (id, text, gap) that must be heard before the card goes on, and wait for them."""
        said = tuple((self.say(line, text, gap), text) for line, text, gap in lines)
        self.enter(Telling(said, then, self.state.quiet_by, tries=tries))

    def chime(self, name: str) -> None:
        """Play a short tone."""
        self.effects.append(Chime(name, samples(0.1)))

    def hush(self) -> None:
        """Fall silent, where something is being said."""
        if self.state.mouth:
            self.effects.append(Hush())
            self.set(mouth="", quiet_by=self.at)

    def keep(self) -> None:
        """Remember that this card has been used (CE-20), once."""
        if not self.state.hand.kept:
            self.effects.append(Keep("clues", self.state.hand.card))
            self.hand(kept=True)

    def free(self, seat: int) -> int:
        """How many wrong guesses are free for that seat where it stands now, Venture cards counted in (CE-11)."""
        return (1 if in_red(self.state.packs, self.state.pieces, seat) else 2) + self.state.hand.extra[seat]

    def rule(self, seat: int, text: str, verdict: str, cost: int = 0) -> None:
        """Keep a verdict for the screen: what was heard, and the spaces won or lost (GAM-13)."""
        self.set(rulings=(*self.state.rulings, Ruling(self.state.number, seat, text, verdict, cost)))

    # --- longer stories ---------------------------------------------------------------------------

    def tell_moves(self, happenings: tuple[Happening, ...]) -> None:
        """Say what a move led to: arrows, Venture cards, and whom they moved (CE-18, CE-19)."""
        drew: Drew | None = None
        moved: list[Moved] = []
        for happening in happenings:
            match happening:
                case Moved():
                    moved.append(happening)
                case Slid(seat, end):
                    self._tell_effect(drew, moved)
                    drew, moved = None, []
                    self.tell("arrow", "clever_slid", 0.2, who=self.who(seat), number=number(end))
                case _:
                    self._tell_effect(drew, moved)
                    drew, moved = happening, []
                    who, text = self.who(happening.seat), happening.venture.text
                    self.tell("venture", "clever_venture", 0.2, who=who, text=text)
        self._tell_effect(drew, moved)

    def _tell_effect(self, drew: Drew | None, moved: list[Moved]) -> None:
        """Say what a Venture card has done, where its own text leaves that open."""
        if drew is None or drew.venture.kind not in ("move", "swap", "join"):
            return
        others = tuple(move.seat for move in moved if move.seat != drew.seat)
        if not moved:
            self.tell("places", "clever_unmoved", 0.3)
        elif drew.venture.kind == "swap":
            self.tell("places", "clever_swapped", 0.3, names=self.names((drew.seat, *others)))
        elif others and drew.venture.who not in ("all", "others"):
            self.tell("places", "clever_meant", 0.3, names=self.names(others))

    def after_card(self) -> tuple[tuple[str, str, float], ...]:
        """The lines that follow a card's answer: the lie owned up to (CE-23), and the note (CE-8)."""
        state, lines = self.state, []
        if LIE in state.hand.order[: len(state.hand.reads)]:
            place = number(state.hand.order.index(LIE) + 1)
            lines.append((self.on_card("false"), self.words("clever_false", number=place), 0.3))
        if state.card.note:
            lines.append((self.on_card("note"), self.words("clever_note", note=state.card.note), 0.3))
        return tuple(lines)


def spaces(count: int) -> str:
    """A number of spaces as it is said."""
    return f"{number(count)} {'space' if count == 1 else 'spaces'}"


def statements(count: int) -> str:
    """A number of statements as a sentence begins with it."""
    if count == 0:
        return "Not one statement"
    return f"{number(count).capitalize()} {'statement' if count == 1 else 'statements'}"


def sentence(text: str) -> str:
    """A text as a sentence begins with it."""
    return text[:1].upper() + text[1:]
