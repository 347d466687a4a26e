"""The simulated room: a device in which recorded players answer a host whose voice echoes.

    host's lines -> mouth -> far end -> room response, echo level --+
    a cue's clips -> response of a seat, level of its distance -----+--> microphone block
    noise, looped, at its level ------------------------------------+

Levels are told against speech at -26 dBFS at the microphone, measured over active frames and after
the room response: a player at the reference distance has exactly that; the host's voice has
`echo_db` more; the noise, over the whole of its recording, `snr_db` less. A speaker does not change
its loudness from line to line, so the echo's gain is set once, by the first spoken line of a second
or more, at volume 1.

Everything follows from the scene, its seed and what the host says: the same room twice is the same
samples twice. Only cues that become due cost time, and an echo only while the host speaks.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from host.clock import BLOCK, RATE, Samples, samples
from host.devices import DeviceError
from host.devices.levels import SILENCE, SPEECH, Floats, active_level, dbfs, factor, load, speech_span
from host.devices.mouth import GRACE, Mouth, resample
from host.devices.responses import BlockConvolver, Shape, convolve, direct_at, made, measured
from host.devices.scene import Cue, RoomSettings, Scene
from host.sound import Block, Clip, Mark, Pcm

_HOST = -20.0
"""What a host's voice is taken to have, dBFS, until it has spoken a line that can be measured."""

_LISTEN_GAIN = 6.0
"""dB: speech at -26 dBFS is right for a recogniser, and quiet for people."""

_MARGIN = samples(0.03)


@dataclass(frozen=True, slots=True)
class Fired:
    """A cue that was played: its speech sounds at the microphone from `began` to `ended`."""

    cue: Cue
    began: Samples
    ended: Samples


@dataclass(frozen=True, slots=True)
class _Sounding:
    start: Samples
    sound: Floats
    fired: Fired


