"""Clue cards, venture cards and boards: load, check, seal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CATEGORIES = ("Person", "Place", "Thing", "Event", "Mystery")
REGIONS = ("africa", "asia", "europe", "north-america", "south-america", "oceania", "antarctica", "world", "none")
"""Where a subject belongs; "world" for what belongs to several, "none" for what has no place."""
STATEMENTS = 6
SEVERITIES = ("refused", "error", "warning")
"""refused: the pack can't be loaded; error: the check fails; warning: for the author to look at."""


@dataclass(frozen=True, slots=True)
class Card:
    """One clue card; the fields are those of docs/PACKS.md."""

    id: str
    category: str
    answer: str
    essential: tuple[str, ...]
    """What a guess must contain to be specific (CE-14): any one of these."""
    statements: tuple[str, ...]
    false_statement: str
    aliases: tuple[str, ...] = ()
    aliases_written: tuple[str, ...] = ()
    """Right as well, but known to the judge alone: met word for word in what dictation wrote, never listened for."""
    prompt: tuple[str, ...] = ()
    """True but too general: "more exactly?"."""
    prompt_written: tuple[str, ...] = ()
    """The same, known to the judge alone as `aliases_written` are."""
    never: tuple[str, ...] = ()
    """Wrong, however alike they sound."""
    rivals: tuple[str, ...] = ()
    """Likely wrong answers."""
    sounds: tuple[tuple[str, str], ...] = ()
    """(word, ARPABET) pairs for words that are said otherwise than spelt."""
    note: str = ""
    region: str = "none"
    century: int = 20
    basis: str = ""
    difficulty: int = 1
    pack: str = ""
    line: int = 0
    """Line in the pack's file where it begins, for messages."""


@dataclass(frozen=True, slots=True)
class Pack:
    """A set of clue cards with its papers."""

    id: str
    title: str
    licence: str
    source: str
    audience: str
    cards: tuple[Card, ...]
    file: str = field(default="", compare=False)
    places: Mapping[tuple[str, str, int], tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)
    """(card id, field, item or -1) -> (line, column) in the file, from 1; for messages."""

    def place(self, card_id: str, name: str = "", item: int = -1) -> tuple[int, int]:
        """(line, column) of a card, a field or a list's item, or of the next larger thing that has one."""
        for key in ((card_id, name, item), (card_id, name, -1), (card_id, "", -1)):
            if key in self.places:
                return self.places[key]
        return next(((card.line, 1) for card in self.cards if card.id == card_id), (1, 1))


WHO = ("self", "left", "right", "leader", "last", "others", "all")


@dataclass(frozen=True, slots=True)
class Venture:
    """A Venture card: `text` is read aloud, the rest is its effect (CE-18).

    kind, with who and n:
    - move: each of `who` moves n spaces (negative: back).
    - swap: the drawer changes places with `who` (left, right, leader, last).
    - join: `who` moves to the space number of the nearest piece ahead of it; nothing if it leads.
    - free: `who` has n more free guesses on the next card.
    - fewer: the next card is read with n statements fewer (points by CE-13).
    - bonus: `who` moves n spaces more with their next right guess.
    - shield: `who`'s next n penalty steps are forgiven.
    """

    id: str
    text: str
    kind: str
    who: str = "self"
    n: int = 0


VENTURE_KINDS = ("move", "swap", "join", "free", "fewer", "bonus", "shield")


@dataclass(frozen=True, slots=True)
class Space:
    """One space of a player's path (CE-2)."""

    red: bool = False
    triangle: bool = False
    arrow: int | None = None
    """Index of the earlier red space that an arrow points to."""


@dataclass(frozen=True, slots=True)
class Board:
    """A path: space 0 is START, the last is the Winner's Circle. Not the original board."""

    id: str
    title: str
    spaces: tuple[Space, ...]


@dataclass(frozen=True)
class Packs:
    """All that a game draws from, sealed: nothing in it changes while a game runs."""

    clues: tuple[Card, ...]
    ventures: tuple[Venture, ...]
    board: Board
    words: tuple[tuple[str, str, str], ...] = ()
    """Venn word cards of three."""
    numbers: tuple[tuple[int, int, int], ...] = ()
    """Venn number cards."""
    confusable: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Pairs of list words (lower case, in alphabetical order) that sound too alike for one round (VN-2)."""
    closest: float = 0.0
    """Words nearer than this in sound do not stand in one round either; measured by host.bench.confusable."""
    pronunciations: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict, repr=False)
    """word -> ARPABET pronunciations, for the judge's comparison by sound."""

    def card(self, card_id: str) -> Card:
        """The clue card of that id; KeyError if there is none."""
        for card in self.clues:
            if card.id == card_id:
                return card
        raise KeyError(card_id)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a pack, and where; `severity` is one of SEVERITIES."""

    file: str
    line: int
    card: str
    text: str
    severity: str = "error"
    column: int = 1

    def __str__(self) -> str:
        """`file:line:column: card: text`, as editors and people read it."""
        warning = "warning: " if self.severity == "warning" else ""
        card = f"{self.card}: " if self.card else ""
        return f"{self.file}:{self.line}:{self.column}: {warning}{' '.join(f'{card}{self.text}'.split())}"


class PackError(Exception):
    """A pack can't be used; the message names file, card and line and says what to do."""

    def __init__(self, message: str, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults
