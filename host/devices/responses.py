"""Room responses: what a room does to a sound between where it is made and the microphone.

Measured ones are read from files. Made-up ones need nothing but numbers, so the demo runs anywhere:
early reflections by the image model (a wall is a mirror; each image of the source arrives later and
weaker), then a tail of noise that decays by 60 dB in `rt60` seconds, as a room's many late
reflections do. The tail's level follows from the room too: direct and reverberant sound are equally
loud at the critical distance, 0.057 * sqrt(volume / rt60) metres.
"""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.clock import BLOCK, RATE
from host.devices.levels import Floats, load

SOUND = 343.0
"""The speed of sound, metres a second."""

_QUIET = 60.0
"""A measured response is cut where less than this many dB below the whole of it is left."""

_LONGEST = RATE
"""No response is kept longer than a second."""

_MIXED = 0.02
"""From 20 ms after the direct sound on, the tail takes over from the mirrors."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shoebox of a room: metres, and the seconds in which sound decays by 60 dB."""

    size: tuple[float, float, float] = (5.2, 4.1, 2.5)
    rt60: float = 0.4


def made(shape: Shape, distance: float, angle: float, seed: int) -> Floats:
    """The response from a source `distance` metres from a microphone on the table in the middle.

    `angle` in radians says on which side. The direct sound has its true delay and a height of
    1 / distance. Deterministic by seed.
    """
    random = np.random.default_rng(seed)
    size = np.array(shape.size)
    microphone = size * (0.5, 0.5, 0.0) + random.uniform(-0.2, 0.2, 3) + (0.0, 0.0, 0.95)
    reach = np.array([np.cos(angle), np.sin(angle), 0.0]) * distance
    source = np.clip(microphone + reach + (0.0, 0.0, 0.25 if distance > 0.6 else 0.0), 0.2, size - 0.2)
    direct = float(np.linalg.norm(source - microphone))
    length = int((direct / SOUND + max(shape.rt60, 0.05)) * RATE) + 64
    response = _mirrors(size, source, microphone, shape, length) * (direct / max(distance, 1e-3))
    return (response + _tail(shape, direct, distance, length, random)).astype(np.float32)


def _mirrors(
    size: NDArray[np.float64], source: NDArray[np.float64], microphone: NDArray[np.float64], shape: Shape, length: int
) -> NDArray[np.float64]:
    """Direct sound and early reflections; absorption by Sabine's formula."""
    volume = float(np.prod(size))
    surface = 2.0 * float(size[0] * size[1] + size[0] * size[2] + size[1] * size[2])
    absorption = min(0.95, 0.161 * volume / (surface * max(shape.rt60, 0.05)))
    reflected = np.sqrt(1.0 - absorption)
    response = np.zeros(length)
    direct = float(np.linalg.norm(source - microphone))
    for order in product(range(-2, 3), repeat=3):
        number = np.array(order)
        image = np.where(number % 2 == 0, number * size + source, (number + 1) * size - source)
        path = float(np.linalg.norm(image - microphone))
        place = path / SOUND * RATE
        if place + 17 < length and path - direct < _MIXED * SOUND:
            _add_fraction(response, place, reflected ** int(np.abs(number).sum()) / path)
    return response


def _add_fraction(response: NDArray[np.float64], place: float, height: float) -> None:
    """Add an impulse between two samples: a windowed sinc of 32 samples."""
    whole = int(place)
    first = max(0, whole - 15)
    offsets = np.arange(first, whole + 17) - place
    response[first : whole + 17] += height * np.sinc(offsets) * (0.5 + 0.5 * np.cos(np.pi * offsets / 17.0))


def _tail(
    shape: Shape, direct: float, distance: float, length: int, random: np.random.Generator
) -> NDArray[np.float64]:
    """Late reverberation: noise that decays, with the energy that the critical distance asks for."""
    start = int((direct / SOUND + _MIXED * 0.5) * RATE)
    time = np.arange(length - start) / RATE
    noise = random.standard_normal(length - start) * 10.0 ** (-3.0 * time / max(shape.rt60, 0.05))
    noise *= np.minimum(1.0, time / (_MIXED * 0.5))
    critical = 0.057 * np.sqrt(float(np.prod(shape.size)) / max(shape.rt60, 0.05))
    energy = 1.0 / critical**2
    energy *= min(1.0, max(distance, 0.3))  # close to a wall of a table less of the room is heard
    tail = np.zeros(length)
    tail[start:] = noise * np.sqrt(energy / max(float(np.sum(noise**2)), 1e-12))
    return tail


def measured(path: Path) -> Floats:
    """Read a measured response, cut where nothing of it is left, its highest sample scaled to 1.

    Raises DeviceError where the file cannot be read.
    """
    response = load(path)
    energy = np.cumsum(np.square(response[::-1], dtype=np.float64))[::-1]
    if not len(energy) or energy[0] <= 0:
        return np.ones(1, np.float32)
    kept = int(np.searchsorted(-energy, -energy[0] * 10.0 ** (-_QUIET / 10.0)))
    response = response[: min(max(kept, 1), _LONGEST)]
    return np.asarray(response / np.max(np.abs(response)), dtype=np.float32)


def direct_at(response: Floats) -> int:
    """Where the direct sound arrives: the first sample within 12 dB of the highest."""
    height = np.abs(response)
    return int(np.argmax(height >= 0.25 * height.max()))


def convolve(sound: Floats, response: Floats) -> Floats:
    """The whole of a sound through a response, its length that of both less one."""
    length = len(sound) + len(response) - 1
    size = 1 << max(1, (length - 1).bit_length())
    spectrum = np.fft.rfft(sound, size) * np.fft.rfft(response, size)
    return np.fft.irfft(spectrum, size)[:length].astype(np.float32)


class BlockConvolver:
    """A response applied block by block without delay: partitioned overlap-save.

    The response is cut into pieces as long as a block; each needs one multiplication a frequency
    with the spectrum of the block as many blocks ago.
    """

    def __init__(self, response: Floats, block: int = BLOCK) -> None:
        self._block = block
        count = max(1, -(-len(response) // block))
        pieces = np.pad(response, (0, count * block - len(response))).reshape(count, block)
        self._response = np.fft.rfft(pieces, 2 * block, axis=1).astype(np.complex64)
        self._past = np.zeros_like(self._response)
        self._newest = 0
        self._before = np.zeros(block, np.float32)
        self._silent = count + 1

    def feed(self, sound: Floats) -> Floats:
        """The next block through the response; costs nothing once what was heard has died away."""
        count = len(self._response)
        self._silent = 0 if sound.any() else self._silent + 1
        if self._silent > count:
            self._before = sound
            self._past[:] = 0
            return np.zeros(self._block, np.float32)
        self._newest = (self._newest - 1) % count
        self._past[self._newest] = np.fft.rfft(np.concatenate([self._before, sound]))
        self._before = sound
        turn = self._newest
        total = np.einsum("ij,ij->j", self._past[turn:], self._response[: count - turn])
        if turn:
            total += np.einsum("ij,ij->j", self._past[:turn], self._response[count - turn :])
        return np.fft.irfft(total)[self._block :].astype(np.float32)
