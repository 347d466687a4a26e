"""The rig behind `gamehost bench slow`: evenings by the clock, at full speed and held to a quarter of one core.

The game's process is this one, with everything that `gamehost play` has between the card's pipes and the log. In place
of the card's child a simulated room runs by the clock (`paced`), in a process of its own that nobody holds.
"""

import os
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.app.demo import SCENES, load_scene
from host.app.duplex import BEFORE, astray
from host.app.evening import Evening, Setup, load_packs, make_table, open_evening, open_log, pronounced, sealed, sign
from host.bench import paced
from host.bench.interrupting import CARDS, Bench, Deal
from host.bench.slowed import Slow, share_here
from host.clock import BLOCK, RATE, Samples, samples
from host.devices.card import SoundCard
from host.devices.duplex import Duplex
from host.devices.room import Room
from host.devices.scene import Cue, Scene, Trigger
from host.ears import keyword, models
from host.ears.vosk import VoskEar
from host.events import Chime, Effect, In, Part, Said
from host.games.venn_state import Placing
from host.table import Table
from host.voices import Voice
from host.voices.cached import CachedVoice
from host.voices.choose import choose

VERDICTS = ("right", "wrong")
"""The tones that a verdict begins with."""
OVER, PAUSE, CALL = "over", "pause", "call"
"""What cues are called: guesses over the host's voice, guesses in the pause behind a statement, calls of "venn"."""
SOON = 4.0
"""Seconds after its end until which a cue is answered."""
FRAME = samples(0.005)
QUIET = 30.0
"""Root mean square of a frame of the far end below which nothing sounds, in units of 16-bit samples."""
DUCKED = 0.1
"""A volume below which the host counts as silent; turned down it is at 0.015."""


