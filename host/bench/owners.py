"""Whose guess it was: six players, twenty cards, one microphone, through the real ear (CE-15, CE-16).

A scene is drawn by seed. Each card has a right guess, and many have a wrong one before it, by somebody else: half
of all guesses with the colour first ("Blue, the Eiffel Tower"), a quarter behind a button, a quarter without an
owner, whose player says so when the host asks "who said it?". Somebody who gets no reply says it again after
the next statement, as people do. All cards of the packs compete in the grammar.

Every verdict is printed and compared with the scene as it falls: right for the one who said it, with the spaces of
CE-13 reckoned anew from what the mouth reported; wrong only for somebody who did guess, and owned it. The first
verdict that differs ends the scene. Counted, but no fault of attribution: a wrong guess that was not heard, and a
right one that was taken for wrong before it was said again (what the ear and the judge are measured for elsewhere).
A card whose answer was never understood is lost: nobody gets its points, and the goal that all of them land is short.

The board is plain and long, so that places are the sum of the verdicts' spaces and nothing else.
"""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from host.app.evening import Setup, load_packs, make_table, open_evening, open_voice, prepare
from host.bench.frame import Options, Report, Share
from host.bench.library import Library
from host.bench.voices import Speaker
from host.clock import BLOCK, Samples, samples
from host.devices.room import Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.events import Effect, In, Part, Pressed, Said
from host.games import Player
from host.log import FileDisk, Log
from host.packs import Board, Card, Packs, Space
from host.understand import COLOURS
from host.voices import Voice

CARDS, PLAYERS = 20, 6
KINDS = ("first", "first", "button", "unowned")
"""Half, a quarter, a quarter."""
WRONGS = 0.6
"""So many cards have a wrong guess before the right one."""
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Fritz", "Gina", "Hugo")
AGAIN = 2
"""So often somebody says it again who got no reply."""
FREE = 2
"""Wrong guesses on a card that are free outside the red zone (CE-11)."""
REACTION = 1.1
"""Seconds from a statement's end to the first sound of a guess."""
TO_WORDS = 0.5
"""Seconds from a press to the words."""
BOARD = Board("plain", "Plain and long", (Space(), *(Space() for _ in range(140)), Space(red=True), Space()))


@dataclass(frozen=True, slots=True)
class Guess:
    """Somebody guesses, `after` how many statements."""

    seat: int
    kind: str
    """first (colour first), button or unowned."""
    right: bool
    said: str
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What happens with one card, in order; the last guess is the right one."""

    card: str
    guesses: tuple[Guess, ...]

    @property
    def solver(self) -> Guess:
        """Whose card it is."""
        return self.guesses[-1]


@dataclass(frozen=True, slots=True)
class Press:
    """A button that goes down `after` seconds behind a line's end."""

    line: str
    after: float
    colour: str


def draw(packs: Packs, order: Sequence[str], seats: int, seed: int) -> tuple[Plan, ...]:
    """The scene: a plan for each card in the order in which they come."""
    chance = random.Random(f"owners/{seed}")
    cards = {card.id: card for card in packs.clues}
    wrongs = [number < round(WRONGS * len(order)) for number in range(len(order))]
    chance.shuffle(wrongs)
    count = len(order) + sum(wrongs)
    kinds = [KINDS[number % len(KINDS)] for number in range(count)]
    chance.shuffle(kinds)
    plans = []
    for card_id, also_wrong in zip(order, wrongs, strict=True):
        card = cards[card_id]
        solver, other = chance.sample(range(seats), 2)
        after = chance.randint(2, 3)
        guesses = [Guess(other, kinds.pop(), False, _rival(card, packs, chance), after - 1)] if also_wrong else []
        guesses.append(Guess(solver, kinds.pop(), True, card.answer, after))
        plans.append(Plan(card_id, tuple(guesses)))
    return tuple(plans)


def _rival(card: Card, packs: Packs, chance: random.Random) -> str:
    others = card.rivals or tuple(other.answer for other in packs.clues
                                  if other.category == card.category and other is not card)
    return chance.choice(others)


def stage(
    plans: Sequence[Plan], players: Sequence[Player], speaker: Speaker, voices: Sequence[str], room: RoomSettings,
) -> tuple[Scene, tuple[Press, ...]]:
    """The scene's cues and presses; clips are made where they are missing."""
    cues: list[Cue] = []
    presses: list[Press] = []
    for number, plan in enumerate(plans, start=1):
        for guess in plan.guesses:
            player, voice = players[guess.seat], voices[guess.seat % len(voices)]
            text = f"{player.colour.capitalize()}, {guess.said}." if guess.kind == "first" else _sentence(guess.said)
            for attempt in range(1 + AGAIN * guess.right):
                line = f"card{number}/statement{guess.after + attempt}"
                after = REACTION + (TO_WORDS if guess.kind == "button" else 0.0)
                name = f"c{number}-{'right' if guess.right else 'wrong'}-{attempt}"
                cues.append(_cue(name, line, after, player, text, speaker, voice))
                if guess.kind == "button":
                    presses.append(Press(line, REACTION, player.colour))
            if guess.right and guess.kind == "unowned":
                for nth in (1, 2):
                    cues.append(_cue(f"c{number}-claim-{nth}", f"card{number}/who", 0.6, player,
                                     f"It was {player.colour}.", speaker, voice, nth))
    speaker.make({(voices[_seat(cue, players) % len(voices)], cue.text) for cue in cues})
    return Scene("Whose guess was it?", tuple(cues), room), tuple(presses)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _seat(cue: Cue, players: Sequence[Player]) -> int:
    return [player.name for player in players].index(cue.who)


