"""Who may talk to the server, and what it makes of nonsense (SEC-01, SEC-03, SEC-04)."""

import json
from http.client import HTTPConnection
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from server_table import CODE, Client, Served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from host.events import Part
from host.server import ServerError, messages
from host.server.guard import WRONG_ALL, WRONG_EACH, Bucket, Pairing, host_allowed, is_here, origin_allowed
from host.server.messages import VERBS, read
from host.server.run import listen, qr
from host.server.web import PAGES, STATIC

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4), max_leaves=8,
)
KINDS = ("hello", "sit", "join", "leave", "press", "touch", "key", "echo", "snapshot", "")
FIELDS = ("type", "role", "code", "token", "seat", "colour", "name", "message", "key", "n")
CRAFTED = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS) | ANYTHING},
    optional={field: ANYTHING | st.sampled_from(["phone", "screen", CODE, "blue", "seat 1", "yes", "join red X"])
              for field in FIELDS[1:]},
)


# --- Host and Origin ------------------------------------------------------------------------------

HOSTS = [
    ("localhost", True), ("localhost:8137", True), ("127.0.0.1:8137", True), ("192.168.1.20", True),
    ("[::1]:8137", True), ("[fe80::1]", True), ("box.local:8137", True), ("BOX.LOCAL", True), ("box.local.", True),
    ("evil.example", False), ("evil.example:8137", False), ("localhost.evil.example", False), ("box.local.evil", False),
    ("127.0.0.1.evil.example", False), ("", False), (None, False), (".local", False), ("local", False),
    ("user@127.0.0.1", False), ("127.0.0.1/evil", False), ("127.0.0.1:port", False), ("a b.local/../", False),
    ("1.2.3", False), ("evil.example#.local", False), ("evil.example?.local", False), ("[::1", False),
]


@pytest.mark.parametrize(("host", "fine"), HOSTS)
def test_only_names_that_must_be_ours_are_answered(host: str | None, fine: bool) -> None:
    """SEC-01: IP literals, localhost and .local names; no other name can be told from a rebound one."""
    assert host_allowed(host) is fine


@pytest.mark.parametrize(("origin", "host", "fine"), [
    (None, "192.168.1.20:8137", True),
    ("http://192.168.1.20:8137", "192.168.1.20:8137", True),
    ("https://box.local", "box.local", True),
    ("http://evil.example", "192.168.1.20:8137", False),
    ("http://evil.example:8137", "evil.example:8137", False),
    ("http://192.168.1.20:9999", "192.168.1.20:8137", False),
    ("null", "192.168.1.20:8137", False),
    ("", "192.168.1.20:8137", False),
    ("file://", "localhost", False),
    ("http://[::1", "[::1", False),
])
def test_only_a_page_of_ours_may_open_the_socket(origin: str | None, host: str, fine: bool) -> None:
    """SEC-03: Origin must be Host, and both must be ours; none at all is left to the pairing code."""
    assert origin_allowed(origin, host) is fine


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_headers_are_judged_without_an_error(host: str, origin: str) -> None:
    """Nonsense in headers is refused, never an exception."""
    host_allowed(host)
    origin_allowed(origin, host)
    is_here(host)


@pytest.fixture(scope="module")
def served():
    """One evening with a server for all tests that only ask it."""
    with Served() as served:
        served.until("card1/statement2", Part.ENDED)
        yield served


def get(served: Served, path: str, host: str | None = None) -> tuple[int, bytes, dict[str, str]]:
    """A request with any Host."""
    line = HTTPConnection("127.0.0.1", served.server.port, timeout=5)
    line.request("GET", path, headers={} if host is None else {"Host": host})
    with line.getresponse() as answer:
        found = answer.status, answer.read(), {key.lower(): value for key, value in answer.getheaders()}
    line.close()
    return found


def test_a_foreign_host_is_refused_on_every_path(served: Served) -> None:
    """SEC-01: pages, files and unknown paths answer 421 to evil.example."""
    for path in (*PAGES, "/common.js", "/nothing", "/ws"):
        assert get(served, path, "evil.example")[0] == 421
        assert get(served, path, "localhost:1")[0] in (200, 404)


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example", "Origin": "http://evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
])
def test_a_foreign_page_gets_no_socket(served: Served, headers: dict[str, str]) -> None:
    """SEC-03: Origin and Host both the attacker's, or only Origin: the handshake is refused."""
    line = HTTPConnection("127.0.0.1", served.server.port, timeout=5)
    line.putrequest("GET", "/ws", skip_host="Host" in headers)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    for name, value in {**upgrade, **headers}.items():
        line.putheader(name, value)
    line.endheaders()
    assert line.getresponse().status == 403


# --- what is seen without a code ------------------------------------------------------------------


def test_nothing_secret_is_served_without_a_code(served: Served) -> None:
    """SEC-04: no route shows code, token, answer, note or a statement that was not read."""
    card = served.table.rules.expects(served.state.game).card
    secrets = [CODE, card.answer, card.note, *card.statements, *card.essential]
    paths = [*PAGES, *(f"/{path.name}" for path in STATIC.iterdir()), "/qr.svg", "/ws", "/status", "/static/", "/../x",
             "/screen/", "/openapi.json", "/docs", "/%2e%2e/web.py", "/web.py"]
    for path in paths:
        status, body, headers = get(served, path)
        assert status in (200, 404, 400), path
        for secret in secrets:
            assert secret.encode() not in body, path
        if status == 200:
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "server" not in headers


