"""Before the game: who is playing, in which colours, and who is the youngest (CE-1, CE-17).

`Gathering` is what is known so far; the table asks and passes on what it understood. All pure.
"""

from dataclasses import dataclass, replace
from typing import Any

from host.clock import Samples, samples
from host.games import Player
from host.judge.likeness import Sounds, alike

SETTLE = samples(4.0)
"""After the last name the table waits this long for another one before it reads the roll back."""
ANSWER = samples(10.0)
"""How long a question waits before it is asked again."""
TRIES = 3
"""Nothing is asked more often (GM-4)."""
MOST = 8
ALIKE = 0.75
"""From this likeness on (by sound and letters) two names name nobody: Anna and Hannah have 0.88, Tim and Tom 0.83,
Cleo and Chloe 0.75; Dan and Ben 0.58. Of all pairs of common names one in 400 is as alike."""


def confusable(players: tuple[Player, ...], sounds: Sounds) -> frozenset[int]:
    """The seats whose names sound like another's name or colour: they are told apart by colour (CE-16)."""
    names = [tuple(player.name.lower().split()) for player in players]
    found = set()
    for seat, name in enumerate(names):
        others = [(names[other],) * bool(names[other]) + ((player.colour,),) * bool(player.colour)
                  for other, player in enumerate(players) if other != seat]
        if name and any(alike(name, other, sounds) >= ALIKE for row in others for other in row):
            found.add(seat)
    return frozenset(seat for seat in found if players[seat].name.lower() != players[seat].colour)


@dataclass(frozen=True, slots=True)
class Gathering:
    """What is known of the players; `step` is "who" or "youngest"."""

    step: str = "who"
    players: tuple[Player, ...] = ()
    tries: int = 0
    until: Samples | None = None
    """When to go on or to ask again; in samples heard."""
    wanted: int | None = None
    """How many are playing, where somebody said it."""
    options: tuple[tuple[str, Any], ...] = ()
    """How the table wants to play, as far as it was said aloud."""

    def with_options(self, name: str, value: Any) -> "Gathering":
        """One more wish; the last word on each option counts."""
        return replace(self, options=(*(pair for pair in self.options if pair[0] != name), (name, value)))

    def with_colours(self, colours: tuple[str, ...]) -> "Gathering":
        """As many players as were counted, by the colours that are free: nobody said a name."""
        free = [colour for colour in colours if colour not in {player.colour for player in self.players}]
        missing = max(0, (self.wanted or 0) - len(self.players))
        more = tuple(Player(colour.capitalize(), colour) for colour in free[:missing])
        return replace(self, players=(*self.players, *more))

    def with_roll(self, roll: tuple[tuple[str, str], ...], at: Samples) -> "Gathering":
        """Add or change players; a name said again changes its colour, a colour said again its name.

        A player whose name was not understood goes by the colour.
        """
        players = list(self.players)
        for name, colour in roll:
            new = Player((name or colour).capitalize(), colour)
            same_colour = [seat for seat, player in enumerate(players) if player.colour == colour]
            same_name = [seat for seat, player in enumerate(players) if name and player.name == new.name]
            if same_name and same_colour and same_name != same_colour:  # the colour changes hands
                players[same_name[0]] = new
                del players[same_colour[0]]
            elif same_name or same_colour:
                players[(same_name or same_colour)[0]] = new
            elif len(players) < MOST:
                players.append(new)
        whole = self.wanted is not None and len(players) >= self.wanted
        return replace(self, players=tuple(players), until=at if whole else at + SETTLE, tries=0)

    def roll(self) -> str:
        """The roll as it is read back: "Anna blue, Ben red"."""
        return ", ".join(
            player.name if player.name.lower() == player.colour else f"{player.name} {player.colour}"
            for player in self.players
        )
