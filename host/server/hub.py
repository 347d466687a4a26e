"""Between the loop's thread and the server's: the newest state, and how far the host's line has come.

The loop calls `begin`, `watch` and `clip`; they only put references where the server finds them, and wake it.
States are frozen, so the server's thread may look at them for as long as it likes.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from host.clock import RATE
from host.events import Effect, Heard, In, Line, Part, Said, Say


class Posts(Protocol):
    """The inbox of the loop (host.devices.buttons)."""

    def press(self, button: str, when: float | None = None) -> None:
        """A button went down at that moment of the monotonic clock."""

    def type(self, seat: int | None, message: str) -> None:
        """A message for the table."""


class Spoken(Protocol):
    """What the hub needs of a clip: its words in samples of `rate`."""

    @property
    def rate(self) -> int:
        """Samples a second."""

    @property
    def words(self) -> tuple[Any, ...]:
        """Words with `began`."""


@dataclass(frozen=True, slots=True)
class Speech:
    """The line that was begun last; `starts` are seconds after `began`, one for each word of the voice."""

    line: str
    text: str
    starts: tuple[float, ...] = ()
    began: float = 0.0
    over: bool = False
    cut_at: float | None = None

    def shown(self, now: float) -> str:
        """The text as far as it has been said: nothing is read before it is heard."""
        words = self.text.split()
        end = now if self.cut_at is None else self.cut_at
        if (self.over and self.cut_at is None) or not self.starts:
            return self.text
        said = sum(start <= end - self.began for start in self.starts)
        return " ".join(words[: -(-said * len(words) // len(self.starts))]) + (" ..." if self.cut_at else "")

    def next_word(self, now: float) -> float | None:
        """Seconds until there is one word more to show."""
        if self.over:
            return None
        later = [self.began + start - now for start in self.starts if self.began + start > now]
        return min(later, default=None)


NONE = Speech("", "")


class Hub:
    """One evening as the server sees it."""

    def __init__(
        self, view: Callable[[Any, int | None], Mapping[str, Any]], posts: Posts,
        keys: Mapping[str, str] | None = None, clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`view` is the table's; `keys` are the buttons of the screen's keyboard."""
        self._view, self.posts, self.keys, self.clock = view, posts, dict(keys or {}), clock
        self.wake: Callable[[], None] = lambda: None
        """Set by the server; called from the loop's thread after every event."""
        self._state: Any = None
        self._texts: dict[str, str] = {}
        self._starts: dict[str, tuple[float, ...]] = {}
        self._span: tuple[Any, ...] = ()
        self._left, self._then = 0.0, 0.0
        self._views: tuple[Any, dict[int | None, Mapping[str, Any]]] = (None, {})
        self.speech = NONE
        self.hearing = ""
        """What is being heard right now, by free dictation: the grammar's reading knows the answer."""

    # --- called by the loop -----------------------------------------------------------------------

    def begin(self, state: Any, effects: tuple[Effect, ...] = ()) -> None:
        """The state before anything came in."""
        self._state = state
        self._note(effects)
        self.wake()

    def clip(self, line: Line, clip: Spoken) -> None:
        """The voice has made a line."""
        self._texts[line.id] = line.text
        self._starts[line.id] = tuple(word.began / clip.rate for word in clip.words)

    def watch(self, event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        """An event, with what followed."""
        self._state = state
        self._note(effects)
        if isinstance(event, Said):
            self._said(event)
        elif isinstance(event, Heard):
            self.hearing = "" if event.final else " ".join(word.text for word in event.dictation)
        self.wake()

    def _note(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Say):
                self._texts[effect.line.id] = effect.line.text

    def _said(self, event: Said) -> None:
        now = self.clock()
        if event.part is Part.BEGAN and event.line in self._texts:
            self.speech = Speech(event.line, self._texts[event.line], self._starts.get(event.line, ()), now)
        elif event.part in (Part.ENDED, Part.CUT):
            speech = self.speech
            if speech.line == event.line:
                cut = now if event.part is Part.CUT else None
                self.speech = Speech(speech.line, speech.text, speech.starts, speech.began, True, cut)
            self._texts.pop(event.line, None)
            self._starts.pop(event.line, None)

    # --- called by the server ---------------------------------------------------------------------

    def players(self) -> list[tuple[str, str]]:
        """(name, colour) of each seat."""
        return [] if self._state is None else [tuple(pair) for pair in self._viewed(None)["players"]]

    def colours(self) -> list[str]:
        """The colours that can be joined by; none where players have no colours."""
        return [] if self._state is None else list(self._viewed(None).get("colours", ()))

    def joining(self) -> list[str] | None:
        """The colours (in Venn: the teams' numbers) by which a late joiner may come in; None while players gather."""
        if self._state is None or self._viewed(None).get("gathering") or not self.players():
            return None
        return list(self._viewed(None).get("joining", ()))

    def _sand(self, view: Mapping[str, Any], now: float) -> int | None:
        """Whole seconds left of a clock that all may see (Venn's), None where none runs; it stands in a pause."""
        span = (view["game"].get("go"), view["game"].get("ends"))
        if None in span:
            self._span = ()
            return None
        if self._span != span:
            self._span, self._left = span, (span[1] - span[0]) / RATE
        elif not (view.get("paused") or view.get("question")):
            self._left -= now - self._then
        self._then = now
        return max(0, math.ceil(self._left))

    def _viewed(self, seat: int | None) -> Mapping[str, Any]:
        """The table's view, made once for each state and seat."""
        state = self._state
        if self._views[0] is not state:
            self._views = (state, {})
        views = self._views[1]
        if seat not in views:
            views[seat] = self._view(state, seat)
        return views[seat]

    def _hold_back(self, game: dict[str, Any], now: float) -> None:
        """A statement that is being read shows word by word in the list, too."""
        card, speech = game.get("card"), self.speech
        if not card or speech.text == "" or (speech.over and speech.cut_at is None):
            return
        statements = list(card.get("statements", ()))
        if statements and statements[-1] == speech.text and not card.get("over"):
            game["card"] = {**card, "statements": [*statements[:-1], speech.shown(now)]}

    def seen(self, seat: int | None) -> dict[str, Any]:
        """What that seat may see now; the lines to come and the history are left out."""
        if self._state is None:
            return {"game": {}, "players": []}
        view = dict(self._viewed(seat))
        view.pop("saying", None)
        view["game"] = {key: value for key, value in view["game"].items() if key != "all_verdicts"}
        now = self.clock()
        self._hold_back(view["game"], now)
        view["speech"] = {"text": self.speech.shown(now), "over": self.speech.over}
        view["hearing"] = self.hearing
        view["clock"] = self._sand(view, now)
        return view
