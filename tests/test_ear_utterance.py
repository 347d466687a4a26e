"""When an utterance begins and ends, what becomes of its words; with an engine and a net that do as they are told."""

import itertools
import threading

import numpy as np
import pytest
from ear_clips import StubEngine, check_protocol, finals, hear, hiss
from hypothesis import given, settings
from hypothesis import strategies as st

from host.clock import BLOCK
from host.ears.asked import Speller
from host.ears.detector import SpeechDetector
from host.ears.opinion import EMPTY, UNSURE, fuller
from host.ears.vosk import LONGEST, PRE_ROLL, SHORT, VoskEar
from host.events import Heard, Listens, Speaking, Word
from host.sound import Cleaned

LOUD = -20.0


def loud_is_speech(samples) -> float:
    """A net for which whatever is loud is speech."""
    return 1.0 if np.mean(np.square(samples)) > 10 ** (-35 / 10) else 0.0


def make(engine: StubEngine, *phrases: str, complete: tuple[str, ...] = (), **options) -> VoskEar:
    return VoskEar(engine, Listens(phrases, complete), detector=SpeechDetector(voicing=(loud_is_speech, lambda: None)),
                   **options)


def sound(*parts: tuple[float, float]) -> np.ndarray:
    """(seconds, dBFS) in a row."""
    return np.concatenate([hiss(round(seconds * 16_000), loud, seed) for seed, (seconds, loud) in enumerate(parts)])


def word(text: str, began: float = 0.5, ended: float = 0.9, confidence: float = 1.0) -> Word:
    return Word(text, round(began * 16_000), round(ended * 16_000), confidence)


def test_an_utterance_ends_after_the_patience_and_keeps_what_came_before_it() -> None:
    """0.4 s of pre-roll are decoded, 0.7 s of silence end it, times count from the session's first sample."""
    engine = StubEngine("blue")
    engine.partial = lambda r: "blue" if len(r.fed) > 20_000 else ""
    engine.final = lambda r: (word("blue", 0.45, 0.8),) if r.phrases is not None else ()
    events = [event for event in hear(make(engine, "blue"), sound((2.0, -70), (0.5, LOUD), (2.0, -70)), start=48_000)
              if isinstance(event, Speaking) or event.final]
    check_protocol(events)
    speaking, heard = events
    assert speaking.began == pytest.approx(48_000 + 32_000, abs=160)
    assert speaking.at - speaking.began <= 1_600
    first = speaking.began - PRE_ROLL
    assert heard.words == (Word("blue", first + 7_200, first + 12_800, 1.0),)
    assert heard.began == speaking.began
    assert heard.at - (48_000 + 40_000) == pytest.approx(11_200, abs=1_000)
    fed = len(engine.made[0].fed) // 2
    assert fed == heard.at - first
    assert engine.made[0].fed == engine.made[1].fed


@pytest.mark.parametrize(("partial", "final", "silence"), [
    ("stop", "stop", SHORT), ("stop", "stop sign", 11_200), ("stop sign", "stop sign", 11_200), ("", "stop", EMPTY),
])
def test_a_complete_phrase_ends_sooner(partial: str, final: str, silence: int) -> None:
    """KEY-10: after 0.3 s of silence where the whole utterance is a complete phrase, else decoding goes on."""
    engine = StubEngine("stop sign")
    engine.partial = lambda r: partial if len(r.fed) > 20_000 else ""
    engine.final = lambda r: tuple(word(text) for text in final.split())
    ear = make(engine, "stop", "stop sign", complete=("stop",))
    events = hear(ear, sound((1.0, -70), (0.6, LOUD), (2.0, -70)))
    check_protocol(events)
    (heard,) = finals(events)
    assert heard.text == final
    assert heard.at - 25_600 == pytest.approx(silence, abs=1_100)


