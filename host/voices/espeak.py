"""The clear, robotic voice: espeak-ng through pyttsx3's own layer over its library.

pyttsx3's player is unfit for a game on Linux (it plays from inside a callback, cannot be stopped, and
speaks only the last of several lines), so only its lowest layer is used, as a pure synthesiser: espeak
runs synchronously and hands its samples to a callback. Nothing is played, no file is written and no
process is started (TTS-02, TTS-03, TTS-05, TTS-06, TTS-23).

The library comes from espeakng-loader; where that is missing, pyttsx3 looks for the system's.
espeak can be started once in a process, never again: there is one engine, kept for good (TTS-12).
"""

import ctypes
import os
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from host.events import Line, Word
from host.sound import Clip, Pcm
from host.voices import VoiceError
from host.voices.spoken import bare, spoken, words_of
from host.voices.trimming import ended_at_sound, spread, trimmed

WORDS_A_MINUTE = 160
"""The pace at speed 1.0."""

_REVISION = 1
"""To be raised whenever the same text gives another sound than before, for the cache's sake."""

_VOICE = b"en-us"
_STEADY = "\nflutter 0\nroughness 0\n"
"""Added to the voice's own definition: without its random unsteadiness, which goes on from line to line
and can't be reset, the same text is always the same sound."""

_EARLY = 0.015
"""Seconds by which espeak's word events come before the word is heard, between what was measured
against a recogniser's times (45 ms) and against gaps in the sound (12 ms). Ends need no such shift."""

_GAIN = 1.06
"""Brings the voice to about -20 dBFS while it speaks, as loud as the other voices."""

_MISSING = "espeak-ng is missing: run `pip install espeakng-loader pyttsx3`, or choose --voice natural."


class _Engine:
    """espeak-ng, started once in this process; refuses to run in two threads at once or after a fork."""

    def __init__(self) -> None:
        self._layer, data = _library()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._chunks: list[bytes] = []
        self._events: list[tuple[int, int]] = []
        self.rate: int = self._layer.Initialize(self._layer.AUDIO_OUTPUT_SYNCHRONOUS, 0, data, 0)
        if self.rate <= 0:
            raise VoiceError("espeak-ng finds no data: run `pip install --force-reinstall espeakng-loader`.")
        self._layer.SetSynthCallback(self._collect)  # the layer keeps a strong reference (TTS-12)
        if self._layer.SetVoiceByName(_VOICE) != self._layer.EE_OK:
            raise VoiceError("espeak-ng has no English voice: run `pip install --force-reinstall espeakng-loader`.")
        home = ctypes.c_char_p()
        self.version = self._layer.Info(ctypes.byref(home)).decode().split()[0]
        self.steady = home.value is not None and self._steady(Path(os.fsdecode(home.value)))

    def _steady(self, data: Path) -> bool:
        """Load the voice without its unsteadiness; False where this espeak-ng offers no way to."""
        try:
            definition = (data / "lang" / "gmw" / "en-US").read_text(encoding="utf-8")
            load = self._layer.dll.espeak_SetVoiceByFile
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix="-voice", delete=False) as file:
                file.write(definition + _STEADY)
            loaded: int = load(os.fsencode(file.name))
            Path(file.name).unlink()
        except (OSError, AttributeError):
            return False
        return bool(loaded == self._layer.EE_OK)

    def synthesise(self, text: str, words_a_minute: int) -> tuple[Pcm, list[tuple[int, int]]]:
        """The samples, and (character, sample) for each group of words that begins."""
        if os.getpid() != self._process:
            raise RuntimeError("espeak-ng does not survive a fork: start child processes by spawn")
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("espeak-ng speaks in one thread at a time: give the voice to one thread")
        try:
            self._chunks, self._events = [], []
            self._layer.SetParameter(self._layer.RATE, words_a_minute, 0)
            if self._layer.Synth(text.encode(), flags=self._layer.CHARS_UTF8) != self._layer.EE_OK:
                raise VoiceError("espeak-ng could not speak this line.")
            return np.frombuffer(b"".join(self._chunks), np.int16), self._events
        finally:
            self._lock.release()

    def _collect(self, wav: Any, count: int, events: Any) -> int:
        """What espeak calls with samples and events, always within `synthesise`."""
        if wav and count > 0:
            self._chunks.append(ctypes.string_at(wav, 2 * count))
        index = 0
        while (event := events[index]).type != self._layer.EVENT_LIST_TERMINATED:
            if event.type == self._layer.EVENT_WORD:
                self._events.append((event.text_position - 1, event.sample))
            index += 1
        return 0


