"""The box in the living room: what power, clock, disk, sound server and browser do to it (issue 9)."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from browser import Browser, chromium
from evening import Evening
from server_table import Served
from test_device_card import FAKE

from host import log as logs
from host.__main__ import main
from host.app import box, doctor, logbook, screen
from host.app.notify import Notify
from host.app.service import Service
from host.app.stopping import StoppedError, Stopping
from host.clock import BLOCK, RATE
from host.devices.card import SoundCard
from host.events import Line, Part, Said, Say, Trouble
from host.packs import decks
from host.sound import Clip
from host.voices.silent import SilentVoice

LOAD = cache(decks.load)


def load_once(folder: Path, packs: Any, more: Any, family: bool) -> Any:
    """Reading all packs takes a second: once is enough."""
    return LOAD(folder, packs, more=tuple(more), family=family)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of the test's own; evenings are played without an ear; SIGTERM is as before afterwards."""
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GAMEHOST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("host.app.play.prepare", lambda setup, packs, model, _: (packs, None))
    monkeypatch.setattr("host.app.logbook.pronounced", lambda setup, packs, model: packs)
    monkeypatch.setattr(decks, "load", load_once)
    soundfile.write(tmp_path / "quiet.wav", np.zeros(40 * RATE, np.int16), RATE)
    before = signal.getsignal(signal.SIGTERM)
    yield tmp_path / "data" / "games"
    signal.signal(signal.SIGTERM, before)


def play(games: Path, *more: str) -> int:
    """Forty seconds of an evening."""
    quiet = str(games.parent.parent / "quiet.wav")
    return main(["play", "--players", "Anna:blue, Ben:red", "--youngest", "Anna", "--voice", "pyttsx3", "--seed", "5",
                 "--file", quiet, *more])


