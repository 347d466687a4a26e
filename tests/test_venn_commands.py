"""What the host answers in Venn when it is asked, and how it comes back (GM-1, GM-3, VN-6)."""

from collections.abc import Callable

import pytest
from venn_table import PAIR, Table

from host.events import Part, Said
from host.games import venn

PHASES: dict[str, Callable[[], Table]] = {
    "Collecting": lambda: Table(words="family").quiet(),
    "Telling": lambda: Table().quiet(),
    "Readying": lambda: Table().to_ready(),
    "Counting": lambda: Table().to_ready().ready(0).ready(1).wait(1.8),
    "Placing": lambda: Table().to_go(),
    "Asking": lambda: Table().to_go().call().quiet(),
    "Guessing": lambda: Table().to_go().call(0).quiet().say(1).quiet(),
    "Revealing": lambda: Table().to_go().call(0).quiet().say(1, 2, 3).quiet(),
    "Between": lambda: Table().round(0, (1,), (1,)),
    "Over": lambda: _won(),
}


def _won() -> Table:
    table = Table(PAIR, mode="cooperative")
    for _ in range(5):
        table.to_go().call().guess(1, card=(1, 2, 3)).ready()
    return table


def checking() -> Table:
    table = Table(words="family").quiet()
    for count in range(12):
        table.command("list_word", f"{count + 1}:{'abcdefghijkl'[count]}oggle")
    return table.quiet()


@pytest.mark.parametrize(("phase", "ids"), [
    ("Collecting", ["missing"]), ("Telling", ["words1", "words2", "words3", "words4", "again"]),
    ("Readying", ["ready"]),
    ("Counting", []), ("Placing", []), ("Asking", ["which"]), ("Guessing", ["guess"]), ("Revealing", ["reveal"]),
    ("Between", ["between"]), ("Over", ["standing"]),
])
def test_repeat_asks_the_open_question_again(phase: str, ids: list[str]) -> None:
    """GM-1: "what was that?" brings the last question; while cards are placed and counted the host is silent."""
    table = PHASES[phase]()
    assert table.phase == phase
    mark = table.mark()
    table.command("repeat").quiet()
    assert [one for one in table.ids(mark) if one not in ("two", "three", "go")] == ids


def test_repeat_in_the_middle_of_numbers_and_lists() -> None:
    """GM-1: numbers that wait for a yes are read back again, a family's list is said again."""
    table = PHASES["Revealing"]().numbers(1, 2, 3).quiet().command("repeat")
    assert table.ids()[-2:] == ["read", "read"]
    assert checking().command("repeat").ids()[-5:] == ["words1", "words2", "words3", "words4", "right"]


@pytest.mark.parametrize("phase", ["Readying", "Placing", "Asking", "Guessing", "Revealing", "Between"])
def test_the_words_again(phase: str) -> None:
    """VN-2: "say the words" says all twelve at any time after they have been drawn."""
    table = PHASES[phase]()
    mark = table.mark()
    table.command("repeat_all").quiet()
    assert table.ids(mark) == ["words1", "words2", "words3", "words4"]
    assert table.phase == phase


def test_the_words_again_while_they_are_said_or_missing() -> None:
    """VN-2: while they are said they begin anew and "again?" follows; without a list the question is repeated."""
    table = Table().wait(2.0).command("repeat_all").quiet()
    assert table.ids()[-1] == "again"
    assert table.ids().count("again") == 1
    assert PHASES["Collecting"]().command("repeat_all").ids()[-1] == "missing"


@pytest.mark.parametrize(("argument", "said"), [("7", True), ("0", False), ("13", False), ("", False)])
def test_one_word_by_its_number(argument: str, said: bool) -> None:
    """VN-2: "word seven?" says that one."""
    table = PHASES["Placing"]()
    mark = table.mark()
    table.command("word", argument)
    expected = [f"Seven, {table.state.words[6]}."] if said else []
    assert [line.text for line in table.lines(mark)] == expected


@pytest.mark.parametrize("phase", list(PHASES))
def test_every_question_is_answered_in_every_phase(phase: str) -> None:
    """GM-1, GAM-19: score, turn, guesses, where, help and circles: answered at any time, and nothing else changes."""
    for name in ("score", "turn", "guesses", "where", "help", "zones"):
        table = PHASES[phase]()
        before, mark = venn.view(table.state, None), table.mark()
        table.command(name)
        assert table.ids(mark)
        assert venn.view(table.state, None) == before
        assert all(len(line.text) <= 160 for line in table.lines(mark))


