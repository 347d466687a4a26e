"""Commands while a card is open: through the real recogniser, and by what both readings have of them."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from ear_clips import ROOT, finals, hear, scene
from hypothesis import given
from hypothesis import strategies as st

from host.app.evening import Setup, load_packs, prepare
from host.bench.hearing import expects, state
from host.ears.kaldi import VoskEngine
from host.ears.vosk import VoskEar
from host.events import Heard, Word
from host.table.hearing import Hearing
from host.understand import Listening, understand
from host.understand.commanding import LETTERS, SENTENCE, command, nearly
from host.understand.phrases import COMMANDS
from host.understand.utterance import known

CLIPS = ROOT / "audio_fixtures" / "commands"
MEANT = {
    "Say that again, please.": "repeat", "How many guesses do I have?": "guesses", "Whose turn is it?": "turn",
    "What are the scores?": "score", "Pass.": "skip", "Repeat the last clue.": "repeat",
    "What is the category?": "category", "Next card, please.": "skip", "Be quiet, please.": "hush",
    "Hold on a minute.": "pause",
}
SEATS = ("blue", "red", "green", "white")


class Table:
    """The shipped cards, the real recogniser, and an ear on any of them."""

    def __init__(self) -> None:
        packs, folder = prepare(Setup(), load_packs(Setup()), None)
        self.engine, self.hearing = VoskEngine(folder), Hearing(packs)
        self.cards = {card.id: card for card in packs.clues}

    def command(self, card_id: str, clip: np.ndarray) -> tuple[str | None, str]:
        """The command that is understood while this card is open, and what was heard."""
        card = self.cards[card_id]
        ear = VoskEar(self.engine, self.hearing.listens(state(SEATS), expects(card)))
        heard = finals(hear(ear, scene(0.6, clip, 1.2)))
        ear.close()
        meant = [self.hearing.understand(state(SEATS), expects(card), one).command for one in heard]
        text = " // ".join(f"{one.text} | {' '.join(word.text for word in one.dictation)}" for one in heard)
        return next((name for name in meant if name), None), text


@pytest.fixture(scope="module")
def table() -> Table:
    return Table()


@pytest.mark.parametrize("card", ["event-titanic", "thing-compass"])
def test_commands_are_heard_while_a_card_is_open(table: Table, card: str) -> None:
    """Every command of the table is understood with two cards' grammars, at most one of the ten excepted."""
    listed = tomllib.loads((CLIPS / "manifest.toml").read_text(encoding="utf-8"))["clip"]
    assert {clip["text"] for clip in listed} == set(MEANT)
    lost = []
    for clip in listed:
        sound = soundfile.read(CLIPS / clip["path"], dtype="int16")[0]
        found, text = table.command(card, sound)
        if found != MEANT[clip["text"]]:
            lost.append((clip["text"], found, text))
    assert len(lost) <= 1, lost
    assert not {text for text, _, _ in lost} & {"Say that again, please.", "How many guesses do I have?"}, lost


def test_the_demo_s_commands_are_heard_with_the_grammar_of_their_cards(table: Table) -> None:
    """"Say that again, please" and "how many guesses do I have" of the demo are commands, not swallowed by carriers."""
    for name, meant in (("say_that_again_please_slt", "repeat"), ("how_many_guesses_do_i_have_slt", "guesses")):
        sound = soundfile.read(Path(ROOT / "audio_fixtures" / "demo" / f"{name}.flac"), dtype="int16")[0]
        for card in ("event-titanic", "thing-compass", "person-mozart"):
            found, text = table.command(card, sound)
            assert found == meant, (name, card, text)


# --- by the words --------------------------------------------------------------------------------

FORMS = ("silence", "quiet", "total silence", "a stop sign", "a card", "mozart", "the danube", "time out")
SAID = (
    # grammar, dictation, command
    ("say that again is", "saying that again please", "repeat"),
    ("how many guesses a", "how many guess is you have", "guesses"),
    ("how many guesses", "how many guests were at the party", None),
    ("next card [unk]", "next card please", "skip"),
    ("be quiet [unk]", "be quiet please", "hush"),
    ("slower [unk]", "slower please", "slower"),
    ("white is the [unk]", "what is the category of", "category"),
    ("[unk]", "what is the category of the winner", None),
    ("mozart [unk]", "take that back", None),
    ("[unk] the danube", "say that to the danube", None),
    ("say that again", "we should say that again and again to the neighbours", None),
    ("[unk]", "he will say that again to you tomorrow", None),
)


def heard(grammar: str, dictation: str) -> Heard:
    def row(text: str) -> tuple[Word, ...]:
        texts = text.split()
        step = 24_000 // max(1, len(texts))
        return tuple(Word(word, 16_000 + at * step, 16_000 + (at + 1) * step) for at, word in enumerate(texts))

    return Heard(48_000, 16_000, 40_000, row(grammar), row(dictation), 1)


def meant(grammar: str, dictation: str, own: tuple[str, ...] = ()) -> tuple[str | None, bool]:
    listening = Listening(guessing=True, answer_forms=FORMS, own_forms=own)
    understood = understand(heard(grammar, dictation), tuple((colour,) for colour in SEATS), listening)
    return understood.command, bool(understood.guesses)