@dataclass
class Run:
    """What happened while a scene was played."""

    held: bool
    share: float
    """Of one core, as measured."""
    tape: paced.Taped = field(default=None)  # type: ignore[assignment]  # read when the room has ended
    start: Samples = 0
    """The room's first sample, by the game's clock."""
    tones: list[tuple[Samples, str]] = field(default_factory=list)
    """When something was decided that a tone tells of, by the game's clock."""
    cuts: list[Samples] = field(default_factory=list)
    """When the host was hushed in the middle of a line."""
    blocks: list[tuple[Samples, float]] = field(default_factory=list)
    """The first sample of each block, and when it had been dealt with by the monotonic clock."""

    @property
    def behind(self) -> list[float]:
        """By how many seconds each block was dealt with after it had been heard."""
        return [done - self.tape.began - (at - self.start + BLOCK) / RATE for at, done in self.blocks]

    @property
    def missed(self) -> int:
        """Blocks of the room that the game never got."""
        ats = [at for at, _ in self.blocks]
        return sum((later - at) // BLOCK - 1 for at, later in pairwise(ats))

    def see(self, event: In, _state: Any, effects: tuple[Effect, ...]) -> None:
        """Note what matters of an event."""
        if isinstance(event, Said) and event.part is Part.CUT:
            self.cuts.append(event.at)
        self.tones += [(event.at, effect.name) for effect in effects if isinstance(effect, Chime)]

    # --- latencies, in seconds ---

    def sounding(self) -> NDArray[np.bool_]:
        """For each 5 ms of the room: whether the host was to be heard."""
        far = self.tape.far.astype(np.float64)
        loud = np.sqrt(np.mean(np.square(far.reshape(-1, FRAME)), axis=1)) > QUIET
        up = np.repeat(np.asarray(self.tape.volumes) >= DUCKED, BLOCK // FRAME)
        up[1:] |= up[:-1].copy()  # it is turned down within a frame
        return np.asarray(loud & up)

    def answered(self, name: str, tones: tuple[str, ...]) -> float | None:
        """From the last sample of a cue to the first of the tone that answers it; None where nothing did."""
        fired, decided = self.fired(name), self._decided(name, tones)
        if fired is None or decided is None:
            return None
        heard = np.flatnonzero(self.sounding()[decided // FRAME :])
        return None if not len(heard) else (decided // FRAME * FRAME + int(heard[0]) * FRAME - fired[1]) / RATE

    def lagged(self, name: str, tones: tuple[str, ...]) -> float | None:
        """By how much the game was behind when it began with the block in which a cue was decided."""
        decided = self._decided(name, tones)
        if decided is None:
            return None
        before = [lag for (at, _), lag in zip(self.blocks, self.behind, strict=True)
                  if at + 2 * BLOCK - self.start == decided]
        return max(0.0, before[0] - BLOCK / RATE) if before else None

    def _decided(self, name: str, tones: tuple[str, ...]) -> Samples | None:
        """The sample, of the room, of the event that led to the tone which answers a cue."""
        fired = self.fired(name)
        if fired is None:
            return None
        return next((at - self.start for at, tone in self.tones
                     if tone in tones and fired[0] < at - self.start <= fired[1] + samples(SOON)), None)

    def silenced(self, name: str) -> float | None:
        """From the first sample of a cue to the last of the host's line; infinite where it spoke on.

        None where no line was sounding.
        """
        fired = self.fired(name)
        if fired is None:
            return None
        frames, first = self.sounding(), fired[0] // FRAME
        if not frames[max(0, first - 60) : first + 1].any():
            return None
        cut = next((at - self.start for at in self.cuts if 0 <= at - self.start - fired[0] <= samples(3.0)), None)
        if cut is None:
            return float("inf")
        sounding = np.flatnonzero(frames[first : cut // FRAME + 2])
        return 0.0 if not len(sounding) else (first * FRAME + (int(sounding[-1]) + 1) * FRAME - fired[0]) / RATE

    def fired(self, name: str) -> tuple[Samples, Samples] | None:
        """First and last sample of a cue, where it was heard."""
        return next(((began, ended) for cue, began, ended in self.tape.fired if cue == name), None)


class Stage:
    """What all runs share: cards, recogniser, voice, and a folder."""

    def __init__(self, folder: Path, slow: Slow, seed: int, model: str | None) -> None:
        """Raises OSError where processes can't be held."""
        self.folder, self.slow = folder, slow
        self._hold(False)
        self.bench = Bench("tuning", seed, model)
        self.voice = choose("natural")
        self.finder = keyword.shipped(models.find(model))
        self._runs = 0

    def deals(self, count: int) -> list[Deal]:
        """Games: the guess at every other card comes over the host's voice, the others in the pause behind a line."""
        return [replace(deal, cues=tuple(map(self._placed, deal.cues)))
                for deal in (self.bench.draw() for _ in range(count))]

    def _placed(self, cue: Cue) -> Cue:
        number = int(cue.name.removeprefix("guess"))
        if number % 2:
            return replace(cue, name=f"{OVER}{number}", after=max(0.5, cue.after))
        return replace(cue, name=f"{PAUSE}{number}", on=Trigger("line", f"card{number}/statement1", "ended"),
                       after=0.3 + cue.after / 4)

    def game(self, deal: Deal, *, held: bool) -> Run:
        """Clever Endeavor, to the end of its first cards."""
        place = self.bench.places()[0]
        scene = self.bench.room(place, 0.0, deal.cues).scene
        table = self.bench.table(deal.seed)
        with self._opened(table, self.bench.setup, scene, 0, held=held) as (run, evening):
            session = evening.session
            session.begin()
            self._go(run, evening, lambda: session.over or session.state.done or _played(session.state.game))
        return run

    def placing(self) -> tuple[Table, Any, Samples, Setup]:
        """Venn's table, its state and sample where art cards are being placed and nobody speaks: without a clock."""
        scene, setup = load_scene(SCENES["venn"])
        packs = load_packs(setup)
        setup = sealed(setup, packs)
        table, room = make_table(setup, pronounced(setup, packs)), Room(scene)
        log = open_log(self.folder / "placing.jsonl", setup)
        ear = VoskEar(self.bench.engine, finder=self.finder)
        evening = open_evening(table, room, None, self.voice, log, ears=[ear], notice=lambda _text: None)
        session = evening.session
        session.begin()
        calm = 0
        while calm < samples(0.6) and (block := room.read()) is not None:
            session.block(block)
            placing = session.state.game is not None and isinstance(session.state.game.phase, Placing)
            calm = calm + BLOCK if placing and not block.far.any() else 0
        ear.close()
        log.close()
        return table, session.state, session.now, setup

    def calls(self, count: int) -> list[Cue]:
        """Calls of "venn", one voice after the other."""
        voices = self.bench.voices
        texts = ("Venn!", "Venn!", "Venn.")
        cues = []
        for at in range(count):
            voice, text = voices[at % len(voices)], texts[at // len(voices) % len(texts)]
            self.bench.speaker.clip(voice, text)
            cues.append(Cue(CALL, Trigger("start"), voice, (self.bench.speaker.path(voice, text),),
                            after=2.5 + 0.037 * at, text=text))
        return cues

    def call(self, at: tuple[Table, Any, Samples, Setup], cue: Cue, *, held: bool) -> Run:
        """One call, until the tone has sounded, or nothing came of it."""
        table, state, start, setup = at
        room = self.bench.room(self.bench.places()[0], None, [cue])
        with self._opened(table, setup, room.scene, start, state, held=held) as (run, evening):
            evening.session.state, evening.session.now = state, start
            last = start + samples(cue.after + 1.0 + SOON)
            self._go(run, evening, lambda: evening.session.now > min(
                [last, *(decided + samples(0.5) for decided, _ in run.tones)]))
        return run

    @contextmanager
    def _opened(
        self, table: Table, setup: Setup, scene: Scene, start: Samples, state: Any = None, *, held: bool
    ) -> Iterator[tuple[Run, Evening]]:
        """An evening on a room that runs by the clock, from a state on; at the end its tape is read."""
        self._runs += 1
        path, out = (self.folder / f"{self._runs}.{name}" for name in ("scene", "tape"))
        path.write_bytes(pickle.dumps(scene))
        voice: Voice = CachedVoice(self.voice, self.folder / f"voice{self._runs}")  # nothing has been said before
        run = Run(held, 1.0, start=start)
        ear = VoskEar(self.bench.engine, listens=table.listens(state) if state else None, finder=self.finder)
        log = open_log(self.folder / f"{self._runs}.jsonl", setup)
        card = SoundCard(command=paced.command(self.slow.free, path, out), start=start)
        duplex = Duplex(card, sign("turn"), start=start, on_delay=lambda delay: found(delay))
        evening = open_evening(table, duplex, None, voice, log, ears=[ear], watch=run.see, notice=lambda _text: None)
        placed = [0]

        def found(delay: Samples) -> None:
            if astray(placed[0], delay):
                placed[0] = max(0, delay - BEFORE)
                for canceller in evening.session.parts.cancellers:
                    canceller.realign(placed[0])  # type: ignore[attr-defined]  # the shipped one

        try:
            self._hold(held)
            yield run, evening
        finally:
            self._hold(False)
            ear.end()  # its recognisers are taken up again, as in a long evening
            ear.close()
            log.close()
            card.close()
        run.tape = paced.taped(out)

    @staticmethod
    def _go(run: Run, evening: Evening, over: Any) -> None:
        session = evening.session
        while not over() and (block := evening.device.read()) is not None:
            session.block(block)
            run.blocks.append((block.at, time.monotonic()))

    def shares(self) -> tuple[float, float]:
        """Of one core, as measured while this process only computes: free, and held. Raises OSError."""
        found = []
        for held in (False, True):
            self._hold(held)
            found.append(share_here())
        self._hold(False)
        return found[0], found[1]

    def _hold(self, held: bool) -> None:
        """Hold this process or let it run. Raises OSError where that can't be done."""
        if refused := (self.slow.hold if held else self.slow.let)([os.getpid()]):
            raise OSError(refused)


def _played(game: Any) -> bool:
    return game is not None and (game.number > CARDS or game.pieces.winner is not None)
