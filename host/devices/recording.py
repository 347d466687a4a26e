"""A recording as a device: a sound file is heard block by block, and the host's voice goes nowhere.

Any rate, any number of channels, integer or float samples come in (REC-16); 16 kHz 16-bit blocks go
out. Time is samples heard, so the core cannot tell a recording from a microphone.
"""

from pathlib import Path
from typing import Literal

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from host.clock import BLOCK, RATE, Samples, samples
from host.devices import DeviceError
from host.devices.levels import unreadable
from host.devices.mouth import GRACE, Mouth
from host.sound import Block, Clip, Pcm

Layout = Literal["mono", "mics", "mic+far"]
"""What a file's channels are: to be mixed into one microphone; one microphone each; or microphones
and, last, what the speaker played while they heard it."""

_READ = 4_800


def to_pcm(sound: NDArray[np.floating]) -> Pcm:
    """Turn floats from -1 to 1 into 16-bit samples, clipped; not-a-number becomes silence."""
    scaled = np.nan_to_num(sound, nan=0.0, posinf=1.0, neginf=-1.0) * 32768.0
    return np.asarray(np.clip(np.rint(scaled), -32768, 32767), dtype=np.int16)


class Recording:
    """A sound file as microphone. Raises DeviceError where the file cannot be read.

    `tail` seconds of silence follow the file's end, so that the last utterance can end. Its first
    sample has the time `start`.
    """

    def __init__(self, path: Path, layout: Layout = "mono", tail: float = 2.0, start: Samples = 0) -> None:
        self.path = path
        self.layout: Layout = layout
        try:
            self._file = soundfile.SoundFile(str(path))
        except (OSError, RuntimeError) as error:
            raise DeviceError(unreadable(path, error)) from error
        if layout == "mic+far" and self._file.channels < 2:
            self._file.close()
            raise DeviceError(f"{path} has one channel, so it can't carry microphone and far end: read it as mono.")
        channels = 1 if layout == "mono" else self._file.channels
        self._stream = soxr.ResampleStream(self._file.samplerate, RATE, channels, dtype="float32")
        self._buffer: NDArray[np.float32] = np.zeros((0, channels), np.float32)
        self._tail = samples(tail)
        self._ended = False
        self._start = self._now = start
        self._mouth = Mouth(RATE)

    @property
    def channels(self) -> int:
        """How many microphones its blocks carry."""
        return int(self._buffer.shape[1]) - (self.layout == "mic+far")

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter; 1 is normal."""
        self._mouth.volume = volume

    def read(self) -> Block | None:
        """The next 30 ms, or None after the file and its tail."""
        self._fill()
        if not len(self._buffer):
            return None
        piece, self._buffer = self._buffer[:BLOCK], self._buffer[BLOCK:]
        pcm = to_pcm(np.pad(piece, ((0, BLOCK - len(piece)), (0, 0))))
        at, self._now = self._now, self._now + BLOCK
        _, marks = self._mouth.pull(BLOCK, at)
        # What the host says now was not in the room where this was recorded: it is no far end.
        far = pcm[:, -1].copy() if self.layout == "mic+far" else np.zeros(BLOCK, np.int16)
        return Block(at, np.ascontiguousarray(pcm[:, : self.channels].T), far, marks)

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip; nobody hears it, but its marks come as if somebody did."""
        self._mouth.play(clip, at)

    def hush(self) -> None:
        """Drop what is queued."""
        self._mouth.hush(self._now)

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that the host is saying."""
        return self._mouth.saying(now, grace)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _fill(self) -> None:
        """Decode until a block is there, or the file and its tail are used up."""
        while len(self._buffer) < BLOCK and not self._ended:
            try:
                sound = self._file.read(_READ, dtype="float32", always_2d=True)
            except (OSError, RuntimeError) as error:
                heard = (self._now - self._start) / RATE
                raise DeviceError(f"{self.path} is damaged after {heard:.1f} s: {error}") from error
            self._ended = len(sound) < _READ
            if self.layout == "mono":
                sound = sound.mean(axis=1, keepdims=True)
            fresh = self._stream.resample_chunk(np.ascontiguousarray(sound), last=self._ended)
            tail = np.zeros((self._tail if self._ended else 0, self._buffer.shape[1]), np.float32)
            self._buffer = np.concatenate([self._buffer, fresh.reshape(-1, self._buffer.shape[1]), tail])