class Room:
    """A scene as a device.

    `record` writes what a device heard and played (left the microphone, right the far end), to be
    heard again by `Recording(path, "mic+far")`; `listen` writes the room for people, with the host's
    direct voice in it. Time begins at `start`. Raises DeviceError where a file can't be read or written.
    """

    def __init__(
        self, scene: Scene, listen: Path | None = None, record: Path | None = None, start: Samples = 0
    ) -> None:
        self.scene = scene
        self.settings = scene.room
        self.fired: list[Fired] = []
        """Cues whose speech has begun, in their order."""
        self._start = self._now = start
        self._mouth = Mouth(RATE)
        self._echo_response = _echo_response(self.settings)
        self._echo = BlockConvolver(self._echo_response)
        self._echo_gain: float | None = None
        self._host_level = _HOST
        self._noise = _noise(self.settings)
        self._seats: dict[str, int] = {}
        self._seen: Counter[str] = Counter()
        self._last: tuple[Floats, Pcm] = (np.zeros(BLOCK, np.float32), np.zeros(BLOCK, np.int16))
        self._waiting = list(scene.cues)
        self._sounding: list[_Sounding] = []
        self._listen = _Writer(listen) if listen else None
        self._record = _Writer(record) if record else None
        for cue in scene.cues:
            if cue.on.kind == "start":
                self._schedule(cue, start + samples(cue.after))

    @property
    def unfired(self) -> tuple[Cue, ...]:
        """Cues that have not been heard."""
        heard = {fired.cue.name for fired in self.fired}
        return tuple(cue for cue in self.scene.cues if cue.name not in heard)

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter; 1 is normal."""
        self._mouth.volume = volume

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""
        if self._echo_gain is None and clip.line and len(clip.pcm) >= clip.rate:
            self._measure_host(clip)
        self._mouth.play(clip, at)

    def hush(self) -> None:
        """Fall silent from the next block on."""
        self._mouth.hush(self._now)

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that the host is saying."""
        return self._mouth.saying(now, grace)

    def read(self) -> Block | None:
        """The next 30 ms; None once the room's `limit` has passed."""
        if self.settings.limit is not None and self._now - self._start >= samples(self.settings.limit):
            return None
        at, self._now = self._now, self._now + BLOCK
        far, marks = self._mouth.pull(BLOCK, at)
        for mark in marks:
            self._react(mark)
        sound = self._noise_at(at)
        if self.settings.echo:
            sound += self._echo.feed(far.astype(np.float32)) * np.float32(self._gain())
        for piece in self._players(at):
            sound += piece
        mic = _pcm(sound)
        if self._record:
            self._record.write(mic, far)
        self._last = sound, far
        if self._listen:
            self._listen.write(*self.mix())
        return Block(at, mic[np.newaxis, :], far, marks)

    def mix(self) -> tuple[Pcm, Pcm]:
        """The last block as people would like to hear it, left and right.

        The room in the middle, the host's own voice on top of it and a little to the right.
        """
        sound, far = self._last
        host = far * np.float32(factor(SPEECH - self._host_level))
        gain = np.float32(factor(_LISTEN_GAIN))
        return _pcm(gain * (sound + 0.4 * host)), _pcm(gain * (0.8 * sound + host))

    def close(self) -> None:
        """Finish the files."""
        for writer in (self._listen, self._record):
            if writer:
                writer.close()

    def _react(self, mark: Mark) -> None:
        """See which cues a mark sets going."""
        for cue in [cue for cue in self._waiting if cue.on.meets(mark.line, mark.part.value)]:
            self._seen[cue.name] += 1
            if self._seen[cue.name] == cue.nth:
                self._schedule(cue, mark.at + samples(cue.after))

    def _schedule(self, cue: Cue, began: Samples) -> None:
        """Prepare a cue's sound, and the cues that follow it."""
        if cue not in self._waiting:
            return
        self._waiting.remove(cue)
        dry, length = _joined(cue)
        response = self._seat_response(cue)
        wet = convolve(dry, response)
        wet *= np.float32(factor(SPEECH + _level(cue, self.settings) - active_level(wet)))
        fired = Fired(cue, began, began + length)
        self._sounding.append(_Sounding(began - _MARGIN - direct_at(response), wet, fired))
        for follower in [each for each in self._waiting if each.on.kind == "cue" and each.on.pattern == cue.name]:
            point = fired.began if follower.on.part == "began" else fired.ended
            self._schedule(follower, point + samples(follower.after))

    def _seat_response(self, cue: Cue) -> Floats:
        """Where somebody sits stays the same all evening, however often they speak."""
        seat = self._seats.setdefault(cue.who, len(self._seats))
        settings = self.settings
        if settings.player_response:
            return measured(settings.player_response[seat % len(settings.player_response)])
        distance = settings.reference_distance if cue.distance is None else cue.distance
        return made(_shape(settings), distance, 0.7 + 1.7 * seat, settings.seed * 1000 + seat + 1)

    def _players(self, at: Samples) -> Iterator[Floats]:
        """What players are saying in this block."""
        for item in sorted(self._sounding, key=lambda each: each.fired.began):
            first, last = max(at, item.start), min(at + BLOCK, item.start + len(item.sound))
            if item.fired.began < at + BLOCK and item.fired not in self.fired:
                self.fired.append(item.fired)
            if first < last:
                piece = np.zeros(BLOCK, np.float32)
                piece[first - at : last - at] = item.sound[first - item.start : last - item.start]
                yield piece
        self._sounding = [item for item in self._sounding if item.start + len(item.sound) > at + BLOCK]

    def _noise_at(self, at: Samples) -> Floats:
        length = len(self._noise)
        if not length:
            return np.zeros(BLOCK, np.float32)
        return self._noise[np.arange(at, at + BLOCK) % length]

    def _gain(self) -> float:
        """The echo's gain: the wanted level at the microphone against what the response gives."""
        if self._echo_gain is not None:
            return self._echo_gain
        energy = float(np.sqrt(np.sum(np.square(self._echo_response, dtype=np.float64))))
        return factor(SPEECH + self.settings.echo_db - _HOST) / max(energy, 1e-6)

    def _measure_host(self, clip: Clip) -> None:
        sound = resample(clip.pcm, clip.rate, RATE)
        level = active_level(convolve(sound, self._echo_response))
        if level > SILENCE:
            self._host_level = active_level(sound)
            self._echo_gain = factor(SPEECH + self.settings.echo_db - level)


