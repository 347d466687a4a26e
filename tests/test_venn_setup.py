"""Venn: who may play, how a round begins, ready and GO (VN-1 to VN-5, VN-15)."""

from typing import Any

import pytest
from venn_table import FOUR, PAIR, Table, packs

from host.clock import samples
from host.events import Part, Pressed, Ready, Said, TimeUp
from host.games import Player, venn
from host.games.venn_state import suits

FIVE = (*FOUR, Player("Finn", "", 0))


@pytest.mark.parametrize(("players", "options", "message"), [
    (FOUR[:3], {}, "play the cooperative game"),
    ((*FOUR[:3], Player("Eva", "", None)), {}, "every player needs a team"),
    ((*FOUR[:3], Player("Eva", "", 0)), {}, "too uneven"),
    ((*FIVE, Player("Gus", "", 0)), {}, "too uneven"),
    (FOUR, {"teams": ("Foxes", "fox")}, "two different names"),
    (FOUR, {"teams": ("Foxes",)}, "two different names"),
    (FOUR, {"teams": ("Foxes", "Purple")}, "colour of a zone"),
    (FOUR, {"teams": ("Foxes", "aagles")}, "list word"),
    (FOUR, {"teams": ("Foxes", " ")}, "needs a name"),
    (FOUR, {"mode": "solo"}, "choose one of competitive, cooperative"),
    (FOUR, {"expert": "yes"}, "choose True or False"),
    (FOUR, {"colour": "red"}, "no option 'colour'"),
    (PAIR[:1], {"mode": "cooperative"}, "two players at least"),
    (PAIR, {"mode": "cooperative", "best_of_three": True}, "needs two teams"),
    (PAIR, {"mode": "cooperative", "teams": ()}, "give the team a name"),
])
def test_a_table_that_cannot_play_is_told_why(
    players: tuple[Player, ...], options: dict[str, Any], message: str,
) -> None:
    """VN-1, VN-14, VN-16: bad teams, names and options are refused with one sentence that says what to do."""
    with pytest.raises(ValueError, match=message):
        venn.setup(players, packs(), options, 1)


@pytest.mark.parametrize(("changes", "options", "message"), [
    ({"words": packs(3).words}, {}, "four word cards"),
    ({"numbers": ((1, 2, 3),)}, {"numbers": "host"}, "two number cards"),
])
def test_packs_that_are_too_small_are_refused(
    changes: dict[str, Any], options: dict[str, Any], message: str,
) -> None:
    """VN-2, VN-4: the host needs four word cards, and two number cards where it deals them."""
    with pytest.raises(ValueError, match=message):
        venn.setup(FOUR, packs(**changes), options, 1)


def test_the_familys_words_do_not_forbid_team_names_of_the_hosts_list() -> None:
    """VN-1: with the family's own cards, a word of the host's list may be a team's name."""
    table = Table(words="family", teams=("Aagles", "Owls"))
    assert table.state.options.names == ("Aagles", "Owls")


@pytest.mark.parametrize(("players", "mode"), [
    (1, None), (2, "cooperative"), (3, "cooperative"), (4, "competitive"), (9, "competitive"),
])
def test_the_host_offers_what_suits_the_number_of_players(players: int, mode: str | None) -> None:
    """VN-1: three play the cooperative game, four and more in teams."""
    assert suits(players) == mode


def test_twelve_words_are_said_in_four_groups_of_three() -> None:
    """VN-2: the words are numbered 1 to 12, in groups of three, 0.8 s apart."""
    table = Table().quiet()
    groups = [line for line in table.lines() if "/words" in line.id]
    assert [line.id.partition("#")[0] for line in groups] == [f"round1/words{count}" for count in (1, 2, 3, 4)]
    assert groups[2].text.startswith(f"Seven, {table.state.words[6]}. Eight, ")
    assert len(set(table.state.words)) == 12
    said = [effect for _, effect in table.log if getattr(effect, "line", None) in groups]
    assert [effect.gap for effect in said][1:] == [samples(0.8)] * 3
    assert table.ids()[-1] == "again"


def test_the_words_are_said_again_as_often_as_wanted() -> None:
    """VN-2: yes to "again?" says them again and asks again, no goes on, silence goes on after six seconds."""
    table = Table().quiet().reply(yes=True).quiet()
    assert table.ids().count("words1") == 2
    assert table.ids()[-1] == "again"
    assert table.wait(6.1).phase == "Readying"
    assert Table().quiet().reply(yes=False).phase == "Readying"


