"""The bench of clue cards: what is said of a card, what is kept, how shares become a table and are read again."""

from dataclasses import replace
from pathlib import Path

import pytest
from evening import PACKS
from pack_samples import GOOD, spoil, write

from host.app.packs import by_ear, mistaken, shipped
from host.app.paths import CLUES
from host.bench.card_table import (
    LEAST,
    MOST_FORMS,
    Heard,
    Row,
    card_key,
    heard_cards,
    heard_model,
    section,
    sections,
    spoken_forms,
    write_section,
)
from host.bench.cards import VOICES, Store, ear_of, model_of, report, tries
from host.bench.library import Library
from host.events import Heard as Final
from host.events import Word
from host.packs import decks
from host.packs.files import load_pack

CARD = PACKS.clues[0]
CARDS = decks.load(CLUES).clues


def row(card: str, test: str, tuning: str = "++") -> Row:
    """A row whose utterances are accepted (+) or not (-), one form each."""
    def heard(marks: str, voice: str) -> tuple[Heard, ...]:
        return tuple(Heard(f"form {at}", voice, mark == "+", "hurt", "heard | so") for at, mark in enumerate(marks))

    forms = tuple(f"form {at}" for at in range(max(len(test), len(tuning))))
    return Row("box", card, "form 0", forms, heard(tuning, "rms"), heard(test, "alan"), f"key of {card}")


def test_the_answer_comes_first_and_no_form_twice() -> None:
    """Of every card the answer and its first aliases are said, four forms at most, each once."""
    for card in CARDS:
        forms = spoken_forms(card)
        assert forms[0] == card.answer
        assert len(set(forms)) == len(forms) <= MOST_FORMS


def test_test_voices_are_test_voices() -> None:
    """Voices by which cards are mended are for tuning, and those that only measure are for test."""
    library = Library()
    for split, voices in VOICES.items():
        assert set(voices) <= set(library.voices(split))
    assert set(VOICES["test"]) == set(library.voices("test"))


def test_every_form_is_said_once_in_every_voice() -> None:
    """Forms times voices utterances, each with the form in it, and another card or voice has another key."""
    said = tries(CARD, ("alan", "clb"))
    assert [(one.form, one.voice) for one in said] == [
        (form, voice) for form in spoken_forms(CARD) for voice in ("alan", "clb")
    ]
    assert all(one.form.lower() in one.text.lower() for one in said)
    keys = {one.key for card in PACKS.clues[:5] for one in tries(card, ("alan", "clb"))}
    assert len(keys) == sum(len(tries(card, ("alan", "clb"))) for card in PACKS.clues[:5])
    assert {one.key for one in tries(CARD, ("alan",), "other model")}.isdisjoint(keys)


