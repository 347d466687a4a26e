"""A table for tests of Clever Endeavor: a fake mouth, a clock, and players who say what a test wants.

The mouth speaks at a fixed pace and reports every line as a real one does; deadlines fire exactly.
"""

from dataclasses import dataclass, replace

from host.clock import samples
from host.events import (
    Chime,
    Claim,
    Command,
    Effect,
    Floor,
    Guess,
    Guesses,
    Hush,
    Intent,
    Keep,
    Part,
    Ready,
    Said,
    Say,
    TimeUp,
    Verdict,
)
from host.games import Player
from host.games import clever_endeavor as game
from host.packs import Board, Card, Packs, Space, Venture

COLOURS = ("blue", "red", "green", "white", "turquoise", "silver", "purple", "yellow")
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")

RIGHT, WRONG, UNSPECIFIC = Verdict.RIGHT, Verdict.WRONG, Verdict.UNSPECIFIC


def players(count: int) -> tuple[Player, ...]:
    """So many players, Anna blue, Ben red and so on."""
    return tuple(Player(name, colour) for name, colour in zip(NAMES[:count], COLOURS, strict=False))


def make_card(number: int, note: str = "") -> Card:
    """A clue card whose secrets are easy to find in a view."""
    return Card(
        id=f"c{number}", category="Thing", answer=f"the secret{number}", essential=(f"secret{number}",),
        statements=tuple(f"Card {number} statement {index}." for index in range(1, 7)),
        false_statement=f"Card {number} lie.", note=note,
    )


def make_board(length: int = 28, red: int = 20, triangles: tuple[int, ...] = (),
               arrows: tuple[tuple[int, int], ...] = ()) -> Board:
    """A path whose red zone begins at `red`, with triangles and (from, to) arrows."""
    there = dict(arrows)
    return Board("test", "test board", tuple(
        Space(red <= index < length - 1, index in triangles, there.get(index)) for index in range(length)
    ))


def make_packs(cards: int = 5, board: Board | None = None, ventures: tuple[Venture, ...] = (),
               note: str = "A note in brackets.") -> Packs:
    """All that a game draws from."""
    return Packs(tuple(make_card(n, note) for n in range(1, cards + 1)), ventures, board or make_board())


@dataclass(frozen=True)
class Sounding:
    """A line in the mouth: when it begins, ends its first word, ends."""

    line: str
    text: str
    began: int
    first_word: int
    ended: int


class Mouth:
    """Says lines one after another; reports what of them has sounded."""

    def __init__(self, words_a_second: float = 2.5) -> None:
        self.pace = words_a_second
        self.lines: list[Sounding] = []
        self.reports: list[Said] = []
        self.free = 0
        self.deaf: frozenset[Part] = frozenset()  # parts that are never reported

    def say(self, effect: Say, at: int) -> None:
        began = max(at, self.free) + effect.gap
        words = len(effect.line.text.split())
        ended = began + samples(words / self.pace)
        first = began + samples(1 / self.pace)
        self.lines.append(Sounding(effect.line.id, effect.line.text, began, first, ended))
        for part, when in ((Part.BEGAN, began), (Part.FIRST_WORD, first), (Part.ENDED, ended)):
            if part not in self.deaf:
                self.reports.append(Said(when, effect.line.id, part))
        self.free = ended

    def hush(self, at: int) -> None:
        open_lines = [sounding for sounding in self.lines if sounding.ended > at]
        self.reports = [report for report in self.reports if report.at <= at]
        self.lines = [replace(s, ended=min(s.ended, at)) for s in self.lines if s.began <= at]
        if Part.CUT not in self.deaf:
            self.reports += [Said(at, sounding.line, Part.CUT) for sounding in open_lines]
        self.free = at


