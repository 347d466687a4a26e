"""Phones as buttons, and touch for what can be said (issue 7 part 4, issue 9 part 1)."""

import random
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from evening import PLAYERS, Evening
from hypothesis import given, settings
from hypothesis import strategies as st
from server_table import CODE, Client, Served

from host.clock import BLOCK, samples
from host.devices.buttons import Inbox
from host.events import Heard, Line, Part, Pressed, Said, Say, Speaking, TimeUp, Typed, Word
from host.games import Player
from host.server.guard import Pairing
from host.server.hub import Hub, Speech
from host.server.messages import Echo, Hello, Press, Sit
from host.server.seats import Seats, key_of
from host.server.web import WAY, Web
from host.server.web import Client as Ours
from host.sound import Clip
from host.table import touch
from host.table.commands import ALWAYS, GAME
from host.understand.phrases import COMMANDS

COLOURS = tuple(player.colour for player in PLAYERS)


# --- over the wire --------------------------------------------------------------------------------


def test_a_phone_joins_takes_a_seat_buzzes_and_comes_back() -> None:
    """Code, seat, press, lost connection, back by the token in the same seat with the same view."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        assert phone.view["you"] == {"seat": None, "index": None}
        phone.send(type="sit", seat="red")
        phone.until(lambda one: one.token and one.view["you"]["index"] == 1)
        phone.send(type="press")
        phone.until(lambda one: one.view["floor"] == 1, served)
        before = phone.view
        phone.close()
        again = Client(served.server, code="", token=phone.token).until(lambda one: one.view)
        assert again.view["you"] == {"seat": "red", "index": 1}
        assert again.view["game"] == before["game"]
        again.close()


def test_a_seat_with_a_phone_is_not_given_twice_but_one_without_is() -> None:
    """Another phone is told; once the first is gone it may take the seat, and the first one's token is void."""
    with Served() as served:
        first = Client(served.server).until(lambda one: one.view)
        first.send(type="sit", seat="blue")
        first.until(lambda one: one.token)
        second = Client(served.server).until(lambda one: one.view)
        second.send(type="sit", seat="blue")
        second.until(lambda one: one.notes)
        assert second.notes == ["Another phone is blue."]
        first.close()
        second.until(lambda one: one.view["taken"] == [])
        second.send(type="sit", seat="blue")
        second.until(lambda one: one.token)
        void = Client(served.server, code="", token=first.token).until(lambda one: one.refused is not None)
        assert void.view == {}


def test_a_restarted_server_knows_the_phones_of_its_game(tmp_path: Any) -> None:
    """Same game, new process: the old token and the old code are good (issue 9: killed and back)."""
    path = tmp_path / "pairing.json"
    with Served(pairing=Pairing.kept(path, fresh=True)) as served:
        code = served.server.pairing.code
        phone = Client(served.server, code=code).until(lambda one: one.view)
        phone.send(type="sit", seat="green")
        phone.until(lambda one: one.token)
        phone.close()
    with Served(pairing=Pairing.kept(path, fresh=False)) as served:
        phone = Client(served.server, code="", token=phone.token).until(lambda one: one.view)
        assert phone.view["you"] == {"seat": "green", "index": 2}
        assert served.server.pairing.code == code


def test_phones_gather_and_name_the_youngest() -> None:
    """Before the game phones join with name and colour; names are plain text of at most 20 signs."""
    with Served(players=(), youngest=None) as served:
        served.until("table/greeting", Part.ENDED)
        first = Client(served.server).until(lambda one: one.view)
        first.send(type="join", colour="blue", name="<img src=x onerror=alert(1)>")
        first.until(lambda one: one.view["you"]["index"] == 0, served)
        assert first.view["players"] == [["<img src=x onerror=a", "blue"]]
        second = Client(served.server).until(lambda one: one.view)
        second.send(type="join", colour="red", name="<IMG src=x onerror=a")
        second.until(lambda one: one.notes, served)
        second.send(type="join", colour="red", name=" Zoë \n O'Neil ")
        second.until(lambda one: one.view["you"]["index"] == 1, served)
        assert second.view["players"][1] == ["Zoë o'neil", "red"]
        second.send(type="touch", message="ready")
        served.until("table/youngest", Part.ENDED)
        second.send(type="press")
        second.until(lambda one: one.view["game"], served)
        assert second.view["game"]["reader"] == 1


