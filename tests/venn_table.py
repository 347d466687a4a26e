"""A table for Venn without a microphone: a mouth that speaks lines in order, and short names for what players do."""

from collections.abc import Callable, Mapping
from typing import Any

from host import lines
from host.clock import Samples, samples, seconds
from host.events import (
    Call,
    Chime,
    Claim,
    Command,
    Effect,
    Floor,
    Hush,
    Intent,
    Keep,
    Line,
    ListWord,
    Numbers,
    Part,
    Ready,
    Reply,
    Said,
    Say,
    TimeUp,
)
from host.games import Player, venn, venn_desk
from host.games.venn_state import State
from host.packs import Board, Packs

FOUR = (Player("Anna", "", 0), Player("Dan", "", 1), Player("Ben", "", 0), Player("Eva", "", 1))
PAIR = (Player("Anna", ""), Player("Ben", ""))
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def packs(cards: int = 12, **changes: Any) -> Packs:
    """Word cards with words like "wordab", number cards, no clue cards."""
    words = tuple(
        (f"{LETTERS[at // 26]}{LETTERS[at % 26]}gle", f"to {LETTERS[at // 26]}{LETTERS[at % 26]}dle",
         f"{LETTERS[at // 26]}{LETTERS[at % 26]}rop") for at in range(cards)
    )
    numbers = ((1, 5, 9), (2, 3, 4), (6, 7, 8), (10, 11, 12), (1, 2, 12), (3, 6, 9), (4, 8, 12), (5, 7, 11))
    return Packs((), (), Board("none", "none", ()), **{"words": words, "numbers": numbers, **changes})


def checked_say(key: str, turn: int, **values: object) -> str:
    """What the desk says, with every other wording of the same line tried too: each must fit the same values."""
    for other in range(len(lines.VENN[key])):
        lines.say(key, other, **values)
    return lines.say(key, turn, **values)


venn_desk.say = checked_say


