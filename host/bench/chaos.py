"""Devices come and go: a box on a virtual sound card, and everything that can happen to that card.

`gamehost box` runs as a process with its screen; each fault is done from outside and timed: until the screen shows
it (wanted: 3 s), until the host says it aloud, and from the moment at which the cause is gone until the box hears and
speaks again (wanted: 5 s) without a new start. The game's log is lived again at the end: nothing of it may be lost.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin

from host import log as logs
from host.app.logbook import set_up_again
from host.app.paths import ROOT
from host.bench.chaos_card import VirtualCard
from host.bench.frame import MissingError, Options, Report
from host.bench.slowed import Slow, first
from host.clock import RATE
from host.session import ReplayError, relive

FOUND, BACK = 3.0, 5.0
"""Seconds that are promised."""
AWAY = 4.0
"""Seconds that a fault lasts at the least."""
SAID = 25.0
"""Seconds after which nothing more is expected to be said."""
BETWEEN = 6.0
"""Seconds of play between two faults."""
STARTING = 90.0


class Watcher:
    """The screen of the box, as a client sees it: which troubles it shows, since when."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.troubles: set[str] = set()
        self.views = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                origin = Origin(f"http://localhost:{self._port}")
                with connect(f"ws://localhost:{self._port}/ws", origin=origin, open_timeout=2) as socket:
                    socket.send(json.dumps({"type": "hello", "role": "screen", "code": "", "token": ""}))
                    while not self._over.is_set():
                        self._take(json.loads(socket.recv(timeout=30)), socket.send)
            self._over.wait(0.3)

    def _take(self, message: dict[str, Any], send: Callable[[str], None]) -> None:
        if message["type"] == "ping":
            send(json.dumps({"type": "echo", "n": message["n"]}))
        view = message.get("view", {})
        if "troubles" in view:
            self.troubles = set(view["troubles"])
        self.views += 1

    def close(self) -> None:
        """Look no longer."""
        self._over.set()


class Box:
    """`gamehost box` with a folder of its own."""

    def __init__(self, folder: Path, env: dict[str, str], port: int) -> None:
        self.data = folder / "data"
        self.data.mkdir()
        (self.data / "settings.toml").write_text(
            f'game = "clever"\nscreen = {port}\nvoice = "pyttsx3"\ninput = "mic"\noutput = "spk"\n'
            'players = "Anna:blue, Ben:red"\nyoungest = "Anna"\n', encoding="utf-8")
        env = {**env, "GAMEHOST_DATA": str(self.data), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        with (folder / "box.txt").open("wb") as out:
            self.process = subprocess.Popen([sys.executable, "-m", "host", "box"], env=env, stdout=out,
                                            stderr=subprocess.STDOUT, cwd=folder, preexec_fn=first)
        self._seen = 0
        self._texts: dict[str, str] = {}
        self.said: list[tuple[float, str]] = []
        """When each line began to be heard, and its text."""
        self.lags: list[tuple[float, float]] = []
        """When an event was seen in the log, and how much later that was than its sample, give or take a constant."""

    def log(self) -> Path | None:
        """The log, once there is one."""
        return next(iter((self.data / "games").glob("*-clever.jsonl")), None)

    def look(self) -> None:
        """Read what is new in the log."""
        path = self.log()
        if path is None:
            return
        lines = path.read_bytes().split(b"\n")[1:-1]
        fresh, self._seen = lines[self._seen :], len(lines)
        for line in fresh:
            record = json.loads(line)
            came = record["in"]
            self.lags.append((time.monotonic(), time.monotonic() - came["at"] / RATE))
            if came["type"] == "Said" and came["part"] == "began":
                self.said.append((time.monotonic(), self._texts.get(came["line"], "")))
            for effect in record.get("out", ()):
                if effect["type"] == "Say":
                    self._texts[effect["line"]["id"]] = effect["line"]["text"]

    def child(self) -> int:
        """The sound card's child."""
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError, IndexError):
                fields = stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
                command = stat.with_name("cmdline").read_bytes()
                if int(fields[1]) == self.process.pid and b"card_child" in command:
                    return int(stat.parent.name)
        return 0

    def stop(self) -> tuple[int, float]:
        """SIGTERM; its exit code and how long it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        return code, time.monotonic() - began


@dataclass
class Fault:
    """What is done, what the screen should show, and what the host says of it."""

    name: str
    do: Callable[[], object]
    undo: Callable[[], object]
    shows: tuple[str, ...]
    """One of these troubles; none where the box is to play on as if nothing were."""
    says: str = ""
    """A part of the line."""
    lasts: float = AWAY
    found: float | None = None
    said: float | None = None
    back: float | None = None
    notes: list[str] = field(default_factory=list)


def until(true: Callable[[], bool], seconds: float, box: Box) -> float | None:
    """Seconds until something is true, None where it never is."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        box.look()
        if true():
            return time.monotonic() - began
        time.sleep(0.02)
    return None