def test_a_phone_speaks_for_its_own_seat_only() -> None:
    """ "seat N" of another seat is nothing; a typed answer is its own guess."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = Client(served.server).until(lambda one: one.view)
        phone.send(type="sit", seat="green")
        phone.until(lambda one: one.view["you"]["index"] == 2)
        phone.send(type="touch", message="seat 0")
        phone.take(0.1)
        served.wait(0.2)
        assert served.state.owner is None
        phone.send(type="touch", message="say red, a Fork!")
        phone.until(lambda one: one.view["game"].get("verdicts"), served)
        assert [(one["seat"], one["verdict"]) for one in phone.view["game"]["verdicts"]] == [(2, "wrong")]


def test_the_screen_is_touch_for_all_and_its_keys_are_buttons() -> None:
    """The screen pauses, goes on, buzzes for a seat, and its keyboard's keys press as the settings say."""
    with Served(keys={"1": "white"}) as served:
        served.until("card1/statement1", Part.ENDED)
        screen = Client(served.server, "screen").until(lambda one: one.view)
        assert screen.view["code"] == CODE
        screen.send(type="touch", message="command pause")
        screen.until(lambda one: one.view["paused"], served)
        screen.send(type="touch", message="command continue")
        screen.until(lambda one: not one.view["paused"], served)
        screen.send(type="touch", message="seat 2")
        screen.until(lambda one: one.view["floor"] == 2, served)
        screen.send(type="key", key="1")
        screen.until(lambda one: one.view["next"] == [3], served)


def test_what_changes_is_all_that_is_sent() -> None:
    """After the snapshot a client gets less than 1,500 bytes for a whole statement, the board never again."""
    with Served() as served:
        served.until("card1/category", Part.BEGAN)
        screen = Client(served.server, "screen").until(lambda one: one.view)
        screen.raw.clear()
        served.until("card1/statement1", Part.ENDED)
        screen.until(lambda one: one.view["game"]["card"]["statements"])
        assert sum(map(len, screen.raw)) < 1500
        assert "spaces" not in "".join(screen.raw)


# --- the way of a press ---------------------------------------------------------------------------


class Box:
    """An inbox that keeps what it is given."""

    def __init__(self) -> None:
        self.posts: list[tuple[Any, ...]] = []

    def press(self, button: str, when: float | None = None) -> None:
        self.posts.append((button, when))

    def type(self, seat: int | None, message: str) -> None:
        self.posts.append((seat, message))


class Peer:
    """A socket that goes nowhere."""

    client = None
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


def standing(players: tuple[tuple[str, str], ...] = (("Anna", "blue"), ("Ben", "red"))) -> tuple[Web, Box, list[float]]:
    """A web with an inbox that keeps, and a clock that the test sets."""
    box, clock = Box(), [100.0]
    hub = Hub(lambda state, seat: {"players": list(players), "game": {}, "seat": seat}, box, clock=lambda: clock[0])
    hub.begin("a state")
    return Web(hub, Pairing(code=CODE)), box, clock


def client_of(web: Web, number: int, **hello: str) -> Ours:
    """A client that has said hello."""
    client = Ours(web, Peer(), number)  # type: ignore[arg-type]
    web.clients[number] = client
    client.take(Hello("phone", **hello))
    return client


