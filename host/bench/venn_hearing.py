"""What the ear hears of Venn's table: calls, list words, numbers; each job a sound, with what the table takes of it."""

import random
import time
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import soxr

from host.app.evening import Setup, load_packs, prepare
from host.bench import kept
from host.bench.hearing import CHARGES, MOUTH, ready
from host.bench.library import DRY, Library, blocks
from host.bench.venn_shouting import shouted
from host.bench.voices import Speaker
from host.clock import BLOCK, RATE, Samples, seconds
from host.devices.levels import SPEECH, Floats, active_level, factor, speech_span
from host.ears import calls, keyword
from host.ears.kaldi import VoskEngine
from host.ears.vosk import VoskEar
from host.events import Heard
from host.games import Expects
from host.games.venn_words import draw_words, plain
from host.packs import Packs
from host.sound import Cleaned
from host.table import venn_talk
from host.table.state import Breath
from host.table.venn_words import listens
from host.understand import Listening, understand

BEFORE, BEHIND = 0.8, 1.5
NAMES = ("anna", "ben", "carla", "david")
TEAMS = ("Foxes", "Owls")
APART = 2.0
"""Seconds between two alarms that count as two."""
EARLY, LATE = 0.5, 1.5
"""Seconds before and after the end of "venn" between which an alarm is that call."""
TRIES = 2
OVER = (-4.0, -8.0, -12.0)
"""Decibels of somebody who talks at the same time, against the speaker."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something that is said, or a recording that is played, at Venn's table."""

    kind: str
    """call, near, three, numbers, talk, single."""
    text: str
    """What is said, or the recording's path."""
    voice: str = ""
    room: str = DRY
    snr: float | None = None
    seed: int = 0
    wanted: tuple[int, ...] = ()
    """Numbers of the list words, or the numbers of the card."""
    words: tuple[str, ...] = ()
    """The round's list words."""
    ends: bool = False
    """"Venn" is the last word, so that its end is known."""
    change: float = 1.0
    """How much faster, and higher, a recording is played."""
    shouted: bool = False
    """Longer, higher, brighter and louder than the voice says it."""
    over: str = ""
    """The path of a recording of somebody who talks at the same time."""

    @property
    def condition(self) -> str:
        """The row of the tables that it belongs to."""
        where = "dry" if self.snr is None else f"room {self.snr:g} dB"
        return f"{where}, shouted" if self.shouted else where

    @property
    def changed(self) -> bool:
        """Whether a recording is not played as it is."""
        return bool(self.over) or self.room != DRY


@dataclass(frozen=True)
class Took:
    """What the table took of it."""

    job: Job
    calls: int = 0
    waits: tuple[float, ...] = ()
    """Seconds from the end of "venn" to the sound, for each of CHARGES."""
    best: float = 0.0
    """The best score of the net and the recogniser together."""
    taken: tuple[int, ...] = ()
    corrections: int = 0
    """How often the numbers had to be said again, TRIES at the most."""
    hours: float = 0.0


