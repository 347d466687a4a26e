"""The host's desk in Venn: one step while it is being taken, what is said in it, and how.

A `Desk` lives only inside one `step`: it gathers the new state and the effects.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from host.clock import RATE, Samples, samples
from host.events import Chime, Effect, Hush, Line, Say
from host.games.venn_state import (
    GROUP_GAP,
    PATIENCE,
    TO_WIN,
    TRIES,
    WORDS,
    Guessing,
    Phase,
    Placing,
    Revealing,
    Scored,
    State,
)
from host.lines import listed, number, say

SLOWEST = 0.15
"""Seconds a letter in the slowest speech; with `SPARE` it says how long to wait for a line's end."""
SPARE = 3.0
_SENTENCE = re.compile(r"(?:^|[.!?] )[a-z]")
"""Where a capital letter belongs."""


class Desk:
    """One step being taken at `at`: the state so far, and what goes out."""

    def __init__(self, state: State, at: Samples) -> None:
        self.state = state
        self.at = at
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    def enter(self, phase: Phase) -> None:
        """Go over to a phase; its patience begins when the host has spoken (at once where it is silent)."""
        self.set(phase=phase)
        if not self.state.unsaid:
            self.wait()

    def wait(self) -> None:
        """The host is silent: the phase's patience begins (anew)."""
        phase = self.state.phase
        patience = PATIENCE.get(type(phase).__name__)
        if patience is not None and not isinstance(phase, Placing):
            enough = getattr(phase, "tries", 1) >= TRIES  # asked often enough (GM-4)
            self.set(phase=replace(phase, until=None if enough else self.at + patience))

    # --- names ------------------------------------------------------------------------------------

    def name(self, team: int) -> str:
        """A team's name as it is called: "Foxes"; everybody where all are one team."""
        return "everybody" if self.state.options.cooperative else self.state.options.names[team]

    def team(self, team: int) -> str:
        """A team's name as it stands in a sentence: "the Foxes", "Anna's team", "you"."""
        name = "you" if self.state.options.cooperative else self.state.options.names[team]
        return f"the {name}" if name.endswith("s") and " " not in name else name

    def giver(self, team: int) -> str:
        """The name of a team's clue giver."""
        return self.state.players[self.state.givers[team]].name

    def word(self, count: int) -> str:
        """A list word by its number, 1-12."""
        return self.state.words[count - 1]

    def words_of(self, numbers: Iterable[int]) -> str:
        """List words as they are said in a row."""
        return listed([self.word(count) for count in numbers])

    # --- saying -----------------------------------------------------------------------------------

    def wording(self, key: str, **values: object) -> str:
        """The next wording of a line, so that none is heard twice in a row."""
        turns = dict(self.state.turns)
        turn = turns.get(key, self.state.seed % 7)
        self.set(turns=tuple(sorted({**turns, key: turn + 1}.items())))
        return say(key, turn, **values)

    def say(self, part: str, text: str, gap: float = 0.0) -> str:
        """Say a text after `gap` seconds of silence; returns the line's full id.

        The number in an id grows with time, so that it stays unique also after an undo.
        """
        spoken = max(self.state.spoken + 1, self.at // (RATE // 100))
        full = f"round{self.state.round}/{part}#{spoken}"
        quiet = max(self.at, self.state.quiet_by) + samples(gap + SLOWEST * len(text) + SPARE)
        self.effects.append(Say(Line(full, text), samples(gap)))
        self.set(spoken=spoken, unsaid=(*self.state.unsaid, full), quiet_by=quiet)
        return full

    def tell(self, part: str, key: str, gap: float = 0.3, **values: object) -> str:
        """Say a line out of `host.lines` as a sentence; returns its full id."""
        return self.say(part, _SENTENCE.sub(lambda found: found[0].upper(), self.wording(key, **values)), gap)

    def chime(self, name: str) -> None:
        """Play a short tone."""
        self.effects.append(Chime(name))

    def hush(self) -> None:
        """Fall silent, where something is being said."""
        if self.state.unsaid:
            self.effects.append(Hush())
            self.set(unsaid=(), quiet_by=self.at)

    # --- longer lines -----------------------------------------------------------------------------

    def list_words(self, first: float = 0.4) -> None:
        """Say the twelve words, numbered, in groups of three."""
        for group in range(0, WORDS, 3):
            three = range(group + 1, group + 4)
            text = " ".join(f"{number(count).capitalize()}, {self.word(count)}." for count in three)
            self.say(f"words{group // 3 + 1}", text, GROUP_GAP if group else first)

    def standing(self) -> str:
        """The score in one sentence, without its full stop: "Foxes four, Owls six"."""
        if self.state.options.cooperative:
            return f"{points(self.state.points[0])} of {number(TO_WIN)}"
        both = zip(self.state.options.names, self.state.points, strict=True)
        return ", ".join(f"{name} {number(count) if count else 'zero'}" for name, count in both)

    def tell_points(self, scored: Scored) -> None:
        """Say what a team's words were worth (VN-11)."""
        right = [word for word in scored.words if word in scored.card]
        team, worth = self.team(scored.team), points(scored.points)
        if self.state.secret and scored.card:
            self.tell("numbers", "venn_numbers_were", numbers=numbers(scored.card))
        if scored.points > len(right):
            self.tell("verdict", "venn_bonus", team=team, points=worth)
        elif len(right) == len(scored.card):
            self.tell("verdict", "venn_all", team=team, points=worth)
        elif not right:
            self.tell("verdict", "venn_none", team=team, name=self.name(scored.team))
        else:
            are = "is" if len(right) == 1 else "are"
            self.tell("verdict", "venn_some", words=self.words_of(right), are=are, team=team, points=worth)

    def guess(self) -> Guessing | None:
        """The words being said or revealed now."""
        match self.state.phase:
            case Guessing() as guess:
                return guess
            case Revealing(guess):
                return guess
        return None


def points(count: int) -> str:
    """A number of points as it is said."""
    return f"{number(count)} {'point' if count == 1 else 'points'}"


def numbers(card: tuple[int, ...]) -> str:
    """Numbers as they are read back: "one, five, nine"."""
    return ", ".join(number(count) for count in card)
