"""The host's own number cards: seen by the clue giver, and by nobody else before the reveal (VN-4)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from venn_table import FOUR, PAIR, Table, packs

from host.events import Effect, Intent, Keep
from host.games import venn
from host.games.venn_state import State
from host.lines import number


class Guarded(Table):
    """Every step is taken a second time with another secret: nothing that others see or hear may differ."""

    def tell(self, intent: Intent) -> tuple[Effect, ...]:
        before = self.state
        effects = super().tell(intent)
        after = self.state
        shown = {one.team for one in after.scored} if after.round == before.round else set()
        for team in range(len(before.secret)):
            if team not in shown and after.round == before.round:
                self._same(intent, team, before, effects)
        for seat in (None, *range(len(after.players))):
            giver = seat is not None and seat in after.givers
            assert ("secret" in venn.view(after, seat)) is (giver and bool(after.secret))
        return effects

    def _same(self, intent: Intent, team: int, before: State, effects: tuple[Effect, ...]) -> None:
        secret = list(before.secret)
        secret[team] = next(card for card in CARDS if card not in before.secret)
        other, others = venn.step(replace(before, secret=tuple(secret)), intent)
        changed = before.givers != self.state.givers  # the card that somebody else has seen goes away
        assert changed or others == effects
        for seat in (None, *range(len(before.players))):
            if seat != self.state.givers[team]:
                assert venn.view(other, seat) == venn.view(self.state, seat)


CARDS = packs().numbers


def said_aloud(table: Table) -> None:
    """No line that was said so far holds a card that has not been scored, but for players' own words and the list."""
    for line in table.lines():
        part = line.id.partition("/")[2]
        for card in table.state.secret[len(table.state.scored) :]:
            assert ", ".join(number(one) for one in card) not in line.text.lower(), part


def guarded(players: Any = FOUR, seed: int = 3, **options: Any) -> Guarded:
    return Guarded(players, seed, cards=packs(40), numbers="host", **options)


def test_only_the_clue_giver_sees_the_numbers() -> None:
    """VN-4: each clue giver sees the own team's card, no guesser and no screen sees any; the cards differ."""
    table = guarded()
    state = table.state
    assert len(set(state.secret)) == 2
    assert [venn.view(state, seat).get("secret") for seat in (0, 1)] == [list(card) for card in state.secret]
    assert all("secret" not in venn.view(state, seat) for seat in (None, 2, 3))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 12), min_size=6, max_size=6), st.booleans())
def test_no_secret_leaves_before_the_reveal(seed: int, words: list[int], best: bool) -> None:
    """VN-4: through two rounds of any seed, with every question asked on the way, no view and no line gives a card."""
    table = guarded(seed=seed, best_of_three=best)
    for caller in (0, 1):
        table.to_ready()
        for name in ("score", "turn", "guesses", "where", "help", "repeat", "resume", "zones"):
            table.command(name)
        table.quiet().ready(table.state.givers[0]).ready(table.state.givers[1])
        table.wait(10.0).command("repeat_all").command("help").quiet()
        said_aloud(table)
        assert not table.kept("numbers")[2 * caller :]
        table.call(caller).guess(*words[:3])
        table.command("where").command("guesses").guess(*words[3:]).ready()


def test_the_hosts_own_numbers_are_revealed_and_scored_without_a_question() -> None:
    """VN-10: known already: the words are said, then the numbers, then the points; a strike is possible till then."""
    table = guarded().to_go().call(0)
    card = table.state.secret[0]
    table.guess(*card)
    ids = table.ids()
    assert ids.index("taken") < ids.index("numbers") < ids.index("verdict")
    assert "reveal" not in ids
    assert table.state.points == (4, 0)
    scored = venn.view(table.state, None)["scored"]
    assert scored == [{"team": 0, "words": list(card), "numbers": list(card), "points": 4}]
    table.quiet().say(*[one for one in range(1, 13) if one not in table.state.secret[1]][:3])
    assert table.phase == "Revealing"
    assert not venn.expects(table.state).numbers
    assert table.numbers(1, 2, 3).phase == "Revealing"
    table.wait(0.5).command("strike")
    assert table.phase == "Guessing"


def test_another_clue_giver_gets_another_card() -> None:
    """VN-3, VN-4: the card that a guesser has seen is exchanged."""
    table = guarded().to_ready()
    before = table.state.secret
    table.command("clue_giver", "2")
    assert table.state.secret[0] not in before
    assert table.state.secret[1] == before[1]
    assert venn.view(table.state, 2)["secret"] == list(table.state.secret[0])
    assert "secret" not in venn.view(table.state, 0)


def test_number_cards_do_not_come_back_before_all_were_used() -> None:
    """CE-20: eight cards last for four rounds; then the deck begins anew."""
    table = guarded()
    seen = [*table.state.secret]
    for _ in range(3):
        table.to_go().call(0).guess(1).guess(1).ready()
        seen += table.state.secret
    table.to_go().call(0).guess(1).guess(1)
    assert len(set(seen)) == 8
    assert table.kept("numbers") == ["/".join(map(str, card)) for card in seen[:6]] + [""] + [
        "/".join(map(str, card)) for card in seen[6:]
    ]


def test_the_cooperative_game_deals_one_card_a_round() -> None:
    """VN-16: one card a round, for one clue giver."""
    table = guarded(PAIR, mode="cooperative")
    assert len(table.state.secret) == 1
    assert "secret" not in venn.view(table.state, 1)
    table.to_go().call().guess(*table.state.secret[0])
    assert table.state.points == (3,)


def test_silence_needs_no_reveal() -> None:
    """VN-4, VN-9: where no word was said the card stays hidden."""
    table = guarded().to_go().call(0).quiet().wait(20.1).quiet().wait(20.1).quiet()
    assert "numbers" not in table.ids()
    assert venn.view(table.state, None)["scored"][0]["numbers"] == []


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_cards_of_the_box_are_no_secret_of_the_hosts(seat: int | None) -> None:
    """VN-4: with the box's cards the host knows nothing that it could give away."""
    table = Table()
    assert "secret" not in venn.view(table.state, seat)
    assert not [effect for _, effect in table.log if isinstance(effect, Keep) and effect.deck == "numbers"]