@pytest.mark.parametrize(("round_trips_ms", "way_ms"), [
    ([20, 20, 20], 10), ([30, 30, 300], 15), ([150] * 4, 75), ([900] * 8, 100), ([], 0),
])
def test_a_touch_is_corrected_by_the_measured_way_and_by_no_more_than_100_ms(
    round_trips_ms: list[int], way_ms: int
) -> None:
    """Half the median round trip, capped: a phone can't win by answering pings late."""
    web, box, clock = standing()
    phone = client_of(web, 1, code=CODE)
    phone.take(Sit("blue"))
    for number, trip in enumerate(round_trips_ms):
        phone._pings[number] = clock[0]
        clock[0] += trip / 1000
        phone.take(Echo(number))
        phone.take(Echo(number))  # a second answer to the same ping counts for nothing
    phone.take(Press())
    assert box.posts == [("blue", pytest.approx(clock[0] - way_ms / 1000))]
    assert phone.way <= WAY


# --- how far the line has come ---------------------------------------------------------------------


def test_words_show_as_they_are_said() -> None:
    """Nothing of a line is shown before it is heard; a cut one ends where it was cut."""
    speech = Speech("a", "It has four legs", (0.0, 0.3, 0.6, 0.9), 50.0)
    assert [speech.shown(50.0 + at) for at in (0.0, 0.35, 0.95)] == ["It", "It has", "It has four legs"]
    assert speech.next_word(50.35) == pytest.approx(0.25)
    assert replace(speech, over=True, cut_at=50.35).shown(90.0) == "It has ..."
    assert replace(speech, over=True).shown(50.0) == "It has four legs"
    number = Speech("a", "In 1969 men", (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), 0.0)
    assert (number.shown(0.1), number.shown(0.5), number.shown(1.1)) == ("In", "In 1969", "In 1969 men")


def test_the_hub_follows_the_mouth_and_never_shows_a_line_before_it_begins() -> None:
    """Asked for, begun, cut: nothing, then word by word, then where it ended."""
    clock = [5.0]
    hub = Hub(lambda state, seat: {"players": [], "game": {}, "saying": ["secret"]}, Box(), clock=lambda: clock[0])
    line = Line("card1/statement1#4", "It has four legs")
    import numpy as np

    words = tuple(Word(text, at * 4800, at * 4800 + 4000) for at, text in enumerate(line.text.split()))
    hub.clip(line, Clip(line.id, np.zeros(100, np.int16), 16_000, words))
    hub.begin("state", (Say(line),))
    assert hub.seen(None)["speech"]["text"] == ""
    assert "saying" not in hub.seen(None)
    hub.watch(Said(0, line.id, Part.BEGAN), "state", ())
    clock[0] = 5.7
    assert hub.seen(None)["speech"] == {"text": "It has four", "over": False}
    hub.watch(Said(0, line.id, Part.CUT), "state", ())
    clock[0] = 9.0
    assert hub.seen(None)["speech"] == {"text": "It has four ...", "over": True}


def test_what_is_being_heard_is_dictation_only() -> None:
    """A partial shows free dictation; the grammar's reading, which knows the answer, stays inside."""
    hub = Hub(lambda state, seat: {"players": [], "game": {}}, Box())
    partial = Heard(0, 0, 0, (Word("toothbrush", 0, 1),), (Word("two", 0, 1), Word("brush", 0, 1)), 1, final=False)
    hub.watch(partial, "state", ())
    assert hub.seen(None)["hearing"] == "two brush"
    hub.watch(replace(partial, final=True), "state", ())
    assert hub.seen(None)["hearing"] == ""


def test_the_sand_runs_from_when_it_was_turned() -> None:
    """A clock that all may see counts down from its length, stands in a pause, and a new one begins anew."""
    game, clock = {"go": 0, "ends": samples(60)}, [10.0]
    paused = [False]

    def view(state: Any, seat: int | None) -> dict[str, Any]:
        return {"players": [], "game": dict(game), "paused": paused[0]}

    hub = Hub(view, Box(), clock=lambda: clock[0])
    states = iter(range(100))

    def left(seconds: float) -> Any:
        clock[0] += seconds
        hub.begin(next(states))
        return hub.seen(None)["clock"]

    assert left(0) == 60
    assert left(20.4) == 40
    paused[0] = True
    assert (left(0), left(100)) == (40, 40)
    paused[0] = False
    assert left(10) == 30
    game.update(go=5, ends=samples(30) + 5)
    assert left(1) == 30
    game.update(go=None)
    assert left(1) is None


