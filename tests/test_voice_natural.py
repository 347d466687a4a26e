"""The natural voice: the times of its words, its determinism, its ends."""

import platform
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("hibari", reason="hibari-tts is not installed")

from test_voice_spoken import TABLE
from voice_hearing import ROOT, SENTENCES, heard, matched, model

from host.events import Line
from host.sound import Clip
from host.voices import VoiceError
from host.voices.natural import NaturalVoice, with_output
from host.voices.spoken import spoken, words_of
from host.voices.trimming import LEAD, TAIL, audible


@pytest.fixture(scope="module")
def voice() -> NaturalVoice:
    return NaturalVoice()


@pytest.fixture(scope="module")
def clips(voice: NaturalVoice) -> list[Clip]:
    return [voice.speak(Line("a", text)) for text in SENTENCES]


def test_every_word_is_named_in_its_order(clips: list[Clip]) -> None:
    """A clip's words are the words of the text as it is said, none missing, none added."""
    for clip, text in zip(clips, SENTENCES, strict=True):
        assert tuple(word.text for word in clip.words) == words_of(spoken(text))


@pytest.mark.parametrize("text", [text for text, said in TABLE if said])
def test_every_token_of_the_table_has_its_words(voice: NaturalVoice, text: str) -> None:
    """Whatever is written, the voice's words are exactly those of the spoken text."""
    assert tuple(word.text for word in voice.speak(Line("a", text)).words) == words_of(spoken(text))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.one_of(st.sampled_from([text for text, _ in TABLE]), st.text(max_size=8)), max_size=5))
def test_no_text_is_too_odd(voice: NaturalVoice, tokens: list[str]) -> None:
    """Whatever stands in a text, the voice speaks, and no word is named that isn't said."""
    text = " ".join(tokens)
    clip = voice.speak(Line("a", text))
    said = list(words_of(spoken(text)))
    assert [word.text for word in clip.words] == [word for word in said if word in {w.text for w in clip.words}]
    assert all(a.began <= a.ended <= b.began for a, b in pairwise(clip.words))


@pytest.mark.parametrize("speed", [0.75, 1.0, 1.5])
def test_tts_08_words_sound_when_they_are_said_to(voice: NaturalVoice, speed: float) -> None:
    """TTS-08: of the words that a recogniser aligns, 97 in 100 begin and end within 80 ms of their times."""
    model()
    off = []
    for text in SENTENCES:
        clip = voice.speak(Line("a", text), speed)
        for said, found in matched(clip, heard(clip, SENTENCES)):
            off += [abs(said.began - found.began) / clip.rate, abs(said.ended - found.ended) / clip.rate]
    assert len(off) > 200
    assert np.mean(np.array(off) <= 0.080) >= 0.97


def test_ce_13_the_first_words_end_is_exact(clips: list[Clip]) -> None:
    """CE-13: the first word, after which a statement counts, ends within 60 ms of where a recogniser hears it end."""
    model()
    seen = 0
    for clip in clips:
        for said, found in matched(clip, heard(clip, SENTENCES)):
            if said is clip.words[0]:
                seen += 1
                assert abs(said.ended - found.ended) / clip.rate <= 0.060, clip.words[0]
    assert seen > len(SENTENCES) / 2


def test_words_lie_in_the_clip_and_do_not_overlap(clips: list[Clip]) -> None:
    """Words come one after the other, inside the clip, and each is audible."""
    for clip in clips:
        assert clip.words[0].began >= 0
        assert clip.words[-1].ended <= len(clip.pcm)
        assert all(a.began < a.ended <= b.began for a, b in pairwise(clip.words))
        assert all(np.abs(clip.pcm[word.began : word.ended]).max() > 300 for word in clip.words)


def test_tts_14_every_word_of_a_line_is_in_its_sound(clips: list[Clip]) -> None:
    """TTS-14: with the sentences as its grammar, a recogniser finds more than 95 in 100 words."""
    model()
    found = sum(len(matched(clip, heard(clip, SENTENCES))) for clip in clips)
    assert found / sum(len(clip.words) for clip in clips) > 0.95


def test_tts_14_a_word_cut_out_would_be_missed(clips: list[Clip]) -> None:
    """The test above can fail: of long words cut out of the sound, most are missed by the recogniser."""
    model()
    cut = missed = 0
    for clip in clips[:7]:
        index = max(range(1, len(clip.words) - 1), key=lambda i: clip.words[i].ended - clip.words[i].began)
        word = clip.words[index]
        rest = replace(clip, pcm=np.concatenate([clip.pcm[: word.began], clip.pcm[word.ended :]]))
        cut += 1
        missed += word.text not in [found.text for found in heard(rest, SENTENCES)]
    assert missed / cut > 0.7


def test_tts_17_a_recogniser_understands_it(clips: list[Clip]) -> None:
    """TTS-17: free dictation understands at least 90 in 100 words."""
    model()
    found = sum(len(matched(clip, heard(clip))) for clip in clips)
    assert found / sum(len(clip.words) for clip in clips) >= 0.90


def test_the_same_text_is_the_same_sound(voice: NaturalVoice) -> None:
    """Speech is deterministic, whatever was spoken in between, also in another instance."""
    first = voice.speak(Line("a", SENTENCES[0]), 1.1)
    voice.speak(Line("b", SENTENCES[1]))
    for again in (voice.speak(Line("c", SENTENCES[0]), 1.1), NaturalVoice().speak(Line("d", SENTENCES[0]), 1.1)):
        assert np.array_equal(first.pcm, again.pcm)
        assert first.words == again.words


