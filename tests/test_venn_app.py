"""Venn's printed number cards, and its options on the command line."""

import re
from pathlib import Path
from typing import Any

import pytest

from host.__main__ import main, parser
from host.app import AppError
from host.app.evening import Setup, load_packs, make_table
from host.app.paths import CLUES
from host.app.play import read_players, read_rules
from host.app.replay import outcome
from host.app.venn import sheet
from host.packs.decks import load_confusable, load_numbers


def words(pdf: bytes) -> list[list[str]]:
    """The words on every page, in order, read back from a PDF by its own table of places."""
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    places = [int(line.split()[0]) for line in pdf[start:].split(b"\n")[3:] if line.endswith(b" n ")]
    pages = []
    for number, place in enumerate(places, start=1):
        assert pdf[place:].startswith(b"%d 0 obj" % number)
        body = pdf[place : pdf.index(b"endobj", place)]
        if b"stream" in body:
            length = int(re.search(rb"/Length (\d+)", body)[1])
            stream = body.split(b"stream\n", 1)[1]
            assert stream[length:].startswith(b"\nendstream")
            pages.append([word.decode() for word in re.findall(rb"\((.*?)\) Tj", stream)])
    return pages


def test_the_sheet_holds_every_card_below_its_fold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """VN-4: the printed sheet read back has the hundred triples in order, twelve a page, and says how to fold."""
    file = tmp_path / "cards.pdf"
    assert main(["venn", "cards", "--pdf", str(file)]) == 0
    assert "fold" in capsys.readouterr().out
    cards = load_numbers(CLUES / "venn" / "numbers.toml")
    pages = words(file.read_bytes())
    said = [int(word) for page in pages for word in page]
    assert [tuple(said[at : at + 3]) for at in range(0, len(said), 3)] == list(cards)
    assert {len(page) for page in pages[:-1]} == {36}


def test_numbers_stand_below_the_fold_and_ink_above() -> None:
    """VN-4: folded, the numbers are inside and hatched over: no number is drawn in the upper half of a card."""
    text = sheet([(1, 5, 9)]).decode("latin-1")
    fold = next(float(line.split()[7]) for line in text.split("\n") if line.split()[3:4] == ["3]"])
    numbers = [float(found) for found in re.findall(r"([\d.]+) Td \(\d+\)", text)]
    inked = [float(line.split()[6]) for line in text.split("\n") if line.startswith("1.40 w")]
    assert len(numbers) == 3
    assert max(numbers) < fold < min(inked)
    assert len(inked) > 20


def test_a_sheet_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input gets one clear sentence."""
    assert main(["venn", "cards", "--pdf", str(tmp_path / "none" / "cards.pdf")]) == 1
    assert "can't be written" in capsys.readouterr().err


def options(*typed: str) -> dict[str, Any]:
    """What is typed behind `gamehost play venn`, as the game's options."""
    return read_rules(vars(parser().parse_args(["play", "venn", *typed])), "venn")


@pytest.mark.parametrize(("typed", "wanted"), [
    ((), {}),
    (("--cooperative", "--expert"), {"mode": "cooperative", "expert": True}),
    (("--best-of-three", "--art-cards", "button"), {"best_of_three": True, "art_cards": "button"}),
    (("--numbers", "host", "--family-words"), {"numbers": "host", "words": "family"}),
    (("--teams", "bears, Wolves"), {"teams": ("Bears", "Wolves")}),
])
def test_options_of_venn(typed: tuple[str, ...], wanted: dict[str, Any]) -> None:
    """VN-1 to VN-16: every option can be typed, and the rules accept it."""
    found = options(*typed)
    assert found == wanted
    players = read_players("Anna, Ben, Cleo, Dan", "venn")
    make_table(Setup(game="venn", players=players, options=found), load_packs(Setup(game="venn")))


@pytest.mark.parametrize("teams", ["Foxes", "Foxes, foxes", "Pink, Owls", "a,b,c"])
def test_team_names_that_cannot_be(teams: str) -> None:
    """VN-1: two names, different, none of them a zone's colour; one sentence otherwise."""
    with pytest.raises(AppError, match=r"^[A-Z\"].*\.$"):
        options("--teams", teams)


def test_options_of_the_other_game_are_told() -> None:
    """--expert belongs to Venn, --pause to Clever Endeavor."""
    with pytest.raises(AppError, match="belongs to Venn"):
        read_rules(vars(parser().parse_args(["play", "clever", "--expert"])), "clever")
    with pytest.raises(AppError, match="belongs to Clever"):
        options("--pause", "4")


def test_best_of_three_needs_two_teams() -> None:
    """VN-14: what the rules refuse is told before anybody sits down."""
    with pytest.raises(AppError, match="two teams"):
        make_table(Setup(game="venn", players=read_players("Anna, Ben", "venn"),
                         options={"best_of_three": True, "mode": "cooperative"}), load_packs(Setup(game="venn")))


def test_the_measured_pairs_are_sealed_into_the_packs() -> None:
    """VN-2: what was measured to be confused reaches the rules; a broken file is one sentence."""
    packs = load_packs(Setup(game="venn"))
    assert (packs.confusable, packs.closest) == load_confusable(CLUES / "venn" / "confusable.toml")
    assert len(packs.confusable) > 50
    assert 0.2 < packs.closest < 0.8


def test_packs_check_reports_how_the_words_of_a_round_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """VN-2: `gamehost packs check` counts the pairs kept apart, and no round drawn holds one."""
    main(["packs", "check", "--no-warnings"])
    assert re.search(r"300 list words; \d+ pairs .* of 200 rounds drawn 0 with", capsys.readouterr().out)


@pytest.mark.parametrize(("teams", "winner", "wanted"), [
    ((("Foxes", 12), ("Owls", 6)), 0, "Where it stands: Foxes 12, Owls 6; Foxes won."),
    ((("Foxes", 3), ("Owls", 13)), 1, "Where it stands: Foxes 3, Owls 13; Owls won."),
    ((("Foxes", 5),), None, "Where it stands: Foxes 5."),
])
def test_a_replay_names_teams(teams: tuple[tuple[str, int], ...], winner: int | None, wanted: str) -> None:
    """VN-13: after a replay of Venn the teams and their points are told, not the players."""
    view = {"players": [("Anna", ""), ("Ben", "")], "game": {
        "teams": [{"name": name, "points": points} for name, points in teams], "winner": winner,
        "standing": [[points for _, points in teams], [0, 0]]}}
    assert outcome(view) == wanted