def test_babble_is_closed_after_eight_seconds_and_goes_on_without_a_gap() -> None:
    """REC-14: the parts join to the sample, cut where it was quietest, and no word is heard twice."""
    engine = StubEngine("word")
    engine.final = lambda r: tuple(word("word", t, t + 0.3) for t in np.arange(0.1, len(r.fed) / 32_000 - 0.4, 0.5))
    talk = sound((1.0, -70), *[(0.45, LOUD), (0.05, -70)] * 40, (2.0, -70))
    events = hear(make(engine, "word"), talk)
    check_protocol(events)
    heard = finals(events)
    assert len(heard) == 3
    for before, after in itertools.pairwise(heard):
        assert before.ended == after.began
        assert all((w.began + w.ended) // 2 < before.ended for w in before.words)
        assert abs(before.ended % 8_000) < 1_600 or abs(before.ended % 8_000) > 6_400
    assert all(event.at - event.began <= LONGEST + 1_600 for event in heard)
    grammars = [r for r in engine.made if r.phrases is not None]
    whole = talk.astype("<i2").tobytes()
    position = whole.find(grammars[0].fed)
    for recogniser, event in zip(grammars[1:], heard[:-1], strict=True):
        assert whole.find(recogniser.fed) == 2 * event.ended
    assert position >= 0


@pytest.mark.parametrize(("final", "partial", "wanted"), [
    ("", "danube", [("danube", UNSURE)]),
    ("blue", "blue danube", [("blue", 1.0), ("danube", UNSURE)]),
    ("danube", "blue danube", [("blue", UNSURE), ("danube", 1.0)]),
    ("blue danube", "blue", [("blue", 1.0), ("danube", 1.0)]),
    ("red", "blue danube", [("red", 1.0)]),
    ("[unk]", "blue danube", [("[unk]", 1.0)]),
    ("", "[unk]", []),
    ("", "", []),
])
def test_a_final_that_lost_words_gets_them_back_unsure(final: str, partial: str, wanted) -> None:
    """REC-10: the last partial's words stay as candidates; words that were revised do not."""
    got = fuller(tuple(map(word, final.split())), tuple(map(word, partial.split())))
    assert [(w.text, w.confidence) for w in got] == wanted


def test_partials_come_where_the_text_changed_and_words_keep_their_time() -> None:
    """KEY-12, REC-31: one partial a change; a word that stays keeps its sample; the final comes once."""
    engine = StubEngine("blue danube")

    def partial(recogniser) -> str:
        seconds = len(recogniser.fed) / 32_000
        return "" if seconds < 0.8 else "blue" if seconds < 1.2 else "blue danube"

    engine.partial = partial
    engine.final = lambda r: tuple(map(word, ("blue", "danube")))
    events = hear(make(engine, "blue danube"), sound((1.0, -70), (1.5, LOUD), (2.0, -70)))
    check_protocol(events)
    partials = [event for event in events if isinstance(event, Heard) and not event.final]
    assert [event.text for event in partials] == ["blue", "blue danube"]
    first, second = partials[1].words
    assert first == partials[0].words[0]
    assert second.began > first.began
    assert all(w.began <= event.at for event in partials for w in event.words)
    assert len(finals(events)) == 1


def test_new_phrases_reach_a_running_utterance_whole() -> None:
    """REC-05: a grammar set in mid-word holds from the next block on, for all that was said since the onset."""
    engine = StubEngine("blue red")
    ear = make(engine, "blue")
    pcm = sound((1.0, -70), (1.0, LOUD), (2.0, -70))
    half = 48 * 480
    events = hear(ear, pcm[:half])
    ear.listen(Listens(("red",)))
    events += hear(ear, pcm[half:], start=half)
    check_protocol(events)
    old, _, new = engine.made
    assert (old.phrases, new.phrases) == (("blue",), ("red",))
    assert not old.finished
    assert new.fed.startswith(old.fed)
    assert new.fed == engine.made[1].fed


def test_the_same_phrases_again_change_nothing() -> None:
    """Whatever is asked for anew with the same words costs nothing."""
    engine = StubEngine("blue")
    ear = make(engine, "blue")
    pcm = sound((1.0, -70), (1.0, LOUD))
    hear(ear, pcm[:24_000])
    made = len(engine.made)
    ear.listen(Listens(("blue",), ("blue",)))
    hear(ear, pcm[24_000:], start=24_000)
    assert len(engine.made) == made


def test_no_word_is_dropped_in_silence() -> None:
    """REC-01: a phrase with an unknown word is left out whole and told once, with the words that are unknown."""
    told = []
    engine = StubEngine("doctor blue zoë cafe ac dc and")
    phrases = ("doctor vinceneux", "blue", "Zoë's", "Café", "zoë", "AC/DC")
    ear = make(engine, *phrases, on_missing=lambda *what: told.append(what))
    assert ear.missing == {"doctor vinceneux": ("vinceneux",), "Zoë's": ("zoe's",)}
    assert told == list(ear.missing.items())
    ear.listen(Listens(("doctor vinceneux",)))
    hear(ear, sound((1.0, -70), (0.5, LOUD)))
    assert len(told) == 2
    assert engine.made[0].phrases == ()


def test_tokens_are_spelt_as_the_model_knows_them() -> None:
    """REC-04: with its accent where the model has the word so, else without."""
    speller = Speller(StubEngine("zoë cafe").knows)
    assert [speller.spelt(phrase)[0] for phrase in ("Zoë", "CAFÉ")] == ["zoë", "cafe"]


def test_silence_is_no_event() -> None:
    """REC-13: a minute of digital silence, and one of hiss, are nothing at all."""
    engine = StubEngine("blue")
    ear = make(engine, "blue")
    assert hear(ear, np.zeros(60 * 16_000, np.int16)) == []
    assert hear(ear, hiss(60 * 16_000, -60), start=60 * 16_000) == []
    assert engine.made == []


@pytest.mark.parametrize(("gap", "utterances"), [(0.2, 1), (1.0, 2)])
def test_samples_that_were_lost(gap: float, utterances: int) -> None:
    """A short gap is silence within the utterance, a long one ends it; time goes on either way."""
    engine = StubEngine("blue")
    ear = make(engine, "blue")
    first = sound((1.0, -70), (0.5, LOUD))
    later = len(first) + round(gap * 16_000)
    events = hear(ear, first) + hear(ear, sound((0.5, LOUD), (2.0, -70)), start=later)
    check_protocol(events)
    assert len(finals(events)) == utterances
    assert finals(events)[-1].ended == pytest.approx(later + 8_000, abs=600)


def test_the_end_of_a_recording_ends_the_utterance() -> None:
    """Who is still speaking when the sound ends is heard, once."""
    engine = StubEngine("blue")
    engine.final = lambda r: (word("blue"),)
    ear = make(engine, "blue")
    events = hear(ear, sound((1.0, -70), (1.0, LOUD)))
    events += ear.end()
    check_protocol(events)
    assert finals(events)[0].text == "blue"
    assert ear.end() == []
    ear.close()
    with pytest.raises(RuntimeError, match="closed"):
        ear.hear(Cleaned(0, np.zeros(BLOCK, np.int16)))


@pytest.mark.parametrize("pcm", [
    np.zeros((2, BLOCK), np.int16), np.zeros(BLOCK, np.float32), np.zeros(BLOCK, np.int32), memoryview(bytes(960)),
    bytes(960),
])
def test_sound_of_another_form_is_refused(pcm) -> None:
    """REC-16: stereo, float and raw buffers are one clear sentence, never an error from the library."""
    with pytest.raises(ValueError, match="16-bit mono"):
        make(StubEngine()).hear(Cleaned(0, pcm))


def test_big_endian_samples_are_turned_round() -> None:
    """REC-16: int16 of the other byte order reaches the recogniser right."""
    engine = StubEngine()
    pcm = sound((1.0, -70), (0.5, LOUD))
    hear(make(engine), pcm.astype(">i2"))
    assert engine.made[0].fed in pcm.astype("<i2").tobytes()


def test_an_ear_belongs_to_one_thread() -> None:
    """REC-17: a second thread is refused; `listen` may come from any, at any time."""
    engine = StubEngine("blue")
    ear = make(engine, "blue")
    hear(ear, hiss(480))
    failed = []

    def intrude() -> None:
        ear.listen(Listens(("blue",)))
        try:
            ear.hear(Cleaned(480, np.zeros(BLOCK, np.int16)))
        except RuntimeError as error:
            failed.append(error)

    thread = threading.Thread(target=intrude)
    thread.start()
    thread.join()
    assert "thread" in str(failed[0])


@pytest.mark.parametrize(("residue", "host_words", "kept"), [
    (-120.0, ("danube",), True),
    (-26.0, ("danube",), False),
    (-26.0, ("tower",), True),
    (-35.0, ("danube",), True),
])
def test_words_that_the_host_is_saying_are_masked(residue: float, host_words, kept: bool) -> None:
    """KEY-04, BAR-05, BAR-15: a word counts if the host is not saying it, or if it is 10 dB above the residue."""
    engine = StubEngine("danube")
    engine.final = lambda r: (word("danube", 0.5, 0.9),)
    ear = make(engine, "danube")
    pcm = sound((1.0, -70), (1.0, -19.5), (2.0, -70))
    events = []
    for at in range(0, len(pcm) - 479, 480):
        host = (residue, host_words) if at < 34_000 else ()
        events += ear.hear(Cleaned(at, pcm[at : at + 480], *host))
    check_protocol(events)
    assert [w.text for w in finals(events)[0].words] == (["danube"] if kept else [])
    assert [w.text for w in finals(events)[0].dictation] == (["danube"] if kept else [])


def test_a_word_that_the_host_said_a_second_before_counts() -> None:
    """BAR-05: the words are compared moment by moment, not as a bag."""
    engine = StubEngine("stop")
    engine.final = lambda r: (word("stop", 0.5, 0.9),)
    ear = make(engine, "stop")
    pcm = sound((2.0, -70), (1.0, LOUD), (2.0, -70))
    events = []
    for at in range(0, len(pcm) - 479, 480):
        host = (-26.0, ("stop",) if at < 16_000 else ()) if at < 48_000 else ()
        events += ear.hear(Cleaned(at, pcm[at : at + 480], *host))
    assert finals(events)[0].text == "stop"


steps = st.lists(st.one_of(
    st.tuples(st.just("sound"), st.floats(0.05, 3.0), st.sampled_from([-70.0, -20.0])),
    st.tuples(st.just("gap"), st.floats(0.01, 1.5), st.just(0.0)),
    st.tuples(st.just("listen"), st.just(0.0), st.sampled_from([0.0, 1.0, 2.0])),
), max_size=12)


@settings(max_examples=60, deadline=None)
@given(steps)
def test_whatever_happens_every_utterance_has_one_final(plan) -> None:
    """Speech, silence, gaps and new phrases in any order keep the protocol, and no sample is decoded twice."""
    engine = StubEngine("a b c")
    engine.partial = lambda r: "a" if len(r.fed) > 32_000 else ""
    engine.final = lambda r: (word("a", 0, 0.2),) if len(r.fed) > 30_000 else ()
    ear = make(engine, "a", complete=("a",))
    events, at = [], 0
    for what, length, value in plan:
        count = round(length * 16_000) // 480 * 480
        if what == "sound":
            events += hear(ear, hiss(count, value), start=at)
            at += count
        elif what == "gap":
            at += round(length * 16_000)
        else:
            ear.listen(Listens(("abc"[int(value)],), ("a",)))
    events += ear.end()
    check_protocol(events)
    spoken = [event for event in events if isinstance(event, Speaking)]
    assert all(after.began >= before.began for before, after in itertools.pairwise(spoken))


@pytest.mark.parametrize(("grammar", "dictation", "waits"), [
    ("it's", "it is", 3.0), ("[unk]", "it's the", 3.0), ("", "blue i think it's", 3.0), ("blue it's", "blue it's", 3.0),
    ("the danube", "it is the", 0.7), ("the danube", "it is the danube", 0.7), ("blue", "blue", 0.7), ("", "", 0.45),
    ("[unk]", "", 0.45),
])
def test_the_end_depends_on_what_was_said(grammar: str, dictation: str, waits: float) -> None:
    """GAM-02: a carrier without an answer is waited for 3 s; a cough ends after 0.45 s, so that the host goes on."""
    engine = StubEngine("it's the danube blue i think is")
    engine.partial = lambda r: (dictation if r.phrases is None else grammar) if len(r.fed) > 20_000 else ""
    ear = VoskEar(engine, Listens(("it's",), unfinished=("it's", "it is", "it's the", "i think it's")),
                  detector=SpeechDetector(voicing=(loud_is_speech, lambda: None)))
    (heard,) = finals(hear(ear, sound((1.0, -70), (0.8, LOUD), (4.0, -70))))
    assert (heard.at - 28_800) / 16_000 == pytest.approx(waits, abs=0.07)


def test_a_thinker_is_heard_as_one_answer() -> None:
    """GAM-02: 'it is ... (2.5 s) ... the danube' is one utterance."""
    engine = StubEngine("it is the danube")
    engine.partial = lambda r: "it is" if 20_000 < len(r.fed) < 120_000 else "it is the danube"
    ear = VoskEar(engine, Listens(("the danube",), unfinished=("it is",)),
                  detector=SpeechDetector(voicing=(loud_is_speech, lambda: None)))
    events = hear(ear, sound((1.0, -70), (0.6, LOUD), (2.5, -70), (0.6, LOUD), (2.0, -70)))
    check_protocol(events)
    assert len(finals(events)) == 1


def test_somebody_is_told_before_anything_is_decoded() -> None:
    """The host must not wait for a recogniser: at `Speaking` none has been made, and then nothing is lost."""
    engine = StubEngine("a")
    ear = make(engine, "a")
    pcm = sound((1.0, -70), (1.0, LOUD), (2.0, -70))
    for at in range(0, len(pcm) - BLOCK + 1, BLOCK):
        events = ear.hear(Cleaned(at, pcm[at : at + BLOCK]))
        if any(isinstance(event, Speaking) for event in events):
            assert not engine.made
            began = events[0].began
        elif engine.made:
            assert len(engine.made[0].fed) // 2 == at + BLOCK - (began - PRE_ROLL)
            break


@pytest.mark.parametrize("covered", [0.9, 1.3])
def test_what_the_host_covered_is_decoded_as_well(covered: float) -> None:
    """BAR-03: a player whom the host's voice covers for so long is decoded from the first word."""
    engine = StubEngine("a")
    ear = make(engine, "a")
    pcm = sound((1.2, -70), (2.5, LOUD), (1.5, -70))
    for at in range(0, len(pcm) - BLOCK + 1, BLOCK):
        host = 19_200 - 4_800 <= at < 19_200 + covered * 16_000
        events = ear.hear(Cleaned(at, pcm[at : at + BLOCK], LOUD + 3.5 if host else -120.0))
        if any(isinstance(event, Speaking) for event in events):
            decided = at
        if engine.made:
            break
    assert decided >= 19_200 + (covered - 0.1) * 16_000
    first = at + BLOCK - len(engine.made[0].fed) // 2
    assert 19_200 - 4_000 <= first <= 19_200
