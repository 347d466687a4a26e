"""A call that the ear is not sure of: the host asks while play goes on, and only a yes stops it (VN-8, VN-16)."""

from typing import Any

import pytest
from venn_evening import VennEvening
from venn_table import PAIR, Table, packs

from host.clock import samples
from host.ears import calls
from host.ears.bands import Bands
from host.ears.keyword import Finder, Net, Score
from host.events import Call, Chime, Floor, Hush, ListWord, Word
from host.games import Player, venn
from host.games.venn_state import Asking, Guessing, Placing
from host.table import venn_words


def wondering(team: int | None = None, **options: Any) -> tuple[Table, int]:
    """A table whose host has just begun to ask, and where the call began."""
    table = Table(**options).to_go()
    began = table.now - samples(0.5)
    table.tell(Call(table.now, began, team, began + samples(0.4), sure=False))
    return table, began


def guess(table: Table) -> Guessing:
    phase = table.state.phase
    assert isinstance(phase, Guessing)
    return phase


def test_an_unsure_call_stops_nobody() -> None:
    """VN-8: no gong and no stop, one short question; art cards go on being placed."""
    table, _ = wondering()
    assert table.ids()[-1] == "perhaps"
    assert "stop" not in table.ids()
    assert table.chimes()[-1:] != ["venn"]
    assert not [effect for _, effect in table.log if isinstance(effect, Hush)][1:]
    assert table.phase == "Placing"
    assert venn.expects(table.state).yes_no
    assert venn.expects(table.state).call


@pytest.mark.parametrize("answer", ["yes", "team", "claim", "again", "button"])
def test_a_yes_counts_from_the_first_sample(answer: str) -> None:
    """VN-8: a yes, a team's name, another call or a button: everything stops, and the first call's sample counts."""
    table, began = wondering()
    table.quiet().wait(1.0)
    mark = table.mark()
    {
        "yes": lambda: table.reply(yes=True), "team": lambda: table.command("team", "1"),
        "claim": lambda: table.claim(3), "again": lambda: table.call(), "button": lambda: table.call(1),
    }[answer]()
    assert table.chimes(mark) == ["venn"]
    assert table.ids(mark)[0] == "stop"
    phase = table.state.phase
    if answer in ("yes", "again"):
        assert isinstance(phase, Asking)
        assert phase.call == began
        table.quiet().claim(3)
    assert (guess(table).team, guess(table).call, guess(table).bonus) == (1, began, True)


@pytest.mark.parametrize("how", ["no", "nobody", "go_on", "silence"])
def test_no_or_silence_is_as_if_nothing_had_been(how: str) -> None:
    """VN-8: after a no, "nobody", "go on", or 4 s without an answer no count and no question follow."""
    table, _ = wondering()
    table.quiet()
    if how == "no":
        table.reply(yes=False)
    elif how != "silence":
        table.command(how)
    else:
        asked = table.now
        table.wait(3.9)
        assert venn.expects(table.state).yes_no
        table.wait(0.2)
        assert table.now - asked > samples(4.0)
    assert not venn.expects(table.state).yes_no
    mark = table.mark()
    table.wait(30.0)
    assert table.ids(mark) == []
    assert table.phase == "Placing"
    assert table.reply(yes=True).phase == "Placing"


def test_who_speaks_when_the_time_is_up_is_heard_out() -> None:
    """VN-8: an answer that is on its way at the fourth second still counts, a second and a half later at the most."""
    table, began = wondering()
    table.quiet().wait(3.8)
    table.tell(Floor(table.now, True, table.now))
    assert venn.expects(table.wait(1.0).state).yes_no
    table.reply(yes=True)
    assert isinstance(table.state.phase, Asking)
    assert table.state.phase.call == began
    late, _ = wondering()
    late.quiet().tell(Floor(late.now, True, late.now))
    assert not venn.expects(late.wait(5.6).state).yes_no


def test_a_question_whose_end_is_never_told_ends_all_the_same() -> None:
    """TTS-05: where the mouth reports nothing, the question has its time and is over."""
    table, _ = wondering()
    table.queue.clear()
    assert not venn.expects(table.wait(20.0).state).yes_no
    assert table.phase == "Placing"


