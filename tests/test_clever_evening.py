"""Clever Endeavor: commands, what happens when the mouth fails, and whole random games."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from clever_table import NAMES, RIGHT, UNSPECIFIC, WRONG, Table, make_packs
from hypothesis import given, settings
from hypothesis import strategies as st
from test_clever_board import Naive, boards, ventures_of

from host.clock import samples, seconds
from host.events import Part, Say, TimeUp
from host.games import clever_endeavor as game
from host.games.clever_state import Over
from host.lines import CLEVER, say
from host.packs import Board

# --- answers -------------------------------------------------------------------------------------


def asked(name: str, places: tuple[int, ...] = (0, 21, 3, 1), **more: object) -> str:
    table = Table()
    table.run_to("card1/statement1")
    table.state = replace(table.state, pieces=replace(table.state.pieces, places=places))
    before = len(table.said())
    table.command(name, **more)
    return " ".join(table.said()[before:])


@pytest.mark.parametrize(("name", "more", "parts"), [
    ("score", {}, ["Red on 21, Green on three, White on one and Blue on Start"]),
    ("where", {"seat": 1}, ["Red on 21, in the red zone, six spaces to go"]),
    ("where", {}, ["Blue on Start, 27 spaces to go", "White"]),
    ("turn", {}, ["Blue"]),
    ("guesses", {"seat": 1}, ["Red one"]),
    ("guesses", {}, ["Blue two, Red one, Green two and White two"]),
    ("category", {}, ["a thing"]),
    ("pause_length", {"argument": "3"}, ["Three seconds"]),
    ("pause_length", {"argument": "9"}, ["six seconds"]),
    ("pause_length", {}, ["six seconds"]),
    ("dance", {}, [""]),
])
def test_answers(name: str, more: dict, parts: list[str]) -> None:
    """GM-1: score, places, turn, guesses, category and pause are answered in one short line."""
    text = asked(name, **more)
    for part in parts:
        assert part in text
    assert (text == "") is (name == "dance")


def test_the_pause_is_settable_by_voice() -> None:
    """CE-6, GM-1: the next pause has the new length; a length that is not allowed changes nothing."""
    table = Table()
    table.run_to("card1/statement1", Part.BEGAN)
    table.command("pause_length", "3")
    table.command("pause_length", "seven")
    ended = table.run_to("card1/statement1").at
    said = table.run_to("settings").at
    said = max(said, table.run_to("settings").at)
    assert table.run_to("card1/statement2", Part.BEGAN).at == said + samples(3)
    assert said > ended
    assert game.view(table.state, None)["pause"] == 3


def test_free_guesses_between_cards_are_those_of_the_next() -> None:
    """CE-11, GM-1: between cards the host says what will be free on the next one."""
    table = Table()
    table.run_to("card1/statement1")
    for _ in range(2):
        table.judge(table.guess(0, WRONG))
    assert game.view(table.state, None)["players"][0]["free"] == 0
    table.judge(table.guess(0, WRONG))
    assert game.view(table.state, None)["players"][0]["free"] == 0
    table.run_to("card2/ready")
    assert game.view(table.state, None)["players"][0]["free"] == 2
    more = replace(table.state.pieces, free=(1, 0, 0, 0), places=(9, 21, 0, 0))
    table.state = replace(table.state, pieces=more)
    assert [player["free"] for player in game.view(table.state, None)["players"]] == [3, 1, 2, 2]


def test_go_on_reads_the_next_statement_at_once() -> None:
    """GM-1: "go on" in a pause brings the next statement, or ends the last chance; elsewhere it is nothing."""
    table = Table()
    table.run_to("card1/statement1", Part.FIRST_WORD)
    before = table.state
    table.command("go_on")
    assert table.state == before
    ended = table.run_to("card1/statement1").at
    table.run(1)
    table.command("go_on")
    assert table.run_to("card1/statement2", Part.BEGAN).at == ended + samples(1)
    table.run_to("card1/last_chance")
    table.command("go_on")
    assert table.ids()[-3] == "card1/reveal"


@pytest.mark.parametrize("line", ["card1/category", "card1/statement1", "card1/last_chance", "card1/exactly",
                                  "card1/who"])
def test_skip_works_in_every_phase(line: str) -> None:
    """GM-1, GAM-08: "skip" ends the card wherever it stands, and says the answer."""
    table = Table()
    if "exactly" in line or "who" in line:
        table.run_to("card1/statement1")
        table.judge(table.guess(0, UNSPECIFIC) if "exactly" in line else table.guess(None, RIGHT))
    table.run_to(line)
    table.command("skip")
    table.run_to("card1/reveal")
    table.run_to("card2/ready")
    assert table.state.reader == 1


def test_repeat_after_the_card_says_the_answer_again() -> None:
    """GAM-07: "what was that?" after the card repeats the answer."""
    table = Table()
    table.run_to("card1/reveal")
    table.command("repeat")
    table.run_to("card1/reveal")
    table.run_to("card2/ready")
    table.command("repeat")
    table.run_to("card1/reveal")
    assert all("secret" in text for text in table.said("/reveal"))


def test_repeat_during_the_category_says_it_again() -> None:
    """GAM-07: "say that again" while the category is said brings it from its start."""
    table = Table()
    table.run_to("card1/category", Part.BEGAN)
    table.command("repeat")
    table.run_to("card1/category")
    table.run_to("card1/statement1")
    assert table.ids().count("card1/category") == 2


def test_repeat_in_a_statement_begins_it_anew() -> None:
    """CE-7, CE-13: "say that again" in the middle of a statement reads it from its start, and it counts once."""
    table = Table()
    table.run_to("card1/statement2", Part.FIRST_WORD)
    table.command("repeat")
    table.run_to("card1/statement2")
    table.run_to("card1/statement3")
    assert table.ids().count("card1/statement2") == 2
    assert len(table.state.hand.reads) == 3


def test_read_them_again_waits_while_a_question_is_open() -> None:
    """CE-7, CE-14: during "more exactly?" nothing is read again."""
    table = Table()
    table.run_to("card1/statement4")
    table.judge(table.guess(0, UNSPECIFIC))
    before = table.state
    table.command("repeat_all")
    assert table.state == before


def test_a_card_without_a_note_has_none() -> None:
    """CE-4, CE-8: a note is said only where the card has one."""
    table = Table(packs=make_packs(note=""))
    table.run_to("card1/reveal")
    table.run_to("card2/ready")
    assert "card1/note" not in table.ids()


# --- when the mouth or the floor fails -----------------------------------------------------------


@pytest.mark.parametrize("deaf", [
    {Part.ENDED}, {Part.BEGAN}, {Part.FIRST_WORD}, {Part.CUT}, {Part.BEGAN, Part.FIRST_WORD, Part.ENDED},
    set(Part), {Part.ENDED, Part.CUT},
])
def test_missing_reports_stall_nothing(deaf: set[Part]) -> None:
    """TTS-05, TTS-09: whatever the mouth fails to report, cards go on, guesses count, and nothing is counted twice."""
    table = Table()
    table.mouth.deaf = frozenset(deaf)
    table.mouth.reports = [said for said in table.mouth.reports if said.part not in deaf]
    for _ in range(600):
        if table.state.number == 3:
            break
        assert table.tick()
        if table.state.number == 1 and len(table.state.hand.reads) == 2 and not table.state.hand.prompted:
            table.floor(True)
            table.judge(table.guess(0, UNSPECIFIC))
            table.floor(False)
        if table.state.number == 2 and len(table.state.hand.reads) == 2 and not table.state.hand.over:
            table.judge(table.guess(None, RIGHT))
    assert table.state.number == 3
    assert seconds(table.at) < 900


@pytest.mark.parametrize("busy", [5, 15, 19])
def test_lines_wait_behind_the_tables_own(busy: float) -> None:
    """CE-6, CE-13: while the mouth says the table's lines nothing of the game's is taken for said, and pauses stay."""
    table = Table()
    table.mouth.reports.clear()
    table.mouth.lines.clear()
    table.mouth.free = samples(busy + 15)  # a long greeting
    for _, effect in table.history:
        if isinstance(effect, Say):
            table.mouth.say(effect, 0)
    ended = table.run_to("card1/statement1").at
    table.mouth.free = table.at + samples(busy)  # help, in the pause
    began = table.run_to("card1/statement2", Part.BEGAN).at
    assert began == ended + samples(max(busy, 5))
    assert len(table.state.hand.reads) == 1
    ended = table.run_to("card1/statement2").at
    assert table.run_to("card1/statement3", Part.BEGAN).at == ended + samples(5)


def test_a_category_that_is_cut_off_is_said_once_more_then_taken_as_said() -> None:
    """CE-13, GAM-10: lines that matter come again when the floor is free, once; then the card goes on."""
    table = Table()
    for _ in range(2):
        table.run_to("card1/category", Part.BEGAN)
        table.run(0.1)
        table.mouth.hush(table.at)
        table.floor(True)
        table.run(1)
        table.floor(False)
    table.run_to("card1/statement1")
    assert table.ids().count("card1/category") == 2


def test_an_answer_that_is_cut_off_is_said_again() -> None:
    """CE-9: somebody talks over the answer: it is said again."""
    table = Table()
    table.run_to("card1/reveal", Part.FIRST_WORD)
    table.mouth.hush(table.at)
    table.floor(True)
    table.run(1)
    table.floor(False)
    table.run_to("card1/reveal")
    table.run_to("card1/note")
    table.run_to("card2/ready")


def test_endless_talk_delays_a_statement_and_the_next_card_but_not_for_ever() -> None:
    """GAM-14: a room that never falls silent is played on after 8 s."""
    table = Table()
    table.run_to("card1/statement1", Part.FIRST_WORD)
    table.floor(True)
    table.run(9)
    assert table.ids().count("card1/statement1") == 2
    table.floor(True)
    table.run_to("card1/reveal")
    table.floor(True)
    table.run_to("card2/ready")
    table.floor(True)
    table.run(20)
    table.run_to("card2/statement1")


def test_a_deadline_that_is_not_the_games_is_nothing() -> None:
    """The session fires deadlines exactly; an early one changes nothing."""
    table = Table()
    table.run_to("card1/statement1")
    before = table.state
    assert game.step(before, TimeUp(table.at + 1)) == (before, ())
    over = replace(before, phase=Over(1))
    assert game.step(over, TimeUp(table.at + 1)) == (over, ())
    tapping = Table(reader="player")
    tapping.run_to("card1/start")
    assert game.step(tapping.state, TimeUp(tapping.at + 1)) == (tapping.state, ())


def test_a_game_knows_no_other_time_than_its_intents() -> None:
    """GAM-10: the same evening an hour later is the same to the sample: a pause of the whole game only shifts times."""
    evenings = []
    for hour in (0, samples(3600)):
        table = Table(at=hour)
        table.run_to("card1/statement2")
        table.run(2)
        table.speak(0, WRONG)
        table.speak(1, UNSPECIFIC)
        table.run_to("card2/statement1", Part.FIRST_WORD)
        table.speak(2, RIGHT)
        table.run_to("card3/ready")
        evenings.append([(s.line.partition("#")[0], s.text, s.began - hour, s.ended - hour) for s in table.mouth.lines])
        assert game.deadline(table.state) - table.at == samples(8)
    assert evenings[0] == evenings[1]


# --- lines ---------------------------------------------------------------------------------------


VALUES = dict.fromkeys((
    "who", "number", "category", "answer", "read", "spaces", "names", "left", "next", "note", "text", "name", "cards",
    "minutes", "places", "seconds",
), "x")


@pytest.mark.parametrize("key", sorted(CLEVER))
def test_wordings(key: str) -> None:
    """GM-4: every line has three wordings at least, all different, short, and none that blames."""
    wordings = [say(key, turn, **VALUES) for turn in range(len(CLEVER[key]))]
    assert len(set(wordings)) == len(wordings) >= 3
    for text in wordings:
        assert len(text) < 110
        assert re.search(r"[.?!]$|[.:?] x$", text)
        assert not re.search(r"\byou (spoke|did not|should|must)|too (quiet|loud|slow|late)|wrong", text, re.I)


def test_no_wording_twice_in_a_row() -> None:
    """EVENING: lines vary; the same wording does not come twice in a row."""
    table = Table(seed=4)
    for _ in range(6):
        table.run_to("card" + str(table.state.number) + "/statement1")
        for seat in range(3):
            table.judge(table.guess(seat, WRONG))
            table.run(3)
        table.command("skip")
        table.next_card()
    for name, key in (("/verdict", "clever_wrong_free"), ("/start", "clever_card"), ("/reveal", "clever_answer")):
        patterns = [re.sub(r"\{\w+\}", "(.+)", text) for text in CLEVER[key]]
        used = [[place for place, pattern in enumerate(patterns) if re.fullmatch(pattern, text)][-1]
                for text in table.said(name)]
        assert len(used) >= 6
        assert all(one != other for one, other in pairwise(used))


# --- random games --------------------------------------------------------------------------------


class Referee:
    """Keeps the pieces' places by hand, from what the mouth has said and what players have guessed."""

    def __init__(self, table: Table) -> None:
        state = table.state
        self.table = table
        self.naive = Naive(state.packs.board, state.packs.ventures, state.pieces.places, state.pieces.deck)
        self.card, self.over = 0, True
        self.wrongs: list[int] = []
        self.extra = [0] * len(NAMES)

    def look(self) -> None:
        """Notice a new card, and whether its time has run out."""
        names = self.table.ids()
        card = sum(bool(re.fullmatch(r"card\d+/start", name)) for name in names)
        if card != self.card:
            self.card, self.over = card, False
            self.wrongs = [0] * len(self.naive.places)
            self.extra, self.naive.free = self.naive.free, [0] * len(self.naive.places)
        if f"card{card}/reveal" in names:
            self.over = True

    def guess(self, seat: int, right: bool) -> None:
        """A guess that begins and is judged now."""
        at, naive = self.table.at, self.naive
        begun = {s.line.partition("#")[0]: s for s in self.table.mouth.lines if s.began <= at}
        if self.over or f"card{self.card}/category" not in begun or naive.winner is not None:
            return
        if right:
            self.over = True
            read = sum(s.first_word <= at for name, s in begun.items() if name.startswith(f"card{self.card}/statement"))
            bonus, naive.bonus[seat] = naive.bonus[seat], 0
            naive.walk(seat, 7 - max(read, 1) + bonus)
            return
        self.wrongs[seat] += 1
        red = naive.board[naive.places[seat]].red
        if self.wrongs[seat] > (1 if red else 2) + self.extra[seat]:
            if naive.shield[seat] > 0:
                naive.shield[seat] -= 1
            else:
                naive.walk(seat, -1)


