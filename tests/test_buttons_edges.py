"""Edges to presses, times to samples, sources of buttons (KIO-15, GAM-16)."""

import os
import random
import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.clock import BLOCK, RATE, samples
from host.devices import button_evdev, button_gpio
from host.devices.button_evdev import EVENT, Parser
from host.devices.button_keys import Terminal
from host.devices.button_map import ButtonError, Buttons, load, read
from host.devices.button_watch import Watch
from host.devices.buttons import Contact, Inbox, Panel, Stamps
from host.events import Pressed, Typed


def bouncing(at: float, closed: bool, length: float, chance: random.Random) -> list[tuple[float, bool]]:
    """A contact that changes at `at` and chatters for `length` seconds."""
    edges = [(at, closed)]
    if length:
        times = sorted(chance.uniform(at + 1e-4, at + length) for _ in range(2 * chance.randint(1, 8)))
        edges += [(when, closed ^ (index % 2 == 0)) for index, when in enumerate(times)]
    return edges


def presses(edges: list[tuple[float, bool]]) -> list[float]:
    """What a contact makes of edges, with a look every 20 ms as in the program."""
    contact, found, now = Contact(), [], 0.0
    for at, closed in edges:
        while now + 0.02 < at:
            now += 0.02
            found += contact.settle(now)
        found += contact.edge(at, closed)
    return found + contact.settle(edges[-1][0] + 1.0)


@pytest.mark.parametrize("length_ms", [0, 5, 10, 20, 30])
@pytest.mark.parametrize("seed", range(20))
def test_a_press_with_bounces_is_one_press(length_ms: int, seed: int) -> None:
    """KIO-15: 5 to 30 ms of chatter at press and release make one press, at its first edge."""
    chance = random.Random(f"{seed}/{length_ms}")
    hold = chance.choice((0.05, 0.08, 0.15, 2.0))
    edges = bouncing(1.0, True, length_ms / 1000, chance) + bouncing(1.0 + hold, False, length_ms / 1000, chance)
    assert presses(sorted(edges)) == [1.0]


@pytest.mark.parametrize("length_ms", [0, 5, 10, 20, 30])
@pytest.mark.parametrize("hold_ms", [40, 60, 80, 100, 110])
@pytest.mark.parametrize("seed", range(10))
def test_two_quick_presses_are_two(length_ms: int, hold_ms: int, seed: int) -> None:
    """KIO-15: two presses 150 ms apart are kept, however they chatter; each at its own time within 30 ms."""
    chance = random.Random(f"{seed}/{length_ms}/{hold_ms}")
    length, hold = length_ms / 1000, hold_ms / 1000
    edges: list[tuple[float, bool]] = []
    for start in (1.0, 1.15):
        edges += bouncing(start, True, min(length, hold * 0.7), chance)
        edges += bouncing(start + hold, False, min(length, 0.15 - hold - 0.005), chance)
    assert presses(sorted(edges)) == pytest.approx([1.0, 1.15], abs=0.031)


def test_a_button_held_down_is_one_press_and_a_flicker_in_it_none() -> None:
    """Two seconds held, with a 2 ms flicker: one press."""
    assert presses([(1.0, True), (2.0, False), (2.002, True), (3.0, False)]) == [1.0]


@given(st.lists(st.tuples(st.floats(0.0, 0.3), st.booleans()), max_size=60))
def test_any_edges_make_presses_in_order_and_no_more_than_there_are_closings(steps: list[tuple[float, bool]]) -> None:
    """Presses are some of the closing edges, each at most once, in order."""
    at, edges = 0.0, []
    for step, closed in steps:
        at += step
        edges.append((at, closed))
    found = presses(edges) if edges else []
    assert found == sorted(found)
    assert set(found) <= {when for when, closed in edges if closed}


# --- time to samples -----------------------------------------------------------------------------