def _cue(name: str, line: str, after: float, player: Player, text: str, speaker: Speaker, voice: str,
         nth: int = 1) -> Cue:
    return Cue(name, Trigger("line", line, "ended"), player.name, (speaker.path(voice, text),), after, nth, text)


# --- the referee -----------------------------------------------------------------------------------


@dataclass
class Referee:
    """Follows the evening from outside, and says of every verdict whether the scene wanted it."""

    plans: Sequence[Plan]
    players: Sequence[Player]
    presses: Sequence[Press]
    print: Callable[[str], None] = print
    words: list[Samples] = field(default_factory=list)
    """Where each statement of this card counted from (CE-13)."""
    began: list[Samples] = field(default_factory=list)
    """Where each attempt at the right answer began."""
    due: list[tuple[Samples, str]] = field(default_factory=list)
    seen: int = 0
    judged: int = 0
    wrongs_heard: int = 0
    misheard: int = 0
    """Right answers that were taken for wrong ones, of players who did guess: the ear's fault, see bench hear."""
    charged: list[int] = field(default_factory=list)
    """Seats with wrong guesses on this card."""
    places: list[int] = field(default_factory=list)
    solved: set[int] = field(default_factory=set)
    fault: str = ""
    lost: list[str] = field(default_factory=list)
    """Cards whose answer was said, three times, and never understood."""
    card: int = 0

    def __post_init__(self) -> None:
        self.places = [0] * len(self.players)

    def watch(self, event: In, game: Any) -> None:
        """An event, and the game after it."""
        if game is None or self.fault:
            return
        if game.number != self.card:
            self._next_card(game.number)
        if isinstance(event, Said):
            self._said(event)
        if isinstance(event, Pressed):
            self._began(event.began or event.at, self.players[self._solver().seat].colour == event.button)
        for ruling in game.rulings[self.seen :]:
            self._judge(ruling)
        self.seen = len(game.rulings)

    def _next_card(self, number: int) -> None:
        if self.card and self.card not in self.solved and self.card <= len(self.plans):
            plan = self.plans[self.card - 1]
            who = self.players[plan.solver.seat].colour
            self.lost.append(f"card {self.card}: {who} said {plan.solver.said!r} ({plan.solver.kind})")
            self.print(f" lost {self.lost[-1]}, and was not understood")
        self.card, self.words, self.began, self.charged = number, [], [], []

    def _said(self, event: Said) -> None:
        name = event.line.partition("#")[0]
        if name.startswith(f"card{self.card}/statement") and event.part is Part.FIRST_WORD:
            count = int(name.rpartition("statement")[2])
            if count > len(self.words):
                self.words.append(event.at)
        if event.part is Part.ENDED:
            self.due += [(event.at + samples(press.after), press.colour) for press in self.presses
                         if press.line == name]

    def cue(self, name: str, began: Samples) -> None:
        """A cue has begun to sound."""
        number, kind, _ = name.removeprefix("c").split("-")
        self._began(began, kind == "right" and int(number) == self.card and self._solver().kind != "button")

    def _began(self, at: Samples, counts: bool) -> None:
        if counts:
            self.began.append(at)

    def _solver(self) -> Guess:
        return self.plans[min(self.card, len(self.plans)) - 1].solver

    def pressed(self, now: Samples) -> list[In]:
        """The presses that fall into the block after `now`."""
        ready = [press for press in self.due if press[0] <= now + BLOCK]
        self.due = [press for press in self.due if press not in ready]
        return [Pressed(max(at, now), colour) for at, colour in ready]

    def _judge(self, ruling: Any) -> None:
        plan = self.plans[min(ruling.card, len(self.plans)) - 1]
        who = self.players[ruling.seat].colour
        wanted = self._wanted(ruling, plan)
        self.judged += 1
        self.places[ruling.seat] = max(0, self.places[ruling.seat] + ruling.spaces)
        said = f"card {ruling.card}: {who} {ruling.verdict}, {ruling.text!r}, {ruling.spaces:+d}"
        if wanted:
            self.fault = f"{said}; {wanted}"
            self.print(f"WRONG {self.fault}")
        else:
            self.print(f"   ok {said}")

    def _wanted(self, ruling: Any, plan: Plan) -> str:
        """What the scene wanted instead, empty where it wanted just this."""
        if ruling.verdict == "right":
            self.solved.add(ruling.card)
            solver = plan.solver
            if ruling.seat != solver.seat:
                return f"it was {self.players[solver.seat].colour} who said it ({solver.kind})"
            fair = {7 - max(1, sum(word <= at for word in self.words)) for at in self.began}
            return "" if ruling.spaces in fair else f"spaces by CE-13: {sorted(fair)}"
        if ruling.verdict != "wrong":
            return ""  # "more exactly?" costs nothing and gives nothing
        guessed = [guess for guess in plan.guesses if guess.seat == ruling.seat and guess.kind != "unowned"]
        wrongs = self.charged.count(ruling.seat)
        if wrongs >= sum(1 + AGAIN * guess.right for guess in guessed):
            return "that player did not guess, or owned no guess"
        self.charged.append(ruling.seat)
        self.wrongs_heard += not guessed[0].right
        self.misheard += guessed[0].right
        cost = -1 if wrongs >= FREE and self.places[ruling.seat] > 0 else 0
        return "" if ruling.spaces == cost else f"by CE-11 it costs {-cost}"