def test_what_the_answers_say() -> None:
    """GM-1: the score by teams, the clue givers by name, the words taken so far."""
    table = PHASES["Guessing"]()
    assert "Foxes zero, Owls zero" in table.command("score").last()
    assert "Foxes" in table.command("turn").last()
    assert table.state.words[0].lower() in table.command("guesses").last().lower()
    assert "Anna and Dan" in PHASES["Readying"]().command("turn").last()
    assert "Anna" in Table(PAIR, mode="cooperative").command("turn").last()


@pytest.mark.parametrize("phase", list(PHASES))
def test_the_host_comes_back_where_it_was(phase: str) -> None:
    """GM-3: what was being said is lost with the power; `resume` asks what is open, and the game can go on."""
    table = PHASES[phase]()
    table.command("score")
    table.queue.clear()
    table.mouth_free = table.now
    mark = table.mark()
    table.command("resume")
    if phase == "Counting":
        assert table.wait(6.0).phase == "Placing"
        assert [one for one in table.ids(mark) if one != "score"] == ["one", "two", "three", "go"]
    elif phase != "Placing":
        assert table.ids(mark)
    assert len(table.state.unsaid) <= 5


def test_skip_brings_other_words_before_go() -> None:
    """GM-1: other words for the same round; after GO, and with the family's cards, nothing."""
    table = PHASES["Readying"]()
    words = table.state.words
    table.command("skip").quiet()
    assert (table.phase, table.state.round) == ("Telling", 1)
    assert not set(words) & set(table.state.words)
    assert len(table.kept("words")) == 8
    for phase in ("Placing", "Guessing", "Collecting"):
        held = PHASES[phase]()
        state = held.state
        assert held.command("skip").state == state
    assert checking().reply(yes=True).command("skip").phase == "Readying"


def test_unknown_commands_and_stray_events_change_nothing() -> None:
    """An intent that does not fit the moment changes nothing."""
    for phase in PHASES:
        table = PHASES[phase]()
        state = table.state
        for name in ("dance", "team", "keep", "strike"):
            if (phase, name) not in (("Guessing", "strike"), ("Revealing", "strike")):
                table.command(name)
        table.tell(Said(table.now, "nobody/knows#1", Part.BEGAN))
        assert table.state == state


def test_expects_follow_the_phase() -> None:
    """What is listened for: the list words, the call, the numbers, yes and no, ready, and a claim, each in its time."""
    seen = {phase: venn.expects(make().state) for phase, make in PHASES.items()}
    assert [phase for phase, one in seen.items() if one.call] == ["Counting", "Placing", "Asking"]
    assert [phase for phase, one in seen.items() if one.numbers] == ["Revealing"]
    assert [phase for phase, one in seen.items() if one.claim] == ["Asking"]
    assert [phase for phase, one in seen.items() if one.ready] == ["Telling", "Readying", "Between"]
    assert len(seen["Placing"].words) == 12
    assert all(not word.startswith("to ") for word in seen["Placing"].words)
    assert seen["Asking"].teams == ("Foxes", "Owls")
    assert venn.expects(checking().state).yes_no
    assert "card" in venn.expects(Table(art_cards="spoken").to_go().state).commands
    assert venn.expects(Table(PAIR, mode="cooperative").to_go().state).teams == ()


def test_the_lamp_tells_what_is_wanted() -> None:
    """The view names the phase and what the host listens for."""
    seen = {phase: venn.view(make().state, None) for phase, make in PHASES.items()}
    assert [seen[phase]["phase"] for phase in PHASES] == [phase.lower() for phase in PHASES]
    lamps = {phase: view["listening"] for phase, view in seen.items() if view["listening"]}
    assert lamps == {"Placing": "venn", "Asking": "team", "Guessing": "words", "Revealing": "numbers"}
    read = PHASES["Revealing"]().numbers(1, 2, 3)
    assert venn.view(read.state, None)["listening"] == "yes"
    assert seen["Counting"]["count"] > 0
    assert len(seen["Collecting"]["words"]) == 12
