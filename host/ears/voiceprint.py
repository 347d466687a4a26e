"""Whose voice it may have been: a hint for one question, and never more (issue 7 part 5).

A speaker model, where there is one, gives a vector of every utterance. Those of guesses whose owner is known are
learnt, a mean for each player; an utterance without an owner may then be likest to one of them. That is posted to
the table as `voice CHANNEL UTTERANCE COLOUR`, and the table may ask "Anna, was that you?" instead of "who said it?".
Nobody gets or loses anything by a voice. Vectors live in this object and go with it: they are in no event, no log
and no file, and what is posted holds a colour only.
"""

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Protocol

from host.clock import Samples
from host.ears import Ear
from host.events import Heard, In, Listens, Typed
from host.sound import Cleaned

Vector = Sequence[float]

LIKE = 0.5
"""Cosine from which an utterance is like a player's voice: what the model's makers call the same speaker. Not
measured here: no speaker model is shipped."""
CLEAR = 0.15
"""By so much it must be liker to that player than to any other."""
LEARNT = 2
"""Utterances of a player that must have been learnt."""
REMEMBERED = 64
"""Utterances whose vectors are kept until their owner is known."""


class VectorSource(Protocol):
    """Where vectors come from: a speaker model behind an ear, or a test."""

    def vector(self, channel: int, utterance: int) -> Vector | None:
        """The vector of an utterance that has just ended; None where there is none."""


class Voices:
    """Vectors by player, in memory only."""

    def __init__(self, source: VectorSource) -> None:
        self._source = source
        self._recent: OrderedDict[tuple[int, int], Vector] = OrderedDict()
        self._known: dict[str, list[Vector]] = {}

    def ended(self, at: Samples, channel: int, utterance: int) -> Typed | None:
        """An utterance has ended: keep its vector; who it is likest to, as a post, if like anybody."""
        vector = self._source.vector(channel, utterance)
        if vector is None:
            return None
        self._recent[channel, utterance] = tuple(vector)
        while len(self._recent) > REMEMBERED:
            self._recent.popitem(last=False)
        colour = self.likeliest(vector)
        return Typed(at, None, f"voice {channel} {utterance} {colour}") if colour else None

    def learn(self, channel: int, utterance: int, colour: str) -> None:
        """That utterance was this player's: by colour, button or claim."""
        vector = self._recent.pop((channel, utterance), None)
        if vector is not None:
            self._known.setdefault(colour, []).append(vector)

    def follow(self, state: Any) -> None:
        """Learn from the table's state whose the newest guesses were, and forget who has left."""
        colours = [player.colour for player in state.players]
        for guess in state.before[-1].guesses.guesses if state.before else ():
            if guess.seat is not None and guess.seat < len(colours):
                self.learn(guess.channel, guess.utterance, colours[guess.seat])
        for colour in [colour for colour in self._known if colour not in colours]:
            self.forget(colour)

    def forget(self, colour: str) -> None:
        """That player has left."""
        self._known.pop(colour, None)

    def likeliest(self, vector: Vector) -> str:
        """The player to whom a vector is clearly likest; empty where to none."""
        likes = sorted(
            ((cosine(vector, _mean(known)), colour) for colour, known in self._known.items() if len(known) >= LEARNT),
            reverse=True,
        )
        if not likes or likes[0][0] < LIKE:
            return ""
        return likes[0][1] if len(likes) == 1 or likes[0][0] - likes[1][0] >= CLEAR else ""


class HintingEar:
    """An ear whose utterances' vectors are looked at as they end."""

    def __init__(self, ear: Ear, voices: Voices) -> None:
        self._ear, self._voices = ear, voices

    def listen(self, listens: Listens) -> None:
        """As the ear."""
        self._ear.listen(listens)

    def hear(self, sound: Cleaned) -> list[In]:
        """As the ear; a hint on an utterance comes just before the utterance itself."""
        events: list[In] = []
        for event in self._ear.hear(sound):
            if isinstance(event, Heard) and event.final:
                hint = self._voices.ended(event.at, event.channel, event.utterance)
                events += [hint] if hint is not None else []
            events.append(event)
        return events

    def close(self) -> None:
        """As the ear."""
        self._ear.close()


def cosine(one: Vector, other: Vector) -> float:
    """From -1 to 1; 0 where one of them is nothing."""
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def _mean(vectors: Sequence[Vector]) -> Vector:
    return [sum(values) / len(vectors) for values in zip(*vectors, strict=True)]
