"""espeak-ng as a pure synthesiser: what of pyttsx3's faults must never come back (TTS-02 to TTS-23)."""

import gc
import multiprocessing
import shutil
import subprocess
import sys
import threading
import wave
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyttsx3", reason="pyttsx3 is not installed")

from test_voice_spoken import TABLE
from voice_hearing import ROOT, SENTENCES, heard, matched, model

from host import lines
from host.events import Line
from host.voices import espeak
from host.voices.espeak import EspeakVoice, timed
from host.voices.spoken import spoken, words_of
from host.voices.trimming import LEAD, TAIL, audible

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="espeak is the voice on Linux only")


@pytest.fixture(scope="module")
def voice() -> EspeakVoice:
    return EspeakVoice()


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run a piece of Python in a process of its own, in the project."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)


def test_tts_02_05_06_23_nothing_is_played_written_or_started() -> None:
    """TTS-02, 05, 06, 23: no process, shell or connection is ever started, and speaking writes no file."""
    done = run("""
import sys
from host.events import Line
from host.voices.espeak import EspeakVoice
speaking = False
def watch(event, args):
    if event in ("subprocess.Popen", "os.system", "os.fork", "os.posix_spawn", "os.exec", "socket.connect"):
        raise SystemExit(f"forbidden: {event} {args}")
    if speaking and event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        raise SystemExit(f"written: {args}")
sys.addaudithook(watch)
voice = EspeakVoice()
speaking = True
clips = [voice.speak(Line("a", "Nobody has said the answer yet.")) for _ in range(3)]
assert all(len(clip.pcm) > 20_000 for clip in clips)
assert "pyttsx3.drivers.espeak" not in sys.modules, "the player has been imported"
""")
    assert (done.returncode, done.stderr) == (0, "")


def test_tts_03_several_lines_are_all_spoken_in_their_order(voice: EspeakVoice) -> None:
    """TTS-03: each of several lines becomes its own clip with its own words."""
    lines = [Line(f"line{i}", text) for i, text in enumerate(SENTENCES)]
    clips = [voice.speak(line) for line in lines]
    assert [clip.line for clip in clips] == [line.id for line in lines]
    assert [tuple(word.text for word in clip.words) for clip in clips] == [words_of(spoken(t)) for t in SENTENCES]
    assert len({clip.pcm.tobytes() for clip in clips}) == len(clips)


def test_tts_06_the_same_line_is_the_same_sound_whatever_came_between(voice: EspeakVoice) -> None:
    """TTS-06: a clip does not depend on what was spoken before it."""
    first = voice.speak(Line("a", SENTENCES[0]))
    voice.speak(Line("b", SENTENCES[1]), 2.0)
    again = voice.speak(Line("a", SENTENCES[0]))
    assert np.array_equal(first.pcm, again.pcm)
    assert first.words == again.words


def host_lines() -> list[str]:
    """Everything in host/lines.py, with a name in every place."""
    keys = [*lines.TABLE.values(), *lines.CLEVER.values(), *lines.VENN.values()]
    return [wording.format_map(defaultdict(lambda: "Anna")) for wordings in keys for wording in wordings]


def test_whatever_the_host_says_has_its_words(voice: EspeakVoice) -> None:
    """Every line of the host is spoken with all its words, each lasting a while and none before the other."""
    for text in host_lines():
        clip = voice.speak(Line("a", text))
        assert tuple(word.text for word in clip.words) == words_of(spoken(text)), text
        assert all(word.began < word.ended for word in clip.words), text
        assert all(a.ended <= b.began for a, b in pairwise(clip.words)), text


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(st.sampled_from([text for text, _ in TABLE]), st.text(max_size=8)), max_size=6))
def test_no_text_is_too_odd(voice: EspeakVoice, tokens: list[str]) -> None:
    """Whatever stands in a text, the clip's words are those of the text as it is said, in order."""
    text = " ".join(tokens)
    clip = voice.speak(Line("a", text))
    assert tuple(word.text for word in clip.words) == words_of(spoken(text))
    assert all(a.began <= a.ended <= b.began for a, b in pairwise(clip.words))


@pytest.mark.parametrize("speed", [0.75, 1.0, 1.5])
def test_tts_08_words_sound_when_they_are_said_to(voice: EspeakVoice, speed: float) -> None:
    """TTS-08: of the words that a recogniser aligns, 95 in 100 begin and end within 80 ms of their times."""
    model()
    off = []
    for text in SENTENCES:
        clip = voice.speak(Line("a", text), speed)
        for said, found in matched(clip, heard(clip, SENTENCES)):
            off += [abs(said.began - found.began) / clip.rate, abs(said.ended - found.ended) / clip.rate]
    assert len(off) > 200
    assert np.mean(np.array(off) <= 0.080) >= 0.95


