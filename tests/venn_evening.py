"""An evening of Venn without sound: the real table, rules and loop; words, partials too, are put in by the test."""

from typing import Any

from evening import Evening
from venn_table import packs

from host.clock import Samples, samples
from host.events import Heard, Part, Speaking, Word
from host.games import Player, venn

FOUR = (Player("Anna", ""), Player("Dan", ""), Player("Ben", ""), Player("Eva", ""))
SAID = (("river", "heavy", "wedding"), ("to fold", "soldier", "sour"), ("camera", "lonely", "desert"),
        ("piano", "brave", "ice cream"))
"""The twelve words of a round whose order is drawn."""


class VennEvening(Evening):
    """Drive a table of Venn by what is said."""

    def __init__(self, players: tuple[Player, ...] = FOUR, **more: Any) -> None:
        cards = packs(words=SAID)
        super().__init__(**{"players": players, "packs": cards, "rules": venn, "youngest": None, **more})

    @property
    def phase(self) -> str:
        return str(self.game["phase"])

    @property
    def points(self) -> list[int]:
        return [team["points"] for team in self.game["teams"]]

    @property
    def words(self) -> list[str]:
        return list(self.game["words"])

    @property
    def taken(self) -> list[str]:
        return [self.words[number - 1] for number in self.game["taken"]]

    def began(self, line: str) -> int:
        """How often a line of a round has begun to sound."""
        return sum(name.endswith(f"/{line}") and part is Part.BEGAN for _, name, part in self.said)

    def ended(self, line: str, limit: float = 60.0) -> None:
        """Let time pass until the newest line of that name has been said to its end."""
        end = self.now + samples(limit)
        seen = sum(name.endswith(f"/{line}") and part is Part.ENDED for _, name, part in self.said)
        while sum(name.endswith(f"/{line}") and part is Part.ENDED for _, name, part in self.said) == seen:
            assert self.now < end, f"{line} never ended; said {[name for _, name, _ in self.said][-8:]}"
            self.block()

    # --- speech in pieces -----------------------------------------------------------------------

    def begin(self) -> None:
        """Somebody begins to speak; what is said follows in partials, `end` closes it."""
        self.count += 1
        self.opened: Samples = self.now
        self.stamps: list[Word] = []
        self.posts.append(Speaking(self.now + 1600, self.now, self.count))
        self.wait(0.15)

    def partial(self, text: str, wait: float = 0.2) -> None:
        """The grammar's reading so far; words that stay keep their sample, as the ear's do."""
        row, kept = text.split(), 0
        while kept < min(len(row), len(self.stamps)) and row[kept] == self.stamps[kept].text:
            kept += 1
        when = self.now - samples(0.18)
        self.stamps = [*self.stamps[:kept], *(Word(word, when, when, 0.5) for word in row[kept:])]
        self.posts.append(Heard(self.now, self.opened, self.now, tuple(self.stamps), (), self.count, final=False))
        self.block()
        self.wait(wait)

    def end(self, text: str, dictation: str | None = None) -> None:
        """The utterance is over."""
        self.posts.append(self.heard(text, dictation, self.opened, self.now - self.opened))
        self.block()

    # --- longer stretches -----------------------------------------------------------------------

    def to_go(self) -> None:
        """From the words to the last sample of GO, and a second on."""
        self.ended("again")
        self.say("no")
        self.ended("ready")
        self.say("ready")
        if len(self.game["teams"]) > 1:
            self.wait(1.2)
            self.say("ready")
        self.ended("go")
        self.wait(1.0)

    def reveal(self, numbers: str) -> None:
        """The clue giver's numbers, and the yes."""
        self.ended("reveal")
        self.say(numbers)
        self.ended("read")
        self.say("yes")

    def plain(self, *numbers: int) -> str:
        """List words as they are said."""
        return " ".join(self.words[number - 1].removeprefix("to ") for number in numbers)
