"""The platform's own voice through pyttsx3, on macOS and Windows: rendered to a file and read back.

pyttsx3 tells no word times there that could be trusted, so they are estimated: spread over the sound in
proportion to the letters. Never tried on a Mac or under Windows by those who wrote it; its logic is
tested with a stand-in for the engine.
"""

import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from host.events import Line
from host.sound import Clip, Pcm
from host.voices import VoiceError
from host.voices.spoken import spoken, words_of
from host.voices.trimming import audible, spread, trimmed

WORDS_A_MINUTE = 160
"""The pace at speed 1.0."""


def _platform_engine() -> Any:
    import pyttsx3

    return pyttsx3.init()


class RenderedVoice:
    """The platform's voice, a new file for every line (TTS-06).

    Clips are mono at the file's own rate, with at most 20 ms of silence in front and 30 ms behind. Word
    times are estimates. Raises VoiceError where the platform has no voice or writes no sound.
    """

    def __init__(self, start: Callable[[], Any] = _platform_engine) -> None:
        try:
            self._engine: Any = start()
            self.name = f"pyttsx3-{version('pyttsx3')}-{self._engine.getProperty('voice')}"
        except (ImportError, OSError, RuntimeError, KeyError, AttributeError, PackageNotFoundError) as error:
            raise VoiceError("The system's voice can't be started: run `pip install pyttsx3`, or choose "
                             "--voice natural.") from error

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """Synthesise a line; `speed` from 0.5 to 2.0, beyond is taken as the nearest of these."""
        if self._engine is None:
            raise VoiceError("The voice has been closed: make a new one.")
        text = spoken(line.text)
        if not words_of(text):
            return Clip(line.id, np.zeros(0, np.int16), 22_050)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "line.wav"
            self._engine.setProperty("rate", round(WORDS_A_MINUTE * min(max(speed, 0.5), 2.0)))
            self._engine.save_to_file(text, str(path))
            self._engine.runAndWait()
            pcm, rate = _sound(path)
        frames = np.flatnonzero(audible(pcm, rate))
        if not len(frames):
            raise VoiceError("The system's voice made no sound: choose --voice natural.")
        size = int(rate * 0.005)
        words = spread(words_of(text), int(frames[0]) * size, (int(frames[-1]) + 1) * size)
        pcm, words = trimmed(pcm, words, rate)
        return Clip(line.id, pcm, rate, words)

    def close(self) -> None:
        """Let go of the engine."""
        self._engine = None


def _sound(path: Path) -> tuple[Pcm, int]:
    """What the platform wrote (WAV under Windows, AIFF on a Mac), as mono PCM with its rate."""
    import soundfile

    try:
        sound, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except (OSError, RuntimeError) as error:
        raise VoiceError("The system's voice wrote no sound: choose --voice natural.") from error
    mono: Pcm = sound[:, 0].astype(np.int16)
    return mono, int(rate)
