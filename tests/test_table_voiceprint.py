"""Voice as a hint only: a question, never points; vectors in memory only (issue 7 part 5)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evening import Evening, log_at
from hypothesis import given
from hypothesis import strategies as st

from host.ears.models import catalogue
from host.ears.voiceprint import HintingEar, Voices, cosine
from host.events import Heard, In, Part, Speaking, Typed
from host.server.messages import may_touch
from host.session import relive

BLUE, RED, STRANGE = (0.913571, 0.071113, 0.011717), (0.051913, 0.871339, 0.013171), (0.017393, 0.019777, 0.797111)


class Source:
    """A speaker model that knows who speaks, since the test says it."""

    def __init__(self) -> None:
        self.speaking: Sequence[float] | None = None

    def vector(self, channel: int, utterance: int) -> Sequence[float] | None:
        return self.speaking


class Talking(Evening):
    """An evening whose ear is a real `HintingEar` around words put in by the test."""

    def __init__(self, **options: Any) -> None:
        self.source, self.words = Source(), deque[In]()
        self.voices = Voices(self.source)
        super().__init__(**options)
        watch = self.session.parts.watch

        def follow(event: In, state: Any, effects: tuple[Any, ...]) -> None:
            self.voices.follow(state)
            watch(event, state, effects)

        self.session.parts = replace(self.session.parts, ears=(HintingEar(self, self.voices),), watch=follow)

    def listen(self, listens: Any) -> None:
        """As an ear."""

    def close(self) -> None:
        """As an ear."""

    def hear(self, _sound: Any) -> list[In]:
        """As an ear: what the test has said."""
        came, self.words = [*self.words], deque()
        return came

    def block(self) -> None:
        self.words.extend(post for post in self.posts if isinstance(post, Speaking | Heard))
        self.posts = [post for post in self.posts if not isinstance(post, Speaking | Heard)]
        super().block()

    def tells(self, voice: Sequence[float], text: str) -> None:
        """Somebody with that voice says something."""
        self.source.speaking = voice
        self.say(text)

    def answer(self) -> str:
        return str(self.table.rules.expects(self.state.game).card.essential[0])

    def learnt(self) -> "Talking":
        """Blue and red have guessed wrong twice each, with their colours; the second card is open."""
        self.until("card1/statement1", Part.ENDED)
        for colour, voice in (("blue", BLUE), ("red", RED)) * 2:
            self.tells(voice, f"{colour} a comb")
            self.wait(3.0)
        return self


def test_a_right_answer_without_owner_is_put_as_a_question_to_the_likeliest() -> None:
    """"Right! Anna, was that you?" - "Yes": Anna's points, by her yes."""
    evening = Talking().learnt()
    evening.tells(BLUE, evening.answer())
    evening.until("card1/who", Part.ENDED, limit=10.0)
    assert "Anna" in evening.spoken("card1/who")[0]
    assert evening.places() == [0, 0, 0, 0]
    evening.tells(BLUE, "yes")
    evening.wait(2.0)
    assert evening.places()[0] > 0


def test_a_no_asks_everybody() -> None:
    """"Was that you?" - "No" - "Which colour?" - "Green": green's."""
    evening = Talking().learnt()
    evening.tells(BLUE, evening.answer())
    evening.until("card1/who", Part.ENDED, limit=10.0)
    evening.say("no")
    evening.until("card1/who", Part.ENDED, limit=10.0)
    assert "Anna" not in evening.spoken("card1/who")[1]
    evening.say("green")
    evening.wait(2.0)
    assert evening.places()[2] > 0
    assert evening.places()[0] == 0


@pytest.mark.parametrize("says", ["red", "it was red"])
def test_another_may_claim_it_all_the_same(says: str) -> None:
    """Asked was Anna, claimed by red: the claim counts, the voice does not."""
    evening = Talking().learnt()
    evening.tells(BLUE, evening.answer())
    evening.until("card1/who", Part.ENDED, limit=10.0)
    evening.say(says)
    evening.wait(2.0)
    assert evening.places()[1] > 0