class Table:
    """A game, its clock and its players."""

    def __init__(self, seats: int = 4, packs: Packs | None = None, seed: int = 1, used: tuple[str, ...] = (),
                 pace: float = 2.5, **options: object) -> None:
        self.mouth = Mouth(pace)
        self.at = int(options.get("at", 0))
        self.effects: list[Effect] = []
        self.history: list[tuple[int, Effect]] = []
        self.utterances = 0
        self.packs = packs or make_packs()
        self.state, effects = game.setup(players(seats), self.packs, options, seed, used)
        self._out(effects)

    def _out(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.effects.append(effect)
            self.history.append((self.at, effect))
            if isinstance(effect, Say):
                self.mouth.say(effect, self.at)
            elif isinstance(effect, Hush):
                self.mouth.hush(self.at)

    def give(self, intent: Intent) -> None:
        """Step the game with an intent that comes now."""
        self.state, effects = game.step(self.state, intent)
        self._out(effects)

    def _next(self) -> Said | TimeUp | None:
        due = game.deadline(self.state)
        report = min(self.mouth.reports, key=lambda said: said.at, default=None)
        if report is not None and (due is None or report.at <= due):
            return report
        return None if due is None else TimeUp(max(due, self.at))

    def tick(self) -> bool:
        """Let the next thing happen by itself; False where nothing will."""
        event = self._next()
        if event is None:
            return False
        self.at = max(self.at, event.at)
        if isinstance(event, Said):
            self.mouth.reports.remove(event)
        self.give(event)
        return True

    def run(self, seconds: float) -> None:
        """Let so much time pass."""
        until = self.at + samples(seconds)
        while (event := self._next()) is not None and event.at <= until:
            self.tick()
        self.at = until

    def run_to(self, line: str, part: Part = Part.ENDED) -> Said:
        """Let time pass until the next line of that name (the id before "#") has come so far."""
        for _ in range(2000):
            event = self._next()
            assert event is not None, f"{line} never comes"
            self.tick()
            if isinstance(event, Said) and event.part is part and event.line.partition("#")[0] == line:
                return event
        raise AssertionError(f"{line} never comes")

    def floor(self, busy: bool, began: int | None = None) -> None:
        """Somebody begins to speak, or everything is judged; a statement is hushed as the real table does."""
        if busy and self.speaking("/statement"):
            self.mouth.hush(self.at)
        self.give(Floor(self.at, busy, self.at if began is None else began))
        if busy:
            for report in [r for r in self.mouth.reports if r.part is Part.CUT]:
                self.mouth.reports.remove(report)
                self.give(report)

    def speaking(self, part: str = "") -> bool:
        """Is a line with that in its name sounding now?"""
        return any(part in s.line and s.began <= self.at < s.ended for s in self.mouth.lines)

    def guess(self, seat: int | None, verdict: Verdict, began: int | None = None, text: str = "a fork",
              **more: object) -> Guess:
        """A guess that begins now, or at `began`."""
        began = self.at if began is None else began
        self.utterances += 1
        return replace(Guess(seat, began, began, verdict, text, utterance=self.utterances), **more)

    def judge(self, *guesses: Guess) -> None:
        """These guesses are settled together, now."""
        self.give(Guesses(self.at, guesses))

    def speak(self, seat: int | None, verdict: Verdict, seconds: float = 1.0, **more: object) -> None:
        """A player says a guess that lasts so long; then it is judged."""
        began = self.at
        self.floor(True)
        self.run(seconds)
        self.judge(self.guess(seat, verdict, began, **more))
        self.floor(False)

    def ready(self) -> None:
        self.give(Ready(self.at, None))

    def command(self, name: str, argument: str = "", seat: int | None = None) -> None:
        self.give(Command(self.at, name, seat, argument))

    def claim(self, seat: int) -> None:
        self.give(Claim(self.at, seat, self.at))

    # --- what was said --------------------------------------------------------------------------

    def said(self, line: str = "") -> list[str]:
        """The texts of all lines whose id contains that."""
        return [e.line.text for e in self.effects if isinstance(e, Say) and line in e.line.id]

    def ids(self) -> list[str]:
        """All lines' names in order, without their numbers."""
        return [e.line.id.partition("#")[0] for e in self.effects if isinstance(e, Say)]

    def kept(self) -> list[str]:
        return [e.card for e in self.effects if isinstance(e, Keep)]

    def chimes(self) -> list[str]:
        return [e.name for e in self.effects if isinstance(e, Chime)]

    @property
    def places(self) -> tuple[int, ...]:
        return self.state.pieces.places

    @property
    def phase(self) -> str:
        return type(self.state.phase).__name__

    def next_card(self) -> None:
        """Go on until the next card's category has been said."""
        self.run_to(f"card{self.state.number + 1}/ready")
        self.ready()
        self.run_to(f"card{self.state.number}/category")