def test_pages_need_no_other_machine(served: Served) -> None:
    """No page or module names another address: it works without the internet, and no script is inline."""
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        for foreign in ("https://", "//cdn", "@import", "http://"):
            assert foreign not in text.replace("http://www.w3.org/2000/svg", ""), path
        if path.suffix == ".html":
            assert "<script>" not in text
            assert "style=" not in text
        if path.suffix == ".js":
            assert "innerHTML" not in text
            assert "insertAdjacentHTML" not in text
            assert "eval(" not in text


def test_without_a_code_a_client_sees_nothing_and_does_nothing(served: Served) -> None:
    """Before it is let in, a client is sent pings and the wish for a code only; what it sends is ignored."""
    before = served.state
    for role in ("phone", "screen"):
        client = Client(served.server, role, code="", origin=None)
        for message in ({"type": "press"}, {"type": "sit", "seat": "blue"},
                        {"type": "touch", "message": "command stop"},
                        {"type": "join", "colour": "red"}):
            client.send(**message)
        client.take(0.3)
        assert client.view == {}
        assert {json.loads(raw)["type"] for raw in client.raw} <= {"ping", "code"}
        client.close()
    served.block()
    assert served.state.question == before.question
    assert served.server.web.seats.taken == []


def test_no_view_holds_what_is_secret(served: Served) -> None:
    """With a code, phone and screen get what was read, and neither the answer nor what is to come."""
    card = served.table.rules.expects(served.state.game).card
    for role in ("phone", "screen"):
        client = Client(served.server, role).until(lambda one: one.view)
        text = "".join(client.raw)
        assert card.statements[0] in text
        for secret in (card.answer, card.note, card.statements[3], *card.essential):
            assert secret not in text
        client.close()


def test_the_screen_of_this_machine_needs_no_code_but_its_own_page(served: Served) -> None:
    """On this machine our own page is let in; a program without Origin is asked for the code."""
    port = served.server.port
    ours = Client(served.server, "screen", code="", origin=f"http://127.0.0.1:{port}").until(lambda one: one.view)
    assert ours.view["code"] == CODE
    ours.close()
    other = Client(served.server, "screen", code="").until(lambda one: one.refused is not None)
    assert other.view == {}
    other.close()


def test_what_is_heard_is_not_the_grammars_reading(served: Served) -> None:
    """With a card open the screen shows free dictation: the grammar would write the answer for a cough (GAM-13)."""
    with Served() as own:
        own.until("card1/statement1", Part.ENDED)
        answer = own.table.rules.expects(own.state.game).card.essential[0]
        own.say(answer, dictation="the truth is", confidence=0.05)
        assert own.table.view(own.state, None)["heard"] == "the truth is"


# --- the code -------------------------------------------------------------------------------------


def test_a_wrong_code_is_told_and_too_many_must_wait() -> None:
    """After five wrong codes in a minute even the right one has to wait; a minute later it is taken."""
    pairing = Pairing(code="11111")
    for second in range(WRONG_EACH):
        assert "not the code" in pairing.admits("22222", "10.0.0.9", second)
    assert "wait" in pairing.admits("11111", "10.0.0.9", 10.0)
    assert pairing.admits("11111", "10.0.0.8", 10.0) == ""
    assert pairing.admits("11111", "10.0.0.9", 70.0) == ""


def test_guessing_from_many_addresses_changes_the_code() -> None:
    """After twenty wrong codes in all there is a new one."""
    pairing = Pairing(code="11111")
    for number in range(WRONG_ALL):
        pairing.admits("22222", f"10.0.0.{number}", 0.0)
    assert pairing.code != "11111"
    assert len(pairing.code) == 5


def test_a_token_is_for_one_seat_and_can_not_be_made_up() -> None:
    """A token names its seat; changed in any way, or of another key, it is nobody's."""
    pairing = Pairing(b"k" * 16)
    token = pairing.token("blue")
    assert pairing.seat_of(token) == "blue"
    assert Pairing(b"k" * 16).seat_of(token) == "blue"
    assert Pairing(b"q" * 16).seat_of(token) is None
    for wrong in (token.replace("blue", "red"), token[1:], "", ".", "..", "a.b.blue", f"{token}x", "é.é.blue"):
        assert pairing.seat_of(wrong) is None


def test_the_pairing_is_kept_for_a_game_that_goes_on(tmp_path: Path) -> None:
    """The same code and tokens after a power cut, new ones for a new game; a damaged file is replaced."""
    path = tmp_path / "games" / "pairing.json"
    first = Pairing.kept(path, fresh=True)
    token = first.token("blue")
    again = Pairing.kept(path, fresh=False)
    assert (again.code, again.seat_of(token)) == (first.code, "blue")
    assert path.stat().st_mode & 0o077 == 0
    assert Pairing.kept(path, fresh=True).seat_of(token) is None
    for damage in ("", "{", "[]", '{"key": 3, "code": "x"}', '{"key": "00", "code": "12345"}', "\x00"):
        path.write_text(damage)
        assert len(Pairing.kept(path, fresh=False).code) == 5


