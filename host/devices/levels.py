"""Levels and sound files, measured the same way everywhere.

Levels are in dBFS; 0 dBFS is the mean power of a full-scale square wave, as is
usual for speech, so -26 dBFS is speech with a root mean square of 0.05. The level of speech is taken
over its active frames only; otherwise a pause would make a speaker quieter.
"""

from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from host.clock import RATE, Samples
from host.devices import DeviceError

Floats = NDArray[np.float32]

SILENCE = -120.0
"""The level of nothing at all, dBFS."""

SPEECH = -26.0
"""The level of a player's speech at the microphone against which everything else is told, dBFS."""

_FRAME = 320
_ACTIVE = 30.0
"""A 20 ms frame is active where it is at most this many dB below the loud ones."""


def dbfs(sound: NDArray[np.generic]) -> float:
    """The level of 16-bit samples (or of floats in their units), dBFS; `SILENCE` at the least."""
    if not sound.size:
        return SILENCE
    power = float(np.mean(np.square(sound.astype(np.float64)))) / 32768.0**2
    return max(SILENCE, 10.0 * np.log10(power)) if power > 0 else SILENCE


def factor(decibels: float) -> float:
    """The factor by which samples are multiplied to make them louder by that much."""
    return float(10.0 ** (decibels / 20.0))


def _frames(sound: NDArray[np.generic]) -> NDArray[np.float64]:
    """The power of each 20 ms frame, in the units of samples squared."""
    short = -len(sound) % _FRAME
    padded = np.pad(sound.astype(np.float64), (0, short))
    return np.asarray(np.mean(np.square(padded.reshape(-1, _FRAME)), axis=1))


def active(sound: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which 20 ms frames of mono 16 kHz sound hold speech."""
    power = _frames(sound) if len(sound) else np.zeros(0)
    loud = float(np.percentile(power, 95)) if len(power) else 0.0
    return np.asarray(power > max(loud * 10.0 ** (-_ACTIVE / 10.0), 1e-9))


def active_level(sound: NDArray[np.generic]) -> float:
    """The level of speech over its active frames, dBFS."""
    frames = active(sound)
    if not frames.any():
        return SILENCE
    power = float(np.mean(_frames(sound)[frames])) / 32768.0**2
    return float(10.0 * np.log10(power))


def speech_span(sound: NDArray[np.generic]) -> tuple[Samples, Samples]:
    """Where speech begins and ends in mono 16 kHz sound, to 20 ms; (0, 0) where there is none."""
    frames = np.flatnonzero(active(sound))
    if not len(frames):
        return 0, 0
    return int(frames[0]) * _FRAME, min(len(sound), (int(frames[-1]) + 1) * _FRAME)


def load(path: Path) -> Floats:
    """Read a sound file as mono 16 kHz float32 in the units of 16-bit samples.

    Raises DeviceError with one clear sentence where that cannot be done.
    """
    try:
        sound, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (OSError, RuntimeError) as error:
        raise DeviceError(unreadable(path, error)) from error
    mono = sound.mean(axis=1) * np.float32(32768.0)
    if rate != RATE and len(mono):
        mono = soxr.resample(mono, rate, RATE)
    return np.asarray(mono, dtype=np.float32)


def unreadable(path: Path, error: Exception) -> str:
    """One sentence for a sound file that cannot be read."""
    if not path.exists():
        return f"There is no sound file {path}: check the path."
    return f"{path} is not a sound file that can be read (WAV and FLAC can): {error}"
