"""Venn by voice: from the roll call to the score, by what is heard, partials too (VN-5 to VN-10, KEY)."""

from typing import Any

import pytest
from venn_evening import FOUR, VennEvening

from host.events import Call, Chime
from host.games import Player
from host.table.venn_words import is_ready


@pytest.fixture
def table() -> VennEvening:
    """A game with its art cards being placed."""
    evening = VennEvening()
    evening.to_go()
    return evening


def chimes(evening: VennEvening) -> list[str]:
    """The chimes from here on are added to the list that is returned."""
    found: list[str] = []
    watch = evening.session.parts.watch

    def listen(event: Any, state: Any, effects: tuple[Any, ...]) -> None:
        found.extend(effect.name for effect in effects if isinstance(effect, Chime))
        watch(event, state, effects)

    object.__setattr__(evening.session.parts, "watch", listen)
    return found


# --- a whole round -------------------------------------------------------------------------------


def test_a_round_by_voice_alone(table: VennEvening) -> None:
    """VN-5 to VN-12: ready twice, GO, "Venn! Foxes!", three words, numbers, yes, the other team, the score."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 5, 9))
    table.reveal("one five twelve")
    assert table.points == [2, 0]
    table.ended("guess")
    table.say(table.plain(2))
    table.wait(1.0)
    table.say(table.plain(3, 4))
    table.reveal("two three four")
    table.ended("between")
    assert table.points == [2, 3]
    table.say("ready")
    table.until("round2/begin")


def test_a_call_sounds_before_the_utterance_is_over(table: VennEvening) -> None:
    """KEY-01, VN-8: the gong comes on the first partial with "venn", in the middle of running talk."""
    sounded = chimes(table)
    table.begin()
    table.partial("and [unk]")
    table.partial("and [unk] venn", wait=0.06)
    assert sounded == ["venn"]
    assert table.phase == "asking"
    table.partial("and [unk] venn [unk]")
    table.end("and [unk] venn [unk]")
    assert sounded == ["venn"]


def test_three_words_in_the_same_breath_count_once_the_team_is_known(table: VennEvening) -> None:
    """KEY-09, VN-9: "Venn" and three words without a pause; "Foxes" said afterwards takes them all."""
    table.begin()
    for said in ("venn", f"venn {table.plain(3)}", f"venn {table.plain(3, 7)}", f"venn {table.plain(3, 7, 11)}"):
        table.partial(said)
        table.partial(said)
    table.end(f"venn {table.plain(3, 7, 11)}")
    assert table.phase == "asking"
    table.say("foxes")
    assert table.phase == "revealing"
    assert table.game["taken"] == [3, 7, 11]


@pytest.mark.parametrize(("gap", "taken"), [(0.4, [4]), (2.5, [])])
def test_words_after_a_border_between_utterances(table: VennEvening, gap: float, taken: list[int]) -> None:
    """KEY-13: a gap of under a second keeps the breath, after 2.5 s the host has asked and the word waits for it."""
    table.say("venn", took=0.4, settle=0.1)
    table.wait(gap)
    table.say(table.plain(4), took=0.4, settle=0.1)
    assert table.phase == "asking"
    table.say("owls")
    assert table.game["taken"] == taken
    assert table.game["guessing"] == 1


def test_a_word_waits_for_a_second_partial_with_the_same_start(table: VennEvening) -> None:
    """VN-9, KEY-12: one partial is not enough, and another start begins anew; then no revision takes it back."""
    table.say("venn foxes")
    table.ended("guess")
    first, other = table.plain(1), table.plain(2)
    table.begin()
    table.partial(f"[unk] {first}")
    assert table.taken == []
    table.partial(f"[unk] {other}")
    assert table.taken == []
    table.partial(f"[unk] {other}")
    assert table.game["taken"] == [2]
    table.end(f"[unk] {first}")
    assert table.game["taken"] == [2, 1]
    table.say(other)
    assert table.game["taken"] == [2, 1]


def test_words_before_the_call_are_talk(table: VennEvening) -> None:
    """VN-9: list words in the same utterance, but before "venn", are none of the three."""
    table.begin()
    talk = table.plain(1, 2)
    table.partial(talk)
    table.partial(talk)
    table.partial(f"{talk} venn")
    table.partial(f"{talk} venn owls")
    table.end(f"{talk} venn owls {table.plain(3)}")
    assert table.game["taken"] == [3]
    assert table.game["guessing"] == 1


def test_the_final_keeps_the_order_of_the_starts(table: VennEvening) -> None:
    """KEY-12: what only the final holds is told in the order in which it began."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(9, 2, 6), confidence=0.9)
    assert table.game["taken"] == [9, 2, 6]