def happen(fault: Fault, box: Box, screen: Watcher) -> None:
    """Do it, time it, undo it, time that."""
    until(lambda: not screen.troubles, 30.0, box)
    until(lambda: False, BETWEEN, box)
    since = len(box.said)
    fault.do()
    began = time.monotonic()  # the cause is there once the last command has ended
    if fault.shows:
        fault.found = until(lambda: bool(screen.troubles & set(fault.shows)), 15.0, box)
        if fault.found is not None:
            fault.found = time.monotonic() - began
    until(lambda: time.monotonic() - began >= fault.lasts, fault.lasts + 1, box)
    lags = [lag for at, lag in box.lags if at >= began]
    before = [lag for at, lag in box.lags if at < began][-20:]
    if not fault.shows and lags and before:
        fault.notes.append(f"behind by {max(lags) - min(before):.1f} s at most")
    if not fault.shows and screen.troubles:
        fault.notes.append(f"shows {', '.join(sorted(screen.troubles))}")
    fault.undo()
    gone = time.monotonic()
    until(lambda: not screen.troubles & set(fault.shows or screen.troubles), 30.0, box)
    fault.back = time.monotonic() - gone if not screen.troubles & set(fault.shows or screen.troubles) else None
    if fault.says:
        until(lambda: any(fault.says in text for _, text in box.said[since:]), SAID, box)
        fault.said = next((at - began for at, text in box.said[since:] if fault.says in text), None)


def hogs(count: int) -> list[subprocess.Popen[bytes]]:
    """Processes that only burn time."""
    return [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(count)]


def faults(card: VirtualCard, box: Box) -> Iterator[Fault]:
    """Everything that happens, in its order."""
    lost = ("sound",)
    voice = "lost my ears"

    def restart() -> None:
        card.start()
        card.play("noise.wav")

    def kill_server() -> None:
        card.signal(signal.SIGKILL)
        card.silence()

    child: list[int] = [0]

    def stop_child() -> None:
        child[0] = box.child()
        os.kill(child[0], signal.SIGSTOP)

    def continue_child() -> None:
        with contextlib.suppress(OSError):
            os.kill(child[0], signal.SIGCONT)

    busy: list[subprocess.Popen[bytes]] = []

    def hog() -> None:
        busy.extend(hogs(2 * (os.cpu_count() or 1)))

    def unhog() -> None:
        for one in busy:
            one.kill()
            one.wait()

    yield Fault("sound server killed, started again", kill_server, restart, lost, voice)
    yield Fault("sound server hangs (SIGSTOP)", lambda: card.signal(signal.SIGSTOP),
                lambda: card.signal(signal.SIGCONT), lost, voice)
    yield Fault("the card's child killed", lambda: os.kill(box.child(), signal.SIGKILL), lambda: None, lost, voice, 0.0)
    yield Fault("the card's child hangs", stop_child, continue_child, lost, voice, 0.0)
    yield Fault("microphone removed, back under a new number", lambda: card.microphone(False),
                lambda: card.microphone(True), ("monitor", "muted", "sound"), "", 5.0)
    yield Fault("the microphone changes its rate to 44.1 kHz", lambda: card.feed(44_100),
                lambda: card.play("noise.wav"), ("muted", "monitor", "sound"), "", 4.0)
    yield Fault("the graph changes its rate to 44.1 kHz", lambda: rate_of_graph(card, 44_100),
                lambda: rate_of_graph(card, 48_000), (), "", 5.0)
    yield Fault("digital silence", card.silence, lambda: card.play("noise.wav"), ("muted",), "", 5.0)
    yield Fault("overdriven", lambda: card.play("loud.wav"), lambda: None, ("clipped",), "too loud", 6.0)
    yield Fault("all cores busy", hog, unhog, (), "", 10.0)
    slow, quarter = Slow(), Fault("a quarter of one core", lambda: None, lambda: None, (), "", 40.0)
    held = [box.process.pid, box.child()]
    quarter.do = lambda: quarter.notes.extend(filter(None, [slow.hold(held)]))
    quarter.undo = lambda: slow.release(held)
    yield quarter