actions = st.lists(st.tuples(st.sampled_from(["wait", "wrong", "wrong", "wrong", "right", "go"]), st.integers(0, 7),
                             st.floats(0.1, 7)), min_size=20, max_size=80)
safe_ventures = ventures_of.map(lambda cards: tuple(
    replace(card, n=abs(card.n)) if card.kind in ("free", "bonus", "shield", "fewer") else card for card in cards))


@settings(max_examples=120, deadline=None)
@given(boards(), safe_ventures, actions, st.integers(1, 8), st.integers(0, 1000))
def test_random_games_agree_with_a_naive_referee(board: Board, ventures: tuple, moves: list, seats: int,
                                                 seed: int) -> None:
    """CE-3, CE-11, CE-12, CE-13, CE-18, CE-19: whole games end where a naive referee says."""
    table = Table(seats, make_packs(board=board, ventures=ventures), seed)
    referee = Referee(table)
    for action, seat, wait in moves:
        table.run(wait)
        referee.look()
        if action in ("wrong", "right"):
            seat %= seats
            referee.guess(seat, action == "right")
            table.judge(table.guess(seat, RIGHT if action == "right" else WRONG))
        elif action == "go" and table.phase == "Asking":
            table.ready()
        assert list(table.places) == referee.naive.places
        assert table.state.pieces.winner == referee.naive.winner