def test_stamps_find_the_devices_time_though_blocks_come_late() -> None:
    """Blocks up to 25 ms late do not shift the time by more than 1 ms."""
    chance, stamps = random.Random(1), Stamps()
    for block in range(200):
        stamps.mark(block * BLOCK, 1000.0 + block * BLOCK / RATE + abs(chance.gauss(0, 0.008)))
    assert stamps.sample(1003.0) == pytest.approx(3.0 * RATE, abs=16)


@pytest.mark.parametrize("apart_ms", [0, 1, 5, 20])
def test_presses_apart_come_out_in_the_order_of_the_kernels_time(apart_ms: int) -> None:
    """GAM-16: two presses 0 to 20 ms apart, 1,000 of each, handed over in any order and over block ends."""
    now, clock = [0], [50.0]
    inbox = Inbox(lambda: now[0], lambda: clock[0])
    chance = random.Random(apart_ms)
    out: list[Pressed] = []

    due: list[tuple[str, float]] = []

    def block() -> None:
        clock[0] += BLOCK / RATE
        for name, at in [post for post in due if post[1] <= clock[0]]:
            inbox.press(name, at)
            due.remove((name, at))
        out.extend(event for event in inbox() if isinstance(event, Pressed))
        now[0] += BLOCK

    for _ in range(70):
        block()
    for _ in range(1000):
        out.clear()
        when = clock[0] + chance.uniform(0, 0.03)
        pair = [("first", when), ("second", when + apart_ms / 1000)]
        if apart_ms:
            chance.shuffle(pair)
        due += pair
        block()
        block()
        block()
        assert [event.button for event in out] == ["first", "second"]
        assert out[1].began - out[0].began == pytest.approx(16 * apart_ms, abs=1)
        assert [event.at for event in out] == sorted(event.at for event in out)


def test_what_came_in_never_lies_before_the_block_nor_in_the_future() -> None:
    """`at` lies in the block that is being taken; `began` at most 0.3 s before it."""
    inbox = Inbox(lambda: 160_000, lambda: 77.0)
    inbox()
    for when in (0.0, 76.9, 77.0, 99.0):
        inbox.press("blue", when)
    for event in inbox():
        assert isinstance(event, Pressed)
        assert 160_000 <= event.at <= 160_000 + BLOCK
        assert 160_000 - samples(0.3) <= event.began <= event.at


def test_a_button_may_say_a_command_and_messages_keep_their_place() -> None:
    """ "command pause" is typed for nobody; messages and presses come out in their order."""
    clock = iter(range(100))
    inbox = Inbox(lambda: 0, lambda: float(next(clock)))
    inbox.press("command pause")
    inbox.type(2, "yes")
    inbox.press("blue")
    kinds = [(type(event), getattr(event, "message", "")) for event in inbox()]
    assert kinds == [(Typed, "command pause"), (Typed, "yes"), (Pressed, "")]
    assert inbox() == []


def test_presses_of_many_threads_all_arrive() -> None:
    """Eight threads, 500 presses each: none lost."""
    inbox = Inbox(lambda: 0)
    threads = [threading.Thread(target=lambda: [inbox.press("blue") for _ in range(500)]) for _ in range(8)]
    got = 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        got += len(inbox())
    assert got + len(inbox()) == 4000


# --- evdev ---------------------------------------------------------------------------------------


def record(*events: tuple[float, int, int, int]) -> bytes:
    """Events as the kernel writes them."""
    return b"".join(EVENT.pack(int(at), round(at % 1 * 1e6), kind, code, value) for at, kind, code, value in events)


# What `cat /dev/input/event*` gives for one key of a USB keyboard: scan code, key, report; held down: value 2.
KEY_A = bytes.fromhex(
    "0a00000000000000 20a1070000000000 0400 0400 04000700"
    "0a00000000000000 20a1070000000000 0100 1e00 01000000"
    "0a00000000000000 20a1070000000000 0000 0000 00000000"
    "0a00000000000000 a0c40b0000000000 0100 1e00 02000000"
    "0a00000000000000 a0c40b0000000000 0000 0000 01000000"
    "0a00000000000000 b0710b0000000000 0100 1e00 00000000"
    "0a00000000000000 b0710b0000000000 0000 0000 00000000".replace(" ", "")
)


