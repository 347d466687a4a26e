"""`gamehost doctor`: tests what an evening needs, one line each, and says what to do."""

import argparse
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from host import __version__
from host.app import AppError
from host.app.evening import Setup, load_packs, prepare
from host.app.live import open_card
from host.app.packs import lexicon
from host.app.paths import CLUES, data_folder
from host.clock import BLOCK, RATE
from host.devices import DeviceError
from host.devices.card import SoundCard, list_devices
from host.devices.levels import dbfs
from host.devices.meter import metered, record, tone
from host.ears.graph import show
from host.ears.models import ModelError, find, known_sums
from host.events import Line
from host.packs.tools import run_check
from host.sound import Pcm
from host.voices import VoiceError
from host.voices.choose import FAST_ENOUGH, NAMES, choose

LISTENED = 2.0
"""Seconds of the level meter."""
TONE = 660.0
"""Hz of the test tone."""
LASTED = 1.0
"""Seconds of it."""
CAME_BACK = 10.0
"""dB by which the tone has to stand out of the room at its frequency."""
LATE = 0.25
"""Seconds there and back from which on a speaker is called late."""
ROOM = 50.0
"""MB that a year of evenings takes at most."""

Step = Callable[[argparse.Namespace], list[tuple[str, str]]]
"""A test: marks ("ok", "note", "FAULT") and sentences. Raises AppError for a fault."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("doctor", help="test model, voice, devices, packs and disk, and say what to do")
    parser.add_argument("--input", metavar="NAME", help="microphone: a part of its name")
    parser.add_argument("--output", metavar="NAME", help="speaker: a part of its name")
    parser.add_argument("--voice", choices=NAMES[:2], help="only this voice (default: both)")
    parser.add_argument("--model", help="the recogniser's model: a name or a folder")
    parser.add_argument("--pack", action="append", default=[], metavar="FILE", help="a pack of your own, besides")
    parser.add_argument("--no-sound", action="store_true", help="leave the sound card alone")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run every test, also after a fault; 1 where nothing could be played."""
    print(f"gamehost {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    steps: list[tuple[str, Step]] = [("packs", packs), ("model", model), ("voice", voice), ("disk", disk)]
    if not arguments.no_sound:
        steps.append(("sound", sound))
    faults = []
    for name, step in steps:
        try:
            found = step(arguments)
        except AppError as error:
            found = [("FAULT", str(error))]
        for mark, sentence in found:
            print(f"{mark:>6}  {name}: {sentence}", flush=True)
        if any(mark == "FAULT" for mark, _ in found):
            faults.append(name)
    print("Nothing can be played before that is mended: " + ", ".join(faults) if faults else "All is ready to play.")
    return 1 if faults else 0


def packs(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Whether all cards can be loaded, and how many faults the check finds."""
    own = [Path(path) for path in arguments.pack]
    loaded = load_packs(Setup(more=tuple(str(path.absolute()) for path in own)))
    found = [("ok", f"{len(loaded.clues)} clue cards, {len(loaded.ventures)} Venture cards, board "
                    f"{loaded.board.title}, {len(loaded.words)} word cards for Venn")]
    code, text = run_check([CLUES, *own], lexicon(), warnings=False)
    if code:
        faults = [line for line in text.splitlines() if ".toml:" in line]
        found.append(("note", f"{len(faults)} remarks of the check, the first: {faults[0] if faults else text}; "
                              "all of them: gamehost packs check"))
    return found


def model(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Sums, vocabulary, and one second decoded in a child process."""
    began = time.monotonic()
    setup = Setup()
    prepare(setup, load_packs(setup), arguments.model, show)
    try:
        folder = find(arguments.model)
        sums = len(known_sums(folder))
    except ModelError as error:
        raise AppError(str(error)) from error
    compared = f"{sums} files as they should be" if sums else "its sums are not known"
    return [("ok", f"{folder.name}: {compared}, a second decoded; ready in {time.monotonic() - began:.1f} s")]


def voice(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Which voices speak, and how fast; a fault where none does."""
    found: list[tuple[str, str]] = []
    for name in [arguments.voice] if arguments.voice else NAMES[:2]:
        try:
            speaker = choose(name)
            speaker.speak(Line("first", "One."))  # loads its dictionaries
            began = time.monotonic()
            clip = speaker.speak(Line("doctor", "Good evening, and welcome. Who is playing tonight?"))
            speed = len(clip.pcm) / clip.rate / max(time.monotonic() - began, 1e-6)
            speaker.close()
        except VoiceError as error:
            found.append(("note", f"{name}: {error}"))
            continue
        slow = "" if name != "natural" or speed >= FAST_ENOUGH else "; too slow to be taken by itself (--voice natural)"
        quiet = not np.any(clip.pcm)
        found.append(("note", f"{name} is silent") if quiet else
                     ("ok", f"{name} ({speaker.name}) speaks at {speed:.0f} times real time{slow}"))
    if not any(mark == "ok" for mark, _ in found):
        found.append(("FAULT", "no voice speaks: remove the folder .venv and start gamehost again, it installs them"))
    return found


def disk(_arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """Whether logs and the memory of used cards can be written; play goes on without."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(b"test")
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(folder).free / 1e6
    except OSError as error:
        return [("note", f"{folder} can't be written ({error.strerror}): play goes on, but nothing is remembered; "
                         "allow writing, or name another folder in GAMEHOST_DATA")]
    if free < ROOM:
        return [("note", f"only {free:.0f} MB are free in {folder}: free some, or logs will end")]
    return [("ok", f"{folder} can be written, {free / 1000:.1f} GB free")]


# --- sound --------------------------------------------------------------------------------------


def sound(arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """The devices, a level meter, and a tone that should come back from the speaker."""
    try:
        for entry in list_devices():
            ways = [f"{entry.inputs} in" * bool(entry.inputs), f"{entry.outputs} out" * bool(entry.outputs)]
            default = ", default" if entry.default_in or entry.default_out else ""
            print(f"        {entry.name}: {', '.join(filter(None, ways))}, {entry.rate} Hz{default}")
    except DeviceError as error:
        raise AppError(str(error)) from error
    server = sound_server(os.environ, os.getuid() if hasattr(os, "getuid") else -1)
    card = open_card(arguments.input, arguments.output, notice=lambda _sentence: None)
    try:
        found = [*server, *lateness(card.latency)]
        found += [("ok", f"microphone {card.names[0]}, speaker {card.names[1]}, {card.rate} Hz, "
                        f"{1000 * card.latency / RATE:.0f} ms there and back")]
        print(f"        say something now, for {LISTENED:.0f} seconds ...", flush=True)
        heard = record(card, LISTENED)
        meter = metered(heard[0])
        found.append(("ok" if meter.advice.startswith("The microphone is well") else "note", meter.advice))
        return [*found, came_back(card, heard[0])]
    except DeviceError as error:
        raise AppError(str(error)) from error
    finally:
        card.close()


def sound_server(env: Mapping[str, str], uid: int, run: Path = Path("/run/user")) -> list[tuple[str, str]]:
    """Whether the user's sound server can be reached; a service has none without its user's session (AUD-10)."""
    if shutil.which("pipewire") is None and shutil.which("pulseaudio") is None:
        return []
    folder = Path(env.get("XDG_RUNTIME_DIR") or run / str(uid))
    sockets = [folder / "pulse" / "native", folder / "pipewire-0"]
    if env.get("PULSE_SERVER") or any(path.exists() for path in sockets):
        return []
    return [("note", f"no sound server runs for this user (there is no {sockets[1]}): sound goes to the card itself; "
                     "to have the server without anybody logged in: sudo loginctl enable-linger USER")]


def lateness(latency: int) -> list[tuple[str, str]]:
    """A speaker that is late makes everything late (AUD-18)."""
    if latency <= LATE * RATE:
        return []
    return [("note", f"sound takes {latency / RATE:.1f} s there and back, as Bluetooth does: players wait for the "
                     "host; a speakerphone on a cable is better")]


def came_back(card: SoundCard, before: Pcm) -> tuple[str, str]:
    """Play a tone, and look for it in the microphone."""
    print("        now a tone ...", flush=True)
    during = record(card, LASTED + 0.6, tone(LASTED, TONE))[0]
    gain = strength(during, LASTED / (LASTED + 0.6)) - strength(before)
    if card.glitches:
        return "note", f"the card lost sound {card.glitches} times: this computer is busy; close other programs"
    if gain < CAME_BACK:
        return "note", ("the tone was not heard by the microphone: with a headset that is right, otherwise turn the "
                        "speaker up or choose another one with --output")
    return "ok", f"the tone came back, {gain:.0f} dB above the room"


def strength(heard: Pcm, share: float = 1.0) -> float:
    """The median level at the tone's frequency over the strongest `share` of the 30 ms blocks, dBFS."""
    blocks = heard[: len(heard) // BLOCK * BLOCK].reshape(-1, BLOCK).astype(np.float64)
    if not len(blocks):
        return dbfs(np.zeros(0))
    turn = np.exp(-2j * np.pi * TONE * np.arange(BLOCK) / RATE) * np.hanning(BLOCK)
    heights = np.sort(np.abs(blocks @ turn))[::-1] / np.hanning(BLOCK).sum() * np.sqrt(2.0)
    return dbfs(np.median(heights[: max(1, round(share * len(heights)))], keepdims=True))
