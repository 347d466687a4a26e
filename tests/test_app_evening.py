"""What an evening does before anybody has to wait for it."""

from typing import Any

import pytest

from host.app.evening import Setup, load_packs, make_table, rehearsed
from host.events import Verdict
from host.games import Player

SETUP = Setup(players=(Player("Anna", "blue"), Player("Ben", "red")), youngest=0)


def test_a_card_that_begins_is_judged_once_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer, which is right; the keeper is told of everything, other decks and unknown cards are not judged."""
    table = make_table(SETUP, load_packs(SETUP))
    card = table.packs.clues[0]
    kept: list[tuple[str, str]] = []
    judged: list[tuple[Any, Verdict]] = []
    judge = table.hearing.judge

    def watched(one: Any, said: Any) -> Verdict:
        judged.append((one, judge(one, said)))
        return judged[-1][1]

    monkeypatch.setattr(table.hearing, "judge", watched)
    began = rehearsed(table, lambda deck, card: kept.append((deck, card)))
    told = [("clues", card.id), ("clues", ""), ("clues", "nobody-knows"), ("words", card.id), ("bad", card.id)]
    for deck, name in told:
        began(deck, name)
    assert kept == told
    assert judged == [(card, Verdict.RIGHT)]