def _library() -> tuple[Any, bytes | None]:
    """pyttsx3's layer over espeak-ng, and the folder of espeak's data (None: the system's)."""
    data = None
    try:
        import espeakng_loader

        ctypes.CDLL(espeakng_loader.get_library_path(), mode=ctypes.RTLD_GLOBAL)
        data = os.fsencode(espeakng_loader.get_data_path())
    except (ImportError, OSError, RuntimeError):
        pass  # then the system's library, which the layer looks for by itself
    try:
        from pyttsx3.drivers import _espeak
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise VoiceError(_MISSING) from error
    return _espeak, data


_engine: list[_Engine] = []
_starting = threading.Lock()


def _the_engine() -> _Engine:
    with _starting:
        if not _engine:
            _engine.append(_Engine())
        return _engine[0]


class EspeakVoice:
    """espeak-ng on Linux: about 3 ms a sentence, robotic but clear.

    Clips are mono at espeak's own rate (TTS-18), with at most 20 ms of silence in front and 30 ms
    behind; `Clip.words` are the words as they are said, lower case. The same text and speed give the
    same samples (with an espeak-ng older than 1.52 from the system: nearly the same).

    Raises VoiceError where the library is missing (TTS-11). `speak` raises RuntimeError when two
    threads speak at once, or in a forked child.
    """

    def __init__(self) -> None:
        self._engine: _Engine | None = _the_engine()
        kind = "steady" if self._engine.steady else "plain"
        self.name = f"espeak-{self._engine.version}-{_VOICE.decode()}-{kind}-r{_REVISION}"

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """Synthesise a line; `speed` from 0.5 to 2.0, beyond is taken as the nearest of these.

        A text without anything to say gives an empty clip.
        """
        if self._engine is None:
            raise VoiceError("The voice has been closed: make a new one.")
        text = spoken(line.text)
        rate = self._engine.rate
        if not words_of(text):
            return Clip(line.id, np.zeros(0, np.int16), rate)
        pcm, events = self._engine.synthesise(text, round(WORDS_A_MINUTE * min(max(speed, 0.5), 2.0)))
        words = ended_at_sound(pcm, timed(text, events, len(pcm)), rate)
        words = tuple(replace(word, began=min(word.began + int(_EARLY * rate), word.ended)) for word in words)
        pcm, words = trimmed(_louder(pcm), words, rate)
        return Clip(line.id, pcm, rate, words)

    def close(self) -> None:
        """Let go of the engine; it stays with the process, since espeak can't be started twice."""
        self._engine = None


def timed(text: str, events: list[tuple[int, int]], length: int) -> tuple[Word, ...]:
    """The words of a text with their times, from (character, sample) pairs for some of them.

    espeak says "of the" or "state-of-the-art" as one: words without an event of their own share the
    time of the one before them, in proportion to their letters.
    """
    places, at = [], 0
    for part in text.split():
        at = text.index(part, at)
        if bare(part):
            places.append((bare(part), at + len(part)))
        at += len(part)
    begins: dict[int, int] = {0: 0}
    for character, sample in events:
        index = next((i for i, (_, ended) in enumerate(places) if character < ended), None)
        if index is not None:
            begins.setdefault(index, sample)
    starts = sorted(begins.items())
    words: list[Word] = []
    for (first, began), (after, ended) in zip(starts, [*starts[1:], (len(places), length)], strict=True):
        words += spread([text for text, _ in places[first:after]], began, max(began, ended))
    if words and events:
        words[0] = replace(words[0], began=min(events[0][1], words[0].ended))
    return tuple(words)


def _louder(pcm: Pcm) -> Pcm:
    louder: Pcm = np.clip(pcm * np.float32(_GAIN), -32768.0, 32767.0).round().astype(np.int16)
    return louder