def test_speed_is_a_factor(voice: NaturalVoice, clips: list[Clip]) -> None:
    """Half the speed takes nearly twice the time, twice the speed about half; beyond is taken as these."""
    normal = sum(len(clip.pcm) for clip in clips)
    slow = sum(len(voice.speak(Line("a", text), 0.5).pcm) for text in SENTENCES)
    fast = sum(len(voice.speak(Line("a", text), 2.0).pcm) for text in SENTENCES)
    assert 1.6 < slow / normal < 2.2
    assert 0.45 < fast / normal < 0.65
    assert np.array_equal(voice.speak(Line("a", "Hello."), 0.1).pcm, voice.speak(Line("a", "Hello."), 0.5).pcm)


def test_a_clip_has_no_silence_of_its_own(clips: list[Clip]) -> None:
    """In front of the first sound lie at most 20 ms, behind the last at most 30 ms, and it is loud enough."""
    for clip in clips:
        frames = np.flatnonzero(audible(clip.pcm, clip.rate))
        assert frames[0] * 0.005 <= LEAD + 0.005
        assert len(clip.pcm) / clip.rate - (frames[-1] + 1) * 0.005 <= TAIL + 0.005
        assert 6_000 < np.abs(clip.pcm).max() < 32_767


def test_a_long_line_is_spoken_in_pieces(voice: NaturalVoice) -> None:
    """A sentence longer than the network takes at once keeps every word and stays in order."""
    text = "and then there was " + "one more green apple that rolled under the kitchen table " * 12
    clip = voice.speak(Line("a", text))
    assert tuple(word.text for word in clip.words) == words_of(text)
    assert all(a.ended <= b.began for a, b in pairwise(clip.words))
    assert len(clip.pcm) / clip.rate > 20


def test_a_shout_does_not_clip(voice: NaturalVoice) -> None:
    """The loudest lines stay below full scale."""
    for text in ("GO!", "Stop!", "Venn! Venn!", "Yes, Red! Five spaces!", "Bravo! Hooray! Blue wins!"):
        assert np.abs(voice.speak(Line("a", text)).pcm).max() < 0.96 * 32767


@pytest.mark.parametrize("text", ["", "...", "🎲", "<br>"])
def test_nothing_to_say_is_an_empty_clip(voice: NaturalVoice, text: str) -> None:
    """A text without a word gives a clip without sound or words."""
    clip = voice.speak(Line("a", text))
    assert (len(clip.pcm), clip.words) == (0, ())


def test_an_output_is_added_as_the_onnx_package_would_add_it() -> None:
    """The bytes appended to a model read as one more output of its graph, by the package made for it."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    helper = onnx.helper
    there = helper.make_tensor_value_info("there", onnx.TensorProto.FLOAT, [1])
    graph = helper.make_graph([helper.make_node("Relu", ["in"], ["there"])], "g", [], [there])
    model_bytes = helper.make_model(graph).SerializeToString()
    read = onnx.load_model_from_string(with_output(model_bytes, "/inner"))
    assert [output.name for output in read.graph.output] == ["there", "/inner"]
    assert len(read.graph.node) == 1


def test_a_missing_package_is_one_clear_line() -> None:
    """Without hibari-tts the error is a VoiceError that names the package."""
    code = "\n".join([
        "import sys", "sys.modules['hibari'] = None", "from host.voices import VoiceError",
        "from host.voices.choose import choose", "try:", "    choose('natural')",
        "except VoiceError as error:", "    print(error)",
    ])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "pip install hibari-tts" in done.stdout
    assert done.stdout.count("\n") == 1


def test_another_version_of_the_network_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network without the durations' node is refused by a VoiceError, not by a traceback."""
    monkeypatch.setattr("host.voices.natural._DURATIONS", "/Nowhere_output_0")
    with pytest.raises(VoiceError, match="word times"):
        NaturalVoice()


def test_nothing_heavy_is_loaded() -> None:
    """The voice brings numpy and onnxruntime into the process, and none of the packages that a Pi can't bear."""
    code = "\n".join([
        "import sys", "from host.events import Line", "from host.voices.choose import choose",
        "assert 'onnxruntime' not in sys.modules and 'hibari' not in sys.modules",
        "choose('natural').speak(Line('a', 'Hello.'))",
        "print([name for name in ('torch', 'onnx', 'vosk', 'pyttsx3', 'sounddevice', 'spacy') if name in sys.modules])",
    ])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


def test_a_closed_voice_says_so() -> None:
    """A closed voice refuses to speak."""
    voice = NaturalVoice()
    voice.close()
    with pytest.raises(VoiceError, match="closed"):
        voice.speak(Line("a", "Hello."))


MEMORY = """
import sys
from pathlib import Path
from host.events import Line
from host.voices.natural import NaturalVoice

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

voice = NaturalVoice()
words = ("the fox jumps over a dog while seven old sailors sing of the sea " * 4).split()
for count in (5, 10, 15):
    voice.speak(Line("a", " ".join(words[:count])))
before = held()
for count in (25, 40, 50, 5):
    voice.speak(Line("a", " ".join(words[:count])))
print(held() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists() or platform.libc_ver()[0] != "glibc",
                    reason="memory is given back by glibc only")
def test_gam_20_the_longest_sentence_does_not_stay_in_memory() -> None:
    """GAM-20: after a sentence of 50 words the process holds hardly more than after one of 15 (it was 80 MB more)."""
    done = subprocess.run([sys.executable, "-c", MEMORY], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout) < 16.0