@pytest.mark.parametrize(("said", "taken"), [
    ("seven", [7]), ("number seven", [7]), ("um number two", [2]), ("seven [unk] [unk]", []),
])
def test_a_number_counts_alone_or_after_number(table: VennEvening, said: str, taken: list[int]) -> None:
    """VN-9: "seven" is word seven only where nothing else is said, or after "number"."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(said)
    assert table.game["taken"] == taken


def test_plurals_and_small_words_make_no_difference(table: VennEvening) -> None:
    """VN-9: "the rivers", "to fold" are the words that the list holds."""
    table.say("venn foxes")
    table.ended("guess")
    river, fold = table.words.index("river") + 1, table.words.index("to fold") + 1
    table.say("the rivers um to fold")
    assert table.game["taken"] == [river, fold]


# --- table talk ----------------------------------------------------------------------------------


@pytest.mark.parametrize("talk", ["again", "no", "yes", "stop", "quiet", "next", "ready", "foxes", "undo", "help",
                                  "go on", "wait wait", "that is enough", "word river"])
def test_table_talk_means_nothing_while_cards_are_placed(table: VennEvening, talk: str) -> None:
    """VN-7: nothing but the call and a few whole sentences is obeyed in the time of placing."""
    lines = len(table.lines)
    table.say(talk)
    table.say(f"[unk] {talk} [unk]", dictation=f"oh {talk} then")
    assert table.phase == "placing"
    assert len(table.lines) == lines
    assert table.state.question is None
    assert not table.state.paused


def test_whole_sentences_are_obeyed_while_cards_are_placed(table: VennEvening) -> None:
    """GM-1, VN-2: the words again, one word, a pause."""
    table.say("word seven")
    table.ended("word")
    assert table.spoken("round1/word")[-1] == f"Seven, {table.words[6]}."
    table.say("say the words again")
    table.until("round1/words4")
    table.say("pause")
    assert table.state.paused
    table.say("venn foxes")
    assert table.state.paused
    table.say("go on")
    assert table.phase == "placing"
    table.say("venn")
    assert table.phase == "asking"


def test_talk_does_not_hush_the_count() -> None:
    """VN-5: people speak while the host counts; "one, two, three, GO" goes on."""
    table = VennEvening()
    table.ended("again")
    table.say("no")
    table.ended("ready")
    table.say("anna is ready")
    table.say("dan is ready")
    table.until("round1/one")
    table.begin()
    table.until("round1/three")
    table.end("[unk] [unk]", "come on now")
    table.ended("go")
    assert table.phase == "placing"
    assert [name for _, name, part in table.said if part.value == "cut"] == []


def test_a_call_before_go_is_too_early() -> None:
    """VN-7: "not yet", and the count begins anew."""
    table = VennEvening()
    table.ended("again")
    table.say("no")
    table.ended("ready")
    table.say("anna is ready")
    table.say("dan is ready")
    table.until("round1/two")
    table.say("venn")
    table.ended("not_yet")
    table.ended("go")
    assert table.phase == "placing"


# --- which team ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("reply", "team"), [("foxes", 0), ("the owls", 1), ("fox", 0), ("it was dan", 1)])
def test_the_team_is_named_in_reply(table: VennEvening, reply: str, team: int) -> None:
    """VN-8: a team's name, or a player's, answers "which team?"."""
    table.say("venn")
    table.ended("which")
    table.say(reply)
    assert table.game["guessing"] == team


def test_nobody_called(table: VennEvening) -> None:
    """VN-8: "nobody": a false alarm, and on it goes after another count."""
    table.say("venn")
    table.ended("which")
    table.say("nobody")
    table.ended("go")
    assert table.phase == "placing"


def test_strike_and_keep(table: VennEvening) -> None:
    """VN-9: "strike that" takes the last word, "no" brings it back."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1))
    table.say("strike that")
    assert table.game["taken"] == []
    table.ended("struck")
    table.say("no")
    assert table.game["taken"] == [1]


# --- numbers -------------------------------------------------------------------------------------


def test_numbers_are_corrected_by_saying_them_again(table: VennEvening) -> None:
    """VN-10: "no", and all three once more; nothing is scored without a yes."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2, 3))
    table.ended("reveal")
    table.say("one two eight")
    table.ended("read")
    assert table.points == [0, 0]
    table.say("no one two three")
    table.ended("read")
    table.say("yes")
    assert table.points == [4, 0]


def test_the_rest_of_the_third_word_is_no_number(table: VennEvening) -> None:
    """VN-10: the utterance whose word closed the list is heard otherwise from then on; it tells no number."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2))
    table.begin()
    table.partial(table.plain(3))
    table.partial(table.plain(3))
    assert table.phase == "revealing"
    table.end("[unk] five")
    assert table.game["heard"] == []
    table.reveal("one two three")
    assert table.points == [4, 0]