# --- playing it ------------------------------------------------------------------------------------


def play(
    setup: Setup, packs: Packs, folder: Path, cards: int, voices: Sequence[str], seed: int, *,
    voice: Voice, room: RoomSettings | None = None, show: Callable[[str], None] = print,
) -> tuple[Referee, Any, tuple[Plan, ...]]:
    """Play a scene to its end or to its first fault: the referee, the game's last state, the plans.

    `packs` and `folder` are from `prepare`; `voices` speak for the players, `voice` for the host.
    """
    table = make_table(setup, packs)
    table.packs = packs = replace(packs, board=BOARD)
    first, _ = table.rules.setup(setup.players, packs, {**setup.options, "youngest": 0}, setup.seed)
    order = (first.hand.card, *first.deck)[:cards]
    plans = draw(packs, order, len(setup.players), seed)
    room = room or RoomSettings(rt60=0.35, snr_db=20.0, seed=seed, limit=90.0 * cards + 60.0)
    scene, presses = stage(plans, setup.players, Speaker(Library()), voices, room)
    device = Room(scene)
    referee = Referee(plans, setup.players, presses, show)
    with tempfile.TemporaryDirectory() as scratch:
        log = Log(FileDisk(Path(scratch) / "owners.jsonl"))
        fired = 0

        def watch(event: In, state: Any, _effects: tuple[Effect, ...]) -> None:
            nonlocal fired
            for one in device.fired[fired:]:
                referee.cue(one.cue.name, one.began)
            fired = len(device.fired)
            referee.watch(event, state.game)

        evening = open_evening(table, device, folder, voice, log, watch=watch)
        evening.session.begin()

        def inbox() -> list[In]:
            game = evening.session.state.game
            if referee.fault or (game is not None and game.number > cards):
                evening.session.over = True
            return referee.pressed(evening.session.now)

        state = evening.run(inbox)
    return referee, state.game, plans


def setup_of(players: int, seed: int) -> Setup:
    """Six players in colours drawn by seed; nobody is asked "ready?"."""
    colours = random.Random(f"colours/{seed}").sample(sorted(COLOURS), players)
    seats = tuple(Player(name, colour) for name, colour in zip(NAMES, colours, strict=False))
    return Setup(players=seats, youngest=0, seed=seed, options={"ready": False})


def measure(options: Options) -> Report:
    """One scene of twenty cards; with --full three."""
    report = Report("owners")
    library = Library()
    voices = library.voices(options.split)
    Speaker(library).check(voices)
    packs, folder = prepare(Setup(), load_packs(Setup()), options.model)
    cards = solved = wrongs = heard = judged = misheard = 0
    lost: list[str] = []
    places = True
    faults: list[str] = []
    for seed in range(options.seed, options.seed + (3 if options.full else 1)):
        setup = setup_of(PLAYERS, seed)
        referee, game, plans = play(setup, packs, folder, CARDS, voices, seed, voice=open_voice("pyttsx3"), show=_now)
        guesses = [guess for plan in plans for guess in plan.guesses]
        report.note(f"scene {seed}: {len(guesses)} guesses, " + ", ".join(
            f"{sum(guess.kind == kind for guess in guesses)} {kind}" for kind in dict.fromkeys(KINDS)))
        solved += len(referee.solved)
        cards += len(referee.solved) + len(referee.lost)
        lost += referee.lost
        judged += referee.judged
        heard += referee.wrongs_heard
        misheard += referee.misheard
        wrongs += sum(not guess.right and guess.kind != "unowned" for guess in guesses)
        places = places and list(game.pieces.places) == referee.places
        faults += [referee.fault] * bool(referee.fault)
        if referee.fault:
            break
    report.note(f"right answers taken for wrong before they were said again: {misheard}")
    report.note(f"owned wrong guesses that were heard, each charged to who made it: {Share(heard, wrongs)}")
    report.note(*faults) if faults else report.note(f"all {judged} verdicts as the scene says")
    for line in lost:
        report.note(f"never understood: {line}")
    report.at_least("cards whose points went to who said it", Share(solved - len(faults), max(cards, 1)), 1.0)
    report.at_most("verdicts that the scene did not want", len(faults), 0)
    report.at_least("places are the sum of the verdicts", float(places), 1.0)
    return report


def _now(text: str) -> None:
    print(text, flush=True)

