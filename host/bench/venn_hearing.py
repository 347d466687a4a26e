"""What the ear hears of Venn's table: calls, list words, numbers; each job a sound, with what the table takes of it."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import soxr

from host.app.evening import Setup, load_packs, prepare
from host.bench.hearing import CHARGES, MOUTH, ready
from host.bench.library import DRY, Library, blocks
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
LEAST = 0.01
"""Score of the second look from which it is noted, for the curve."""


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
    change: str = ""
    """How a recording is changed: "speed:0.9", ""."""

    @property
    def condition(self) -> str:
        """The row of the tables that it belongs to."""
        return "dry" if self.snr is None else f"room {self.snr:g} dB"


@dataclass(frozen=True)
class Took:
    """What the table took of it."""

    job: Job
    calls: int = 0
    waits: tuple[float, ...] = ()
    """Seconds from the end of "venn" to the sound, for each of CHARGES."""
    grammar: float = 0.0
    """The best score of the second look where the grammar had "venn"; 0 where it had not."""
    anywhere: float = 0.0
    """The best score of the second look at all."""
    scores: tuple[tuple[float, float], ...] = ()
    """The same two for each alarm that any threshold could give, of a recording."""
    taken: tuple[int, ...] = ()
    hours: float = 0.0


@dataclass
class Table:
    """The ear, and what host.table.venn_talk takes out of its events, without a game."""

    packs: Packs
    engine: VoskEngine
    library: Library = field(default_factory=Library)
    net: keyword.Net | None = None

    def __post_init__(self) -> None:
        self.speaker = Speaker(self.library)

    @classmethod
    def open(cls, model: str | None = None) -> "Table":
        """With the shipped packs and the shipped second look. Raises AppError where the model can't be used."""
        setup = Setup(game="venn")
        packs, folder = prepare(setup, load_packs(setup), model)
        return cls(packs, VoskEngine(folder), net=keyword.shipped())

    def sound(self, job: Job) -> tuple[Floats, float]:
        """The job's sound, and the second at which its last word ends."""
        if job.voice:
            clip = self.speaker.clip(job.voice, job.text)
            played = self.library.played(clip, job.room, job.snr, job.seed, before=BEFORE, behind=BEHIND,
                                         split=self.library.voice(job.voice).split)
            return played, BEFORE + seconds(speech_span(clip)[1])
        clip = self.library.recording(job.text)
        clip = clip * np.float32(factor(SPEECH - active_level(clip)))
        if job.change:
            speed = float(job.change.partition(":")[2])
            clip = np.asarray(soxr.resample(clip, RATE * speed, RATE), np.float32)
        split = "test" if any(one["path"] == job.text and one["test"] for one in self.library.manifest) else "tuning"
        played = self.library.played(clip, job.room, job.snr, job.seed, before=BEFORE, behind=BEHIND, split=split)
        return played, BEFORE + seconds(len(clip))

    def hear(self, job: Job) -> Took:
        """Play it to the ear, in the phase of the game that it belongs to."""
        sound, ended = self.sound(job)
        if job.kind in ("call", "near", "talk"):
            return self._spot(job, sound, ended)
        if job.kind == "numbers":
            return self._numbers(job, sound)
        return self._words(job, sound)

    def _ear(self, expects: Expects, phase: str) -> VoskEar:
        ear = VoskEar(self.engine, net=self.net)
        ear.listen(listens(NAMES, expects, phase))
        return ear

    def _spot(self, job: Job, sound: Floats, ended: float) -> Took:
        ear = self._ear(placing(job.words), "placing")
        costs: list[float] = []
        alarms: list[float] = []
        scores: list[tuple[float, float, float]] = []
        at: Samples = 0
        for pcm in blocks(sound):
            busy = time.thread_time()
            events = ear.hear(Cleaned(at, pcm))
            costs.append(time.thread_time() - busy)
            at += BLOCK
            heard = [word.text for event in events if isinstance(event, Heard) for word in event.words]
            called = calls.CALL in heard
            if called and (not alarms or seconds(at) - alarms[-1] > APART):
                alarms.append(seconds(at))
            scores += self._scores(ear, at)
        ear.end()
        wait: tuple[float, ...] = ()
        if alarms and job.ends:
            wait = tuple(ready(alarms[0], costs, charge) + MOUTH - ended for charge in CHARGES)
        first, second = (max((one[place] for one in scores), default=0.0) for place in (1, 2))
        return Took(job, len(alarms), wait, first, second, _peaks(scores), hours=len(sound) / RATE / 3600)

    @staticmethod
    def _scores(ear: VoskEar, at: Samples) -> list[tuple[float, float, float]]:
        """(second, score where the grammar has "venn", score at all) now, for the curve over the threshold."""
        if ear.second_look is None:
            return []
        spotter = ear.second_look.spotter
        latest = spotter.scores[-1].score if spotter.scores else 0.0
        found = [(seconds(at), 0.0, latest)] if latest > LEAST else []
        for word in ear.grammar_words:
            if word.text == calls.CALL:
                found.append((seconds(at), spotter.best(word.ended - calls.BEFORE, at).score, 0.0))
        return found

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
        return Took(job, taken=tuple(heard))


def _peaks(scores: Sequence[tuple[float, float, float]]) -> tuple[tuple[float, float], ...]:
    """For each stretch of `APART` seconds the best of both scores."""
    found: list[list[float]] = []
    for at, first, second in scores:
        if not found or at - found[-1][0] > APART:
            found.append([at, first, second])
        else:
            found[-1][1:] = [max(found[-1][1], first), max(found[-1][2], second)]
    return tuple((first, second) for _, first, second in found)


def placing(words: tuple[str, ...]) -> Expects:
    """Art cards are being placed."""
    return Expects(call=True, words=words, teams=TEAMS, commands=("repeat_all", "word"))


def round_of(packs: Packs, draw: random.Random) -> tuple[str, ...]:
    """The twelve words of a round as it could be dealt."""
    cards, _, _ = draw_words(packs, (), draw)
    return tuple(plain(word) for card in cards for word in card)