@pytest.mark.parametrize(("grammar", "dictation", "wanted"), SAID)
def test_both_readings_together_make_a_command(grammar: str, dictation: str, wanted: str | None) -> None:
    """A command that the grammar began and dictation has nearly is one; talk that merely holds its words is none."""
    assert meant(grammar, dictation)[0] == wanted


@pytest.mark.parametrize(("said", "own", "order"), [
    ("silence", ("silence", "quiet"), None), ("quiet", ("silence", "quiet"), None),
    ("um silence", ("silence",), None), ("is it silence", ("silence",), None), ("blue silence", ("silence",), None),
    ("the answer is quiet", ("silence", "quiet"), None), ("is it silence", ("mozart",), None),
    ("blue silence", ("mozart",), None), ("silence", ("mozart",), "hush"), ("silence please", ("silence",), "hush"),
    ("be quiet", ("silence", "quiet"), "hush"), ("stop", ("stop",), None), ("stop", ("mozart",), "stop"),
    ("stop the game", ("stop",), "stop"), ("time out", ("mozart",), "pause"), ("green time out", ("mozart",), None),
])
def test_an_answer_that_is_also_a_command(said: str, own: tuple[str, ...], order: str | None) -> None:
    """"Silence" is a guess where it is the open card's answer, or with a colour or a carrier; else, or to the host
    ("silence, please"), it is a command."""
    assert meant(said, said, own) == (order, order is None)


@given(st.sampled_from([text for texts in COMMANDS.values() for text in texts]))
def test_a_command_is_nearly_itself(text: str) -> None:
    """Every command is understood as a whole; one of some length also where only dictation has it, of the same name."""
    row = tuple(text.split())
    found = command(row)
    assert found is not None
    if len(row) >= SENTENCE and len("".join(row)) >= LETTERS:
        assert nearly((), row, known(())) == found


# --- talk that the grammar puts on a colour or a carrier -----------------------------------------

TALK = (
    # grammar with a confidence, dictation, whether it is meant for the host
    ("the answer is", 0.75, "just as most of us", False),
    ("blue a card", 0.6, "get me a small dark roast coffee", False),
    ("white [unk]", 0.9, "like a large single shot", False),
    ("is it mozart", 0.5, "as the most hard", False),
    ("mozart", 0.65, "be good", False),
    ("blue is it [unk]", 1.0, "who is the pineapple", True),
    ("blue [unk]", 1.0, "blue pineapple", True),
    ("blue [unk]", 1.0, "flew pineapple", True),
    ("[unk]", 1.0, "is it a pineapple", True),
    ("green the danube", 1.0, "reading the tunnel", True),
    ("is it the danube", 0.6, "if the danube", True),
    ("is it the danube", 1.0, "listen to then", True),
)


@pytest.mark.parametrize(("grammar", "sure", "dictation", "addressed"), TALK)
def test_a_wrong_guess_needs_more_than_a_colour_or_carrier_of_the_grammar_s_own(
    grammar: str, sure: float, dictation: str, addressed: bool
) -> None:
    """CE-16: a verdict that may cost spaces needs an address that dictation shares, an answer that is surely whole,
    words on which both readings agree, or a sure colour in front of a carrier."""
    assert is_addressed(grammar, dictation, [sure] * len(grammar.split())) is addressed


@pytest.mark.parametrize(
    ("colour", "answer", "addressed"), [(1.0, 0.65, True), (0.9, 0.65, False), (1.0, 0.2, False)]
)
def test_behind_a_sure_colour_a_whole_answer_need_not_be_as_sure(colour: float, answer: float, addressed: bool) -> None:
    """CE-16: a clear "blue" and a likely "Mozart" are a guess, whatever dictation makes of them."""
    assert is_addressed("blue mozart", "some good", [colour, answer]) is addressed


@pytest.mark.parametrize(("colour", "dictation", "sure"), [
    (0.97, "some good", True), (0.8, "some good", False), (0.8, "blue good", True), (0.8, "", True),
])
def test_a_wrong_guess_costs_nobody_of_whom_only_the_grammar_is_half_sure(
    colour: float, dictation: str, sure: bool
) -> None:
    """CE-16: who pays for a wrong guess was named surely, or by both readings; else it is nobody's."""
    one = heard("blue mozart", dictation)
    words = tuple(replace(word, confidence=how) for word, how in zip(one.words, (colour, 0.9), strict=True))
    said = Heard(one.at, one.began, one.ended, words, one.dictation, 1)
    found = understand(said, tuple((name,) for name in SEATS), Listening(guessing=True, answer_forms=FORMS))
    assert found.owner == SEATS.index("blue")
    assert found.owner_sure is sure


def is_addressed(grammar: str, dictation: str, sure: list[float]) -> bool:
    """Whether it is meant for the host, each of the grammar's words being so sure."""
    one = heard(grammar, dictation)
    words = tuple(Word(word.text, word.began, word.ended, how) for word, how in zip(one.words, sure, strict=True))
    listening = Listening(guessing=True, answer_forms=FORMS)
    said = Heard(one.at, one.began, one.ended, words, one.dictation, 1)
    return understand(said, tuple((colour,) for colour in SEATS), listening).addressed
