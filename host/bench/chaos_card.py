"""A virtual sound card on PipeWire that can be broken: server killed or hung, microphone removed, and so on."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import soundfile

from host.app.paths import shared_folder
from host.bench.frame import MissingError

NEEDED = ("bash", "pipewire", "wireplumber", "pipewire-pulse", "pactl", "pw-link", "pw-metadata", "paplay")
RATE = 48_000
NOISE = 0.003
"""Of the room, against full scale: -50 dBFS."""


class VirtualCard:
    """A speaker "spk" and a microphone "mic" with a little noise in it, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        """Raises MissingError where PipeWire or the script is not here."""
        self._script = shared_folder() / "tools" / "virtual_audio.sh"
        lacking = [name for name in NEEDED if shutil.which(name) is None]
        if lacking or not self._script.is_file():
            what = f"PipeWire is not installed: {', '.join(lacking)}" if lacking else f"there is no {self._script}"
            raise MissingError(f"{what}; this bench breaks a virtual sound card.")
        self.folder = folder
        self.env = dict(os.environ)
        self._players: list[subprocess.Popen[bytes]] = []
        random = np.random.default_rng(1)
        soundfile.write(folder / "noise.wav", random.normal(0, NOISE, 600 * RATE).astype(np.float32), RATE)
        soundfile.write(folder / "loud.wav", np.clip(random.normal(0, 3.0, 5 * RATE), -1, 1).astype(np.float32), RATE)

    def start(self) -> None:
        """The server with both devices."""
        self._run("bash", str(self._script), "start", str(self.folder), timeout=60)
        for line in (self.folder / "env.sh").read_text(encoding="utf-8").split()[1:]:
            name, _, value = line.partition("=")
            self.env[name] = value

    def pids(self) -> list[int]:
        """Of the server's processes, as they were started."""
        return [int(line) for line in (self.folder / "pids").read_text(encoding="ascii").split()]

    def signal(self, number: signal.Signals) -> None:
        """To all of the server."""
        for pid in self.pids():
            with contextlib.suppress(OSError):
                os.kill(pid, number)

    def play(self, name: str) -> subprocess.Popen[bytes]:
        """Play a file into the microphone."""
        player = subprocess.Popen(
            [shutil.which("paplay") or "paplay", "--device=micfeed", str(self.folder / name)], env=self.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self._players.append(player)
        return player

    def silence(self) -> None:
        """Nothing plays into the microphone any more."""
        for player in self._players:
            with contextlib.suppress(OSError):
                player.kill()
            player.wait()
        self._players = []

    def microphone(self, there: bool, rate: int = RATE) -> None:
        """Remove the microphone, or bring it (under a new number)."""
        if there:
            self.pactl("load-module", "module-remap-source", "source_name=mic", "master=micfeed.monitor", "channels=1",
                       f"rate={rate}")
            self.pactl("set-default-source", "mic")
        else:  # where PipeWire moves a stream whose microphone is pulled out: to the speaker's monitor
            self.pactl("set-default-source", "spk.monitor")
            self._unload("module-remap-source")

    def feed(self, rate: int) -> None:
        """The microphone's own clock anew, at another rate."""
        self._unload("module-remap-source")
        for line in self.pactl("list", "short", "modules").splitlines():
            if "sink_name=micfeed" in line:
                self.pactl("unload-module", line.split()[0])
        self.pactl("load-module", "module-null-sink", "sink_name=micfeed", f"rate={rate}", "channels=1")
        self.microphone(True, rate)

    def pactl(self, *words: str) -> str:
        """One command to the server; its answer."""
        return self._run("pactl", *words, timeout=10)

    def _unload(self, module: str) -> None:
        for line in self.pactl("list", "short", "modules").splitlines():
            if module in line:
                self.pactl("unload-module", line.split()[0])

    def _run(self, program: str, *words: str, timeout: float) -> str:
        done = subprocess.run([shutil.which(program) or program, *words], env=self.env, capture_output=True, text=True,
                              timeout=timeout, check=False)
        return done.stdout

    def stop(self) -> None:
        """End everything."""
        self.silence()
        self.signal(signal.SIGCONT)
        self._run("bash", str(self._script), "stop", str(self.folder), timeout=60)
        time.sleep(0.2)
