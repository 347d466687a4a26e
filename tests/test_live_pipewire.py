"""Three cards played live: `gamehost play` as a process on a virtual sound card, players as recordings."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from host import log as logs
from host.app.logbook import set_up_again
from host.clock import RATE
from host.devices.canceller import CLEAR, find_delay
from host.devices.levels import active_level
from host.events import Line
from host.session import relive
from host.voices.choose import choose

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GAMEHOST_SHARED", ROOT.parent / "shared"))
SCRIPT = SHARED / "tools" / "virtual_audio.sh"
NEEDED = ("pipewire", "wireplumber", "pipewire-pulse", "pactl", "pw-link", "paplay")
FIXTURES = ROOT / "audio_fixtures" / "demo"
RIDDLES = {
    "I am bent, and it is on purpose.": ("Thing", "a boomerang", ("a frisbee", "an arrow"), "Red, a boomerang."),
    "A carpet hid her, once.": ("Person", "Cleopatra", ("Nefertiti", "Hatshepsut"), "Red, Cleopatra."),
    "Long ago I lay under the sea.": ("Place", "Mount Everest", ("Mount Fuji", "Ben Nevis"), "Blue, Mount Everest!"),
}
"""A card's first statement: its category, answer, rivals, and what a player says to it."""
RIGHT = [(1, "a boomerang"), (1, "cleopatra"), (0, "mount everest")]
"""Whose right answer it is, and what was heard, by the order of RIDDLES."""
PLAYER_LEVEL = -20.0
"""dBFS of the players' speech at the microphone."""
ECHO = -6.0
"""The host's voice at the microphone against the players', dB."""
DOWNMIX = 3.0
"""Both channels of the speaker become one, dB."""
PATIENCE = 170.0
"""Seconds that the whole may take."""
THINKING = 0.8
"""Seconds from the end of a statement to the player's first word."""


def missing() -> str:
    """Why the virtual card can't be had, or nothing."""
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    if lacking:
        return f"PipeWire is not installed: {', '.join(lacking)}"
    return "" if SCRIPT.exists() else f"no {SCRIPT}"


pytestmark = [pytest.mark.soundcard, pytest.mark.skipif(bool(missing()), reason=missing() or "all there")]


def program(name: str) -> str:
    return shutil.which(name) or name


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which a virtual speaker "spk" and a microphone "mic" are the only devices."""
    folder = tmp_path_factory.mktemp("card")
    subprocess.run([program("bash"), str(SCRIPT), "start", str(folder)], check=True, capture_output=True, timeout=60)
    env = dict(os.environ)
    for line in (folder / "env.sh").read_text(encoding="utf-8").split()[1:]:
        name, _, value = line.partition("=")
        env[name] = value
    try:
        yield env
    finally:
        subprocess.run([program("bash"), str(SCRIPT), "stop", str(folder)], check=False, capture_output=True,
                       timeout=60)


def own_pack(folder: Path) -> Path:
    """Three cards whose answers are in the demo's recordings, with statements of a few words."""
    rows = ["[pack]", 'id = "live"', 'title = "Live"', 'licence = "CC BY 4.0"', 'source = "own"', 'audience = "family"']
    for number, (first, (category, answer, rivals, _)) in enumerate(RIDDLES.items(), 1):
        statements = [first, *(f"Hint {word} of riddle {number}." for word in ("two", "three", "four", "five", "six"))]
        rows += [
            "[[card]]", f'id = "{category.lower()}-{number}"', f'category = "{category}"', f'answer = "{answer}"',
            f'essential = "{answer.removeprefix("a ").lower()}"', f"rivals = {json.dumps(rivals)}",
            f"statements = {json.dumps(statements)}", 'false_statement = "I was built last week."', 'region = "none"',
            "century = 1", 'note = "So it was."', 'basis = "a test"', "difficulty = 1",
        ]
    path = folder / "live.toml"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def spoken(text: str, folder: Path) -> Path:
    """The demo's recording of a text, brought to PLAYER_LEVEL over its active parts."""
    manifest = tomllib.loads((FIXTURES / "manifest.toml").read_text(encoding="utf-8"))
    path = next(FIXTURES / entry["path"] for entry in manifest["clip"] if entry["text"] == text)
    pcm, rate = soundfile.read(path, dtype="float32")
    pcm *= 10 ** ((PLAYER_LEVEL - active_level(pcm * 32768)) / 20)
    out = folder / f"{path.stem}.wav"
    soundfile.write(out, np.clip(pcm, -0.98, 0.98), rate)
    return out