anything = st.lists(st.tuples(
    st.sampled_from(["wait", "guess", "guess", "guess", "busy", "free", "claim", "ready", "hush", "repeat",
                     "repeat_all", "go_on", "skip", "score", "where", "turn", "guesses", "category", "statement",
                     "together", "pause_length"]),
    st.integers(-1, 7), st.sampled_from([RIGHT, WRONG, WRONG, UNSPECIFIC]), st.floats(0.01, 9),
), max_size=70)
options_of = st.fixed_dictionaries({}, optional={
    "pause": st.sampled_from([3, 5, 6]), "statements": st.integers(2, 6), "hide_category": st.booleans(),
    "false_statement": st.booleans(), "shuffle": st.booleans(), "wait": st.booleans(), "strict": st.booleans(),
    "reader": st.sampled_from(["host", "silent", "player"]), "ready": st.booleans(), "youngest": st.integers(0, 1),
})


def secrets(table: Table) -> list[str]:
    """What nobody may see or hear before the card is over."""
    state = table.state
    unread = [state.statement(index) for index in range(len(state.hand.reads), len(state.hand.order))]
    hidden = ["a thing"] if state.options.hide_category else []
    return [state.card.answer, state.card.note, *hidden, *(unread if state.options.reader != "player" else
                                                           state.card.statements)]