def test_the_clock_runs_while_the_host_asks() -> None:
    """VN-16: the question costs no time: calls and beep come when they would have come anyway."""
    plain, table = (Table(PAIR, cards=packs(30), mode="cooperative").to_go() for _ in range(2))
    table.wait(57.0)
    table.tell(Call(table.now, table.now - 6000, None, sure=False))
    assert table.phase == "Placing"
    for one in (plain, table):
        one.wait(125.0 if one is plain else 68.0)
    assert table.times("time") == plain.times("time")
    assert table.phase == plain.phase == "Guessing"


def test_the_beep_ends_the_question() -> None:
    """VN-17: at the beep the team guesses with what lies there; a yes after it is none."""
    table = Table(PAIR, cards=packs(30), mode="cooperative").to_go().wait(116.5)
    table.tell(Call(table.now, table.now - 6000, None, sure=False))
    table.wait(3.0)
    before = guess(table)
    assert table.reply(yes=True).state.phase == before


def test_a_yes_in_the_cooperative_game_gives_the_time_of_the_question_back() -> None:
    """VN-8, VN-16: a false alarm after a yes: the clock has what it had where the first call began."""
    table = Table(PAIR, cards=packs(30), mode="cooperative").to_go()
    phase = table.state.phase
    assert isinstance(phase, Placing)
    began = table.now - 8000
    table.tell(Call(table.now, began, None, sure=False))
    table.quiet().wait(2.0).reply(yes=True)
    assert guess(table).call == began
    table.quiet().command("nobody").wait(9.0)
    again = table.state.phase
    assert isinstance(again, Placing)
    assert (again.ends or 0) - again.go == (phase.ends or 0) - began


def test_words_in_the_same_breath_count_after_the_yes() -> None:
    """VN-9: "Venn, river, heavy" of which the ear was not sure: the words wait, and count once it was a call."""
    table, began = wondering()
    for number, after in ((4, 0.6), (9, 1.2), (11, 4.0)):
        table.tell(ListWord(table.now, number, began + samples(after), None))
    table.wait(0.5).command("team", "0")
    assert guess(table).numbers == (4, 9)
    other, began = wondering()
    other.tell(ListWord(other.now, 4, began + samples(0.6), None))
    other.reply(yes=False)
    assert other.call(0).state.phase.numbers == ()  # type: ignore[union-attr]  # it is Guessing


@pytest.mark.parametrize(("said", "told"), [(None, True), (0, True), (1, None)])
def test_a_microphone_that_heard_it_tells_the_team(said: int | None, told: bool | None) -> None:
    """VN-8: a yes needs no "which team?" there; where somebody names the other team, the host asks."""
    table, began = wondering(0)
    table.quiet()
    if said is None:
        table.reply(yes=True)
    else:
        table.command("team", str(said))
    if told is None:
        assert isinstance(table.state.phase, Asking)
    else:
        assert (guess(table).team, guess(table).told, guess(table).call) == (0, told, began)


def test_who_only_named_the_team_may_be_disputed() -> None:
    """VN-8: the other team claims the call, too: the team behind begins, and nobody has the bonus."""
    table, _ = wondering()
    table.quiet().command("team", "0").wait(1.0).claim(1)
    assert "both" in table.ids()
    assert not guess(table).bonus


@pytest.mark.parametrize("phase", ["Readying", "Counting", "Asking", "Guessing", "Between"])
def test_out_of_time_an_unsure_call_is_nothing(phase: str) -> None:
    """VN-7: before GO, and after a call, the host asks nothing."""
    table = Table()
    if phase == "Between":
        table.round(0, (1,), (2,))
    else:
        table.to_ready()
    if phase == "Counting":
        table.ready(0).ready(1).wait(1.8)
    elif phase in ("Asking", "Guessing"):
        table = Table().to_go().call(None if phase == "Asking" else 0).quiet()
    assert table.phase == phase
    state = table.state
    table.tell(Call(table.now, table.now - 100, 1, sure=False))
    assert table.state == state


def test_an_unsure_call_begun_before_go_or_with_too_few_cards_is_nothing() -> None:
    """VN-7: nobody is asked about what could not be a call anyway."""
    table = Table().to_go()
    state = table.state
    table.tell(Call(table.now, table.state.phase.go - 1, None, sure=False))  # type: ignore[union-attr]  # Placing
    assert table.state == state
    early = Table(art_cards="spoken").to_go()
    early.tell(Call(early.now, early.now, 0, sure=False))
    assert "perhaps" not in early.ids()


