"""A level meter and a test tone, for whoever sets a table up: what is wrong, and what to do."""

from dataclasses import dataclass

import numpy as np

from host.clock import BLOCK, RATE, samples
from host.devices import Device
from host.devices.levels import SILENCE, dbfs
from host.sound import Clip, Pcm

TOO_QUIET = -50.0
"""Speech below this level, dBFS, is lost in the converter's own noise."""
TOO_LOUD = 0.001
"""More clipped samples than this share mean that the gain is too high."""


@dataclass(frozen=True, slots=True)
class Meter:
    """What a microphone gave in some seconds; levels in dBFS."""

    seconds: float
    level: float
    """The loudest tenth of the 30 ms blocks: speech, where somebody spoke."""
    floor: float
    """The quietest tenth: the room."""
    peak: float
    clipped: float
    """Share of samples at full scale."""
    silent: bool
    """Not one sample differs from zero."""

    @property
    def advice(self) -> str:
        """One sentence: all is well, or what to do."""
        if self.seconds <= 0:
            return "Nothing was heard at all: check the microphone's plug."
        if self.silent:
            return "The microphone sends digital silence: it is muted or switched off."
        if self.clipped > TOO_LOUD:
            return f"The microphone is too loud ({100 * self.clipped:.1f} % clipped): turn its gain down."
        if self.level < TOO_QUIET:
            return f"The microphone is too quiet ({self.level:.0f} dBFS): turn its gain up or come closer."
        return f"The microphone is well ({self.level:.0f} dBFS, the room {self.floor:.0f} dBFS)."


def metered(sound: Pcm) -> Meter:
    """Measure one microphone's samples at 16 kHz."""
    blocks = sound[: len(sound) // BLOCK * BLOCK].reshape(-1, BLOCK)
    if not len(blocks):
        return Meter(0.0, SILENCE, SILENCE, SILENCE, 0.0, True)
    levels = sorted(dbfs(block) for block in blocks)
    tenth = max(1, len(levels) // 10)
    high = np.abs(sound.astype(np.int32))
    return Meter(
        seconds=len(sound) / RATE,
        level=float(np.mean(levels[-tenth:])),
        floor=float(np.mean(levels[:tenth])),
        peak=float(20.0 * np.log10(max(int(high.max()), 1) / 32768.0)),
        clipped=float(np.mean(high >= 32_767)),
        silent=not sound.any(),
    )


def tone(seconds: float = 0.5, frequency: float = 660.0, level: float = -18.0) -> Clip:
    """A soft test tone."""
    time = np.arange(samples(seconds)) / RATE
    ramp = np.minimum(1.0, np.minimum(time, seconds - time) / 0.02)
    height = 32768.0 * np.sqrt(2.0) * 10.0 ** (level / 20.0)
    pcm = np.rint(height * ramp * np.sin(2.0 * np.pi * frequency * time)).astype(np.int16)
    return Clip("", pcm, RATE)


def record(device: Device, seconds: float, play: Clip | None = None) -> Pcm:
    """Read so many seconds, playing a clip meanwhile; all microphones, shape (channels, samples)."""
    pieces = []
    for number in range(-(-samples(seconds) // BLOCK)):
        block = device.read()
        if block is None:
            break
        if number == 0 and play is not None:
            device.play(play, block.at + BLOCK)
        pieces.append(block.mic)
    return np.concatenate(pieces, axis=1) if pieces else np.zeros((1, 0), np.int16)
