"""The host's own number cards in everything that leaves the box before the reveal (VN-4)."""

from typing import Any

import pytest
from venn_evening import VennEvening
from venn_table import packs

from host import log as logs
from host.lines import number

SECRET = ((7, 8, 9), (9, 10, 11), (8, 10, 12), (7, 9, 12))


def shapes(card: tuple[int, ...]) -> list[str]:
    """How a card could be written or said."""
    words = [number(one) for one in card]
    figures = [str(one) for one in card]
    return [joint.join(kind) for kind in (words, figures) for joint in (", ", " ", "/", ",", "-")] + [
        str(list(card)), str(card)]


@pytest.mark.parametrize("seed", range(4))
def test_no_byte_that_leaves_before_the_reveal_gives_a_card_away(seed: int) -> None:
    """VN-4: log records, lines, views for the screen and the guessers, through a round, with every question asked."""
    out: list[str] = []
    table = VennEvening(seed=seed, numbers="host", packs=packs(words=(
        ("river", "heavy", "wedding"), ("to fold", "soldier", "sour"), ("camera", "lonely", "desert"),
        ("piano", "brave", "ice cream")), numbers=SECRET))
    watch = table.session.parts.watch

    def listen(event: Any, state: Any, effects: tuple[Any, ...]) -> None:
        out.append(str(logs.encode(event)))
        out.extend(str(logs.encode(effect)) for effect in effects)
        givers = table.table.rules.view(state.game, None)["teams"]
        seats = [seat for seat in range(4) if seat not in [team["giver"] for team in givers]]
        for seat in (None, *seats):
            out.append(str(table.table.view(state, seat)))
        out.append(str(table.table.listens(state).phrases) if state.game is None else "")
        watch(event, state, effects)

    object.__setattr__(table.session.parts, "watch", listen)
    secret = table.state.game.secret
    assert all(card in SECRET for card in secret)
    for question in ("what's the score", "whose turn is it", "how many guesses", "where are we", "help", "repeat"):
        table.say(question)
    table.to_go()
    table.say("what's the score")
    table.say("word seven")
    table.ended("word")
    table.say("venn foxes")
    table.ended("guess")
    table.say("how many guesses")
    table.say(table.plain(1))
    table.say(table.plain(2))
    before = len(out)
    everything = "\n".join(out)
    for card in secret:
        for shape in shapes(card):
            assert shape not in everything, shape
    table.say(table.plain(3))
    table.ended("verdict")
    revealed = "\n".join(out[before:])
    assert f"{list(secret[0])}" in revealed
    for shape in shapes(secret[1]):
        assert shape not in revealed, shape