def test_the_host_does_not_ask_for_ever() -> None:
    """GM-4: three times in a round at most; then only a sure call counts, and in the next round it asks again."""
    table = Table().to_go()
    for _ in range(5):
        table.tell(Call(table.now, table.now - 100, None, sure=False))
        table.quiet().wait(6.0)
    assert table.ids().count("perhaps") == 3
    table.call(0).guess(1, card=(1, 2, 3)).guess(2, card=(1, 2, 3)).ready()
    table.to_go().tell(Call(table.now, table.now - 100, None, sure=False))
    assert table.ids().count("perhaps") == 4


# --- through the table, by a scripted ear ---------------------------------------------------------


@pytest.fixture
def evening() -> VennEvening:
    """A game in which art cards are being placed."""
    table = VennEvening()
    table.to_go()
    return table


def chimes(table: VennEvening) -> list[str]:
    found: list[str] = []
    watch = table.session.parts.watch

    def listen(event: Any, state: Any, effects: tuple[Any, ...]) -> None:
        found.extend(effect.name for effect in effects if isinstance(effect, Chime))
        watch(event, state, effects)

    object.__setattr__(table.session.parts, "watch", listen)
    return found


def test_a_sure_call_stops_at_once_and_an_unsure_one_asks(evening: VennEvening) -> None:
    """VN-8: "venn" sounds on its first partial; "venn?" in two of them is asked about, and a yes makes it a call."""
    sounded = chimes(evening)
    evening.begin()
    evening.partial("[unk] venn?")
    assert evening.spoken("round1/perhaps") == []
    evening.partial("[unk] venn?")
    assert len(evening.spoken("round1/perhaps")) == 1
    evening.partial("[unk] venn? [unk]")
    evening.end("[unk] venn? [unk]")
    assert (sounded, evening.phase) == ([], "placing")
    assert evening.table.view(evening.state, None)["wants"] == ["yes_no", "call"]
    assert {"yes", "no", "nobody"} <= set(evening.table.listens(evening.state).phrases)
    evening.ended("perhaps")
    evening.say("yes")
    assert sounded == ["venn"]
    assert evening.phase == "asking"


def test_a_call_that_becomes_sure_stops_in_the_same_breath(evening: VennEvening) -> None:
    """VN-8: what the second partial is sure of is a call, from where the first one has it; nothing is asked."""
    sounded = chimes(evening)
    evening.begin()
    evening.partial("[unk] venn?")
    evening.partial("[unk] venn")
    evening.end("[unk] venn")
    assert sounded == ["venn"]
    assert evening.spoken("round1/perhaps") == []


@pytest.mark.parametrize(("said", "phase"), [
    ("foxes", "guessing"), ("the owls", "guessing"), ("no", "placing"), ("nobody", "placing"), ("yes it was", "asking"),
    ("venn", "asking"), ("[unk] [unk]", "placing"),
])
def test_what_answers_the_question(evening: VennEvening, said: str, phase: str) -> None:
    """VN-8: a team's name is a yes with the team; talk is no answer."""
    evening.say("[unk] venn?")
    evening.ended("perhaps")
    evening.say(said)
    assert evening.phase == phase
    assert ("yes_no" in evening.table.view(evening.state, None)["wants"]) is (said == "[unk] [unk]")


def test_the_words_of_the_breath_wait_for_the_yes(evening: VennEvening) -> None:
    """VN-9, KEY-09: "venn? river heavy", then "Foxes": both words are theirs."""
    evening.say(f"venn? {evening.plain(3, 7)}")
    evening.ended("perhaps")
    evening.say("foxes")
    assert evening.game["taken"] == [3, 7]


def test_a_touch_answers_too(evening: VennEvening) -> None:
    """Issue 9: yes and no on screen and phone."""
    from host.events import Typed

    evening.say("venn?")
    evening.posts.append(Typed(evening.now, None, "no"))
    evening.block()
    assert evening.table.view(evening.state, None)["wants"] == ["call"]


def test_a_power_cut_while_the_host_asks(evening: VennEvening) -> None:
    """GM-3: the question is asked anew after the yes to "shall we go on?", and a call is still possible."""
    evening.say("venn?")
    again = VennEvening(state=evening.state, start=evening.now)
    again.count = 1000
    again.ended("resumed")
    again.say("yes")
    again.ended("perhaps", limit=10.0)
    again.say("foxes")
    assert again.game["guessing"] == 0