def rate_of_graph(card: VirtualCard, rate: int) -> None:
    """Force the rate of PipeWire's clock."""
    subprocess.run(["timeout", "5", "pw-metadata", "-n", "settings", "0", "clock.force-rate", str(rate)],  # noqa: S607 - checked before
                   env=card.env, capture_output=True, check=False)


def measure(options: Options) -> Report:
    """Break one thing after the other."""
    if not Path("/proc/self/stat").exists():
        raise MissingError("this bench needs Linux.")
    report, port = Report("chaos"), 18_137 + options.seed
    first()
    with tempfile.TemporaryDirectory(prefix="gamehost-chaos-") as scratch:
        folder = Path(scratch)
        card = VirtualCard(folder)
        card.start()
        card.play("noise.wav")
        box = Box(folder, card.env, port)
        screen = Watcher(port)
        done: list[Fault] = []
        try:
            if until(lambda: len(box.said) > 1, STARTING, box) is None:
                raise MissingError("the box did not begin to play: "
                                   + (folder / "box.txt").read_text(encoding="utf-8", errors="replace")[-600:])
            for fault in faults(card, box):
                happen(fault, box, screen)
                done.append(fault)
                print(f"{fault.name}: found {fault.found}, said {fault.said}, back {fault.back}", file=sys.stderr,
                      flush=True)
            code, took = box.stop()
        finally:
            box.process.kill()
            screen.close()
            card.stop()
        told = (folder / "box.txt").read_text(encoding="utf-8", errors="replace")
        return tell(report, done, code, took, box, told)


def seconds(value: float | None) -> str:
    """For the table."""
    return "-" if value is None else f"{value:.1f} s"


def tell(report: Report, done: list[Fault], code: int, took: float, box: Box, told: str) -> Report:
    """Table and goals."""
    report.table("What happened to the sound card", ("what", "on the screen", "said aloud", "back after", ""),
                 [(fault.name, seconds(fault.found) if fault.shows else "plays on", seconds(fault.said),
                   seconds(fault.back), "; ".join(fault.notes)) for fault in done])
    found = [fault.found if fault.found is not None else 99.0 for fault in done if fault.shows]
    back = [fault.back if fault.back is not None else 99.0 for fault in done]
    said = [fault for fault in done if fault.says and fault.said is None]
    restarts = len(re.findall("The sound card is back", told))
    report.note(f"the card's child was replaced {restarts} times; the box itself ran from beginning to end; SIGTERM "
                f"ended it with {code} after {took:.1f} s")
    report.note(next((line for line in reversed(told.splitlines()) if line.startswith("sound card: ")), ""))
    report.at_most("shown, slowest", max(found), FOUND, unit="s")
    report.at_most("back, slowest", max(back), BACK, unit="s")
    report.at_most("faults not said aloud", float(len(said)), 0.0)
    report.at_most("exit code of SIGTERM", float(abs(code)), 0.0)
    report.at_most("seconds that SIGTERM took", took, 3.0, unit="s")
    path = box.log()
    lived = 1.0
    if path is not None:
        with contextlib.suppress(ReplayError, logs.LogError):
            read = logs.read(path)
            _, _, table = set_up_again(read)
            relive(table, read.records)
            lived = 0.0
            report.note(f"{len(read.records)} events in the log, lived again with every state the same")
    report.at_most("logs that do not live again", lived, 0.0)
    if "Traceback" in told:
        report.note(told[-1500:])
    report.at_most("tracebacks", float(told.count("Traceback")), 0.0)
    return report
