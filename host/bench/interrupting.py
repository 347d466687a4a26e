"""The rig behind `gamehost bench interrupt`: whole games in simulated rooms, watched to the sample."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from host import log as logs
from host.app.duplex import BEFORE, astray
from host.app.evening import Setup, load_packs, make_table, open_voice, prepare, sign
from host.bench.library import Library
from host.bench.voices import Speaker
from host.clock import BLOCK, RATE, Samples, samples
from host.devices.canceller import Canceller
from host.devices.duplex import Duplex
from host.devices.levels import Floats, load, speech_span
from host.devices.mouth import FADE
from host.devices.room import Fired, Room
from host.devices.scene import Cue, RoomSettings, Scene, Trigger
from host.ears.files import sha256
from host.ears.kaldi import VoskEngine
from host.ears.vosk import VoskEar
from host.events import Effect, Guess, Heard, Hush, In, Part, Said, Speaking, Verdict
from host.games import Player
from host.packs import Card
from host.session import Parts, Session
from host.sound import Block, Pcm
from host.table import Table

PLAYERS = (Player("Anna", "blue"), Player("Ben", "red"), Player("Carla", "green"), Player("Dan", "white"))
HOST = {"test": "pyttsx3", "tuning": "natural"}
"""Who hosts: never a voice that plays in the same bench."""
CARDS = 8
"""Cards a game."""
OPTIONS = {"statements": 3, "pause": 3, "ready": False}


@dataclass(frozen=True, slots=True)
class Place:
    """A room for the host's voice and one for the players', by their names in voices.toml."""

    room: str
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A game to be played: the seed of its deck, and what is said over which line."""

    seed: int
    cues: tuple[Cue, ...]


@dataclass
class Watched:
    """What happened in a game."""

    fired: tuple[Fired, ...] = ()
    began: dict[str, Samples] = field(default_factory=dict)
    """Line -> its first sample; the ids carry their "#"."""
    first_words: dict[str, Samples] = field(default_factory=dict)
    ended: dict[str, tuple[Samples, Part]] = field(default_factory=dict)
    yielding: set[str] = field(default_factory=set)
    speaking: list[tuple[Speaking, float]] = field(default_factory=list)
    """With the seconds by which a live loop would have lagged then."""
    heard: list[Heard] = field(default_factory=list)
    guesses: list[tuple[Samples, Guess, int]] = field(default_factory=list)
    """With the offset of the game's clock, and the statements that the rules counted for it."""
    ducked: dict[str, Samples] = field(default_factory=dict)
    """Lines that were cut while the host was turned down (36 dB): from which sample on it was."""
    ducks: int = 0
    """How often the host was turned down for a moment."""
    stopped: list[Samples] = field(default_factory=list)
    """Where the host was hushed because somebody seemed to speak."""
    length: Samples = 0
    host_speech: Samples = 0
    cancelling: float = 0.0
    working: float = 0.0
    """Seconds of computing, of the canceller and of everything but the room."""