# --- touch means the same as words ----------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_a_touched_command_does_what_the_spoken_one_does(name: str) -> None:
    """Every command by touch leads to the same lines and the same state as the same words (issue 9)."""
    if name not in touch.COMMANDS:
        assert name == "join"  # needs a name and a colour: it is a message of its own
        return
    ends = []
    for way in ("touch", "voice"):
        evening = Evening()
        evening.until("card1/statement2", Part.ENDED)
        if way == "touch":
            evening.posts.append(Typed(evening.now, None, f"command {name}"))
            evening.wait(0.9)
        else:
            evening.say(COMMANDS[name][0], took=0.3, settle=0.3)
            evening.wait(0.3)
        state = evening.state
        said = [line for line in evening.lines if line.startswith("table/") or "#" in line]
        ends.append((state.paused, state.question and state.question.kind, state.speed, state.volume,
                     [line.partition("#")[0] for line in said], evening.kept))
    assert ends[0] == ends[1]


def test_every_command_of_the_table_and_the_games_can_be_touched() -> None:
    """The list of the touch module holds them all."""
    assert {*ALWAYS, *GAME} <= touch.COMMANDS


@pytest.mark.parametrize(("question", "message", "kind"), [
    ("stop", "no", None), ("stop", "yes", "over"), ("objection", "yes", "objection"), ("objection", "no", None),
    ("objection", "seat 0", "objection"),
])
def test_questions_of_the_table_are_answered_by_touch(question: str, message: str, kind: str | None) -> None:
    """Yes, no and a touched player are answers, as by voice (GM-2)."""
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    evening.say("blue fork")
    evening.until("card1/verdict", Part.ENDED)
    evening.posts.append(Typed(evening.now, None, f"command {question}"))
    evening.block()
    assert evening.state.question is not None
    evening.posts.append(Typed(evening.now, 0, message))
    evening.block()
    found = "over" if evening.state.done else evening.state.question and evening.state.question.kind
    assert found == kind
    if kind == "objection":
        assert evening.state.question.agreed


def test_who_said_it_is_answered_by_touching_the_piece() -> None:
    """After a right answer without an owner, a touched player gets the points."""
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    evening.say(evening.table.rules.expects(evening.state.game).card.essential[0])
    evening.until("card1/who", Part.ENDED)
    assert "seat" in evening.table.view(evening.state, None)["wants"]
    evening.posts.append(Typed(evening.now, None, "seat 3"))
    evening.wait(8.0)
    assert evening.places()[3] > 0


def test_a_whole_roll_call_by_touch() -> None:
    """Players, "that is all", the youngest: without a word."""
    evening = Evening(players=(), youngest=None)
    evening.until("table/greeting", Part.ENDED)
    for message in ("join blue Anna", "join red", "join pink Eve", "join", "join green Cleo"):
        evening.posts.append(Typed(evening.now, None, message))
        evening.block()
    assert evening.table.view(evening.state, None)["players"] == [("Anna", "blue"), ("Red", "red"), ("Cleo", "green")]
    evening.posts.append(Typed(evening.now, None, "ready"))
    evening.until("table/youngest", Part.ENDED)
    evening.posts.append(Typed(evening.now, None, "seat 2"))
    evening.block()
    assert evening.game["reader"] == 2


@given(st.lists(st.tuples(st.none() | st.integers(-3, 9), st.text(max_size=40) | st.builds(
    "{} {}".format,
    st.sampled_from(("command", "seat", "join", "say", "yes", "no", "ready", "leave", "swap", "voice")),
    st.text(max_size=12) | st.sampled_from(("0", "99999999", "pause", "undo", "stop", "fork", "blue Anna", "٣", "1", "",
                                            "0 2", "2 0", "silver Maya", "purple", "0 1 blue", "red is leaving")),
)), max_size=12))
@settings(max_examples=150, deadline=None)
def test_any_messages_leave_the_table_well(messages: list[tuple[int | None, str]]) -> None:
    """Whatever is typed, the table goes on: no exception, and the deadline moves on."""
    evening = OPEN
    state = evening.state
    for seat, message in messages:
        state, _ = evening.table.step(state, Typed(evening.now, seat, message))
        evening.table.listens(state)
        evening.table.view(state, seat if seat in range(4) else None)