def check(table: Table) -> None:
    """What holds at every moment of every game."""
    state = table.state
    last = len(state.packs.board.spaces) - 1
    assert all(0 <= place <= last for place in state.pieces.places)
    there = [seat for seat, place in enumerate(state.pieces.places) if place == last]
    assert bool(there) is (state.pieces.winner is not None) is isinstance(state.phase, Over)
    assert state.pieces.winner is None or state.pieces.winner in there
    views = [game.view(state, seat) for seat in (None, *range(state.seats))]
    assert json.loads(json.dumps(views)) == views
    if not state.hand.over:
        for seat, seen in zip((None, *range(state.seats)), views, strict=True):
            if not (state.options.reader == "player" and seat == state.reader):
                assert not any(secret in json.dumps(seen) for secret in secrets(table))
        said = " ".join(e.line.text for e in table.effects if isinstance(e, Say)
                        and e.line.id.startswith(f"card{state.number}/"))
        assert state.card.answer not in said
        assert state.card.note not in said
    if game.deadline(state) is None:
        assert table.phase in ("Over", "Tapping") or (table.phase == "Pausing" and state.phase.waiting)
    assert len(state.hand.reads) <= len(state.hand.order)
    expects = game.expects(state)
    assert expects.card is None or expects.card.id == state.hand.card