def test_tts_08_words_follow_one_another(voice: EspeakVoice) -> None:
    """TTS-08: words come in their order, do not overlap, lie inside the clip, and each is audible."""
    for text in SENTENCES:
        clip = voice.speak(Line("a", text))
        edges = [at for word in clip.words for at in (word.began, word.ended)]
        assert edges == sorted(edges)
        assert edges[0] >= 0
        assert edges[-1] <= len(clip.pcm)
        assert all(np.abs(clip.pcm[word.began : word.ended]).max(initial=0) > 300 for word in clip.words)


def test_tts_11_a_missing_library_is_one_clear_line() -> None:
    """TTS-11: without espeak-ng the error is a VoiceError of one sentence that says what to install."""
    done = run("""
import ctypes, sys
def missing(*_, **__):
    raise OSError("cannot open shared object file")
ctypes.cdll.LoadLibrary = missing
sys.modules["espeakng_loader"] = None
from host.voices import VoiceError
from host.voices.choose import choose
try:
    choose("pyttsx3")
except VoiceError as error:
    print(error)
""")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert "pip install espeakng-loader" in done.stdout


def test_tts_12_a_dropped_voice_leaves_the_engine_whole() -> None:
    """TTS-12: a voice made in a function, dropped and collected leaves no dangling callback behind."""
    done = run("""
import gc
from host.events import Line
from host.voices.espeak import EspeakVoice
def once():
    return EspeakVoice().speak(Line("a", "My best friend is a match.")).pcm
first = once()
for _ in range(20):
    gc.collect()
    assert (once() == first).all()
""")
    assert (done.returncode, done.stderr) == (0, "")