def _open() -> Evening:
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    return evening


OPEN = _open()


# --- who has the floor, against a naive reference ---------------------------------------------------


@dataclass
class Naive:
    """Who sits where and who has the floor, told as simply as can be."""

    seats: dict[str, str] = field(default_factory=dict)
    """seat -> phone that may come back to it"""
    here: set[str] = field(default_factory=set)
    """phones that are connected"""
    line: list[tuple[int, int]] = field(default_factory=list)
    """(when pressed, seat), who has the floor first"""
    given: int = 0
    until: int = 0

    def holder(self, seat: str) -> str | None:
        phone = self.seats.get(seat)
        return phone if phone in self.here else None

    def sit(self, phone: str, seat: str) -> bool:
        if phone not in self.here or self.holder(seat) not in (None, phone):
            return False
        self.seats = {one: who for one, who in self.seats.items() if who != phone}
        self.seats[seat] = phone
        return True

    def press(self, at: int, began: int, seat: int) -> None:
        self.pass_time(at)
        if seat in [other for _, other in self.line]:
            return
        if not self.line:
            self.line, self.given, self.until = [(began, seat)], at, at + samples(5.0)
        elif began < self.line[0][0] and at - self.given <= samples(0.15):
            self.line = [(began, seat), *self.line]
        else:
            self.line = [self.line[0], *sorted([*self.line[1:], (began, seat)], key=lambda press: press[0])]

    def wrong(self, at: int) -> None:
        """Who has the floor said something wrong."""
        self.pass_time(at)
        if self.line:
            self.line, self.given, self.until = self.line[1:], -samples(1.0), at + samples(5.0)

    def pass_time(self, at: int) -> None:
        while self.line and at >= self.until:
            self.line = self.line[1:]
            self.given, self.until = -samples(1.0), self.until + samples(5.0)


class Floor:
    """The real seats, web and table, driven without sound: the host's words take no time."""

    def __init__(self, seed: int) -> None:
        self.now = OPEN.now
        self.table, self.state = OPEN.table, OPEN.state
        self.clock = [100.0]
        self.inbox = Inbox(lambda: self.now, lambda: self.clock[0])
        self.web = Web(Hub(self.table.view, self.inbox, clock=lambda: self.clock[0]), Pairing(code=CODE))
        self.web.hub.begin(self.state)
        self.clients: dict[str, Ours] = {}
        self.tokens: dict[str, str] = {}
        self.numbers = iter(range(1, 10_000))
        self.seed = seed
        for _ in range(3):
            self.block()

    def block(self) -> list[Pressed]:
        """30 ms: what came in is stepped, what is due is fired, what is said is said at once."""
        self.clock[0] += BLOCK / 16_000
        events = list(self.inbox())
        self.now += BLOCK
        for event in events:
            self.step(event)
        while (due := self.table.deadline(self.state)) is not None and due <= self.now:
            if self.state.owner is None or self.state.owner.until != due:
                break
            self.step(TimeUp(due))
        return [event for event in events if isinstance(event, Pressed)]

    def wrong(self) -> None:
        """Who has the floor says something wrong, at once."""
        self.spoken = getattr(self, "spoken", 500) + 1
        words = (Word("a", self.now, self.now), Word("fork", self.now, self.now))
        self.step(Speaking(self.now, self.now, self.spoken))
        self.step(Heard(self.now, self.now, self.now, words, words, self.spoken))

    def step(self, event: Any) -> None:
        self.state, effects = self.table.step(self.state, event)
        for effect in effects:
            if isinstance(effect, Say) and effect.line.id.startswith("table/your_turn"):
                self.state, _ = self.table.step(self.state, Said(event.at, effect.line.id, Part.ENDED))
        self.web.hub.begin(self.state)

    def connect(self, phone: str) -> None:
        number = next(self.numbers)
        client = client_of(self.web, number, code=CODE, token=self.tokens.get(phone, ""))
        self.clients[phone] = client

    def lose(self, phone: str) -> None:
        client = self.clients.pop(phone)
        del self.web.clients[client.number]
        self.web.seats.lost(client.number)

    def take(self, phone: str, message: Any) -> None:
        client = self.clients[phone]
        client.take(message)
        for out in client._outbox:
            if out["type"] == "token":
                self.tokens[phone] = out["token"]
        client._outbox.clear()