class Bench:
    """What all games of a bench share: cards, model, voice."""

    def __init__(self, split: str, seed: int, model: str | None = None) -> None:
        self.split, self.library = split, Library()
        self.speaker = Speaker(self.library)
        self.random = random.Random(seed)
        self.voices = tuple(v for v in self.library.voices(split) if v != "joe")  # joe's espeak and the host's clash
        self.setup = Setup(players=PLAYERS, youngest=0, options=OPTIONS, seed=seed)
        packs, folder = prepare(self.setup, load_packs(self.setup), model)
        self.packs = replace(packs, clues=tuple(replace(card, note="") for card in packs.clues))  # no time for notes
        self.engine = VoskEngine(folder)
        self.graph = f"{folder.name}-{sha256(folder / 'am' / 'final.mdl')[:16]}"  # the name is by its words alone
        voice = open_voice(HOST[split])
        self.speak = cache(voice.speak)

    def places(self, kinds: Sequence[str] = ("house", "studio", "surrey")) -> tuple[Place, ...]:
        """One room of each kind; the players sit where other responses of the split were measured."""
        rooms = self.library.rooms(self.split)
        chosen = [next(room for room in rooms if room.startswith(kind)) for kind in kinds]
        others = tuple(room for room in rooms if room not in chosen)
        return tuple(Place(room, others[at :: len(chosen)][:4]) for at, room in enumerate(chosen))

    def response(self, room: str) -> Path:
        """The file of a room's response."""
        return self.library.response_file(room)

    def table(self, seed: int, options: Mapping[str, Any] = OPTIONS) -> Table:
        """A table with all cards, shuffled by that seed."""
        return make_table(replace(self.setup, seed=seed, options=options), self.packs)

    def draw(self) -> "Deal":
        """A game's first cards, and one guess for each."""
        seed = self.random.randrange(1 << 30)
        state, _ = self.table(seed).start()
        by_id = {card.id: card for card in self.packs.clues}
        order = (state.game.hand.card, *state.game.deck) if state.game.number else state.game.deck
        return Deal(seed, self.guesses([by_id[card] for card in order[:CARDS]]))

    def guesses(self, cards: Sequence[Card]) -> tuple[Cue, ...]:
        """One guess a card, begun somewhere in its first or second statement."""
        cues = []
        for number, card in enumerate(cards, 1):
            colour = PLAYERS[self.random.randrange(len(PLAYERS))].colour.capitalize()
            voice = self.random.choice(self.voices)
            text = f"{colour}, {card.answer}"
            self.speaker.clip(voice, text)
            on = Trigger("line", f"card{number}/statement{self.random.randint(1, 2)}", "began")
            cues.append(Cue(f"guess{number}", on, voice, (self.speaker.path(voice, text),),
                            after=self.random.uniform(0.15, 2.2), text=text))
        return tuple(cues)

    def room(
        self, place: Place, echo_db: float | None, cues: Sequence[Cue] = (), *, snr: float = 30.0,
        noise: Path | None = None, limit: float | None = None, added: Floats | None = None,
    ) -> "Listened":
        """A room with the host's echo at that level, or without the host's voice (None)."""
        settings = RoomSettings(
            response=self.response(place.room), player_response=tuple(map(self.response, place.seats)),
            echo_db=echo_db or 0.0, echo=echo_db is not None, snr_db=snr, noise=noise, limit=limit, seed=1,
        )
        return Listened(Scene("interruptions", tuple(cues), settings), added)

    def play(
        self, room: "Listened", seed: int, stop: Callable[[Any], bool] | None = None,
        options: Mapping[str, Any] = OPTIONS,
    ) -> Watched:
        """A game in that room, to the end of its first cards, or until `stop`, or as long as the room is open."""
        table = self.table(seed, options)
        watch = _Watch(table, room)
        ear = VoskEar(self.engine)
        canceller = _TimedCanceller(watch)
        device = _Ducking(room, sign("turn"), on_delay=canceller.found)
        watch.device = device
        parts = Parts(device, [ear], [canceller], self.speak, sign, watch=watch.see)
        session = Session(table, parts, logs.Log(logs.NoDisk()))
        session.begin()
        stop = stop or (lambda state: state.game is not None and state.game.number > CARDS)
        while not session.over and (block := device.read()) is not None:
            watch.began = time.thread_time()
            session.block(block)
            watch.work(time.thread_time() - watch.began)
            if stop(session.state) or session.state.done or watch.over:
                break
        watch.out.length, watch.out.fired = session.now, tuple(room.fired)
        watch.out.host_speech, watch.out.ducks = room.spoken, device.ducks
        return watch.out


class Listened(Room):
    """A room that counts for how long the host speaks, and may have more sound in it."""

    def __init__(self, scene: Scene, added: Floats | None = None) -> None:
        super().__init__(scene)
        self.spoken: Samples = 0
        self._added = added
        self._place = 0

    def read(self) -> Block | None:
        """The next block."""
        block = super().read()
        if block is None:
            return None
        self.spoken += BLOCK if block.far.any() else 0
        if self._added is not None:
            if self._place >= len(self._added):
                return None
            more = self._added[self._place : self._place + BLOCK]
            self._place += BLOCK
            mic = block.mic[0].astype(np.float32)
            mic[: len(more)] += more
            block = replace(block, mic=np.clip(np.rint(mic), -32768, 32767).astype(np.int16)[np.newaxis, :])
        return block


class _Ducking(Duplex):
    """Remembers from when on the host was turned down when it was hushed."""

    before_hush: Samples | None = None

    def hush(self) -> None:
        """Fall silent."""
        self.before_hush = self.ducked_since
        super().hush()


class _Watch:
    """Sees every event of a session."""

    device: _Ducking

    def __init__(self, table: Table, room: Room) -> None:
        self.table, self.room, self.out = table, room, Watched()
        self.lag = 0.0
        self.over = False
        self._before: Any = None
        self.began = 0.0

    def work(self, cost: float) -> None:
        """A block took so long to compute: what a live loop would lag by."""
        self.out.working += cost
        self.lag = max(0.0, self.lag + cost - BLOCK / RATE)

    def see(self, event: In, state: Any, effects: tuple[Effect, ...]) -> None:
        """Note what matters."""
        match event:
            case Said(at, line, Part.BEGAN):
                self.out.began[line] = at
                if any(each.id == line and each.yields for each in state.saying):
                    self.out.yielding.add(line)
            case Said(at, line, Part.FIRST_WORD):
                self.out.first_words[line] = at
            case Said(at, line, part):
                self.out.ended[line] = (at, part)
                if part is Part.CUT and self.device.before_hush is not None:
                    self.out.ducked[line] = self.device.before_hush
            case Speaking():
                self.out.speaking.append((event, self.lag + time.thread_time() - self.began))
                self.out.stopped += [event.at] if any(isinstance(effect, Hush) for effect in effects) else []
            case Heard(final=True):
                self.out.heard.append(event)
        if state.before and state.before[-1] is not self._before:
            self._before = state.before[-1]
            reads = state.game.hand.reads
            for guess in self._before.guesses.guesses:
                count = sum(first <= guess.began for first in reads)
                self.out.guesses.append((state.offset, guess, count))
        if state.game is not None:
            self.over = state.game.pieces.winner is not None


