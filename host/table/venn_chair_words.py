"""Sentences about teams in Venn: who joins, leaves, goes over to the other team, or changes places with whom (VN-1).

Pure, like `host.table.chair_words`: a row of words in, a `Wish` out. Whole sentences only.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from host.events import Word
from host.table.chair_words import I_JOIN, TOO, Wish, seat_of, wish
from host.table.venn_words import team_in

JOINS = ("joins", "join", "joined", "plays with", "plays for", "joins us with", "is with")
"""What stands between a newcomer and a team."""
OVER = ("joins", "goes over to", "goes to", "goes with", "changes to", "switches to", "moves to", "plays with",
        "moves over to", "changes over to", "is now with")
"""What stands between a player and the team that this player goes over to."""
CHANGES = ("changes teams", "changes sides", "changes team", "switches teams", "switches sides", "goes over",
           "changes over", "wants to change teams", "wants to change sides")
BOTH = ("change", "swap", "switch", "trade", "exchange")
PLACES = ("teams", "team", "sides", "places", "seats", "chairs")
WANTED = ("i want to join", "i'd like to join", "can i join", "let me join", "i join", "i want to play with",
          "can i play with", "i'd like to play with")
"""What stands before the team that somebody wants to join who says no name."""


def venn_wish(
    row: tuple[str, ...], named: Mapping[str, int], names: tuple[str, ...], teams: tuple[str, ...],
) -> Wish | None:
    """What the whole row asks for.

    `named` are the words for seats, `names` the first names that a newcomer may have, `teams` the teams' names.
    """
    if not row:
        return None
    team, rest = _team(row, teams)
    first, tail = seat_of(row[0], named), " ".join(rest[1:])
    if team is None and (found := _without_team(row, named, names)) is not None:
        return found
    if team is not None and " ".join(rest) in WANTED:
        return Wish("join", team=team)
    if team is not None and first is not None and tail in OVER:
        return Wish("over", (first,), team=team)
    if team is not None and first is None and row[0] in names and tail in JOINS:
        return Wish("join", name=row[0], team=team)
    return None


def _without_team(row: tuple[str, ...], named: Mapping[str, int], names: tuple[str, ...]) -> Wish | None:
    first, tail = seat_of(row[0], named), " ".join(row[1:])
    if first is None and row[0] in names and tail in (*TOO, "is here", "plays along", "would like to play"):
        return Wish("join", name=row[0])
    if first is not None and tail in CHANGES:
        return Wish("over", (first,))
    if first is not None and row[1:2] == ("and",) and len(row) in (5, 7) and row[-1] in PLACES and row[-2] in BOTH:
        second = seat_of(row[2], named)
        return Wish("trade", (first, second)) if second not in (None, first) else None
    found = wish(row, named)
    return found if found is not None and found.kind in ("leave", "join") else None


def _team(row: tuple[str, ...], teams: tuple[str, ...]) -> tuple[int | None, tuple[str, ...]]:
    """The team with whose name the row ends, and what stands before it; (None, the row) where it ends otherwise."""
    words = [Word(text, 0, 0) for text in row]
    for at in range(1, len(row)):
        team, length = team_in(words, at, teams)
        if length and at + length == len(row):
            return team, row[: at - 1] if row[at - 1] == "the" else row[:at]
    return None, row


def sentences(names: Sequence[str], teams: Sequence[str], newcomers: bool) -> Iterator[str]:
    """What the ear listens for between two rounds; a newcomer's name is left to dictation and to the question."""
    yield from ("i'm leaving", "i have to go")
    for name in names:
        yield from (f"{name} is leaving", f"{name} has to go")
        if len(teams) > 1:
            yield f"{name} changes teams"
            yield from (f"{name} goes over to the {team}" for team in teams)
    if len(teams) > 1:
        yield from (f"{one} and {other} change places" for one, other in permutations(names, 2))
    if newcomers:
        yield from I_JOIN[:5]
        yield from (f"i want to join the {team}" for team in teams if len(teams) > 1)


def naming_words(names: Sequence[str], teams: Sequence[str]) -> Iterator[str]:
    """Replies to "your name?"."""
    for name in names:
        yield from (name, f"i'm {name}", f"{name} joins")
    for team in teams:
        yield from (team, f"the {team}")