def test_a_pause_stops_the_questions_time() -> None:
    """GAM-10: paused while the host asks, it asks again afterwards, and has its four seconds."""
    pair = (Player("Anna", ""), Player("Ben", ""))
    table = VennEvening(players=pair, mode="cooperative")
    table.to_go()
    table.say("venn?")
    table.say("pause")
    table.wait(30.0)
    assert table.state.paused
    table.say("continue")
    table.ended("perhaps", limit=10.0)
    table.say("yes")
    assert table.phase == "guessing"


# --- the ear --------------------------------------------------------------------------------------


def ear(net: Net, *scores: Score) -> calls.Calls:
    made = calls.Calls(Finder(net, Bands()))
    made.found.extend(scores)
    return made


BAND = Net({}, keep=0.1, find=0.3, sure=0.8)
Row = tuple[tuple[str, int], ...]


@pytest.mark.parametrize(("score", "said", "wanted"), [
    (0.9, "venn", "venn"), (0.5, "venn", "venn?"), (0.2, "venn", "[unk]"),
    (0.9, "ten", "venn ten"), (0.5, "ten", "venn? ten"), (0.2, "ten", "ten"),
])
def test_the_band_between_the_two_limits(score: float, said: str, wanted: str) -> None:
    """VN-8: from `sure` on a call, between `find` and `sure` perhaps one, below nothing."""
    words = tuple(Word(text, 16_000, 16_000, 0.5) for text in said.split())
    heard = ear(BAND, Score(15_000, score, BAND.certain(score)))
    assert " ".join(word.text for word in calls.believed(words, heard, 8_000, 16_500)) == wanted


def test_a_sure_one_later_in_the_utterance_makes_the_first_one_sure() -> None:
    """VN-8: "venn? ... VENN!" in one breath stops at once, and counts from the first."""
    words = (Word("venn", 16_000, 16_000, 0.5), Word("and", 30_000, 30_000, 0.5))
    heard = ear(BAND, Score(15_000, 0.5, False), Score(29_000, 0.9, True))
    found = calls.believed(words, heard, 8_000, 31_000)
    assert [(word.text, word.began) for word in found] == [("venn", 16_000), ("and", 30_000)]


@pytest.mark.parametrize("net", [Net({}, find=0.3, lead=0.5), Net({}, find=0.3, lead=0.5, sure=0.1, sure_lead=-2.0)])
def test_without_a_band_every_call_is_sure(net: Net) -> None:
    """The default, and upper limits below the lower ones: as it always was."""
    assert all(net.certain(score) for score in (0.3, 0.5, 1.0))
    assert all(net.certain_lead(lead) for lead in (0.5, 4.0))


def test_the_leads_band() -> None:
    """A "venn" of the grammar whose lead is between `lead` and `sure_lead` is asked about."""
    net = Net({}, find=0.3, lead=0.5, sure_lead=2.0)
    assert (net.certain_lead(1.0), net.certain_lead(2.0)) == (False, True)
    assert net.certain(0.3), "the other band is another matter"


def test_ear_and_table_write_it_alike() -> None:
    """The ear may not know the table, nor the table the ear: the two words are the same."""
    assert (calls.CALL, calls.PERHAPS) == (venn_words.CALL, venn_words.PERHAPS)


@pytest.mark.parametrize(("given", "wanted"), [((0.8, 2.0), (0.8, 2.0)), ((None, 2.0), (None, 2.0)),
                                               ((None, None), (None, None))])
def test_the_limits_stand_in_the_thresholds_file(
    given: tuple[float | None, float | None], wanted: tuple[float | None, float | None],
) -> None:
    """`sure` and `sure_lead` are put into keyword.npz and taken out again; all else in it stays."""
    from importlib import resources

    from host.ears.keyword import banded, read

    data = resources.files("host.ears").joinpath("keyword.npz").read_bytes()
    before, after = read(data), read(banded(banded(data, 0.5, 0.5), *given))
    assert (after.sure, after.sure_lead) == wanted
    assert (after.keep, after.find, after.lead, after.weight) == (before.keep, before.find, before.lead, before.weight)
    assert all((after.weights[name] == before.weights[name]).all() for name in before.weights)