def test_a_recorded_stream_is_one_press_and_one_release() -> None:
    """The bytes of a key pressed, repeated and let go: two edges with the kernel's times."""
    layout = struct.Struct("<qqHHi")
    edges = list(Parser(layout.size, layout).feed(KEY_A))
    assert edges == [(pytest.approx(10.500), 30, True), (pytest.approx(10.7500), 30, False)]


@given(st.data())
@settings(max_examples=50)
def test_a_stream_cut_anywhere_means_the_same(data: st.DataObject) -> None:
    """Bytes that come in pieces of any length give the same edges."""
    stream = record(*[(10 + index / 100, 1, 30 + index % 3, index % 2) for index in range(12)])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    parser, found = Parser(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += parser.feed(stream[start:end])
    assert found == list(Parser().feed(stream))


@given(st.binary(max_size=600))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    """Whatever a device sends, no exception."""
    list(Parser().feed(data))


def test_after_dropped_events_keys_count_as_let_go() -> None:
    """SYN_DROPPED: what was down is let go, and the rest of the report is not believed."""
    parser = Parser()
    list(parser.feed(record((1.0, 1, 30, 1), (1.0, 0, 0, 0))))
    edges = list(parser.feed(record((2.0, 0, 3, 0), (2.0, 1, 31, 1), (2.0, 0, 0, 0), (2.1, 1, 31, 1))))
    assert edges == [(2.0, 30, False), (pytest.approx(2.1), 31, True)]


def test_a_device_plugged_in_pressed_and_pulled_out(tmp_path: Path) -> None:
    """A pipe stands for the device: its presses arrive; gone and back under another number it works again."""
    pressed: list[tuple[str, float]] = []
    seen = threading.Event()

    def press(name: str, when: float) -> None:
        pressed.append((name, when))
        seen.set()

    told: list[str] = []
    watch = Watch(Buttons(usb={30: "blue"}), press, told.append, terminal=False, folder=tmp_path).start()
    assert told == ["a USB button is not plugged in; it may be at any time."]
    try:
        for number in (0, 3):
            seen.clear()
            path = tmp_path / f"event{number}"
            os.mkfifo(path)
            fd = os.open(path, os.O_RDWR)
            deadline = time.monotonic() + 10
            while path not in watch._open and time.monotonic() < deadline:
                time.sleep(0.02)
            os.write(fd, record((time.monotonic(), 1, 30, 1), (time.monotonic(), 0, 0, 0)))
            assert seen.wait(5)
            path.unlink()
            os.close(fd)
    finally:
        watch.close()
    assert [name for name, _ in pressed] == ["blue", "blue"]


# --- pins ----------------------------------------------------------------------------------------


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """gpiozero's mock pins."""
    mock = pytest.importorskip("gpiozero.pins.mock", reason="gpiozero is not installed")
    return mock.MockFactory()


def test_pins_give_edges_and_lamps_light_up(pins: Any) -> None:
    """A button between pin and ground closes when the pin goes low; a lamp lights with its name only."""
    edges: list[tuple[str, bool]] = []
    used = button_gpio.Pins([17, 27], {22: "blue", 23: "listening"}, lambda name, _, down: edges.append((name, down)),
                            pins)
    pins.pin(17).drive_low()
    pins.pin(27).drive_low()
    pins.pin(17).drive_high()
    assert edges == [("gpio 17", True), ("gpio 27", True), ("gpio 17", False)]
    used.show(["blue"])
    assert (pins.pin(22).state, pins.pin(23).state) == (1, 0)
    used.show(["listening"])
    assert (pins.pin(22).state, pins.pin(23).state) == (0, 1)
    used.close()


def test_a_bouncing_pin_is_one_press(pins: Any) -> None:
    """Pins, panel and inbox together: chatter on a mock pin is one press of blue."""
    got: list[str] = []
    panel = Panel({"gpio 17": "blue"}, lambda name, when: got.append(name))
    used = button_gpio.Pins([17], {}, panel.edge, pins)
    for _ in range(5):
        pins.pin(17).drive_low()
        pins.pin(17).drive_high()
    pins.pin(17).drive_low()
    panel.settle(time.monotonic() + 1)
    assert got == ["blue"]
    used.close()


def test_no_gpiochip_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """KIO-14: where there are no pins, one sentence is told and the evening goes on (issue 9, part 5)."""
    told: list[str] = []
    watch = Watch(Buttons(gpio={17: "blue"}), lambda *_: None, told.append, terminal=False).start()
    watch.show(["blue"])
    watch.close()
    assert len(told) == 1
    assert "\n" not in told[0]
    assert "pins" in told[0]


def test_a_missing_library_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """KIO-14: without gpiozero the sentence says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "gpiozero", None)
    with pytest.raises(ButtonError, match="apt install python3-gpiozero"):
        button_gpio.factory()


# --- keys and settings ---------------------------------------------------------------------------


def test_terminal_keys_are_read_one_by_one_and_repeats_are_not_presses() -> None:
    """On a pseudo-terminal: no enter is needed; a key held down is one press; the terminal is put back."""
    pty = pytest.importorskip("pty")
    import termios

    main, side = pty.openpty()
    before = termios.tcgetattr(side)
    terminal = Terminal(side)
    if terminal.fd is None:  # not in the foreground of that terminal: opened for reading all the same
        terminal._before = before
        terminal.fd = side
        import tty

        tty.setcbreak(side)
    os.write(main, b"aB ")
    time.sleep(0.05)
    assert list(terminal.keys(1.0)) == ["a", "b", "space"]
    os.write(main, b"aaa")
    time.sleep(0.05)
    assert list(terminal.keys(1.03)) == []
    os.write(main, b"a")
    time.sleep(0.05)
    assert list(terminal.keys(1.5)) == ["a"]
    terminal.close()
    assert termios.tcgetattr(side)[3] == before[3]
    os.close(main)
    os.close(side)


def test_settings_are_read() -> None:
    """The example of docs/BUTTONS.md is read as it says."""
    text = (Path(__file__).parents[1] / "docs" / "BUTTONS.md").read_text(encoding="utf-8")
    import tomllib

    example = text.split("```toml\n")[1].split("```")[0]
    buttons = read(tomllib.loads(example))
    assert buttons.keys["1"] == "blue"
    assert buttons.usb[30] == "red"
    assert buttons.gpio[17] == "blue"
    assert buttons.lamps[22] == "blue"
    assert buttons.keys["space"] == "command pause"


@pytest.mark.parametrize(("text", "says"), [
    ("[keys]\nab = 'blue'", '"ab" is no key'),
    ("[keys]\na = 3", "a names no button"),
    ("[keys]\na = 'command '", "names no button"),
    ("[gpio]\n99 = 'blue'", "99"),
    ("[gpio]\nx = 'blue'", "GPIO number"),
    ("[usb]\n9999 = 'blue'", "key code"),
    ("[usb]\ndevice = 1", "device"),
    ("[pins]\n1 = 'blue'", "no [pins]"),
    ("keys = 3", "write [keys]"),
    ("[keys", "no TOML"),
])
def test_bad_settings_are_told_in_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    """A mistake names file and entry, and says what to write."""
    path = tmp_path / "buttons.toml"
    path.write_text(text)
    with pytest.raises(ButtonError) as caught:
        load(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value).strip()
    assert str(path) in str(caught.value)


def test_settings_that_are_not_there_are_told(tmp_path: Path) -> None:
    """A missing file is one sentence."""
    with pytest.raises(ButtonError, match="can't be read"):
        load(tmp_path / "none.toml")


def test_devices_are_found_by_a_part_of_their_name(tmp_path: Path) -> None:
    """A device that says no name is found only where none is asked for."""
    os.mkfifo(tmp_path / "event5")
    fd = os.open(tmp_path / "event5", os.O_RDWR)
    assert button_evdev.find("", tmp_path) == [tmp_path / "event5"]
    assert button_evdev.find("Buzz", tmp_path) == []
    os.close(fd)