def test_where_nothing_can_be_kept_there_is_a_pairing_all_the_same(tmp_path: Path) -> None:
    """A path that can't be written costs nothing but the way back after a power cut."""
    (tmp_path / "file").write_text("")
    assert len(Pairing.kept(tmp_path / "file" / "pairing.json", fresh=True).code) == 5


# --- nonsense -------------------------------------------------------------------------------------


@given(st.text(max_size=200) | ANYTHING.map(json.dumps) | CRAFTED.map(json.dumps) | st.binary(max_size=50) | st.none())
@settings(max_examples=400)
def test_any_text_is_a_message_or_nothing(text: str | bytes | None) -> None:
    """Reading never fails, and what is read is short and printable."""
    message = read(text)
    if message is not None:
        for name in message.__dataclass_fields__:
            value = getattr(message, name)
            assert isinstance(value, int) or (len(value) <= 120 and value.isprintable())


def test_deep_nesting_and_huge_numbers_are_nothing() -> None:
    """JSON that overflows a stack or an integer parser is nothing."""
    assert read("[" * 500) is None
    assert read('{"type":"echo","n":' + "9" * 500 + "}") is None
    assert read('{"type":"echo","n":NaN}') is None
    assert read('{"type":"press"' + " " * 700 + "}") is None
    assert read('{"type":"join","colour":"red","name":"\\ud800x"}') == messages.Join("red", "x")


@pytest.mark.parametrize("seed", range(4))
def test_nonsense_over_the_wire_leaves_the_server_well(served: Served, seed: int) -> None:
    """Random messages of let-in clients: no client or server dies of them, and nothing is logged as an error."""
    import random

    chance = random.Random(seed)
    client = Client(served.server, chance.choice(("phone", "screen"))).until(lambda one: one.view)
    for _ in range(25):
        kind = chance.choice(KINDS)
        values = ["", "blue", "red", 3, None, [], {}, "seat 9", "say \x00", "join red <b>", 1e400, "command stop stop",
                  "é" * 90]
        message = {field: chance.choice(values) for field in FIELDS if chance.random() < 0.5}
        client.socket.send(json.dumps({**message, "type": kind}))
    client.socket.send(b"\x00\xff")
    client.take(0.2)
    served.block()
    client.close()
    again = Client(served.server).until(lambda one: one.view)
    again.close()


def test_a_flood_is_cut_off_and_others_are_served(served: Served) -> None:
    """Ten a second are let through, a burst of thirty; a thousand at once end the connection."""
    flood = Client(served.server).until(lambda one: one.view)

    def pour() -> None:
        for _ in range(5000):
            flood.send(type="press")
        flood.take(2.0)

    with pytest.raises(ConnectionClosed):
        pour()
    other = Client(served.server).until(lambda one: one.view)
    other.close()


def test_a_huge_message_ends_the_connection_only(served: Served) -> None:
    """Over 2 KiB the connection is closed; the next one is served."""
    client = Client(served.server).until(lambda one: one.view)
    client.socket.send("x" * 100_000)
    with pytest.raises(ConnectionClosed):
        client.take(5.0)
    Client(served.server).until(lambda one: one.view).close()


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    """Thirty at once, then ten a second."""
    bucket = Bucket()
    assert sum(bucket.takes(100.0) for _ in range(100)) == 30
    assert sum(bucket.takes(100.0 + step / 100) for step in range(1, 101)) == 10
    assert bucket.dropped == 160


def test_a_port_in_use_is_one_sentence() -> None:
    """The sentence says to choose another port."""
    first = listen(0)
    with pytest.raises(ServerError, match=r"choose another one, like --screen 8200\.$"):
        listen(first.getsockname()[1])
    first.close()
    with pytest.raises(ServerError):
        listen(70_000)


def test_the_qr_code_holds_the_address_and_the_code() -> None:
    """The picture has a quiet zone and dark modules inside it only."""
    picture = qr("http://192.168.1.20:8137/#12345")
    assert picture["size"] in range(25, 45)
    assert picture["path"].startswith("M2,2h1")


def test_a_phone_may_not_touch_what_is_for_the_screen() -> None:
    """Joining by colour goes through the server's own message; other verbs are unknown."""
    assert all(messages.may_touch(f"{verb} x", False) for verb in VERBS)
    assert not messages.may_touch("join red Anna", False)
    assert messages.may_touch("join red Anna", True)
    assert not messages.may_touch("quit", True)


def test_whoever_says_nothing_is_shown_out(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that does not say who it is ends by itself."""
    monkeypatch.setattr("host.server.web.PATIENCE", 0.3)

    def wait() -> None:
        with connect(f"ws://127.0.0.1:{served.server.port}/ws", open_timeout=5) as socket:
            for _ in range(5):
                socket.recv(timeout=5)

    with pytest.raises(ConnectionClosed):
        wait()
