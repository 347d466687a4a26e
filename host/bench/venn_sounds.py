"""Sounds for training the net for "venn": clips in rooms, noise and other people's talk, cut into pieces."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from host.bench.venn_clips import Saying
from host.bench.venn_learning import CALL, NOTHING, OPEN, SOMEWHERE, Pieces, Plan
from host.bench.venn_voices import Chorus, Roster
from host.clock import RATE
from host.devices import responses
from host.devices.levels import Floats, active_level, dbfs, factor, load, speech_span
from host.ears.bands import HOP
from host.ears.fronts import Front
from host.ears.keyword import Shape

PITCHES = (0.92, 1.0, 1.0, 1.0, 1.08, 1.16)
"""Everything faster and higher."""
WARPS = (0.88, 0.94, 1.0, 1.0, 1.06, 1.12, 1.18)
"""Bands moved, as by longer and shorter throats."""
HOPS = (130, 145, 160, 160, 175, 190)
"""Samples between frames: slower to faster speech without another pitch."""
NOISES = (None, 30.0, 20.0, 15.0, 10.0, 10.0, 7.0, 4.0, 1.0)
TALKING = (18.0, 12.0, 8.0, 5.0)
"""How far other people's talk lies below."""
AFTER = (0.05, 0.17)
"""Seconds after the end of "venn" between which a window that ends there holds it."""
AROUND = (-0.14, 0.36)
"""Between these, others may say so or not."""
FIRST_WORD = (0.18, 0.85)
"""Where in a sentence that begins with "venn" the best window ends."""


@dataclass(frozen=True)
class Span:
    """A call in a sound: samples between which it lies; `exact` where its end is that of the span."""

    began: int
    ended: int
    exact: bool


@dataclass(frozen=True)
class Sound:
    """A stretch of sound with its calls."""

    samples: Floats
    spans: tuple[Span, ...]
    kind: str
    word: int = 0
    """Which of the net's words is called."""


class Maker:
    """Renders by a seeded draw."""

    def __init__(self, said: Sequence[Saying], real: Sequence[dict[str, Any]], seed: int) -> None:
        self.draw = random.Random(seed)
        self.library = Roster()
        self.chorus = Chorus(self.library)
        self.said: dict[str, list[Saying]] = {}
        for one in said:
            self.said.setdefault(one.kind, []).append(one)
        self.real = list(real)
        rooms = [responses.measured(self.library.response_file(room)) for room in self.library.rooms("tuning")]
        shapes = [responses.Shape((self.draw.uniform(3, 7), self.draw.uniform(3, 6), 2.5), self.draw.uniform(0.15, 0.7))
                  for _ in range(24)]
        made = [responses.made(shape, self.draw.uniform(0.5, 3.0), self.draw.uniform(0, 6.28), at)
                for at, shape in enumerate(shapes)]
        self.rooms = [*rooms, *made]
        self.noises = [load(self.library.noise_file(name)) for name in self.library.noises("tuning")]

    def clip(self, one: Saying) -> Floats:
        """A clip, trimmed to its speech."""
        sound = self.chorus.clip(one.voice, one.text)
        began, ended = speech_span(sound)
        return sound[began:ended]

    def pick(self, kind: str) -> Saying:
        """Any saying of that kind; calls by voice first, so that nobody calls more than others."""
        return self.draw.choice(self.said[kind])

    # --- sounds ---------------------------------------------------------------------------------

    def call(self) -> Sound:
        """A call, alone or among other words of the same or another voice."""
        kind = self.draw.choices(("alone", "last", "first"), (6, 3, 3))[0]
        one = self.pick(kind)
        parts = [(self.clip(one), kind)]
        if self.draw.random() < 0.45:
            parts.insert(0, (self.clip(self.pick(self.draw.choice(("near", "word", "talk")))), ""))
        if self.draw.random() < 0.45:
            parts.append((self.clip(self.pick(self.draw.choice(("near", "word", "word")))), ""))
        return self._joined(parts, "call")

    def other(self, kind: str) -> Sound:
        """Words without a call."""
        parts = [(self.clip(self.pick(kind)), "") for _ in range(1 if kind == "talk" else self.draw.choice((1, 1, 2)))]
        return self._joined(parts, kind)

    def people(self, clip: dict[str, Any]) -> Sound:
        """A recording of real people."""
        return Sound(self.library.recording(clip["path"]), (), "real")

    def _joined(self, parts: Sequence[tuple[Floats, str]], kind: str) -> Sound:
        row, spans, at = [], [], 0
        for sound, what in parts:
            gap = round(self.draw.choice((0.01, 0.03, 0.08, 0.2, 0.4)) * RATE) if at else 0
            level = np.float32(10 ** (self.draw.uniform(-4, 4) / 20))
            row += [np.zeros(gap, np.float32), sound * level]
            at += gap
            if what == "first":
                spans.append(Span(at + round(FIRST_WORD[0] * RATE),
                                  at + min(len(sound), round(FIRST_WORD[1] * RATE)), False))
            elif what:
                spans.append(Span(at, at + len(sound), True))
            at += len(sound)
        return Sound(np.concatenate(row), tuple(spans), kind)

    # --- what becomes of them -------------------------------------------------------------------

    def played(self, sound: Sound, plain: bool = False) -> Sound:
        """At another pitch, in a room, with noise and perhaps other people's talk; `plain`: only its edges."""
        heard, spans = sound.samples, sound.spans
        if not plain:
            pitch = self.draw.choice(PITCHES)
            if pitch != 1.0:
                heard = np.asarray(soxr.resample(heard, RATE * pitch, RATE), np.float32)
                spans = tuple(Span(round(s.began / pitch), round(s.ended / pitch), s.exact) for s in spans)
            heard = self._tilted(heard)
            if self.draw.random() < 0.75:
                response = self.draw.choice(self.rooms)
                heard = responses.convolve(heard, response)[responses.direct_at(response) :]
        lead = round(self.draw.uniform(0.9, 1.3) * RATE)
        heard = np.pad(heard, (lead, max(round(0.45 * RATE), round(2.4 * RATE) - lead - len(heard))))
        spans = tuple(Span(s.began + lead, s.ended + lead, s.exact) for s in spans)
        speech = active_level(heard)
        if not plain and self.draw.random() < 0.15:
            heard = heard + self._talking(len(heard), speech - self.draw.choice(TALKING))
        snr = None if plain else self.draw.choice(NOISES)
        if snr is not None:
            heard = heard + self._noise(len(heard), speech - snr)
        heard = heard * np.float32(factor(-26.0 + self.draw.uniform(-14, 10) - speech))
        if not plain and self.draw.random() < 0.06:
            heard = heard * np.float32(5.0)  # a shout too near (KEY-07)
        random_ = np.random.default_rng(self.draw.getrandbits(31))
        hiss = random_.normal(0, self.draw.choice((1.0, 4.0, 10.0)), len(heard)).astype(np.float32)
        return Sound(np.clip(heard + hiss, -32768, 32767), spans, sound.kind)

    def _tilted(self, heard: Floats) -> Floats:
        """Highs or lows raised smoothly: another microphone, another effort (a shout is bright)."""
        spectrum = np.fft.rfft(heard)
        octaves = np.log2(np.maximum(np.linspace(0, RATE / 2, len(spectrum)), 60) / 1000)
        wave = np.sin(octaves * 1.5 + self.draw.uniform(0, 6))
        bend = self.draw.uniform(-2, 3.5) * octaves + self.draw.uniform(-4, 4) * wave
        return np.asarray(np.fft.irfft(spectrum * 10 ** (bend / 20), len(heard)), np.float32)

    def _noise(self, length: int, level: float) -> Floats:
        noise = self.draw.choice(self.noises)
        piece = np.resize(np.roll(noise, -self.draw.randrange(len(noise))), length)
        return piece * np.float32(factor(level - dbfs(piece)))

    def _talking(self, length: int, level: float) -> Floats:
        talk = self.library.recording(self.draw.choice(self.real)["path"])
        piece = np.resize(np.roll(talk, -self.draw.randrange(len(talk))), length)
        return piece * np.float32(factor(level - active_level(piece)))