class _TimedCanceller:
    """The canceller, its computing measured."""

    def __init__(self, watch: _Watch) -> None:
        self._canceller, self._watch, self._placed = Canceller(), watch, 0

    def found(self, delay: Samples) -> None:
        """The delay out of the greeting, as in `gamehost play`."""
        if astray(self._placed, delay):
            self._placed = max(0, delay - BEFORE)
            self._canceller.realign(self._placed)

    def clean(self, mic: Pcm, far: Pcm) -> tuple[Pcm, float]:
        """Take a block."""
        before = time.thread_time()
        cleaned = self._canceller.clean(mic, far)
        self._watch.out.cancelling += time.thread_time() - before
        return cleaned


# --- what is measured ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interruption:
    """One cue: whether and when the host fell silent, whether the guess was understood and counted."""

    cue: str
    text: str
    voice: str
    stop: float | None
    """Seconds from the first sound of speech (the first 20 ms less than 30 dB below its loud ones) to the host's
    silence (36 dB below its voice, and from then on until it is cut); infinite where it spoke on; None where no
    line that yields was sounding."""
    lag: float
    onset: float | None
    """Seconds by which the onset that was told at once differs from the true one (the first sound of speech, to 5 ms);
    None where nobody was heard."""
    settled: float | None
    """The same of the onset that came with the final: it is what CE-13 counts by."""
    understood: bool
    counted: int | None
    """Statements that the host counted; None where the guess was not understood."""
    true_count: int
    """Statements whose first word had ended when the first sound of speech arrived, to 5 ms."""
    rough_count: int
    """The same with the beginning of the 20 ms in which that sound lies."""


@cache
def first_sound(clip: Path) -> Samples:
    """By how much a clip's first sound lies behind the beginning of the 20 ms that `speech_span` finds, to 5 ms.

    The first 5 ms as loud as a frame must be to be active: less than 30 dB below the clip's loud ones.
    """
    sound = load(clip).astype(np.float64)
    power = np.mean(np.square(np.pad(sound, (0, -len(sound) % 320)).reshape(-1, 320)), axis=1)
    least, began = float(np.percentile(power, 95)) * 1e-3, speech_span(sound)[0]
    fine = np.mean(np.square(sound[began : began + 320].reshape(-1, 80)), axis=1)
    return 80 * int(np.argmax(fine > least))


def interruptions(game: Watched) -> list[Interruption]:
    """Every cue of a game that was played."""
    return [_one(game, fired) for fired in game.fired]


def _one(game: Watched, fired: Fired) -> Interruption:
    at = fired.began
    number = fired.cue.name.removeprefix("guess")
    stop: float | None = None
    for line in game.yielding:
        end, part = game.ended.get(line, (1 << 60, Part.ENDED))
        if game.began[line] <= at < end:
            if part is Part.CUT:
                stop = (max(at, min(end, game.ducked.get(line, end))) + FADE - at) / RATE
            elif end - at > samples(0.15):
                stop = float("inf")
    near = [(speech, lag) for speech, lag in game.speaking if at - samples(0.3) <= speech.at <= fired.ended]
    spoke, lag = near[0] if near else (None, 0.0)
    final = next((heard for heard in game.heard if spoke is not None and heard.utterance == spoke.utterance), None)
    true = at + first_sound(fired.cue.clips[0])
    colour = fired.cue.text.partition(",")[0].lower()
    right = [
        (guess.began + offset, count) for offset, guess, count in game.guesses
        if guess.verdict is Verdict.RIGHT and at - samples(0.3) <= guess.began + offset <= fired.ended
        and guess.seat is not None and PLAYERS[guess.seat].colour == colour
    ]
    return Interruption(fired.cue.name, fired.cue.text, fired.cue.who, stop, lag,
                        None if spoke is None else (spoke.began - true) / RATE,
                        None if final is None else (final.began - true) / RATE, bool(right),
                        right[0][1] if right else None, _counted(game, number, true), _counted(game, number, at))


def _counted(game: Watched, card: str, at: Samples) -> int:
    """How many statements of a card had been said to the end of their first word at that sample."""
    said = {line.partition("#")[0] for line, first in game.first_words.items() if first <= at}
    return sum(name.startswith(f"card{card}/statement") for name in said)