def test_silence_gives_no_points() -> None:
    """Nobody says yes: asked once more, everybody, and then the card is unsolved (CE-16)."""
    evening = Talking().learnt()
    evening.tells(BLUE, evening.answer())
    evening.until("card1/reveal", Part.BEGAN, limit=40.0)
    assert evening.places() == [0, 0, 0, 0]
    assert len(evening.spoken("card1/who")) == 2


def test_a_wrong_guess_is_nobodys_whatever_the_voice() -> None:
    """Blue's voice says a wrong answer in a carrier, without the colour: no verdict, no penalty."""
    evening = Talking().learnt()
    before = evening.game["verdicts"]
    for _ in range(2):
        evening.tells(BLUE, "is it a comb")
        evening.wait(3.0)
    assert evening.game["verdicts"] == before


def test_an_unknown_voice_is_asked_as_before() -> None:
    """Like nobody: "Who said it?"."""
    evening = Talking().learnt()
    evening.tells(STRANGE, evening.answer())
    evening.until("card1/who", Part.ENDED, limit=10.0)
    assert not any(name in evening.spoken("card1/who")[0] for name in ("Anna", "Ben", "Cleo", "Dan"))


def test_vectors_are_in_no_log_and_no_file(tmp_path: Path) -> None:
    """The log of such an evening holds a colour as the hint and no number of a vector; it is lived again as it was."""
    from host import log as logs

    path = tmp_path / "log.jsonl"
    evening = Talking(log=log_at(path)).learnt()
    evening.tells(BLUE, evening.answer())
    evening.until("card1/who", Part.ENDED, limit=10.0)
    evening.say("yes")
    evening.wait(2.0)
    evening.session.log.close()
    assert [one.name for one in tmp_path.iterdir()] == ["log.jsonl"]
    text = path.read_text(encoding="utf-8")
    assert "voice 0 " in text
    for number in (*BLUE, *RED):
        assert str(number).removeprefix("0.") not in text
    again, _ = relive(evening.table, logs.read(path).records)
    assert logs.digest(again) == logs.digest(evening.state)


def test_who_has_left_is_forgotten() -> None:
    """A leaver's vectors go with the seat."""
    evening = Talking().learnt()
    assert evening.voices.likeliest(RED) == "red"
    evening.posts.append(Typed(evening.now, 1, "leave"))
    evening.block()
    assert evening.voices.likeliest(RED) == ""


@pytest.mark.parametrize("message", ["voice 0 1 blue", "voice"])
def test_no_client_may_hint(message: str) -> None:
    """Phones and screens can't say whose voice it was, and a seat's message says nothing of it."""
    assert not may_touch(message, screen=False)
    assert not may_touch(message, screen=True)
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    evening.posts.append(Typed(evening.now, 2, message))
    evening.block()
    assert evening.state.voice is None


NUMBER = st.floats(-1.0, 1.0)


@given(st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=1, max_size=6), st.tuples(NUMBER, NUMBER, NUMBER))
def test_a_hint_is_clear_or_none(known: list[tuple[float, float, float]], voice: tuple[float, float, float]) -> None:
    """Whoever is named is liker than every other by the margin; any numbers do, zeros too."""
    source = Source()
    voices = Voices(source)
    for number, vector in enumerate(known * 2):
        source.speaking = vector
        voices.ended(0, 0, number)
        voices.learn(0, number, f"c{number % len(known)}")
    found = voices.likeliest(voice)
    likes = sorted((cosine(voice, vector) for vector in known), reverse=True)
    if found:
        assert cosine(voice, known[int(found[1:])]) == pytest.approx(likes[0])
        assert len(likes) == 1 or likes[0] - likes[1] >= 0.149
    else:
        assert likes[0] < 0.501 or (len(likes) > 1 and likes[0] - likes[1] < 0.151)


def test_the_speaker_model_is_described_and_optional() -> None:
    """models.toml names it with address and size; it is not shipped, and no sum of it is made up."""
    entry = catalogue().entries["vosk-model-spk-0.4"]
    assert not entry.shipped
    assert entry.size == 13_000_000
    assert entry.sources == ("https://alphacephei.com/vosk/models/vosk-model-spk-0.4.zip",)
    assert entry.archive_sha256 == ""
    assert not entry.files