@dataclass
class Table:
    """The ear, and what host.table.venn_talk takes out of its events, without a game."""

    packs: Packs
    engine: VoskEngine
    library: Library = field(default_factory=Library)
    finder: keyword.Finder | None = None
    graph: str = ""
    """A digest of the recogniser's graph and net: what was heard with others does not count."""

    def __post_init__(self) -> None:
        self.speaker = Speaker(self.library)

    @classmethod
    def open(cls, model: str | None = None) -> "Table":
        """With the shipped packs and the shipped second look. Raises AppError where the model can't be used."""
        setup = Setup(game="venn")
        packs, folder = prepare(setup, load_packs(setup), model)
        return cls(packs, VoskEngine(folder), finder=keyword.shipped(folder), graph=kept.configuration(folder))

    def sound(self, job: Job) -> tuple[Floats, float]:
        """The job's sound, and the second at which its last word ends."""
        if job.voice:
            clip = self.speaker.clip(job.voice, job.text)
            if job.shouted:
                clip = shouted(clip, job.seed)
            played = self.library.played(clip, job.room, job.snr, job.seed, before=BEFORE, behind=BEHIND,
                                         split=self.library.voice(job.voice).split)
            return played, BEFORE + seconds(speech_span(clip)[1])
        return self._recording(job), 0.0

    def _recording(self, job: Job) -> Floats:
        """A recording of real people, as it is (but for its level) or changed."""
        clip = self._levelled(job.text)
        if job.change != 1.0:
            clip = np.asarray(soxr.resample(clip, RATE * job.change, RATE), np.float32)
        draw = random.Random(job.seed)
        if job.over:
            other = np.resize(np.roll(self._levelled(job.over), draw.randrange(RATE * 4)), len(clip))
            clip = clip + other * np.float32(factor(draw.choice(OVER)))
        split = "test" if job.text in self._tests else "tuning"
        return self.library.played(clip, job.room, job.snr, job.seed, before=BEFORE, behind=BEHIND, split=split)

    def _levelled(self, path: str) -> Floats:
        clip = self.library.recording(path)
        return clip * np.float32(factor(SPEECH - active_level(clip)))

    @cached_property
    def _tests(self) -> frozenset[str]:
        """The recordings that no training of the recogniser has heard."""
        return frozenset(clip["path"] for clip in self.library.manifest if clip["test"])

    def hear(self, job: Job) -> Took:
        """Play it to the ear, in the phase of the game that it belongs to."""
        sound, ended = self.sound(job)
        if job.kind in ("call", "near", "talk"):
            return self._spot(job, sound, ended)
        if job.kind == "numbers":
            return self._numbers(job, sound)
        return self._words(job, sound)

    def _ear(self, expects: Expects, phase: str) -> VoskEar:
        ear = VoskEar(self.engine, finder=self.finder)
        ear.listen(listens(NAMES, expects, phase))
        return ear

    def _spot(self, job: Job, sound: Floats, ended: float) -> Took:
        ear = self._ear(placing(job.words), "placing")
        costs: list[float] = []
        told: list[float] = []
        best = 0.0
        at: Samples = 0
        for pcm in blocks(sound):
            busy = time.thread_time()
            events = ear.hear(Cleaned(at, pcm))
            costs.append(time.thread_time() - busy)
            at += BLOCK
            heard = [word.text for event in events if isinstance(event, Heard) for word in event.words]
            if calls.CALL in heard and (not told or seconds(at) - told[-1] > APART):
                told.append(seconds(at))
            if ear.second_look is not None:
                best = max(best, ear.second_look.best(at - 2 * BLOCK, at).score)
        ear.end()
        if job.ends:
            told = [one for one in told if ended - EARLY <= one <= ended + LATE]
        wait: tuple[float, ...] = ()
        if told and job.ends:
            wait = tuple(ready(told[0], costs, charge) + MOUTH - ended for charge in CHARGES)
        return Took(job, len(told), wait, best, hours=len(sound) / RATE / 3600)

    def _words(self, job: Job, sound: Floats) -> Took:
        expects = Expects(words=job.words, commands=("strike", "keep"))
        ear = self._ear(expects, "guessing")
        breath, taken, at = Breath(0, 0), [], 0
        for pcm in [*blocks(sound), None]:
            events = ear.end() if pcm is None else ear.hear(Cleaned(at, pcm))
            at += BLOCK
            for event in events:
                if not isinstance(event, Heard):
                    continue
                breath = breath if breath.utterance == event.utterance else Breath(event.utterance, 0)
                found = venn_talk.find(event, expects)
                for one in found:
                    if (one.kind, one.value) not in breath.told and venn_talk.holds(one, breath, event):
                        breath = replace(breath, told=(*breath.told, (one.kind, one.value)))
                        taken.append(one.value)
                seen = tuple((one.kind, one.value, one.word.began) for one in found)
                breath = replace(breath, seen=seen)
        return Took(job, taken=tuple(dict.fromkeys(taken)))

    def _numbers(self, job: Job, sound: Floats) -> Took:
        """The numbers of a card, said again (elsewhere in the noise) while they were not heard as they are."""
        first = heard = self._three(sound)
        corrections = 0
        while heard != job.wanted and corrections < TRIES:
            corrections += 1
            heard = self._three(self.sound(replace(job, seed=job.seed + corrections))[0])
        return Took(job, taken=first, corrections=corrections)

    def _three(self, sound: Floats) -> tuple[int, ...]:
        expects = Expects(numbers=True, commands=("strike", "keep"))
        ear = self._ear(expects, "revealing")
        heard: list[int] = []
        at = 0
        for pcm in [*blocks(sound), None]:
            events = ear.end() if pcm is None else ear.hear(Cleaned(at, pcm))
            at += BLOCK
            for event in events:
                if isinstance(event, Heard) and event.final:
                    said = understand(event, (), Listening(numbers=True)).numbers
                    heard = list(said) if len(said) > 2 else [*heard, *said]
        return tuple(heard)


def placing(words: tuple[str, ...]) -> Expects:
    """Art cards are being placed."""
    return Expects(call=True, words=words, teams=TEAMS, commands=("repeat_all", "word"))


def round_of(packs: Packs, draw: random.Random) -> tuple[str, ...]:
    """The twelve words of a round as it could be dealt."""
    cards, _, _ = draw_words(packs, (), draw)
    return tuple(plain(word) for card in cards for word in card)
