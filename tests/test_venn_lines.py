"""What the host says in Venn: short, complete, and without the word that it listens for."""

import re
from pathlib import Path

import pytest

from host.lines import VENN

GAMES = Path(__file__).resolve().parents[1] / "host" / "games"
BEFORE = {"venn_offer_cooperative"}
"""Said by the table before there is a game."""


@pytest.mark.parametrize("key", list(VENN))
def test_a_line_is_short_and_never_says_venn(key: str) -> None:
    """GM-4, KEY-04: no wording is longer than 12 s of speech (about 160 letters), none holds the word "venn"."""
    assert VENN[key]
    assert len(set(VENN[key])) == len(VENN[key])
    for wording in VENN[key]:
        assert len(wording) <= 160
        assert "venn" not in wording.lower()
        assert wording[-1] in ".!?:"


def test_every_line_has_a_use_and_every_use_a_line() -> None:
    """No line is dead, and none that the rules name is missing."""
    source = "".join(path.read_text(encoding="utf-8") for path in GAMES.glob("venn*.py"))
    named = set(re.findall(r'"(venn_[a-z_]+)"', source))
    made = {f"venn_{rest}" for rest in (
        "round_first", "round_first_cooperative", "round_cooperative", "ready_one", "ready_both", "turn_one",
        "turn_both", "one", "two", "three", "go",
    )}
    assert set(VENN) == named | made | BEFORE
