"""Which voice is chosen, the silent voice, and the platform's voice with a stand-in for its engine."""

import json
import sys
import time
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from host.clock import RATE
from host.events import Line
from host.sound import Clip
from host.voices import Voice, VoiceError, choose
from host.voices.cached import CachedVoice
from host.voices.rendered import RenderedVoice
from host.voices.silent import SilentVoice
from host.voices.spoken import words_of
from host.voices.trimming import LEAD, TAIL


class Named:
    """A voice that only has a name and one second to say."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines = 0

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        self.lines += 1
        return Clip(line.id, np.zeros(RATE, np.int16), RATE)

    def close(self) -> None:
        """Nothing."""


class Clock:
    """A clock that goes on by a fixed step at every look."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def makers(monkeypatch: pytest.MonkeyPatch, natural: bool, pyttsx3: bool, factor: float) -> None:
    def maker(name: str, there: bool) -> Any:
        def make() -> Voice:
            if not there:
                raise VoiceError(f"no {name}")
            return Named(name)
        return make

    monkeypatch.setattr(choose, "_natural", maker("natural", natural))
    monkeypatch.setattr(choose, "_pyttsx3", maker("pyttsx3", pyttsx3))
    monkeypatch.setattr(choose, "speed_here", lambda *_: factor)


@pytest.mark.parametrize(("natural", "pyttsx3", "factor", "chosen"), [
    (True, True, 100.0, "natural"), (True, True, 5.0, "natural"), (True, True, 4.9, "pyttsx3"),
    (False, True, 0.0, "pyttsx3"), (True, False, 1.0, "natural"), (True, False, 100.0, "natural"),
])
def test_the_natural_voice_is_preferred_where_it_is_fast(
    monkeypatch: pytest.MonkeyPatch, natural: bool, pyttsx3: bool, factor: float, chosen: str
) -> None:
    """Natural from five times real time on, else pyttsx3, else natural all the same."""
    makers(monkeypatch, natural, pyttsx3, factor)
    assert choose.choose().name == chosen


def test_no_voice_at_all_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no voice the error says what to install."""
    makers(monkeypatch, natural=False, pyttsx3=False, factor=0.0)
    with pytest.raises(VoiceError, match="pip install hibari-tts"):
        choose.choose()


def test_an_unknown_voice_is_one_clear_line() -> None:
    """A name that is no voice's lists those there are."""
    with pytest.raises(VoiceError, match="natural, pyttsx3, silent"):
        choose.choose("robot")


@pytest.mark.parametrize("name", ["natural", "pyttsx3"])
def test_a_voice_asked_for_is_not_measured(monkeypatch: pytest.MonkeyPatch, name: str, tmp_path: Path) -> None:
    """`--voice` is obeyed, however slow, and its clips are cached."""
    makers(monkeypatch, natural=True, pyttsx3=True, factor=0.1)
    voice = choose.choose(name, tmp_path)
    assert voice.name == name
    assert isinstance(voice, CachedVoice)


def test_speed_is_measured_once_and_remembered(tmp_path: Path) -> None:
    """The measured factor is kept in the cache, so the next start takes no time for it."""
    voice = Named("a")
    assert choose.speed_here(voice, tmp_path, Clock(0.1)) == pytest.approx(10.0)
    lines = voice.lines
    assert choose.speed_here(voice, tmp_path, Clock(9.0)) == pytest.approx(10.0)
    assert voice.lines == lines
    assert choose.speed_here(Named("b"), tmp_path, Clock(0.5)) == pytest.approx(2.0)
    assert len(json.loads((tmp_path / "speed.json").read_text())) == 2


@pytest.mark.parametrize("content", ["", "[1, 2]", "{\"a\": \"fast\"}", "{torn"])
def test_a_damaged_memory_of_speed_is_measured_again(tmp_path: Path, content: str) -> None:
    """Nonsense in the file is ignored and replaced."""
    (tmp_path / "speed.json").write_text(content)
    assert choose.speed_here(Named("a"), tmp_path, Clock(0.1)) == pytest.approx(10.0)
    assert choose.speed_here(Named("a"), tmp_path, Clock(9.0)) == pytest.approx(10.0)


def test_a_cache_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    """Without a place to remember, the speed is simply measured."""
    (tmp_path / "taken").write_text("")
    assert choose.speed_here(Named("a"), tmp_path / "taken", Clock(0.1)) == pytest.approx(10.0)


