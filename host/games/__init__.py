"""The rules of the games: pure modules with the same six functions.

A game never sees a clock, a device, a recogniser or a word that somebody said: it sees intents.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from host.clock import Samples
from host.events import Effect, Guesses, Intent
from host.packs import Card, Packs

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table; the order of players is the seating, clockwise (CE-1)."""

    name: str
    colour: str
    """Empty where the player has no colour (Venn)."""
    team: int | None = None


@dataclass(frozen=True, slots=True)
class Expects:
    """What a game wants to hear now."""

    card: Card | None = None
    """The clue card whose answer is being guessed."""
    guessing: tuple[int, ...] = ()
    """Seats that may guess."""
    claim: bool = False
    """A colour or name alone answers a question ("who said it?")."""
    yes_no: bool = False
    ready: bool = False
    words: tuple[str, ...] = ()
    """Venn list words, 1-12 in order."""
    call: bool = False
    """"VENN!" may be called."""
    numbers: bool = False
    """Numbers 1-12 are being read off a card."""
    owned_only: bool = False
    """Only guesses with an owner count for the rest of this card (CE-16)."""
    teams: tuple[str, ...] = ()
    """Names of teams that may be said now: after "VENN!", or in reply to "which team?" (VN-8)."""
    commands: tuple[str, ...] = ()
    """Commands of the game's own that fit the moment, besides those of GM-1: strike, nobody, card ..."""


class Game(Protocol[S]):
    """A game is a module; these are its functions. States are frozen; randomness lives in them.

    A state's `repr` must be the same in every process for the same history (no sets, no ids; large
    packs with `repr=False`), since its digest is compared when a log is replayed.
    """

    def setup(
        self, players: tuple[Player, ...], packs: Packs, options: Mapping[str, Any], seed: int,
        used: tuple[str, ...] = (),
    ) -> tuple[S, tuple[Effect, ...]]:
        """A new game and its first effects. Raises ValueError with one clear sentence on bad options."""

    def step(self, state: S, intent: Intent) -> tuple[S, tuple[Effect, ...]]:
        """What follows from an intent; one that does not fit the moment changes nothing."""

    def view(self, state: S, seat: int | None) -> Mapping[str, Any]:
        """What that seat may see (None: everybody's screen), plain JSON values; secrets leave only here.

        Every game's view has `winner` (None while it goes on) and `standing` (what undo calls the score).
        """

    def expects(self, state: S) -> Expects:
        """What is worth listening for."""

    def deadline(self, state: S) -> Samples | None:
        """When `TimeUp` is wanted, or None."""

    def overrule(self, state: S, guesses: Guesses, seat: int, right: bool) -> tuple[S, tuple[Effect, ...]]:
        """Step the state *before* these guesses with the verdict on `seat`'s guess turned round (GM-2)."""
