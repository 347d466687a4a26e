"""What any game needs at a table: roll call, pause, repeat, scores, undo, objection, help, stop.

The table stands between what was heard and the rules. It turns utterances into intents with
`understand` and `judge`, keeps the order of starts (CE-15), and never lets the game see any of it.

The game's clock
----------------
The game lives in its own time: samples heard minus the samples during which the table held its clock
(pause, objection, "stop the game?", the question after a power cut). So a game knows nothing of pauses,
and what was left of a pause of five seconds is left afterwards, to the sample (GAM-10).

Undo is the state before
------------------------
Before every step that judges guesses, the game's state is kept with its time. Undo and objection put it
back and set the game's clock back with it; lines said since then belong to an earlier `epoch` and are
no longer passed on.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.clock import Samples
from host.events import Effect, Heard, In, Listens, Pressed, Resumed, Said, Speaking, TimeUp, Trouble, Typed
from host.games import Expects, Game, Player
from host.packs import Packs
from host.table import chairs, pressing, touch, venn_chairs, venn_gathering, venn_words
from host.table.gathering import Gathering
from host.table.hearing import Hearing
from host.table.state import LOST, State
from host.table.turn import Turn
from host.table.venn_gathering import TEAMS
from host.understand import COLOURS


class Table:
    """A game at a table: pure functions of `State`; everything in the object itself is fixed."""

    def __init__(
        self, rules: Game[Any], packs: Packs, options: Mapping[str, Any], seed: int, *,
        players: tuple[Player, ...] = (), used: tuple[str, ...] = (), title: str = "Clever Endeavor",
        names: tuple[str, ...] = (), youngest: int | None = None, buttons: Mapping[str, int] | None = None,
        deck: str = "clues", speed: float = 1.0, volume: float = 1.0, microphones: tuple[str, ...] = (),
    ) -> None:
        """`options` are the game's; `players` and `youngest` are asked for where they are not given.

        `used` are cards of earlier evenings, `names` first names that the roll call may hear, `buttons`
        the seat of each button, `deck` the deck that a second round goes on with, `speed` and `volume` factors
        that the voice begins with.
        """
        self.rules, self.packs, self.options, self.seed = rules, packs, dict(options), seed
        self.players, self.used, self.title = players, used, title
        self.deck, self.speed, self.volume = deck, speed, volume
        self.youngest, self.buttons = youngest, dict(buttons or {})
        self.microphones = microphones
        """Whose each channel is: a colour, a name or a team; empty for one microphone for all."""
        self.venn = getattr(rules, "TALK", "") == "venn"
        """Whether players go by name, and calls and list words are taken out of running talk."""
        self.hearing = Hearing(packs, names)

    def start(self) -> tuple[State, tuple[Effect, ...]]:
        """Greet, and ask who is playing where that is not known."""
        turn = Turn(self, State(speed=self.speed, volume=self.volume), 0)
        turn.adjust()
        if not self.players:
            turn.state = replace(turn.state, gathering=Gathering(until=LOST))
            turn.say("venn_greeting" if self.venn else "greeting", game=self.title)
        else:
            turn.greet_known(self.players)
        return turn.state, tuple(turn.effects)

    def step(self, state: State, event: In) -> tuple[State, tuple[Effect, ...]]:
        """What follows from an event."""
        turn = Turn(self, state, event.at)
        match event:
            case Speaking():
                turn.speaking(event)
            case Heard():
                turn.heard(event)
            case Said():
                turn.said(event)
            case TimeUp():
                turn.time_up()
            case Pressed():
                pressing.press(turn, event)
            case Typed():
                touch.typed(turn, event)
            case Resumed():
                turn.resumed()
            case Trouble():
                turn.trouble(event.what)
            case _:
                pass
        turn.settle()
        return turn.state, tuple(turn.effects)

    def listens(self, state: State) -> Listens:
        """What the ear should listen for."""
        expects = None if state.game is None else self.rules.expects(state.game)
        if self.venn and state.gathering is not None:
            return venn_gathering.listens(self.hearing.names, state.gathering, tuple(self.options.get("teams", TEAMS)))
        if self.venn and expects is not None and state.question is not None and state.question.kind == "mishearing":
            return venn_words.correcting(tuple(self.rules.view(state.game, None)["words"]))
        if self.venn and expects is not None and state.question is None and not state.paused:
            return self._listens_in_venn(state, expects)
        if state.question is not None and state.question.kind in chairs.KINDS:
            listens = venn_chairs.listens if self.venn else chairs.listens
            return listens(self.hearing.names, self.hearing.seats(state), state)
        heard = self.hearing.listens(state, expects)
        if expects is not None and expects.ready and expects.card is None and state.question is None:
            return chairs.between_cards(heard, self.hearing.seats(state), chairs.free_colours(state))
        return heard

    def _listens_in_venn(self, state: State, expects: Expects) -> Listens:
        view = self.rules.view(state.game, None)
        names = tuple(player.name.lower() for player in state.players)
        heard = venn_words.listens(names, expects, view["phase"])
        if view["phase"] != "between":
            return heard
        teams = tuple(team["name"].lower() for team in view["teams"])
        return venn_chairs.between_rounds(heard, names, teams, bool(venn_chairs.free_teams(self.rules, state)))

    def deadline(self, state: State) -> Samples | None:
        """The next sample heard at which something is due; None while somebody speaks of what we ask."""
        due: list[Samples | None] = [state.owner.until] if state.owner and not state.busy else []
        if state.question is not None:
            due += [None if state.busy else state.question.until]
        elif state.gathering is not None:
            due += [None if state.busy else state.gathering.until]
        elif state.stopped is None and state.game is not None:
            game = self.rules.deadline(state.game)
            due += [None if game is None else game + state.offset]
        return min((at for at in due if at is not None), default=None)

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """What that seat may see, plain values; secrets leave only through the game's own view."""
        gathering, owner = state.gathering, state.owner
        players = state.players if gathering is None else gathering.players
        return {
            "game": {} if state.game is None else dict(self.rules.view(state.game, seat)),
            "title": self.title,
            "players": [(player.name, player.colour) for player in players],
            "colours": [] if self.venn else list(COLOURS),
            "gathering": None if gathering is None else gathering.step,
            "joining": self._joining(state),
            "coming": self._coming(state),
            "floor": None if owner is None else owner.seat,
            "next": [other.seat for other in state.nexts],
            "wants": self._wants(state),
            "done": state.done,
            "saying": [line.text for line in state.saying[:1]],
            "paused": state.paused,
            "question": state.question.kind if state.question else None,
            "heard": state.heard,
            "listening": bool(state.busy),
            "troubles": list(state.troubles),
        }

    def _joining(self, state: State) -> list[str]:
        """The colours by which a late joiner may come in now, in Venn the teams' numbers (CE-1, VN-1)."""
        if state.game is None or state.gathering is not None or state.done:
            return []
        if self.venn:
            return [str(team) for team in venn_chairs.free_teams(self.rules, state)]
        return list(chairs.free_colours(state))

    def _coming(self, state: State) -> list[tuple[str, list[str]]]:
        """Changes of seats that wait for the end of something: (kind, names)."""
        return [(chair.kind, [chair.player.name] if chair.player is not None else
                 [state.players[seat].name for seat in chair.seats if seat < len(state.players)])
                for chair in state.chairs]

    def _wants(self, state: State) -> list[str]:
        """What a touch may answer now: yes_no, ready, seat, guess, call."""
        if state.question is not None:
            kinds = {"resume": ["yes_no", "ready"], "another": ["yes_no", "ready"], "objection": ["yes_no", "seat"],
                     "mishearing": [], "joiner": [], "leaver": ["seat"]}
            return kinds.get(state.question.kind, ["yes_no"])
        if state.gathering is not None:
            return {"who": ["ready"], "youngest": ["seat"]}.get(state.gathering.step, ["yes_no"])
        if state.game is None or state.paused:
            return []
        expects = self.rules.expects(state.game)
        asked = {"yes_no": expects.yes_no, "ready": expects.ready, "seat": expects.claim, "call": expects.call,
                 "guess": expects.card is not None and bool(expects.guessing)}
        return [name for name, wanted in asked.items() if wanted]
