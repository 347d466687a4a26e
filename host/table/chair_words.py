"""Sentences about seats: who joins, leaves, changes seats, whose piece is where, how phones join (CE-1).

Pure: a row of words in, a `Wish` out. Whole sentences only, so that no guess and no talk asks for anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from host.understand import COLOURS
from host.understand.replies import roll

LEAVES = (
    "is leaving", "was leaving", "leaves", "leaves us", "leaves the game", "is leaving us", "is leaving the game",
    "has to go", "has to leave", "has to go home", "must go", "must leave", "is going home", "goes home",
    "stops playing", "wants to leave", "wants to stop playing", "drops out", "quits", "has left", "had to go",
    "had to leave",
)
"""What follows a colour or name that leaves."""
I_LEAVE = (
    "i'm leaving", "i am leaving", "i'm leaving the game", "i have to go", "i have to leave", "i must go",
    "i must leave", "i'm going home", "i am going home", "i have to go home", "i've got to go", "i have got to go",
    "i want to leave", "i don't want to play any more", "i don't want to play anymore", "i'm dropping out",
    "i want to stop playing",
)
I_JOIN = (
    "i want to play", "i want to play too", "can i play", "can i play too", "can i join", "i'd like to play",
    "i'd like to play too", "i want to join", "let me play", "may i play", "may i play too", "i want to join in",
)
CHAIRS = ("seats", "chairs", "seat")
JOINS = ("join", "joins", "joined", "joint", "joints", "plays", "joins in", "joins us", "wants to play",
         "wants to join")
""""joint" is how the ear may write it."""
TOO = ("joins", "joins in", "joins us", "wants to play", "wants to join", "plays too", "wants to play too",
       "is playing too", "would like to play")
"""What follows a colour or a name and a colour that joins."""
PHONES = (
    "how do i join", "how do we join", "how can i join", "how can we join", "how do you join", "how does one join",
    "phone code", "the phone code", "a phone code", "what is the phone code", "what's the phone code", "the code",
    "what is the code", "what's the code", "tell me the code", "tell us the code", "how do i join with my phone",
    "how do i join with a phone", "join with a phone", "how do phones join", "i want to use my phone",
    "what's the address", "what is the address", "code for the phone", "code for my phone", "how do i join by phone",
)
WHERE = (
    "whose piece is where", "who is where", "who's where", "where is everyone's piece", "where are the pieces",
    "where are all the pieces", "which piece is whose", "whose piece is whose", "who is which colour",
    "who has which colour", "who is who", "who's who",
)
LONGEST = 8
"""A sentence of more words is a story."""
NOBODY = ("nobody", "no one", "never mind", "nothing", "forget it")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sentence asks for; `kind` is join, leave, swap, where or phones, in Venn also over or trade."""

    kind: str
    seats: tuple[int, ...] = ()
    colour: str = ""
    name: str = ""
    team: int | None = None
    """In Venn the team that somebody joins or goes over to."""


def naming(seats: Sequence[Sequence[str]]) -> dict[str, int]:
    """Every single word that names a seat, in any spelling; the words of two seats name nobody."""
    found: dict[str, set[int]] = {}
    for seat, words in enumerate(seats):
        for word in words:
            for spelling in COLOURS.get(word, (word.lower(),)):
                found.setdefault(spelling, set()).add(seat)
    return {word: min(which) for word, which in found.items() if len(which) == 1}


def wish(row: tuple[str, ...], named: Mapping[str, int], owner: int | None = None) -> Wish | None:
    """What the whole row asks for; `named` are the words for seats, `owner` who spoke where that is known."""
    text = " ".join(row)
    if text in PHONES:
        return Wish("phones")
    if text in WHERE:
        return Wish("where")
    if len(row) > len(("where", "is")) and row[:2] == ("where", "is") and row[3:] in ((), ("piece",)):
        seat = seat_of(row[2], named)
        return None if seat is None else Wish("where", (seat,))
    if text in I_JOIN:
        return Wish("join")
    if text in I_LEAVE:
        return Wish("leave", () if owner is None else (owner,))
    first = seat_of(row[0], named) if row else None
    if first is not None and (" ".join(row[1:]) in LEAVES or " ".join(row[1:]) in I_LEAVE):
        return Wish("leave", (first,))
    if first is not None and row[1:2] == ("and",) and len(row) > 3:
        second, rest = seat_of(row[2], named), row[3:]
        if second not in (None, first) and rest[-1] in CHAIRS and len(rest) <= len(("want", "to", "swap", "seats")):
            return Wish("swap", (first, second))
    return None


def seat_of(word: str, named: Mapping[str, int]) -> int | None:
    """The seat that a word names, also with "'s" behind it; None where it names none."""
    return named.get(word, named.get(word.removesuffix("'s")))


def joiner(row: tuple[str, ...], names: tuple[str, ...]) -> Wish | None:
    """Somebody who joins by a colour: "Maya joins as green", "green joins", "Maya plays silver"."""
    pairs = roll(row, names)
    if len(pairs) != 1 or len(row) > LONGEST:
        return None
    name, colour = pairs[0]
    spelt = COLOURS[colour]
    if row[0] in spelt:
        joins = " ".join(row[1:]) in TOO
    elif row[-1] in spelt:
        before = " ".join(row[:-1])
        joins = any(f" {before}".endswith(f" {verb}{link}") for verb in JOINS for link in (" as", ""))
        joins = joins and len(before.split()) > 1
    else:
        joins = False
    return Wish("join", (), colour, name) if joins else None