def test_silence_lasts_as_long_as_speech() -> None:
    """The silent voice: 150 words a minute, words in order, silent, shorter when faster."""
    text = "one two three four five six seven eight nine ten"
    clip = SilentVoice().speak(Line("a", text))
    assert tuple(word.text for word in clip.words) == words_of(text)
    assert len(clip.pcm) / clip.rate == pytest.approx(10 * 60 / 150, abs=0.06)
    assert not clip.pcm.any()
    assert clip.words[0].began == 0
    assert clip.words[-1].ended == len(clip.pcm)
    assert all(a.ended < b.began for a, b in zip(clip.words, clip.words[1:], strict=False))
    assert len(SilentVoice().speak(Line("a", text), 2.0).pcm) * 2 == pytest.approx(len(clip.pcm), abs=2)
    assert len(SilentVoice().speak(Line("a", "One. Two.")).pcm) > len(SilentVoice().speak(Line("a", "One two")).pcm)
    assert len(SilentVoice().speak(Line("a", "...")).pcm) == 0


class Engine:
    """A stand-in for pyttsx3 on a platform that renders to a file: half a second of tone between silences."""

    def __init__(self, rate: int = 16_000, sound: bool = True, writes: bool = True) -> None:
        self.rate, self.sound, self.writes = rate, sound, writes
        self.properties: dict[str, Any] = {}
        self.jobs: list[tuple[str, str]] = []

    def getProperty(self, name: str) -> str:  # noqa: N802 - pyttsx3's name
        return f"the {name}"

    def setProperty(self, name: str, value: Any) -> None:  # noqa: N802 - pyttsx3's name
        self.properties[name] = value

    def save_to_file(self, text: str, path: str) -> None:
        self.jobs.append((text, path))

    def runAndWait(self) -> None:  # noqa: N802 - pyttsx3's name
        quiet = np.zeros(self.rate, np.int16)
        tone = (9000 * np.sin(np.arange(self.rate // 2) * 0.2)).astype(np.int16)
        if self.writes:
            with wave.open(self.jobs[-1][1], "wb") as file:
                file.setparams((1, 2, self.rate, 0, "NONE", ""))
                file.writeframes(np.concatenate([quiet, tone if self.sound else quiet, quiet]).tobytes())


def test_tts_06_09_the_platforms_voice_is_read_back_from_a_new_file_each_time() -> None:
    """TTS-06, TTS-09: every line gets a file of its own, gone afterwards; no callback is needed for word times."""
    pytest.importorskip("soundfile", reason="soundfile is not installed")
    engine = Engine()
    voice = RenderedVoice(lambda: engine)
    clips = [voice.speak(Line("a", text), 1.5) for text in ("In 1938.", "Another line.")]
    assert [text for text, _ in engine.jobs] == ["In nineteen thirty eight.", "Another line."]
    assert len({path for _, path in engine.jobs}) == 2
    assert not any(Path(path).exists() for _, path in engine.jobs)
    assert engine.properties["rate"] == 240
    assert [word.text for word in clips[0].words] == ["in", "nineteen", "thirty", "eight"]
    assert clips[0].rate == 16_000
    assert 0.5 <= len(clips[0].pcm) / clips[0].rate <= 0.5 + LEAD + TAIL + 0.02


@pytest.mark.parametrize("engine", [Engine(writes=False), Engine(sound=False)], ids=["no file", "silence"])
def test_a_platform_without_sound_is_one_clear_line(engine: Engine) -> None:
    """No file, or nothing in it, is a VoiceError."""
    pytest.importorskip("soundfile", reason="soundfile is not installed")
    with pytest.raises(VoiceError, match="--voice natural"):
        RenderedVoice(lambda: engine).speak(Line("a", "Hello."))


def test_a_platform_without_a_voice_falls_back_to_espeak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Off Linux the platform's voice comes first, and espeak-ng where it can't be started."""
    pytest.importorskip("pyttsx3", reason="pyttsx3 is not installed")
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("host.voices.rendered.RenderedVoice.__init__.__defaults__", (lambda: Engine(),))
    assert choose.choose("pyttsx3").name.startswith("pyttsx3-")

    def missing() -> Any:
        raise RuntimeError("no driver")

    monkeypatch.setattr("host.voices.rendered.RenderedVoice.__init__.__defaults__", (missing,))
    assert choose.choose("pyttsx3").name.startswith("espeak-")


def test_a_busy_machine_does_not_decide_which_voice_speaks(tmp_path: Path) -> None:
    """The speed is that of computing: a voice that only waits for the processor is not called slow."""

    class Waiting(Named):
        def speak(self, line: Line, speed: float = 1.0) -> Clip:
            time.sleep(0.05)
            return super().speak(line, speed)

    assert choose.speed_here(Waiting("a"), tmp_path) > 1 / 0.05
