"""Random rounds of Venn against a naive score, and random intents against what must always hold (VN-9 to VN-18)."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from venn_table import FOUR, PAIR, Table, packs

from host.clock import samples
from host.events import Call, Claim, Command, Floor, ListWord, Numbers, Ready, Reply, Say
from host.games import venn
from host.games.venn_state import Placing

CARD = st.lists(st.integers(1, 12), min_size=3, max_size=3, unique=True).map(tuple)
SAID = st.lists(st.integers(1, 12), max_size=6)
ROUND = st.tuples(st.integers(0, 1), CARD, CARD, SAID, SAID)


def worth(said: list[int], card: tuple[int, ...], bonus: bool) -> int:
    """Points by the rulebook: the first three different words, a point each, one more for the caller's three."""
    words: list[int] = []
    for word in said:
        if word not in words and len(words) < 3:
            words.append(word)
    right = 0
    for word in words:
        if word in card:
            right += 1
    return right + 1 if bonus and right == 3 else right


def play(table: Table, said: list[int], card: tuple[int, ...]) -> None:
    """Say the words; the numbers where they are wanted."""
    table.guess(*said, card=card)


@settings(max_examples=60, deadline=None)
@given(st.lists(ROUND, min_size=1, max_size=9), st.integers(0, 10**6))
def test_a_game_scores_as_a_naive_reference(
    rounds: list[tuple[int, tuple[int, ...], tuple[int, ...], list[int], list[int]]], seed: int,
) -> None:
    """VN-9 to VN-13: any rounds give the points, the end and the winner of a plain reading of the rules."""
    table = Table(FOUR, seed, cards=packs(40))
    points = [0, 0]
    for caller, card, other_card, said, others in rounds:
        gains = [0, 0]
        gains[caller] = worth(said, card, bonus=True)
        gains[1 - caller] = worth(others, other_card, bonus=False)
        points = [points[0] + gains[0], points[1] + gains[1]]
        table.to_go().call(caller)
        play(table, said, card)
        play(table, others, other_card)
        assert table.state.points == tuple(points)
        over = max(points) >= 12 and (points[0] != points[1] or gains[0] != gains[1])
        assert (table.phase == "Over") is over
        if over:
            won = points if points[0] != points[1] else gains
            assert venn.view(table.state, None)["winner"] == won.index(max(won))
            return
        table.ready()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(CARD, SAID), min_size=5, max_size=5))
def test_a_cooperative_game_scores_as_a_naive_reference(rounds: list[tuple[tuple[int, ...], list[int]]]) -> None:
    """VN-16 to VN-18: five rounds at most, no bonus, twelve points win."""
    table = Table(PAIR, cards=packs(40), mode="cooperative")
    points = 0
    for played, (card, said) in enumerate(rounds, start=1):
        points += worth(said, card, bonus=False)
        table.to_go().call()
        play(table, said, card)
        assert table.state.points == (points,)
        if points >= 12 or played == 5:
            assert venn.view(table.state, None)["winner"] == (0 if points >= 12 else None)
            assert table.phase == "Over"
            return
        table.ready()


NAMES = (
    "team", "nobody", "go_on", "strike", "keep", "instead", "card", "repeat_all", "word", "repeat", "score", "turn",
    "guesses", "help", "where", "clue_giver", "skip", "list_word", "unknown_word", "resume", "zones", "nonsense",
)
ACTION = st.one_of(
    st.tuples(st.just("wait"), st.floats(0, 70)),
    st.tuples(st.just("quiet"), st.none()),
    st.tuples(st.just("call"), st.sampled_from((None, 0, 1))),
    st.tuples(st.just("word"), st.integers(1, 12)),
    st.tuples(st.just("claim"), st.integers(0, 3)),
    st.tuples(st.just("reply"), st.booleans()),
    st.tuples(st.just("ready"), st.sampled_from((None, 0, 1, 2, 3))),
    st.tuples(st.just("numbers"), st.lists(st.integers(0, 13), max_size=4)),
    st.tuples(st.just("floor"), st.booleans()),
    st.tuples(st.just("command"), st.tuples(
        st.sampled_from(NAMES), st.sampled_from(("", "0", "1", "2", "7", "3:4", "5:river", "12:x"))),
    ),
)


def act(table: Table, action: tuple[str, Any]) -> None:
    """One thing that somebody does."""
    name, value = action
    at = table.now
    if name == "wait":
        table.wait(value)
    elif name == "quiet":
        table.quiet()
    elif name == "command":
        table.tell(Command(at, value[0], None, value[1]))
    else:
        began = max(0, at - samples(0.4))
        table.tell({
            "call": lambda: Call(at, began, value), "word": lambda: ListWord(at, value, began, None),
            "claim": lambda: Claim(at, value, began), "reply": lambda: Reply(at, value),
            "ready": lambda: Ready(at, value), "numbers": lambda: Numbers(at, tuple(value)),
            "floor": lambda: Floor(at, value, at),
        }[name]())


@settings(max_examples=120, deadline=None)
@given(st.lists(ACTION, max_size=60), st.sampled_from((
    {}, {"mode": "cooperative"}, {"numbers": "host"}, {"words": "family"}, {"art_cards": "spoken"},
    {"best_of_three": True, "expert": True},
)))
def test_whatever_happens_the_game_stays_sound(actions: list[tuple[str, Any]], options: dict[str, Any]) -> None:
    """Any intents at any time: no exception, ids never twice, points that add up, a deadline not in the past."""
    table = Table(FOUR, 5, cards=packs(40), **options)
    for action in (("quiet", None), *actions):
        act(table, action)
        state = table.state
        due = venn.deadline(state)
        assert due is None or due >= table.now
        for team in range(state.teams):
            gained = sum(one.points for one in state.scored if one.team == team)
            assert state.points[team] == state.before[team] + gained
        json.dumps(venn.view(state, None))
        venn.expects(state)
        assert not isinstance(state.phase, Placing) or state.words
    ids = [effect.line.id for _, effect in table.log if isinstance(effect, Say)]
    assert len(set(ids)) == len(ids)


@settings(max_examples=15, deadline=None)
@given(st.lists(ACTION, max_size=40))
def test_the_same_intents_give_the_same_game(actions: list[tuple[str, Any]]) -> None:
    """Two games of one seed with the same intents have the same state, to the last character of their repr."""
    one, other = Table(seed=9, cards=packs(40)), Table(seed=9, cards=packs(40))
    for action in actions:
        act(one, action)
        act(other, action)
    assert repr(one.state) == repr(other.state)
    assert one.log == other.log
