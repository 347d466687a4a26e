"""Microphone and speaker for the commands: opening them, taping them, playing a room through them."""

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from host.app import AppError
from host.clock import BLOCK, RATE, Samples, samples
from host.devices import Device, DeviceError
from host.devices.aloud import Aloud
from host.devices.card import SoundCard, list_devices
from host.devices.card_child import choose
from host.devices.room import Room
from host.events import In, Trouble
from host.sound import Block, Clip

PATIENCE = 60.0
"""Seconds for which a card that was lost is waited for, where somebody sits at the terminal."""
TAPED = 10.0
"""Minutes after which a recording of the room ends by itself (SEC-06)."""
EARLY = samples(0.04)
"""So much sooner than the card says the canceller looks for the echo: what cards say of themselves is vague."""


def check_devices(microphone: str | None = None, speaker: str | None = None) -> tuple[str, str]:
    """The names of the microphone and the speaker that would be used. Raises AppError (3) where there are none."""
    try:
        found = [asdict(entry) for entry in list_devices()]
        source, sink = choose(found, microphone, "inputs"), choose(found, speaker, "outputs")
    except DeviceError as error:
        raise AppError(str(error), 3) from error
    return str(found[source]["name"]), str(found[sink]["name"])


def open_card(
    microphone: str | None = None, speaker: str | None = None, start: Samples = 0,
    notice: Callable[[str], None] = print, wait: bool = False, channels: int = 1,
) -> SoundCard:
    """The sound card, its time beginning at `start`; with `wait` it may come later, and is waited for for ever.

    Raises AppError (3) in one sentence.
    """
    try:
        patience = math.inf if wait else PATIENCE
        return SoundCard(microphone, speaker, channels=channels, start=start, notice=notice, wait=wait,
                         patience=patience)
    except DeviceError as error:
        raise AppError(str(error), 3) from error


def echo_delay(card: SoundCard) -> Samples:
    """From where on the canceller looks for the echo."""
    return max(0, card.latency - EARLY)


def aloud(room: Room) -> Aloud:
    """A simulated room through the speaker, in real time. Raises AppError (3)."""
    return Aloud(room, open_card())


class Taped:
    """A device whose microphones and far end are written to a FLAC file, the far end last (SEC-06).

    The file ends after `minutes`; a disk that refuses ends it too, and the evening goes on.
    """

    def __init__(
        self, device: Device, path: Path, channels: int = 1, minutes: float = TAPED,
        notice: Callable[[str], None] = print,
    ) -> None:
        self.device, self.path, self._notice = device, path, notice
        self._left = samples(60.0 * minutes)
        self._now: Samples = 0
        self._posts: list[In] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: soundfile.SoundFile | None = soundfile.SoundFile(
                str(path), "w", RATE, channels + 1, "PCM_16", format="FLAC"
            )
        except (OSError, RuntimeError) as error:
            raise AppError(f"{path} can't be written: name another file with --record.") from error

    def read(self) -> Block | None:
        """The device's next block, taped."""
        block = self.device.read()
        if block is not None:
            self._now = block.at + BLOCK
            self._write(np.vstack([block.mic, block.far[np.newaxis]]).T, block.gap)
        return block

    def _write(self, sound: np.ndarray, gap: Samples) -> None:
        if self._file is None:
            return
        try:
            if gap:  # time has moved on by what was lost
                self._file.write(np.zeros((gap, sound.shape[1]), np.int16))
            self._file.write(sound)
        except (OSError, RuntimeError) as error:
            self._notice(f"The recording ends here ({error}); play goes on.")
            self.end()
            return
        self._left -= len(sound) + gap
        if self._left <= 0:
            self._notice(f"The recording has ended by itself: {self.path}")
            self.end()

    def end(self) -> None:
        """Record no more."""
        if self._file is not None:
            with contextlib.suppress(OSError, RuntimeError):
                self._file.close()
            self._file = None
            self._posts.append(Trouble(self._now, "recording.over"))

    def inbox(self) -> Sequence[In]:
        """For the loop: that the recording is over, once."""
        posts, self._posts = self._posts, []
        return posts

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""
        self.device.play(clip, at)

    def hush(self) -> None:
        """Fall silent."""
        self.device.hush()

    def __getattr__(self, name: str) -> Any:
        """What else the device can: turn the host down, hold what it says."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.device, name)

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter."""
        getattr(self.device, "set_volume", lambda _volume: None)(volume)

    def close(self) -> None:
        """End the file and give the device back."""
        self.end()
        self.device.close()