@settings(max_examples=200, deadline=None)
@given(boards(), ventures_of, anything, options_of, st.integers(2, 5), st.integers(0, 1000))
def test_anything_may_happen(board: Board, ventures: tuple, events: list, options: dict, seats: int,
                             seed: int) -> None:
    """CE-3, CE-8, CE-12, CE-14a, CE-20: whatever comes in: no leak, nobody off the board, no card twice."""
    table = Table(seats, make_packs(cards=3, board=board, ventures=ventures), seed, **options)
    for what, seat, verdict, time in events:
        owner = None if seat < 0 else seat % seats
        match what:
            case "wait":
                table.run(time)
            case "guess":
                table.judge(table.guess(owner, verdict), table.guess(seat % seats, WRONG, table.at + 99))
            case "busy" | "free":
                table.floor(what == "busy", table.at - round(time * 100))
            case "claim":
                table.claim(seat)
            case "ready":
                table.ready()
            case "hush":
                table.mouth.hush(table.at)
            case _:
                table.command(what, "4", owner)
        check(table)
    kept = table.kept()
    for cycle in "|".join(kept).split("||"):
        cards = [card for card in cycle.split("|") if card]
        assert len(cards) == len(set(cards))
    ids = [effect.line.id for effect in table.effects if isinstance(effect, Say)]
    assert len(ids) == len(set(ids))
    # and left alone it ends: every card is revealed in time, nothing waits for ever
    number = table.state.number
    if table.phase != "Over" and not table.state.options.wait and table.state.options.reader != "player":
        table.run(240)
        assert table.state.number > number or table.phase == "Over"