def test_another_model_in_the_same_folder_is_another_ear(tmp_path: Path) -> None:
    """A changed or added file of the model changes its name in the report and the key of all that is heard."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "final.mdl").write_bytes(b"old")
    model, ear = model_of(folder), ear_of(folder)
    assert (model, ear) == (model_of(folder), ear_of(folder))
    (folder / "final.mdl").write_bytes(b"new")
    assert model_of(folder) != model
    keys = {one.key for one in tries(CARD, ("alan",), ear)}
    assert keys.isdisjoint(one.key for one in tries(CARD, ("alan",), ear_of(folder)))


def test_a_card_that_is_heard_otherwise_has_another_key() -> None:
    """An alias, a rival or a sound more changes the key; a note does not."""
    changed = (replace(CARD, aliases=(*CARD.aliases, "that one")), replace(CARD, rivals=(*CARD.rivals, "another")),
               replace(CARD, sounds=(*CARD.sounds, ("nile", "N IY L"))))
    assert len({card_key(card) for card in (CARD, *changed)}) == 4
    assert card_key(replace(CARD, note="Well, well.")) == card_key(CARD)


def test_what_was_heard_is_kept_over_a_cut(tmp_path: Path) -> None:
    """The store gives back words, times and confidences; a torn last line costs that line only."""
    path = tmp_path / "cards.jsonl"
    final = Final(0, 0, 0, (Word("nile", 100, 4900, 0.9),), (Word("the", 0, 50, 1.0), Word("nile", 100, 4900, 0.5)), 0)
    Store(path).add("one", [final])
    with path.open("a") as file:
        file.write('{"key": "torn", "finals": [[')
    again = Store(path)
    assert again["one"] == (final,)
    assert "torn" not in again
    again.add("two", [])
    assert Store(path)["two"] == ()
    assert Store(path)["one"] == (final,)


def test_the_median_and_the_cards_below_70_percent() -> None:
    """The goal is on the median card; a card with two of three forms lost is named with its worst form."""
    made = report([row("good", "++++"), row("fair", "+++-"), row("poor", "+--")], "test")
    assert [goal.value for goal in made.goals] == [0.75, 1.0]
    assert not made.met
    assert 'poor  form 0' in made.text()
    assert made.text().count("form 1 0/1 (alan:") == 1
    assert report([row("good", "++++")], "test").met


def test_the_table_is_read_again(tmp_path: Path) -> None:
    """heard_cards gives each card's forms and share as written; a section is replaced, the others stay."""
    path = tmp_path / "REPORT.md"
    write_section(path, "read", "## Read aloud\n")
    write_section(path, "heard", section([row("good", "++"), row("poor", "+-")], VOICES))
    assert heard_model(path) == ""
    write_section(path, "heard", section([row("good", "+++"), row("poor", "+--")], VOICES, "the model 12ab"))
    found = heard_cards(path)
    assert heard_model(path) == "the model 12ab"
    assert found["good"] == ("key of good", 1.0)
    assert found["poor"][1] == pytest.approx(1 / 3)
    assert list(sections(path)) == ["heard", "read"]
    assert found["poor"][1] < LEAST
    assert "heard / so" in path.read_text()


def test_no_report_is_no_cards(tmp_path: Path) -> None:
    """Where there is no report nothing was heard."""
    assert heard_cards(tmp_path / "REPORT.md") == {}


def test_packs_check_tells_what_was_heard_of_the_cards_as_they_are(tmp_path: Path) -> None:
    """A card that is accepted too seldom and one that was changed since are warnings; the counts are told."""
    path = write(tmp_path, GOOD)
    ladder, kettle = load_pack(path).cards
    rows = [replace(row(one.id, marks), answer=one.answer, forms=spoken_forms(one), key=card_key(one))
            for one, marks in ((ladder, "++--"), (kettle, "++"))]
    write_section(tmp_path / "REPORT.md", "heard", section(rows, VOICES))
    text = by_ear(tmp_path)
    assert "warning: thing-ladder: 50% of its forms are accepted" in text
    assert "2 of 2 cards, 75% accepted in the median, 1 below 70%" in text
    assert by_ear(tmp_path, warnings=False).count("\n") == 0
    assert "another model" not in text
    write_section(tmp_path / "REPORT.md", "heard", section(rows, VOICES, shipped()))
    assert "another model" not in by_ear(tmp_path)
    write_section(tmp_path / "REPORT.md", "heard", section(rows, VOICES, "an older model"))
    assert "was measured with another model (an older model); run" in by_ear(tmp_path)
    write(tmp_path, spoil('"a stepladder"', '"a pair of steps"', GOOD))
    text = by_ear(tmp_path)
    assert "warning: not heard as they are now: thing-ladder; run" in text
    assert "1 of 2 cards, 100% accepted in the median, 0 below 70%" in text


def test_another_cards_alias_that_would_be_judged_right_is_told(tmp_path: Path) -> None:
    """The judge is asked about every answer and alias that has a card's essential words; ruled out, it is no gift."""
    text = spoil('essential = "kettle"', 'essential = "kettle"\naliases = ["that ladder"]', GOOD)
    (found,) = mistaken([load_pack(write(tmp_path, text))])
    assert found.card == "thing-ladder"
    assert '"that ladder" of thing-kettle would be right here too' in found.text
    text = spoil('never = ["a staircase"]', 'never = ["that ladder"]', text)
    assert mistaken([load_pack(write(tmp_path, text))]) == []