class Players:
    """Follow the host's log, and answer each card a little after its first statement; after the next ones again."""

    def __init__(self, games: Path, env: dict[str, str], folder: Path) -> None:
        self.games, self.env = games, env
        self.clips = {first: spoken(riddle[3], folder) for first, riddle in RIDDLES.items()}
        self.texts: dict[str, str] = {}
        self.due: list[tuple[float, Path]] = []
        self.on_table = ""
        """The first statement of the card that is being read."""
        self.order: list[int] = []
        """Numbers of RIDDLES in the order in which they came."""
        self.done = False
        """Whether the host has gone on to a fourth card."""
        self._seen = 0

    def look(self) -> None:
        """Read what is new in the log; say what is due."""
        for log in self.games.glob("*.jsonl"):
            lines = log.read_bytes().split(b"\n")[1:-1]
            fresh, self._seen = lines[self._seen :], len(lines)
            for line in fresh:
                self._note(json.loads(line))
        now = time.monotonic()
        for at, path in self.due:
            if at <= now:
                subprocess.Popen([program("paplay"), "--device=micfeed", str(path)], env=self.env)
        self.due = [(at, path) for at, path in self.due if at > now]

    def _note(self, record: dict[str, Any]) -> None:
        for effect in record.get("out", ()):
            if effect["type"] == "Say":
                self.texts[effect["line"]["id"]] = effect["line"]["text"]
        came = record["in"]
        if came["type"] != "Said" or came["part"] != "ended":
            return
        line, text = came["line"], self.texts.get(came["line"], "")
        self.done = self.done or line.startswith("card4/")
        if text in RIDDLES and text != self.on_table:
            self.on_table = text
            self.order.append(list(RIDDLES).index(text))
        if "/statement" in line and not self.done:
            self.due.append((time.monotonic() + THINKING, self.clips[self.on_table]))


def host_level(folder: Path) -> float:
    """The level of the host's voice as it is played, dBFS."""
    voice = choose("pyttsx3", folder / "voice")
    clip = voice.speak(Line("level", "Long ago I lay under the sea, and it was quite all right."))
    voice.close()
    return active_level(clip.pcm)


def connect_echo(sound: dict[str, str], folder: Path) -> None:
    """Let the microphone hear the speaker, ECHO dB below the players."""
    volume = PLAYER_LEVEL + ECHO - DOWNMIX - host_level(folder)
    for command in (["pactl", "set-sink-volume", "spk", f"{volume:.1f}dB"],
                    ["pw-link", "spk:monitor_MONO", "micfeed:playback_MONO"]):
        subprocess.run([program(command[0]), *command[1:]], env=sound, check=True, timeout=10)


def disconnect_echo(sound: dict[str, str]) -> None:
    subprocess.run([program("pw-link"), "-d", "spk:monitor_MONO", "micfeed:playback_MONO"], env=sound, check=False,
                   timeout=10, capture_output=True)


def delays(tape: Path) -> set[int]:
    """By how many samples the echo lags, second by second, where it can be told."""
    mic, far = soundfile.read(tape, dtype="int16")[0].T
    found = [find_delay(mic[at : at + RATE], far[at : at + RATE]) for at in range(0, len(mic) - RATE, RATE)]
    return {one.delay for one in found if one.clarity > CLEAR}


def play(sound: dict[str, str], folder: Path) -> tuple[int, Players, str]:
    """Host and players until three cards are over; the exit code, who played, and what was printed."""
    command = [sys.executable, "-m", "host", "play", "clever", "--players", "Anna:blue, Ben:red", "--youngest", "Anna",
               "--packs", "live", "--pack", str(own_pack(folder)), "--pause", "3", "--no-ready", "--seed", "3",
               "--voice", "pyttsx3", "--input", "mic", "--output", "spk", "--data", str(folder / "data"),
               "--record", str(folder / "tape.flac")]
    players = Players(folder / "data" / "games", sound, folder)
    with (folder / "said.txt").open("w") as said:
        host = subprocess.Popen(command, cwd=ROOT, env=sound, stdout=said, stderr=subprocess.STDOUT)
        try:
            end = time.monotonic() + PATIENCE
            while not players.done and host.poll() is None and time.monotonic() < end:
                players.look()
                time.sleep(0.05)
            host.send_signal(signal.SIGINT)
            return host.wait(15), players, (folder / "said.txt").read_text()
        finally:
            host.kill()
            host.wait()


@pytest.mark.parametrize("echo", [False, True], ids=["headset", "echo"])
def test_three_cards_are_played_live_by_recorded_players(sound: dict[str, str], tmp_path: Path, echo: bool) -> None:
    """Microphone and speaker through PipeWire: the game's log holds the three right verdicts.

    With the host's echo 6 dB below the players, it only says something where the computer plays without
    skipping: then the echo's delay does not move.
    """
    if echo:
        connect_echo(sound, tmp_path)
    try:
        code, players, said = play(sound, tmp_path)
    finally:
        disconnect_echo(sound)
    if echo and len(delays(tmp_path / "tape.flac")) > 1:
        pytest.skip(f"this computer skipped sound, so the echo's delay moved: {sorted(delays(tmp_path / 'tape.flac'))}")
    assert code == 130, said
    log = next((tmp_path / "data" / "games").glob("*.jsonl"))
    _, _, table = set_up_again(logs.read(log))
    state, _ = relive(table, logs.read(log).records)
    game = table.view(state, None)["game"]
    right = [(ruling["seat"], ruling["text"]) for ruling in game["all_verdicts"] if ruling["verdict"] == "right"]
    assert right == [RIGHT[number] for number in players.order[: len(RIDDLES)]], said
    assert sorted(players.order[: len(RIDDLES)]) == [0, 1, 2]