# --- pieces --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cutter:
    """Makes pieces for a net."""

    plan: Plan
    front: Front

    def labels(self, sound: Sound, count: int, hop: int) -> NDArray[np.uint8]:
        """What each of the steps of a sound is, `hop` samples a frame (which are 10 ms for the net)."""
        ends = step_ends(self.front, self.plan.shape, count, hop)
        found = np.full(count, NOTHING, np.uint8)
        for span in sound.spans:
            after = (ends - span.ended) / hop * HOP / RATE
            if span.exact:
                found[(after > AROUND[0]) & (after < AROUND[1])] = OPEN
                found[(after >= AFTER[0]) & (after <= AFTER[1])] = CALL
            else:
                found[(ends >= span.began) & (ends <= span.ended)] = SOMEWHERE
        return found

    def pieces(self, sound: Sound, draw: random.Random, plain: bool = False) -> Pieces:
        """A rendered sound in pieces."""
        hop, warp = (HOP, 1.0) if plain else (draw.choice(HOPS), draw.choice(WARPS))
        shape, length, steps = self.plan.shape, self.plan.length, self.plan.steps
        rows = self.front.whole(np.rint(sound.samples), hop, warp)
        short = length - len(rows)
        if short > 0:
            rows = np.pad(rows, ((0, short), (0, 0)), mode="edge")
        count = (len(rows) - shape.window) // shape.step + 1
        marks = self.labels(sound, count, hop)
        starts = sorted({*range(0, count - steps + 1, steps), count - steps})
        cut = [rows[at * shape.step : at * shape.step + length] for at in starts]
        return Pieces(np.stack(cut).astype(np.float16), np.stack([marks[at : at + steps] for at in starts]),
                      np.full(len(cut), sound.word, np.uint8))

    def training(self, maker: Maker, counts: dict[str, int], again: int) -> Iterator[Pieces]:
        """All: so many calls and others by kind, and the real recordings as they are and `again` times changed."""
        for kind, count in counts.items():
            for _ in range(count):
                sound = maker.call() if kind == "call" else maker.other(kind)
                yield self.pieces(maker.played(sound), maker.draw)
        for clip in maker.real:
            sound = maker.people(clip)
            yield self.pieces(maker.played(sound, plain=True), maker.draw, plain=True)
            for _ in range(again):
                yield self.pieces(maker.played(sound), maker.draw)


def step_ends(front: Front, shape: Shape, count: int, hop: int) -> NDArray[np.int64]:
    """The samples at which the windows of so many steps end."""
    return front.ends(np.arange(count, dtype=np.int64) * shape.step + shape.window - 1, hop)