def test_undo_takes_the_points_back(table: VennEvening) -> None:
    """GM-1: undo puts the game back to before the yes, and asks again."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2, 3))
    table.reveal("one two three")
    assert table.points == [4, 0]
    table.wait(1.0)
    table.say("undo")
    assert table.points == [0, 0]
    table.ended("read")
    table.say("yes")
    assert table.points == [4, 0]


def test_a_misheard_word_is_put_right(table: VennEvening) -> None:
    """GM-2: "we object", then "not this, but that": the word is changed, and the points follow."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2, 4))
    table.reveal("one two three")
    assert table.points == [2, 0]
    table.wait(1.0)
    table.say("we object")
    table.until("table/venn_object")
    table.say(f"not {table.plain(4)} but {table.plain(3)}")
    assert table.points == [4, 0]


# --- before the game -----------------------------------------------------------------------------


def test_four_names_make_two_teams() -> None:
    """VN-1: names in the order of the seats, every other one a Fox; a yes begins the game."""
    table = VennEvening(players=())
    table.until("table/venn_greeting")
    table.ended("venn_greeting")
    table.say("anna and ben")
    table.say("cleo")
    table.say("dan")
    table.ended("venn_teams")
    assert table.spoken("table/venn_teams") == ["So Anna and Cleo are the Foxes, and Ben and Dan the Owls. Right?"] or (
        "The Foxes are Anna and Cleo" in table.spoken("table/venn_teams")[0])
    table.say("yes")
    table.until("round1/words1")
    assert [team["players"] for team in table.game["teams"]] == [["Anna", "Cleo"], ["Ben", "Dan"]]


def test_teams_are_changed_by_voice() -> None:
    """VN-1: "Anna and Ben are Foxes" puts the others into the other team."""
    table = VennEvening(players=())
    table.ended("venn_greeting")
    table.say("anna ben cleo and dan")
    table.ended("venn_teams")
    table.say("anna and ben are foxes")
    table.ended("venn_teams")
    table.say("yes")
    table.until("round1/words1")
    assert [team["players"] for team in table.game["teams"]] == [["Anna", "Ben"], ["Cleo", "Dan"]]


def test_three_are_offered_the_cooperative_game() -> None:
    """VN-1, VN-16: too few for two teams; a yes makes them one."""
    table = VennEvening(players=())
    table.ended("venn_greeting")
    table.say("anna ben cleo")
    table.ended("venn_offer_cooperative")
    table.say("yes")
    table.until("round1/words1")
    assert table.game["mode"] == "cooperative"
    table.to_go()
    table.say("venn")
    assert table.phase == "guessing"


def test_names_are_gathered_anew_after_a_no() -> None:
    """GM-4: a roll that was misheard is said again, without blame."""
    table = VennEvening(players=())
    table.ended("venn_greeting")
    table.say("anna ben cleo ben dan")
    table.ended("venn_teams")
    table.say("no")
    table.ended("venn_who_anew")
    table.say("ben anna dan cleo")
    table.ended("venn_teams")
    table.say("yes")
    table.until("round1/words1")
    assert [team["players"] for team in table.game["teams"]] == [["Ben", "Dan"], ["Anna", "Cleo"]]


# --- the family's own words, and what the ear listens for ----------------------------------------


def test_the_family_reads_out_its_own_words() -> None:
    """VN-2: number and word, by dictation; letters are a word that is spelt; all are repeated for a yes."""
    table = VennEvening(words="family")
    table.ended("list")
    for number, word in enumerate(("river", "storm", "old", "t o y", "run", "gold", "moon", "fast", "tree", "song",
                                   "milk", "door"), start=1):
        said = table.table.rules.venn_round.number(number)
        table.say("[unk]", dictation=f"{said} {word}")
    table.ended("right", limit=90)
    assert table.words[:4] == ["river", "storm", "old", "toy"]
    table.say("yes")
    table.until("round1/ready")


def test_the_ear_is_asked_for_what_the_moment_needs(table: VennEvening) -> None:
    """VN-9: the call, words and teams with partials, then numbers."""
    placing = table.table.listens(table.state)
    assert placing.partials
    assert {"venn", "venn foxes", *[word.removeprefix("to ") for word in table.words]} <= set(
        placing.phrases)
    assert "again" not in placing.phrases
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 2, 3))
    revealing = table.table.listens(table.state)
    assert not revealing.partials
    assert "twelve" in revealing.phrases