def act_out(act: str, phone: str, real: Floor, naive: Naive, chance: random.Random) -> None:
    """One act of a random sequence, on both."""
    here = phone in naive.here
    if act == "connect" and not here:
        real.connect(phone)
        naive.here.add(phone)
    elif act == "lose" and here:
        real.lose(phone)
        naive.here.discard(phone)
    elif act == "reload" and here:  # the new connection comes before the old one is missed
        old = real.clients[phone]
        real.connect(phone)
        del real.web.clients[old.number]
        real.web.seats.lost(old.number)
    elif act == "sit" and here:
        seat = chance.choice(COLOURS)
        real.take(phone, Sit(seat))
        naive.sit(phone, seat)
    elif act == "press" and here:
        real.take(phone, Press())
    elif act == "wired":
        real.inbox.press(chance.choice(COLOURS), real.clock[0] - chance.uniform(0, 0.08))
    elif act == "wrong" and naive.line:
        real.wrong()
        naive.wrong(real.now)
    elif act == "wait":
        for _ in range(chance.choice((1, 2, 5, 60))):
            settle(real, naive)


@pytest.mark.parametrize("part", range(10))
def test_random_presses_joins_losses_and_reloads_against_a_naive_reference(part: int) -> None:
    """1,000 random sequences (100 here): who sits where, who has the floor and who is next are the reference's."""
    moves = 0
    for seed in range(100 * part, 100 * part + 100):
        chance = random.Random(seed)
        real, naive = Floor(seed), Naive()
        phones = [f"phone{number}" for number in range(6)]
        for _ in range(chance.randrange(10, 40)):
            phone = chance.choice(phones)
            act = chance.choices(("connect", "lose", "reload", "sit", "press", "wired", "wait", "wrong"),
                                 (3, 1, 1, 4, 8, 2, 3, 1))[0]
            moves += 1
            act_out(act, phone, real, naive, chance)
            expected = {seat: who for seat, who in naive.seats.items() if who in naive.here}
            found = {real.web.seats.seat(client.number): who for who, client in real.clients.items()}
            found.pop(None, None)
            assert found == expected, seed
            if act == "press" and phone in naive.here:
                mine = next((seat for seat, who in naive.seats.items() if who == phone), None)
                waiting = [post for _, post in real.inbox._posts]
                assert mine is None or mine in waiting, seed
        settle(real, naive)
    assert moves > 1000


def settle(real: Floor, naive: Naive) -> None:
    """One block, and the reference told of the same presses."""
    for event in real.block():
        assert event.began is not None
        naive.press(event.at, event.began, COLOURS.index(event.button))
    naive.pass_time(real.now)
    seats = [seat for _, seat in naive.line]
    view = real.table.view(real.state, None)
    assert (view["floor"], view["next"]) == (seats[0] if seats else None, seats[1:]), real.seed


def test_seats_are_known_by_colour_or_by_name() -> None:
    """Venn's players have no colours."""
    assert [key_of(*pair) for pair in (("Anna", "blue"), ("Zoë", ""))] == ["blue", "zoë"]
    seats = Seats(Pairing())
    assert seats.sit("zoë", 1)
    assert seats.seat(1) == "zoë"
    assert Player("Zoë", "").name == "Zoë"