def test_two_threads_at_once_are_refused(voice: EspeakVoice, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second thread that speaks while the first does gets one clear error instead of a crash."""
    engine = voice._engine
    assert engine is not None
    errors: list[str] = []
    layer = engine._layer

    def second() -> None:
        try:
            voice.speak(Line("b", "Second."))
        except RuntimeError as error:
            errors.append(str(error))

    def slow(*args: Any, **options: Any) -> int:
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        return int(layer.Synth(*args, **options))

    slow_layer = SimpleNamespace(Synth=slow, SetParameter=layer.SetParameter, RATE=layer.RATE, EE_OK=layer.EE_OK,
                                 CHARS_UTF8=layer.CHARS_UTF8, EVENT_WORD=layer.EVENT_WORD,
                                 EVENT_LIST_TERMINATED=layer.EVENT_LIST_TERMINATED)
    monkeypatch.setattr(engine, "_layer", slow_layer)
    clip = voice.speak(Line("a", "First."))
    assert [word.text for word in clip.words] == ["first"]
    assert len(errors) == 1
    assert "one thread" in errors[0]


def test_threads_in_turn_are_served(voice: EspeakVoice) -> None:
    """A voice may pass from one thread to another, so long as one waits for the other."""
    here = voice.speak(Line("a", SENTENCES[2])).pcm
    there: list[Any] = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: there.append(voice.speak(Line("a", SENTENCES[2])).pcm))
        thread.start()
        thread.join()
    assert all(np.array_equal(here, pcm) for pcm in there)


def speak_in_child(queue: Any) -> None:
    try:
        EspeakVoice().speak(Line("a", "Hello."))
    except RuntimeError as error:
        queue.put(str(error))
    else:
        queue.put("spoke")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_gets_a_clear_error(voice: EspeakVoice) -> None:
    """After a fork the engine would hang: the child is told to be started by spawn."""
    assert voice.name
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=speak_in_child, args=(queue,))
    child.start()
    said = queue.get(timeout=20)
    child.join(20)
    assert "fork" in said


def test_tts_14_every_word_of_a_line_is_in_its_sound(voice: EspeakVoice) -> None:
    """TTS-14: with the sentences as its grammar, a recogniser finds more than 95 in 100 words."""
    model()
    clips = [voice.speak(Line("a", text)) for text in SENTENCES]
    found = sum(len(matched(clip, heard(clip, SENTENCES))) for clip in clips)
    assert found / sum(len(clip.words) for clip in clips) > 0.95


def test_tts_14_the_length_is_that_of_the_command_line_program(voice: EspeakVoice, tmp_path: Path) -> None:
    """TTS-14: untrimmed, a line is as long as espeak-ng's own program makes it, within 1 %."""
    program = shutil.which("espeak-ng")
    if program is None:
        pytest.skip("espeak-ng's program is not installed")
    assert voice._engine is not None
    text = spoken(SENTENCES[3])
    path = tmp_path / "line.wav"
    subprocess.run([program, "-v", "en-us", "-s", "160", "-z", "-w", str(path), text], check=True)
    with wave.open(str(path)) as file:
        expected = file.getnframes() / file.getframerate()
    pcm, _ = voice._engine.synthesise(text, 160)
    assert len(pcm) / voice._engine.rate == pytest.approx(expected, rel=0.01)


def test_tts_17_a_recogniser_understands_the_robot(voice: EspeakVoice) -> None:
    """TTS-17: at 160 words a minute free dictation understands at least 85 in 100 words."""
    model()
    clips = [voice.speak(Line("a", text)) for text in SENTENCES]
    found = sum(len(matched(clip, heard(clip))) for clip in clips)
    assert found / sum(len(clip.words) for clip in clips) >= 0.85


def test_tts_18_the_rate_is_the_engines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """TTS-18: a clip carries the rate that espeak tells when it starts, not an assumed one."""
    layer = SimpleNamespace(
        AUDIO_OUTPUT_SYNCHRONOUS=2, EE_OK=0, RATE=1, CHARS_UTF8=1, Initialize=lambda *_: 16_000,
        SetSynthCallback=lambda _: None, SetVoiceByName=lambda _: 0, Info=lambda _: b"1.0 test",
        SetParameter=lambda *_: 0, Synth=lambda *_, **__: 0,
    )
    monkeypatch.setattr(espeak, "_library", lambda: (layer, None))
    monkeypatch.setattr(espeak, "_engine", [])
    assert EspeakVoice().speak(Line("a", "Hello.")).rate == 16_000


def test_tts_21_a_blank_is_said(voice: EspeakVoice) -> None:
    """TTS-21: "____" sounds as "blank"."""
    clip = voice.speak(Line("a", "It was ____ who did it."))
    blank = clip.words[2]
    assert blank.text == "blank"
    assert blank.ended - blank.began > 0.15 * clip.rate


@pytest.mark.parametrize(("slow", "fast"), [(0.5, 1.0), (1.0, 2.0)])
def test_speed_is_a_factor(voice: EspeakVoice, slow: float, fast: float) -> None:
    """Twice the speed takes about half the time."""
    lengths = [sum(len(voice.speak(Line("a", text), speed).pcm) for text in SENTENCES) for speed in (slow, fast)]
    assert 1.6 < lengths[0] / lengths[1] < 2.4


def test_a_speed_out_of_bounds_is_taken_as_the_nearest(voice: EspeakVoice) -> None:
    """Speeds beyond 0.5 and 2.0 speak as these."""
    assert np.array_equal(voice.speak(Line("a", "Hello."), 9.0).pcm, voice.speak(Line("a", "Hello."), 2.0).pcm)


def test_a_clip_has_no_silence_of_its_own(voice: EspeakVoice) -> None:
    """In front of the first sound lie at most 20 ms, behind the last at most 30 ms."""
    for text in SENTENCES:
        clip = voice.speak(Line("a", text))
        frames = np.flatnonzero(audible(clip.pcm, clip.rate))
        assert frames[0] * 0.005 <= LEAD + 0.005
        assert len(clip.pcm) / clip.rate - (frames[-1] + 1) * 0.005 <= TAIL + 0.005


@pytest.mark.parametrize("text", ["", "...", "🎲", "<br>"])
def test_nothing_to_say_is_an_empty_clip(voice: EspeakVoice, text: str) -> None:
    """A text without a word gives a clip without sound or words."""
    clip = voice.speak(Line("a", text))
    assert (len(clip.pcm), clip.words) == (0, ())


@pytest.mark.parametrize(("text", "events", "words"), [
    ("one two", [(0, 0), (4, 500)], [("one", 0, 500), ("two", 500, 1000)]),
    ("of the king", [(0, 100), (7, 800)], [("of", 100, 342), ("the", 400, 800), ("king", 800, 1000)]),
    ("a - b", [(0, 0), (4, 500)], [("a", 0, 500), ("b", 500, 1000)]),
    ("no events", [], [("no", 0, 300), ("events", 300, 1000)]),
])
def test_words_without_events_share_the_time(text: str, events: list[tuple[int, int]],
                                             words: list[tuple[str, int, int]]) -> None:
    """Every word gets a time, also those that espeak reads together with the one before."""
    found = timed(text, events, 1000)
    assert [word.text for word in found] == [word for word, _, _ in words]
    assert found[0].began == words[0][1]
    assert found[-1].ended == 1000
    assert all(a.ended <= b.began for a, b in pairwise(found))


def test_a_closed_voice_says_so(voice: EspeakVoice) -> None:
    """A closed voice refuses to speak; others go on."""
    other = EspeakVoice()
    other.close()
    gc.collect()
    with pytest.raises(espeak.VoiceError, match="closed"):
        other.speak(Line("a", "Hello."))
    assert len(voice.speak(Line("a", "Hello.")).pcm) > 0
