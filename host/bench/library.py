"""Voices, rooms and noises by split (audio_fixtures/voices.toml), and how a clip sounds in a room with noise."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from host.app.paths import FIXTURES, shared_folder
from host.bench.frame import MissingError
from host.clock import BLOCK, RATE
from host.devices import responses
from host.devices.levels import Floats, active, active_level, factor, load
from host.sound import Pcm

DRY = "dry"
"""The room that is none: the clip as it is."""
FLOOR = -70.0
"""Level of the noise that is always there, dBFS: no microphone is silent."""
_FRAME = 320


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice of voices.toml."""

    name: str
    split: str
    kind: str
    program: str
    packages: str
    source: str
    """apt or pip: where the packages come from."""


class Library:
    """What voices.toml names. Raises MissingError where the recordings beside the project are not there."""

    def __init__(self, path: Path = FIXTURES / "voices.toml", shared: Path | None = None) -> None:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        self.audio = (shared or shared_folder()) / "audio"
        self._voices = {raw["name"]: Voice(raw["name"], raw["split"], raw["kind"], raw["program"], raw["packages"],
                                           raw["from"]) for raw in read["voice"]}
        self._rooms: dict[str, dict[str, str]] = {raw["name"]: raw for raw in read["room"]}
        self._noises: dict[str, dict[str, str]] = {raw["name"]: raw for raw in read["noise"]}
        self._response = cache(self._read_response)
        self._load = cache(self._read)

    def voice(self, name: str) -> Voice:
        """A voice by name; KeyError if there is none."""
        return self._voices[name]

    def voices(self, split: str) -> tuple[str, ...]:
        """The names of the voices for "tuning" or "test"."""
        return tuple(voice.name for voice in self._voices.values() if voice.split == split)

    def rooms(self, split: str) -> tuple[str, ...]:
        """The names of the rooms, `DRY` not among them."""
        return tuple(name for name, raw in self._rooms.items() if raw["split"] == split)

    def noises(self, split: str) -> tuple[str, ...]:
        """The names of the noises."""
        return tuple(name for name, raw in self._noises.items() if raw["split"] == split)

    def response_file(self, room: str) -> Path:
        """Where a room's response lies, for a simulated room."""
        return self.audio / self._rooms[room]["response"]

    def noise_file(self, name: str) -> Path:
        """Where a noise lies."""
        return self.audio / self._noises[name]["sound"]

    @cached_property
    def manifest(self) -> tuple[dict[str, Any], ...]:
        """The recordings beside the project, one entry a clip: path, text, speaker, seconds, set, test."""
        path = self.audio / "manifest.jsonl"
        try:
            return tuple(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
        except OSError as error:
            raise MissingError(f"no recordings in {self.audio}: set GAMEHOST_SHARED to their folder") from error

    def recordings(self, folder: str, split: str) -> tuple[dict[str, Any], ...]:
        """The manifest's clips in a folder (words, digits, keywords, talk, echo) of a split."""
        return tuple(clip for clip in self.manifest
                     if clip["path"].startswith(f"{folder}/") and clip["test"] == (split == "test"))

    def recording(self, path: str) -> Floats:
        """A clip of the manifest at 16 kHz."""
        return self._load(path)

    def played(
        self, sound: Floats, room: str = DRY, snr: float | None = None, seed: int = 0, *,
        before: float = 0.0, behind: float = 0.0, split: str = "test",
    ) -> Floats:
        """A clip as a microphone hears it: through the room, its level kept, with noise `snr` dB below it.

        `before` and `behind` are seconds without speech on either side, with the same noise in them. Levels
        are compared over the frames in which the clip speaks. The noise comes from the room's split (where
        it is dry: from `split`), recording and stretch by `seed`; the same arguments give the same samples.
        """
        heard = sound
        if room != DRY:
            response = self._response(room)
            heard = responses.convolve(sound, response)
            heard = heard[responses.direct_at(response) :]
            heard = heard * np.float32(factor(active_level(sound) - active_level(heard)))
        heard = np.pad(heard, (round(before * RATE), round(behind * RATE)))
        draw = np.random.default_rng(seed)
        total = heard + hiss(len(heard), draw)
        if snr is not None:
            split = self._rooms[room]["split"] if room != DRY else split
            total = total + self.noise(split, len(heard), active_level(heard) - snr, draw, active(heard))
        return np.asarray(total, dtype=np.float32)

    def noise(
        self, split: str, length: int, level: float, draw: np.random.Generator, frames: NDArray[np.bool_] | None = None
    ) -> Floats:
        """So many samples of recorded noise at that level (dBFS), measured over `frames` of 20 ms where given."""
        names = self.noises(split)
        sound = self._load(self._noises[names[int(draw.integers(len(names)))]]["sound"])
        turned = np.roll(sound, int(draw.integers(len(sound))))
        noise = np.resize(turned, length).astype(np.float64)
        power = np.square(noise)
        if frames is not None and frames.any():
            power = power[np.repeat(frames, _FRAME)[:length]]
        own = 10.0 * np.log10(max(float(np.mean(power)), 1e-9) / 32768.0**2)
        return np.asarray(noise * factor(level - own), dtype=np.float32)

    def _read_response(self, room: str) -> Floats:
        path = self.response_file(room)
        if not path.exists():
            raise MissingError(f"the room {room} needs {path}: set GAMEHOST_SHARED to the folder of recordings")
        return responses.measured(path)

    def _read(self, path: str) -> Floats:
        if not (self.audio / path).exists():
            raise MissingError(f"there is no {self.audio / path}: set GAMEHOST_SHARED to the folder of recordings")
        return load(self.audio / path)


def hiss(length: int, draw: np.random.Generator) -> Floats:
    """The noise of a microphone."""
    return draw.normal(0.0, 32768.0 * factor(FLOOR), length).astype(np.float32)


def blocks(sound: Floats) -> Iterator[Pcm]:
    """A sound as 16-bit blocks of 30 ms, the last one filled up with silence."""
    pcm = np.clip(np.pad(sound, (0, -len(sound) % BLOCK)), -32768, 32767).astype(np.int16)
    yield from pcm.reshape(-1, BLOCK)