@pytest.mark.parametrize("how", ["ready", "go_on"])
def test_ready_and_go_on_answer_again(how: str) -> None:
    """VN-2: who says "ready" or "go on" to "again?" wants no more words; while they are said it is nothing."""
    table = Table()
    before = table.wait(1.0).state
    assert (table.ready() if how == "ready" else table.command("go_on")).state == before
    table.quiet()
    assert (table.ready() if how == "ready" else table.command("go_on")).phase == "Readying"


def test_new_words_come_every_round() -> None:
    """VN-2, CE-20: no word card comes back before all have been used; each is remembered."""
    table = Table()
    first = set(table.state.words)
    table.round(0, (4,), (5,)).ready()
    assert table.state.round == 2
    assert not first & set(table.state.words)
    assert len(table.kept("words")) == 8


def test_a_deck_that_has_been_used_up_begins_anew() -> None:
    """CE-20: when every word card has been used the host says so and starts anew."""
    table = Table(cards=packs(8))
    table.round(0, (4,), (5,)).ready().quiet()
    assert table.kept("words")[-1] == ""
    assert "anew" in table.ids()
    used = tuple(f"{a}/{b}/{c}" for a, b, c in packs(8).words[:6])
    fresh = {"/".join(card) for card in packs(8).words[6:]}
    begun = Table(cards=packs(8), used=used)
    cards = {"/".join(begun.state.words[at : at + 3]) for at in range(0, 12, 3)}
    assert fresh < cards
    assert begun.state.used_words == tuple(sorted(cards - fresh, key=begun.state.used_words.index))


def test_clue_givers_take_turns_in_seating_order() -> None:
    """VN-3: another clue giver each round, in seating order, in both teams."""
    table = Table(FIVE, cards=packs(40))
    seen = []
    for _ in range(4):
        seen.append(table.state.givers)
        table.round(0, (4,), (5,)).ready()
    assert seen == [(0, 1), (2, 3), (4, 1), (0, 3)]


def test_somebody_else_may_give_clues() -> None:
    """VN-3: "Ben gives clues" changes it before GO, and the order goes on from there."""
    table = Table(FIVE, cards=packs(40)).to_ready()
    assert table.command("clue_giver", "2").state.givers == (2, 1)
    assert table.last().startswith(("Ben", "Good, Ben"))
    state = table.quiet().state
    for argument in ("2", "9", "x"):
        assert table.command("clue_giver", argument).state == state
    table.to_go()
    assert table.command("clue_giver", "0").state.givers == (2, 1)
    table.call(0).guess(1, card=(1, 2, 3)).guess(1, card=(1, 2, 3)).ready()
    assert table.state.givers == (4, 3)
    assert table.quiet().command("clue_giver", "0").phase == "Telling"


@pytest.mark.parametrize(("said", "done"), [
    (((0.0, None), (0.5, None)), False),
    (((0.0, None), (1.1, None)), True),
    (((0.0, None), (0.5, None), (1.2, None)), True),
    (((0.0, 0), (0.1, 1)), True),
    (((0.0, 0), (0.1, 0)), False),
    (((0.0, 0), (0.5, None)), False),
    (((0.0, 0), (1.5, None)), True),
    (((0.0, None), (0.2, 0)), False),
    (((0.0, None), (0.2, 0), (0.4, 1)), True),
    (((0.0, 2), (2.0, 3)), False),
])
def test_both_clue_givers_must_be_ready(said: tuple[tuple[float, int | None], ...], done: bool) -> None:
    """VN-5: "ready" twice at least a second apart, or one with each clue giver's name; others' are none."""
    table = Table().to_ready()
    start = table.now
    for after, seat in said:
        table.tell(Ready(start + samples(after), seat))
    assert (table.phase == "Counting") is done


def test_ready_is_asked_for_three_times_at_most() -> None:
    """VN-5, GM-4: the host asks for "ready" three times, then waits in silence."""
    table = Table().to_ready().wait(600.0)
    assert table.ids().count("ready") == 3
    assert venn.deadline(table.state) is None
    assert table.ready(0).ready(1).phase == "Counting"


def test_the_count_is_exact() -> None:
    """VN-5: "one, two, three, GO" a second apart to the sample, then silence until somebody calls."""
    table = Table().to_go()
    one, two, three, go = (table.times(name)[0] for name in ("one", "two", "three", "go"))
    assert (two - one, three - two, go - three) == (16_000,) * 3
    assert table.phase == "Placing"
    mark = table.mark()
    assert table.wait(600.0).mark() == mark


