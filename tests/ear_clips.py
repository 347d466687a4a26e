"""Helpers for tests of the ear: the shipped clips, noise, a stub engine, and driving an ear block by block."""

import os
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import soundfile

from host.clock import BLOCK
from host.ears.hcl import UNKNOWN
from host.events import Heard, Speaking, Word
from host.sound import Cleaned

ROOT = Path(__file__).parent.parent
CLIPS = ROOT / "audio_fixtures" / "ear"
MODEL = ROOT / "models" / "vosk-model-small-en-gamehost"
SHARED = Path(os.environ.get("GAMEHOST_SHARED") or ROOT.parent / "shared") / "audio"


@cache
def clips() -> dict[str, np.ndarray]:
    """The shipped sentences by text."""
    listed = tomllib.loads((CLIPS / "manifest.toml").read_text())["clip"]
    return {clip["text"]: soundfile.read(CLIPS / clip["path"], dtype="int16")[0] for clip in listed}


def hiss(count: int, loud: float = -66.0, seed: int = 4) -> np.ndarray:
    """Noise at `loud` dBFS."""
    noise = np.random.default_rng(seed).normal(0, 32768 * 10 ** (loud / 20), count)
    return noise.clip(-32768, 32767).astype(np.int16)


def scene(*parts: np.ndarray | float) -> np.ndarray:
    """Clips and pauses (seconds) in a row, over a little noise."""
    row = [part if isinstance(part, np.ndarray) else np.zeros(round(part * 16_000), np.int16) for part in parts]
    sound = np.concatenate(row)
    return (sound.astype(int) + hiss(len(sound))).clip(-32768, 32767).astype(np.int16)


def hear(ear, pcm: np.ndarray, start: int = 0, **fields) -> list[Speaking | Heard]:
    """Everything that an ear makes of a sound."""
    events = []
    for at in range(0, len(pcm) - BLOCK + 1, BLOCK):
        events += ear.hear(Cleaned(start + at, pcm[at : at + BLOCK], **fields))
    return events


def finals(events) -> list[Heard]:
    """Only the finals."""
    return [event for event in events if isinstance(event, Heard) and event.final]


def check_protocol(events: Sequence[Speaking | Heard]) -> None:
    """Numbers increase, `at` never falls, each `Speaking` is followed by exactly one final, nothing else is heard."""
    number, running, now = 0, None, -1
    for event in events:
        assert event.at >= now
        assert event.began <= event.at
        now = event.at
        if isinstance(event, Speaking):
            assert running is None
            assert event.utterance > number
            number = running = event.utterance
        else:
            assert event.utterance == running
            assert event.began <= event.ended <= event.at
            if event.final:
                running = None
    assert running is None


class StubRecogniser:
    """Says what its engine was told, by how much it was fed."""

    def __init__(self, engine: "StubEngine", phrases: tuple[str, ...] | None) -> None:
        self.engine, self.phrases, self.fed, self.finished = engine, phrases, b"", False

    def feed(self, pcm: bytes) -> None:
        assert isinstance(pcm, bytes)
        assert not self.finished
        self.fed += pcm

    def partial(self) -> str:
        return self.engine.partial(self)

    def finish(self) -> tuple[Word, ...]:
        assert not self.finished
        self.finished = True
        return self.engine.final(self)


class StubEngine:
    """An engine that knows some words; tests set `partial` and `final`."""

    def __init__(self, known: str = "") -> None:
        self.known = {*known.split(), UNKNOWN}
        self.made: list[StubRecogniser] = []
        self.partial = lambda _: ""
        self.final = lambda _: ()

    def knows(self, word: str) -> bool:
        return word in self.known

    def grammar(self, phrases) -> StubRecogniser:
        self.made.append(StubRecogniser(self, tuple(phrases)))
        return self.made[-1]

    def dictation(self) -> StubRecogniser:
        self.made.append(StubRecogniser(self, None))
        return self.made[-1]
