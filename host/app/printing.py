"""An evening as it happens, on the terminal: time, who, what was heard, verdict, moves."""

import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from host.clock import seconds
from host.events import Effect, Heard, Hush, In, Part, Said, Say

COLOURS = {
    "red": "31", "green": "32", "yellow": "33", "blue": "34", "purple": "35", "turquoise": "36", "white": "97",
    "silver": "37",
}


class Printer:
    """Prints each event worth reading; colour only where the terminal has it."""

    def __init__(self, out: TextIO = sys.stdout) -> None:
        self.out = out
        self.colourful = out.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._standing: Any = None
        self._verdicts = 0
        self._texts: dict[str, str] = {}
        self.first_word: float | None = None

    def watch(self, event: In, _state: Any, effects: tuple[Effect, ...], view: Mapping[str, Any]) -> None:
        """See an event with what followed."""
        match event:
            case Heard(final=True) if event.text or event.dictation:
                free = " ".join(word.text for word in event.dictation)
                known = event.text.replace("[unk]", "~") or "~"
                beside = f"   (dictation: {free})" if free and free != event.text else ""
                self.line(event.began, "heard", f'"{known}"{beside}', "36")
            case Said(at, line, Part.BEGAN) if line in self._texts:
                self.line(at, "HOST", self._texts[line], "1")
            case Said(at, line, Part.CUT) if line in self._texts:
                self.line(at, "HOST", f"({self._texts[line][:32]} ... interrupted)", "2")
            case _:
                pass
        for effect in effects:
            if isinstance(effect, Say):
                self._texts[effect.line.id] = effect.line.text
            elif isinstance(effect, Hush):
                self.line(event.at, "", "(silent)", "2")
        self._score(event, view.get("game", {}), view.get("players", ()))

    def expect(self, effects: tuple[Effect, ...]) -> None:
        """Know the lines of effects that no event led to: the greeting."""
        self._texts |= {effect.line.id: effect.line.text for effect in effects if isinstance(effect, Say)}

    def _score(self, event: In, game: Mapping[str, Any], players: Any) -> None:
        for verdict in game.get("verdicts", ())[self._verdicts:] if game else ():
            seat = verdict.get("seat")
            who = players[seat][0] if seat is not None else "nobody"
            self.line(event.at, "verdict", f'{who}: "{verdict.get("text", "")}" is {_verdict(verdict)}', "33")
        self._verdicts = len(game.get("verdicts", ())) if game else 0
        standing = game.get("standing")
        if standing is not None and standing != self._standing:
            if self._standing is not None:
                names = [team["name"] for team in game["teams"]] if "teams" in game else [name for name, _ in players]
                rows = standing[0] if "teams" in game else standing
                places = ", ".join(f"{name} {place}" for name, place in zip(names, rows, strict=False))
                self.line(event.at, "score", places, "32")
            self._standing = standing

    def line(self, at: int, who: str, text: str, colour: str = "") -> None:
        """One line: minutes and seconds, who, what."""
        minutes, rest = divmod(seconds(at), 60)
        body = f"{who:>8}  {text}"
        if self.colourful and colour:
            body = f"\033[{colour}m{body}\033[0m"
        print(f"{int(minutes):2d}:{rest:04.1f} {body}", file=self.out, flush=True)


def _verdict(ruling: Mapping[str, Any]) -> str:
    verdict = ruling.get("verdict", "")
    return str(getattr(verdict, "value", verdict))