def test_the_count_survives_a_line_cut_or_never_reported() -> None:
    """VN-5, TTS-05: a number cut off changes nothing, GO cut off is said again, a lost GO is taken for said."""
    table = Table().to_ready().ready(0).ready(1)
    while "go" not in table.ids():
        table.wait(0.01)
    table.queue.clear()
    gone = table.state
    table.tell(Said(table.now, gone.unsaid[-1], Part.CUT))
    assert table.phase == "Counting"
    table.wait(1.6)
    assert table.ids().count("go") == 2
    assert table.phase == "Placing"
    lost, _ = venn.step(gone, TimeUp(venn.deadline(gone) or 0))
    assert type(lost.phase).__name__ == "Placing"


def test_experts_are_reminded_before_go() -> None:
    """VN-15: the host says where the first card goes before it counts."""
    table = Table(expert=True).to_go()
    ids = table.ids()
    assert ids.index("expert") < ids.index("one")
    assert table.phase == "Placing"
    assert "expert" not in Table().to_go().ids()


def test_a_press_or_an_early_time_up_changes_nothing() -> None:
    """A button is turned into something else by the table, and time that is not up is nothing."""
    table = Table().quiet()
    state = table.state
    table.tell(Pressed(table.now, "red"))
    table.tell(TimeUp(table.now))
    table.tell(Said(table.now, "card3/verdict#1", Part.ENDED))
    assert table.state == state
    assert venn.overrule(state, None, 0, True) == (state, ())  # type: ignore[arg-type]  # nothing is judged here


# --- the family's own words -----------------------------------------------------------------------

WORDS = ("river", "heavy", "to fold", "sour", "soldier", "wedding", "castle", "seven", "red", "moon", "tiger", "glove")


def family(**options: Any) -> Table:
    table = Table(words="family", cards=packs(0), **options).quiet()
    for count, word in enumerate(WORDS, start=1):
        table.wait(1.0).command("list_word", f"{count}:{word}")
    return table


def test_the_family_reads_its_own_words() -> None:
    """VN-2: twelve words read out with their numbers become the list after a yes; numbers and colours may be words."""
    table = family()
    assert table.phase == "Checking"
    assert table.state.words == WORDS
    assert table.quiet().ids()[-5:] == ["words1", "words2", "words3", "words4", "right"]
    table.reply(yes=True)
    assert table.phase == "Readying"
    assert table.kept("words") == []
    assert venn.expects(table.state).words[2] == "fold"


def test_a_word_of_the_family_is_replaced_by_its_number() -> None:
    """VN-2: no, then the number and another word; the host repeats that one and asks again."""
    table = family().quiet().reply(yes=False).quiet()
    assert table.ids()[-1] == "which_word"
    table.command("list_word", "4:sweet").quiet()
    assert table.lines()[-2].text == "Four, sweet."
    assert table.ids()[-1] == "right"
    assert table.reply(yes=True).state.words[3] == "sweet"


@pytest.mark.parametrize(("argument", "line"), [
    ("12:Rivers", "twice"), ("12:the owl", "name"), ("12:", None), ("13:x", None), ("x:y", None),
    ("12:the moons", "twice"),
])
def test_bad_family_words_are_not_taken(argument: str, line: str | None) -> None:
    """VN-1, VN-2: no word twice, no team's name; what is no word changes nothing."""
    table = family().quiet()
    mark = table.mark()
    table.command("list_word", argument)
    assert table.state.words == WORDS
    assert table.ids(mark) == ([line] if line else [])


def test_the_host_asks_for_missing_words_and_unknown_ones() -> None:
    """VN-2, GM-4: it says which number comes next, at most three times, and what to do about an unknown word."""
    table = Table(words="family", cards=packs(0)).quiet().wait(31.0)
    assert table.ids()[-1] == "missing"
    assert "one" in table.quiet().last()
    for count, word in enumerate(WORDS[:11], start=1):
        table.command("list_word", f"{count}:{word}")
    table.command("unknown_word", "12").quiet()
    assert table.ids()[-1] == "unknown"
    mark = table.mark()
    table.wait(200.0)
    assert table.ids(mark) == ["missing", "missing"]
    assert "twelve" in table.last()
    asked = family().quiet().wait(200.0)
    assert asked.ids().count("right") == 3
    state = asked.state
    for name, argument in (("unknown_word", "0"), ("unknown_word", "x"), ("skip", "")):
        assert asked.command(name, argument).state == state
    assert Table().command("list_word", "1:x").command("unknown_word", "1").ids()[-1] == "words4"