@pytest.mark.parametrize("phase", ["telling", "readying", "counting", "placing", "asking", "guessing", "revealing",
                                   "read", "between"])
def test_a_power_cut_in_every_phase(phase: str) -> None:
    """GM-3: the host comes back, says where it stands, asks, and the round is played to its end."""
    table = VennEvening(players=FOUR)
    steps: list[tuple[str, Any]] = [
        ("telling", lambda: table.ended("again")),
        ("readying", lambda: (table.say("no"), table.ended("ready"))),
        ("counting", lambda: (table.say("anna is ready"), table.say("dan is ready"), table.until("round1/two"))),
        ("placing", lambda: (table.ended("go"), table.wait(1.0))),
        ("asking", lambda: (table.say("venn"), table.ended("which"))),
        ("guessing", lambda: (table.say("foxes"), table.ended("guess"), table.say(table.plain(1)))),
        ("revealing", lambda: (table.say(table.plain(2, 3)), table.ended("reveal"))),
        ("read", lambda: (table.say("one two four"), table.ended("read"))),
        ("between", lambda: (table.say("yes"), table.ended("guess"), table.say(table.plain(5, 6, 7)),
                             table.reveal("five six eight"), table.ended("between"))),
    ]
    for name, step in steps:
        step()
        if name == phase:
            break
    again = VennEvening(players=FOUR, state=table.state, start=table.now)
    again.count = 1000
    again.ended("resumed")
    again.say("yes")
    table, before = again, table.game
    assert table.game["taken"] == before["taken"]
    again.wait(9.0)
    order = [name for name, _ in steps]
    for name, step in steps[order.index(phase) + 1:]:
        if (phase, name) == ("counting", "placing"):
            table.ended("go") if table.phase == "counting" else table.wait(0.1)
            table.wait(1.0)
        else:
            step()
    assert table.points == [2, 2]


@pytest.mark.parametrize(("said", "ready"), [
    ("again ready", True), ("[unk] ready", True), ("anna is ready", True), ("are you ready", False),
    ("not ready", False), ("again", False), ("[unk]", False),
])
def test_who_says_ready(said: str, ready: bool) -> None:
    """VN-5: what stands around "ready" may be half heard, but a question and a no are none."""
    assert is_ready(tuple(said.split()), ("anna", "dan")) is ready


@pytest.mark.parametrize(("heard", "dictation", "wanted"), [
    ("one numbers are five seven twelve", "the numbers are five seven twelve", [5, 7, 12]),
    ("my numbers are one four", "my numbers are one two for", [1, 2, 4]),
    ("my numbers are three four", "one numbers two three four", [2, 3, 4]),
    ("my numbers are one nine twelve", "my hundred is one of my well", [1, 9, 12]),
    ("five seven nine", "five seven mine", [5, 7, 9]),
    ("one four", "the one good for", [1, 4]),
])
def test_what_stands_before_the_numbers_is_none(
    table: VennEvening, heard: str, dictation: str, wanted: list[int]
) -> None:
    """VN-10: only what follows "numbers are" counts, and dictation helps out where one of three was not heard."""
    table.say("venn foxes")
    table.ended("guess")
    table.say(table.plain(1, 5, 9))
    table.ended("reveal")
    table.say(heard, dictation=dictation)
    assert table.game["heard"] == wanted


def test_a_button_calls_for_its_team(table: VennEvening) -> None:
    """VN-8: who presses has called, for the team of the seat."""
    table.press("Dan")
    assert table.game["guessing"] == 1


def test_the_call_of_a_resumed_game_is_not_told_twice(table: VennEvening) -> None:
    """VN-9: an utterance is told once, however many partials repeat it."""
    told: list[Call] = []
    step = table.table.rules.step

    class Rules:
        def __getattr__(self, name: str) -> Any:
            return getattr(type(self).rules, name)

        rules = table.table.rules

        def step(self, state: Any, intent: Any) -> Any:
            if isinstance(intent, Call):
                told.append(intent)
            return step(state, intent)

    table.table.rules = Rules()
    table.begin()
    for said in ("venn", "venn", "venn [unk]", "venn [unk] venn"):
        table.partial(said)
    table.end("venn [unk] venn")
    assert len(told) == 1


def test_a_pair_may_play_by_flag() -> None:
    """VN-16: with the cooperative game chosen two names are enough, and nothing is asked."""
    table = VennEvening(players=(Player("Anna", ""), Player("Ben", "")), mode="cooperative")
    table.until("round1/words1")
    assert table.game["mode"] == "cooperative"