class Table:
    """One game on a mouth that needs 50 ms a letter; time goes on only as far as it is told to."""

    def __init__(
        self, players: tuple[Player, ...] = FOUR, seed: int = 3, cards: Packs | None = None, used: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        self.now: Samples = 0
        self.queue: list[tuple[Samples, Said]] = []
        self.mouth_free: Samples = 0
        self.log: list[tuple[Samples, Effect]] = []
        self.views: list[Mapping[str, Any]] = []
        self.after: Callable[[Table, tuple[Effect, ...]], None] = lambda *_: None
        self.state: State
        self.state, effects = venn.setup(players, cards or packs(), options, seed, used)
        self._play(effects)

    # --- time and the mouth ---

    def _play(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.log.append((self.now, effect))
            if isinstance(effect, Hush):
                cut = dict.fromkeys(said.line for _, said in self.queue)
                self.queue = [(self.now, Said(self.now, line, Part.CUT)) for line in cut]
                self.mouth_free = self.now
            elif isinstance(effect, Say):
                began = max(self.now, self.mouth_free) + effect.gap
                ended = began + samples(0.05 * len(effect.line.text))
                self.queue.append((began, Said(began, effect.line.id, Part.BEGAN)))
                self.queue.append((ended, Said(ended, effect.line.id, Part.ENDED)))
                self.mouth_free = ended
        self.after(self, effects)

    def tell(self, intent: Intent) -> tuple[Effect, ...]:
        """Step the game."""
        self.state, effects = venn.step(self.state, intent)
        self._play(effects)
        return effects

    def wait(self, time: float) -> "Table":
        """Let so many seconds pass: lines end and deadlines come."""
        until = self.now + samples(time)
        while True:
            due = venn.deadline(self.state)
            said = self.queue[0][0] if self.queue else None
            if said is not None and said <= until and (due is None or said <= due):
                self.now = max(self.now, said)
                self.tell(self.queue.pop(0)[1])
            elif due is not None and due <= until:
                self.now = max(self.now, due)
                self.tell(TimeUp(due))
            else:
                break
        self.now = until
        return self

    def quiet(self) -> "Table":
        """Wait until the host has said what it has to say."""
        for _ in range(50):
            if not self.queue:
                break
            self.wait(seconds(self.mouth_free - self.now) + 0.01)
        return self

    # --- what players do ---

    def ready(self, seat: int | None = None) -> "Table":
        self.tell(Ready(self.now, seat))
        return self

    def say(self, *numbers: int, team: int | None = None, pause: float = 0.7) -> "Table":
        """List words, one after another."""
        for number in numbers:
            self.wait(pause)
            self.tell(ListWord(self.now, number, self.now - samples(0.4), team))
        return self

    def call(self, team: int | None = None, ago: float = 0.5) -> "Table":
        self.tell(Call(self.now, self.now - samples(ago), team))
        return self

    def claim(self, seat: int) -> "Table":
        self.tell(Claim(self.now, seat, self.now - samples(0.4)))
        return self

    def numbers(self, *numbers: int) -> "Table":
        self.tell(Numbers(self.now, numbers))
        return self

    def reply(self, yes: bool) -> "Table":
        self.tell(Reply(self.now, yes))
        return self

    def command(self, name: str, argument: str = "", seat: int | None = None) -> "Table":
        self.tell(Command(self.now, name, seat, argument))
        return self

    def floor(self, busy: bool) -> "Table":
        self.tell(Floor(self.now, busy, self.now))
        return self

    # --- longer stretches ---

    def to_ready(self) -> "Table":
        """Through the words to "say ready"."""
        return self.quiet().reply(yes=False).quiet()

    def to_go(self) -> "Table":
        """To the last sample of GO and two seconds on."""
        self.to_ready()
        for team in range(self.state.teams):
            self.ready(self.state.givers[team])
        return self.wait(4.2).wait(2.0) if not self.state.options.expert else self.quiet().wait(6.0)

    def guess(self, *words: int, card: tuple[int, ...] = ()) -> "Table":
        """Say words and, where the host does not know it, the card; the host then has spoken."""
        self.quiet().say(*words)
        before = len(self.state.scored)
        for _ in range(2):
            if self.phase == "Guessing" and len(self.state.scored) == before:
                self.quiet().wait(20.1)
        if self.phase != "Revealing":
            return self.quiet()
        if not self.state.secret:
            self.quiet().numbers(*card).quiet().reply(yes=True)
        return self.quiet().wait(3.0) if self.state.secret else self.quiet()

    def round(self, caller: int, mine: tuple[int, ...], theirs: tuple[int, ...], card: tuple[int, ...] = (1, 2, 3),
              other: tuple[int, ...] | None = None) -> "Table":
        """A whole competitive round, from the words to its score."""
        self.to_go().call(caller).guess(*mine, card=card)
        self.guess(*theirs, card=other or card)
        return self

    # --- what came out ---

    @property
    def phase(self) -> str:
        return type(self.state.phase).__name__

    def lines(self, since: int = 0) -> list[Line]:
        return [effect.line for _, effect in self.log[since:] if isinstance(effect, Say)]

    def ids(self, since: int = 0) -> list[str]:
        """What was said, without round and number: "stop", "which"."""
        return [line.id.partition("#")[0].partition("/")[2] for line in self.lines(since)]

    def chimes(self, since: int = 0) -> list[str]:
        return [effect.name for _, effect in self.log[since:] if isinstance(effect, Chime)]

    def kept(self, deck: str) -> list[str]:
        return [effect.card for _, effect in self.log if isinstance(effect, Keep) and effect.deck == deck]

    def times(self, part: str) -> list[Samples]:
        """When lines of that name were said."""
        return [at for at, effect in self.log if isinstance(effect, Say) and f"/{part}#" in effect.line.id]

    def last(self) -> str:
        return self.lines()[-1].text

    def mark(self) -> int:
        """Where the log stands, for `since`."""
        return len(self.log)