# --- ending and keeping watch ----------------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 60, 300, 700, 1_000])
def test_aud_15_sigterm_ends_the_evening_between_two_blocks(
    games: Path, block: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """AUD-15: in the greeting, a statement, a pause: exit code 0, the log whole, and the game is gone on with."""
    count, real = [0], Service.block

    def counted(self: Service) -> Any:
        count[0] += 1
        if count[0] == block:
            os.kill(os.getpid(), signal.SIGTERM)
        return real(self)

    monkeypatch.setattr(Service, "block", counted)
    assert play(games) == 0
    assert "Stopped." in capsys.readouterr().out
    assert block <= count[0] <= block + 1
    (path,) = games.glob("*.jsonl")
    read = logs.read(path)
    assert read.good == path.stat().st_size
    told: list[str] = []
    left = logbook.take_up(games, "clever", told.append)
    assert told == []
    assert (left is not None) == bool(read.records)


def test_a_second_sigterm_and_one_before_the_evening_end_it_at_once() -> None:
    """Before the loop runs there is nobody to ask; whoever asks twice means it."""
    stopping = Stopping()
    with pytest.raises(StoppedError):
        stopping._hear(signal.SIGTERM, None)
    stopping = Stopping()
    stopping.gently = True
    stopping._hear(signal.SIGTERM, None)
    with pytest.raises(StoppedError):
        stopping.check()
    with pytest.raises(StoppedError):
        stopping._hear(signal.SIGTERM, None)


def test_systemd_is_told_and_the_watchdog_fed_by_the_loop(tmp_path: Path) -> None:
    """READY once, WATCHDOG each quarter of its time and only while blocks come, STOPPING at the end."""
    address = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as inbox:
        inbox.bind(address)
        inbox.settimeout(0.05)
        now = [0.0]
        notify = Notify({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000000"}, lambda: now[0])
        service = Service(Stopping(), notify)
        service.begin("playing clever")
        for _ in range(700):
            now[0] += 0.03
            service.block()
        service.end()
        got = [inbox.recv(200).decode() for _ in range(7)]
        with pytest.raises(TimeoutError):
            inbox.recv(200)
    assert got[0] == "READY=1\nSTATUS=playing clever"
    assert got[1:-1] == ["WATCHDOG=1"] * 5
    assert got[-1] == "STOPPING=1"


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path: Path) -> None:
    """No socket, a socket that is gone, a watchdog that is another process's."""
    Notify({}).ready()
    assert not Notify({"NOTIFY_SOCKET": str(tmp_path / "gone")}).send("READY=1")
    other = Notify({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"})
    assert other._every == 0.0


# --- sound ------------------------------------------------------------------------------------------


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A made-up PortAudio in place of the real one."""
    (tmp_path / "sounddevice.py").write_text(FAKE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("FAKE_ONCE", str(tmp_path / "broke-once"))
    monkeypatch.setenv("FAKE_CARD", "")
    monkeypatch.setattr("host.devices.card.WATCHDOG", 10.0)  # a busy computer is not what is tested
    return monkeypatch


def test_kio_11_a_card_that_comes_after_the_power_is_waited_for(fake: pytest.MonkeyPatch) -> None:
    """KIO-11: no card at the start: time goes on in silence, what is said waits, and is heard when it is there."""
    fake.setenv("FAKE_CARD", "none")
    told: list[str] = []
    device = SoundCard(wait=True, patience=float("inf"), notice=told.append)
    device.play(Clip("greeting", np.full(RATE, 5_000, np.int16), RATE), 0)
    first = [device.read() for _ in range(3)]
    assert [block.at for block in first if block] == [0, BLOCK, 2 * BLOCK]
    assert device.inbox() == [Trouble(0, "sound")]
    assert "No microphone was found" in told[0]
    fake.setenv("FAKE_CARD", "")
    marks = []
    for _ in range(400):
        block = device.read()
        assert block is not None
        marks += [mark.part for mark in block.marks]
        if Part.ENDED in marks:
            break
    device.close()
    assert marks == [Part.BEGAN, Part.FIRST_WORD, Part.ENDED]
    assert next(event.what for event in device.inbox() if isinstance(event, Trouble)) == "sound.over"
    assert device.names == ("Fake Card", "Fake Card")


def test_what_is_said_while_the_card_is_away_can_be_hushed(fake: pytest.MonkeyPatch) -> None:
    """A line that waits for the card and is hushed is reported as cut, and never heard."""
    fake.setenv("FAKE_CARD", "none")
    device = SoundCard(wait=True, patience=float("inf"))
    device.play(Clip("one", np.full(RATE, 5_000, np.int16), RATE), 0)
    device.hush()
    block = device.read()
    assert block is not None
    assert [(mark.line, mark.part) for mark in block.marks] == [("one", Part.CUT)]
    fake.setenv("FAKE_CARD", "")
    while device.restarts == 0:
        device.read()
    heard = [device.read() for _ in range(30)]
    device.close()
    assert not any(block.far.any() for block in heard if block)


def test_the_table_says_a_trouble_once_and_again_after_it_was_over() -> None:
    """The screen shows it as long as it lasts; the host says it once each time."""
    evening = Evening()
    evening.until("card1/statement1", Part.ENDED)
    for _ in range(2):
        for what in ("muted", "muted"):
            evening.posts.append(Trouble(evening.now, what))
            evening.block()
        assert evening.table.view(evening.state, None)["troubles"] == ["muted"]
        evening.wait(12.0)
        evening.posts.append(Trouble(evening.now, "muted.over"))
        evening.block()
        assert evening.table.view(evening.state, None)["troubles"] == []
    assert len([text for text in evening.spoken("table/muted") if "I hear nothing" in text]) == 2


def test_aud_10_the_doctor_names_the_socket_that_a_service_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AUD-10: without a session the missing socket and enable-linger are named; with one, nothing is said."""
    monkeypatch.setattr(doctor.shutil, "which", lambda name: f"/usr/bin/{name}")
    ((mark, said),) = doctor.sound_server({}, 990, tmp_path)
    assert mark == "note"
    assert str(tmp_path / "990" / "pipewire-0") in said
    assert "loginctl enable-linger" in said
    (tmp_path / "990").mkdir()
    (tmp_path / "990" / "pipewire-0").touch()
    assert doctor.sound_server({}, 990, tmp_path) == []
    assert doctor.sound_server({"XDG_RUNTIME_DIR": str(tmp_path / "990")}, 5) == []
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    assert doctor.sound_server({}, 1, tmp_path) == []


def test_aud_12_a_busy_game_does_not_hold_the_card(fake: pytest.MonkeyPatch) -> None:
    """AUD-12: threads that burn the game's interpreter lock leave the child's sound alone: no block is missing."""
    fake.setenv("FAKE_PAUSE", "0.01")
    over = threading.Event()

    def burn() -> None:
        while not over.is_set():
            sum(range(1_000))

    threads = [threading.Thread(target=burn, daemon=True) for _ in range(3)]
    device = SoundCard()
    for thread in threads:
        thread.start()
    blocks = [device.read() for _ in range(60)]
    over.set()
    device.close()
    assert [block.at for block in blocks if block] == [BLOCK * number for number in range(60)]
    assert device.restarts == 0


def test_aud_18_a_late_speaker_moves_what_counts_as_heard(fake: pytest.MonkeyPatch) -> None:
    """AUD-18: with 0.8 s there and back a line ENDED 0.8 s after its last sample was written; the doctor warns."""
    fake.setenv("FAKE_PAUSE", "0.001")
    ends = []
    for latency in (0.0, 0.8):
        device = SoundCard(latency=latency)
        device.play(Clip("one", np.full(RATE // 2, 5_000, np.int16), RATE), 0)
        marks, handed = [], 0
        while not any(mark.part is Part.ENDED for mark in marks):
            block = device.read()
            assert block is not None
            marks += block.marks
            handed = block.at + int(np.flatnonzero(block.far)[-1]) if block.far.any() else handed
        ends.append(marks[-1].at - handed)
        device.close()
    assert ends[1] - ends[0] == pytest.approx(0.8 * RATE, abs=BLOCK)
    assert doctor.lateness(int(0.1 * RATE)) == []
    assert "Bluetooth" in doctor.lateness(int(0.8 * RATE))[0][1]


# --- clock and disk ----------------------------------------------------------------------------------


def said(path: Path) -> list[tuple[int, str, Part]]:
    return [(one.event.at, one.event.line, one.event.part) for one in logs.read(path).records
            if isinstance(one.event, Said)]


def test_kio_12_a_clock_that_jumps_changes_nothing(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KIO-12: an hour forward and back at every look at the clock: every line at the same sample as without."""
    other = games.parent.parent / "other"
    play(games)
    real, jumps = time.time, [0]

    def jumping() -> float:
        jumps[0] += 1
        return real() + (3_600 if jumps[0] % 2 else -3_600)

    monkeypatch.setattr(time, "time", jumping)
    play(games, "--data", str(other))
    straight, jumped = (logbook.newest(folder, "clever") for folder in (games, other / "games"))
    assert straight is not None
    assert jumped is not None
    assert len(said(straight)) > 15
    assert said(jumped) == said(straight)


def test_kio_12_a_clock_that_was_put_back_finds_the_newest_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIO-12: a Pi that believes it is years ago: each new game's log is still the newest one."""
    for moment in ("2026-01-05T20-00-00", "2001-01-01T00-00-00", "2026-01-05T21-00-00"):
        monkeypatch.setattr(time, "strftime", lambda _form, moment=moment: moment)
        for _ in range(11):
            path = logbook.new_path(tmp_path, "clever")
            assert not path.exists()
            path.touch()
            assert logbook.newest(tmp_path, "clever") == path
    assert len(list(tmp_path.iterdir())) == 33


class Counting(logs.NoDisk):
    """Counts what would be written."""

    size = syncs = 0

    def append(self, data: bytes) -> None:
        self.size += len(data)

    def sync(self) -> None:
        self.syncs += 1


def test_kio_09_an_idle_hour_writes_little() -> None:
    """KIO-09: in a pause, ten minutes write at most a sixth of a megabyte, counted in pages of 4 kB for each sync."""
    disk = Counting()
    evening = Evening(log=logs.Log(disk))
    evening.until("card1/statement1", Part.ENDED)
    evening.say("pause")
    evening.wait(10.0)
    disk.size = disk.syncs = 0
    evening.wait(600.0)
    assert disk.size + 4_096 * disk.syncs < 1_000_000 / 6


class Full(logs.NoDisk):
    """A disk that is full after so many bytes."""

    def __init__(self, room: int) -> None:
        self.room = room

    def append(self, data: bytes) -> None:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(28, "No space left on device")


@pytest.mark.parametrize("room", [0, 500, 2_000])
def test_kio_09_a_full_disk_is_said_and_the_game_goes_on(room: int) -> None:
    """KIO-09: at whatever byte it is full: one spoken sentence, a word on the screen, and the card is read on."""
    evening = Evening(log=logs.Log(Full(room)))
    evening.until("card1/statement3", Part.ENDED)
    assert len(evening.spoken("table/disk")) == 1
    assert evening.table.view(evening.state, None)["troubles"] == ["disk"]


def test_kio_08_settings_cut_at_any_byte_never_stop_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KIO-08: cut, zeroed or overwritten at 200 places: there are always settings, and the last good ones are kept."""
    monkeypatch.setattr("host.app.play.make_table", lambda setup, packs: None)
    monkeypatch.setattr("host.app.play.load_packs", lambda setup: None)
    good = b'game = "clever"\nscreen = 8137\nvolume = 0.5\nspeed = 1.25\n'
    path, dice = tmp_path / "settings.toml", np.random.default_rng(1)
    path.write_bytes(good)
    assert box.settings(tmp_path)[0].volume == 0.5
    for number in range(200):
        at = int(dice.integers(len(good)))
        rest = (b"", bytes(len(good) - at), dice.bytes(8) + good[at:])[number % 3]
        path.write_bytes(good[:at] + rest)
        found, notice = box.settings(tmp_path)
        assert found.game == "clever"
        assert notice or found.volume in (0.5, 1.0)
        path.write_bytes(good)
        assert box.settings(tmp_path)[1] == ""


# --- the browser -------------------------------------------------------------------------------------


def test_kio_02_what_a_killed_browser_leaves_is_cleared(tmp_path: Path) -> None:
    """KIO-02: locks of another host name go, the mark of the crash goes, the rest of the profile stays."""
    profile = tmp_path / "profile"
    (profile / "Default").mkdir(parents=True)
    (profile / "SingletonLock").symlink_to("otherhost-4711")
    (profile / "SingletonSocket").symlink_to("/nowhere/at/all")
    (profile / "Default" / "Preferences").write_text(
        '{"profile": {"exit_type": "Crashed", "exited_cleanly": false, "name": "x"}, "other": 1}', encoding="utf-8")
    screen.clear(profile)
    assert sorted(path.name for path in profile.iterdir()) == ["Default"]
    assert (profile / "Default" / "Preferences").read_text(encoding="utf-8") == (
        '{"profile": {"exit_type": "Normal", "exited_cleanly": true, "name": "x"}, "other": 1}')
    (profile / "Default" / "Preferences").write_text("{", encoding="utf-8")
    screen.clear(profile)


def until(true: Any, seconds: float) -> float:
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "it never came"
        time.sleep(0.05)
    return time.monotonic() - began


def descendants(pid: int, word: bytes) -> list[int]:
    """Processes of a session whose command line holds a word."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == pid and fields[0] != "Z" and word in stat.with_name("cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the browser's processes in /proc")
def test_kio_06_a_browser_or_page_that_dies_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """KIO-02, KIO-06: stale lock at the start; the renderer killed, the browser killed: the page is connected again."""
    program = chromium()
    monkeypatch.setattr(screen, "SILENT", 2.0)
    (tmp_path / "SingletonLock").symlink_to("otherhost-4711")
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        port = served.server.port
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"]
        keeper = screen.Keeper([program, *screen.FLAGS, *flags], tmp_path, port)

        def shown() -> bool:
            keeper.look()
            return bool(screen.connected(port))

        try:
            until(shown, 60)
            leader = keeper._process.pid if keeper._process else 0
            for pid in descendants(leader, b"--type=renderer"):
                os.kill(pid, signal.SIGKILL)
            until(lambda: not screen.connected(port), 10)
            until(shown, 60)
            assert keeper.starts == 2
            leader = keeper._process.pid if keeper._process else 0
            os.kill(leader, signal.SIGKILL)
            until(lambda: (keeper.look(), keeper.starts == 3)[1], 20)
            until(shown, 60)
        finally:
            keeper.close()
        assert not descendants(leader, b"")


def test_a_screen_without_a_server_waits_for_it(tmp_path: Path) -> None:
    """Before the server answers no browser is started: it would show its own page of errors for ever."""
    keeper = screen.Keeper(["/bin/false"], tmp_path, 9)
    keeper.look()
    assert keeper.starts == 0


def test_kio_03_the_arrow_leaves_the_screen(tmp_path: Path) -> None:
    """KIO-03: three seconds after the last movement there is no cursor; a movement brings it back."""
    chromium()
    browser = Browser(tmp_path)
    try:
        with Served() as served:
            served.until("card1/statement1", Part.ENDED)
            page = browser.page(f"http://127.0.0.1:{served.server.port}/screen", 800, 480)
            page.sees("Statement number one")
            look = "getComputedStyle(document.querySelector('#menu-button')).cursor"
            page.until(f"{look} === 'none'", 10)
            page.call("Input.dispatchMouseEvent", type="mouseMoved", x=100, y=100)
            page.until(f"{look} === 'pointer'", 5)
    finally:
        browser.close()


def test_the_page_shows_what_is_wrong_as_long_as_it_lasts(tmp_path: Path) -> None:
    """A trouble of the sound card is on the screen in words, at the smallest size without hiding anything."""
    chromium()
    browser = Browser(tmp_path)
    try:
        with Served() as served:
            served.until("card1/statement1", Part.ENDED)
            page = browser.page(f"http://127.0.0.1:{served.server.port}/screen", 800, 480)
            page.sees("Statement number one")
            served.posts.append(Trouble(served.now, "monitor"))
            served.block()
            page.sees("Nobody is heard: is the microphone plugged in?")
            assert page.overflowing() == []
            served.posts.append(Trouble(served.now, "monitor.over"))
            served.block()
            page.until("document.querySelector('#trouble').hidden")
    finally:
        browser.close()


def test_the_command_for_the_screen_ends_with_its_browser(tmp_path: Path) -> None:
    """`gamehost screen` as a process: SIGTERM ends it with 0; without a browser one sentence says what to install."""
    command = [sys.executable, "-m", "host", "screen", "--port", "9", "--profile", str(tmp_path)]
    root = str(Path(__file__).resolve().parents[1])
    with subprocess.Popen([*command, "--browser", "true"], cwd=root, stdout=subprocess.PIPE) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM, 130)
    done = subprocess.run([*command, "--browser", "no-such"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "sudo apt install chromium" in done.stderr




# --- hands free ---------------------------------------------------------------------------------------


def test_gam_19_whatever_is_waited_for_has_been_said() -> None:
    """GAM-19: with the screen off: before each wait a line was heard, and asking takes at most ten seconds."""
    voice = SilentVoice()
    evening = Evening(players=(), youngest=None)
    waits: dict[str, str] = {}
    answers = {"who": "anna is blue", "youngest": "blue"}
    silent = 0
    for _ in range(9_000):
        evening.block()
        state = evening.state
        silent = 0 if state.saying else silent + 1
        if silent != 20:
            continue
        view = evening.table.view(state, None)
        wants = f"{view['gathering']}/{view['question']}/{','.join(view['wants'])}"
        ended = [name for _, name, part in evening.said if part is Part.ENDED]
        assert ended, f"{wants} is waited for before a word was said"
        greeting = [effect.line.text for effect in evening.table.start()[1] if isinstance(effect, Say)]
        line = (evening.spoken(ended[-1].partition("~")[0]) or greeting)[-1]
        sentences = re.split(r"(?<=[.!?]) ", line)
        asked = next((at for at, one in enumerate(sentences) if one.endswith("?")), 0)
        assert len(voice.speak(Line("x", " ".join(sentences[asked:]))).pcm) <= 10 * RATE, line
        waits.setdefault(wants, line)
        if state.gathering is not None:
            taken = len(state.gathering.players)
            words = answers["youngest"] if state.gathering.step == "youngest" else (
                "that is all" if taken == 2 else ("anna is blue", "ben is red")[taken])
            evening.say(words)
        elif evening.table.rules.expects(state.game).ready:
            evening.say("ready")
    assert len(waits) >= 4, waits