def _level(cue: Cue, settings: RoomSettings) -> float:
    """How loud a cue is at the microphone against usual speech, dB."""
    if cue.level is not None:
        return cue.level
    distance = settings.reference_distance if cue.distance is None else cue.distance
    return -20.0 * float(np.log10(distance / settings.reference_distance))


def _joined(cue: Cue) -> tuple[Floats, Samples]:
    """A cue's clips one after the other, trimmed to their speech; and how long the speech is.

    The first sound of speech lies `_MARGIN` samples after the start.
    """
    pieces: list[Floats] = []
    for number, path in enumerate(cue.clips):
        sound = load(path)
        began, ended = speech_span(sound)
        if began == ended:
            raise DeviceError(f"{path} holds no speech: cue {cue.name} needs another clip.")
        if number:
            pieces.append(np.zeros(samples(cue.gap), np.float32))
        pieces.append(sound[began:ended])
        if not number:
            before = sound[max(0, began - _MARGIN) : began]
            pieces.insert(0, np.pad(before, (_MARGIN - len(before), 0)) * np.linspace(0, 1, _MARGIN, dtype=np.float32))
    joined = np.concatenate(pieces)
    return joined, len(joined) - _MARGIN


def _shape(settings: RoomSettings) -> Shape:
    width, depth, height = settings.size
    return Shape((width, depth, height), settings.rt60)


def _echo_response(settings: RoomSettings) -> Floats:
    if settings.response:
        response = measured(settings.response)
    else:
        response = made(_shape(settings), settings.speaker_distance, 0.0, settings.seed * 1000)
    return np.pad(response, (samples(settings.echo_delay), 0))


def _noise(settings: RoomSettings) -> Floats:
    """The noise floor, ready to be looped; its recording's ends are faded into one another."""
    if settings.noise:
        noise = load(settings.noise)
        overlap = min(samples(0.2), len(noise) // 4)
        ramp = np.sqrt(np.linspace(0.0, 1.0, overlap, dtype=np.float32))
        noise[:overlap] = noise[:overlap] * ramp + noise[len(noise) - overlap :] * ramp[::-1]
        noise = noise[: len(noise) - overlap]
    else:
        noise = _made_noise(settings.seed)
    level = dbfs(noise)
    if level <= SILENCE:
        raise DeviceError(f"{settings.noise} is silent: give another recording of noise.")
    return noise * np.float32(factor(SPEECH - settings.snr_db - level))


def _made_noise(seed: int) -> Floats:
    """Eight seconds of a quiet room: strong below 100 Hz, then falling by 5 dB an octave; loops."""
    random = np.random.default_rng(seed + 77)
    count = 8 * RATE
    frequency = np.fft.rfftfreq(count, 1.0 / RATE)
    height = np.where(frequency > 20.0, np.maximum(frequency, 100.0) ** -0.83, 0.0)
    phase = random.uniform(0.0, 2.0 * np.pi, len(frequency))
    noise = np.fft.irfft(height * random.rayleigh(1.0, len(frequency)) * np.exp(1j * phase), count)
    return np.asarray(noise / np.max(np.abs(noise)) * 10_000.0, dtype=np.float32)


def _pcm(sound: Floats) -> Pcm:
    return np.asarray(np.clip(np.rint(sound), -32768, 32767), dtype=np.int16)


class _Writer:
    """A 16-bit stereo file, written as the room goes on."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = soundfile.SoundFile(str(path), "w", RATE, 2, subtype="PCM_16")
        except (OSError, RuntimeError, ValueError, TypeError) as error:
            raise DeviceError(f"{path} can't be written: give a .wav or .flac in a folder that exists.") from error

    def write(self, left: Pcm, right: Pcm) -> None:
        self._file.write(np.stack([left, right], axis=1))

    def close(self) -> None:
        self._file.close()
