"""The acoustic model's own net in numpy: what it makes of the sound before any grammar is asked.

The recogniser gives words; the layers below them know more: they were trained on many voices, in rooms and noise. Small
nets of our own on top of one layer (`host.ears.keyword`) tell "venn" from "when", and the
output layer tells how well a row of phones fits the sound (`host.ears.fit`).

The weights are read from the model's `am/final.mdl` (Kaldi nnet3; the form of `models/recipe`: TDNN-F layers without
i-vectors). Another form, an official model's for example, raises `FormError`, and what needs the trunk does without it.
Cepstra as Kaldi makes them with conf/mfcc.conf: 40 bands from 20 to 7600 Hz, 40 cepstra, no dither.
"""

import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.clock import RATE

Array = NDArray[np.float32]

HOP = 160
FRAME = 400
CEPSTRA = 40
BETWEEN = 3
"""Frames of 10 ms between two of the deeper layers'."""
SHORT = 3
"""So many factorised layers, after the first, see every frame; the rest every third."""
OFFSETS = (1, 1, 1, 0, *[1] * 10)
"""Of the factorised layers: steps to either side that each looks at."""
BYPASS = np.float32(0.66)
_FFT = 512
_LIFTER = 22.0
_FIELDS = ("<LinearParams>", "<BiasParams>", "<Params>", "<StatsMean>", "<StatsVar>")


class FormError(Exception):
    """The model's net is of another form than the trunk knows."""


# --- cepstra -------------------------------------------------------------------------------------


@cache
def _window() -> Array:
    """Povey's window: a Hann window to the power of 0.85."""
    return np.asarray(np.hanning(FRAME) ** 0.85, np.float32)


@cache
def _bank() -> Array:
    """Triangles even on the mel scale, (bins, bands)."""
    def mel(hertz: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(1127.0 * np.log1p(hertz / 700.0))

    low, high = mel(np.array([20.0, 7600.0]))
    edges = np.linspace(low, high, CEPSTRA + 2)
    at = mel(np.arange(_FFT // 2 + 1) * RATE / _FFT)[None]
    left, centre, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.asarray(np.maximum(0, np.minimum((at - left) / (centre - left), (right - at) / (right - centre))).T,
                      np.float32)


@cache
def _cosines() -> Array:
    """The cosine transform with the lifter, (bands, cepstra)."""
    band, order = np.arange(CEPSTRA)[:, None], np.arange(CEPSTRA)[None]
    rows = np.sqrt(2 / CEPSTRA) * np.cos(np.pi / CEPSTRA * (band + 0.5) * order)
    rows[:, 0] = np.sqrt(1 / CEPSTRA)
    return np.asarray(rows * (1 + 0.5 * _LIFTER * np.sin(np.pi * order / _LIFTER)), np.float32)


def cepstra(sound: NDArray[np.generic], hop: int = HOP) -> Array:
    """Cepstra of each whole frame, (frames, 40); frame n begins at sample n * hop. Samples are on the 16-bit scale."""
    count = 1 + (len(sound) - FRAME) // hop
    if count < 1:
        return np.zeros((0, CEPSTRA), np.float32)
    rows = np.lib.stride_tricks.sliding_window_view(sound.astype(np.float32), FRAME)[::hop][:count]
    rows = rows - rows.mean(axis=1, keepdims=True)
    sharp = rows - np.float32(0.97) * np.concatenate([rows[:, :1], rows[:, :-1]], axis=1)
    spectrum = np.fft.rfft(sharp * _window(), _FFT)
    power = (np.square(spectrum.real) + np.square(spectrum.imag)).astype(np.float32)
    floor = np.float32(np.finfo(np.float32).eps)
    return np.asarray(np.log(np.maximum(power @ _bank(), floor)) @ _cosines(), np.float32)


# --- the net -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """A factorised layer: `before` to the bottleneck from a step ago and now, `after` from now and a step later."""

    offset: int
    before: Array
    """(768, 64) or (768, 128): what goes into the bottleneck's half of a step ago beside that of now."""
    after: Array
    """(64 or 128, 768)."""
    bias: Array
    scale: Array
    shift: Array

    def __call__(self, given: Array) -> Array:
        """(times, 768) to (times - 2 * offset, 768)."""
        inner = given @ self.before
        if self.offset:
            half, step = inner.shape[1] // 2, self.offset
            joined = inner[:-step, :half] + inner[step:, half:]
            inner = np.concatenate([joined[:-step], joined[step:]], axis=1)
            given = given[step:-step]
        grown = np.maximum(0, inner @ self.after + self.bias) * self.scale + self.shift
        return np.asarray(grown + BYPASS * given, np.float32)


@dataclass(frozen=True)
class Trunk:
    """The net of one model."""

    first: tuple[Array, Array, Array, Array]
    """Weights (120, 768), bias, scale and shift of the layer that sees three frames."""
    layers: tuple[Layer, ...]
    last: tuple[Array, ...]
    """The layers before the output and the output: its logarithms of likelihood, up to a sum, by phone state."""

    def below(self, given: Array) -> Array:
        """(frames, 40) through the layers that see every frame: eight frames fewer."""
        weights, bias, scale, shift = self.first
        three = np.concatenate([given[:-2], given[1:-1], given[2:]], axis=1)
        now = np.maximum(0, three @ weights + bias) * scale + shift
        for layer in self.layers[:SHORT]:
            now = layer(now)
        return np.asarray(now, np.float32)

    def deep(self, given: Array, depth: int) -> Array:
        """A layer's output, (n, 768), of (frames, 40): of every third frame, from frame `context(depth)` on."""
        now = self.below(given)[::BETWEEN]
        for layer in self.layers[SHORT:depth]:
            now = layer(now)
        return now

    def narrow(self, rows: Array) -> Array:
        """The 64 numbers before the output, (n, 64), of the last layer's rows."""
        before, wide, bias, scale, shift, again, scale2, shift2, _, _ = self.last
        now = np.maximum(0, rows @ before @ wide + bias) * scale + shift
        return np.asarray((now @ again) * scale2 + shift2, np.float32)

    def states(self, given: Array) -> Array:
        """The output layer, (n, states), of every third frame, from frame `context(len(layers))` on."""
        return np.asarray(self.narrow(self.deep(given, len(self.layers))) @ self.last[-2] + self.last[-1], np.float32)


def context(depth: int) -> int:
    """Frames of 10 ms to either side that a layer's output looks at."""
    return 1 + sum(OFFSETS[:SHORT]) + BETWEEN * sum(OFFSETS[SHORT:depth])


# --- along a stream ------------------------------------------------------------------------------


class Stream:
    """The same along a stream, each sample computed once: the outputs of some of the deeper layers.

    The first output of a layer is that of the frame `context(depth)`, each other one of three frames later.
    """

    def __init__(self, trunk: Trunk, *depths: int) -> None:
        self._trunk, self._depths = trunk, depths
        self._rest: NDArray[np.int16] = np.zeros(0, np.int16)
        self._frames = np.zeros((0, CEPSTRA), np.float32)
        self._skip = 0
        self._kept: list[Array | None] = [None] * len(self._trunk.layers)

    def hear(self, pcm: NDArray[np.int16]) -> tuple[Array, ...]:
        """Take samples; the outputs of each depth that they complete, (n, 768)."""
        sound = np.concatenate([self._rest, pcm])
        new = cepstra(sound)
        self._rest = sound[len(new) * HOP :]
        frames = np.concatenate([self._frames, new])
        reach = 2 * context(SHORT)
        if len(frames) <= reach:
            self._frames = frames
            return tuple(np.zeros((0, self._trunk.layers[0].bias.size), np.float32) for _ in self._depths)
        every = self._trunk.below(frames)
        self._frames = frames[len(frames) - reach :]
        now = every[self._skip :: BETWEEN]
        self._skip = (self._skip - len(every)) % BETWEEN
        found = {SHORT: now}
        for at, layer in enumerate(self._trunk.layers[SHORT : max(self._depths)], SHORT):
            now = found[at + 1] = self._through(at, layer, now)
        return tuple(found[depth] for depth in self._depths)

    def _through(self, at: int, layer: Layer, now: Array) -> Array:
        """What a layer makes of new inputs and of those it still needs from before."""
        if not layer.offset:
            return layer(now)
        before = self._kept[at]
        given = now if before is None else np.concatenate([before, now])
        self._kept[at] = given[max(0, len(given) - 2 * layer.offset) :]
        return layer(given) if len(given) > 2 * layer.offset else given[:0]


# --- reading a model -----------------------------------------------------------------------------


def read(folder: Path) -> Trunk:
    """The trunk of a model's folder. Raises FormError where it is of another form, OSError where it can't be read."""
    parts = _components((folder / "am" / "final.mdl").read_bytes())
    try:
        return _trunk(parts)
    except (KeyError, ValueError) as error:
        raise FormError(f"the acoustic model's net has no such part: {error}") from error


def _trunk(parts: dict[str, dict[str, Array]]) -> Trunk:
    if any(name.startswith(("ivector", "lda")) for name in parts):
        raise ValueError("without i-vectors")

    def norm(name: str) -> tuple[Array, Array]:
        part = parts[name]
        scale = part["<TargetRms>"] / np.sqrt(part["<StatsVar>"] + part["<Epsilon>"])
        return scale.astype(np.float32), (-part["<StatsMean>"] * scale).astype(np.float32)

    def affine(name: str) -> tuple[Array, Array]:
        return np.ascontiguousarray(parts[name]["<LinearParams>"].T), parts[name]["<BiasParams>"]

    layers = []
    for number, offset in enumerate(OFFSETS, 2):
        linear = parts[f"tdnnf{number}.linear"]["<LinearParams>"]
        width = linear.shape[1] // 2
        before = np.concatenate([linear[:, :width], linear[:, width:]]).T if offset else linear.T
        layers.append(Layer(offset, np.ascontiguousarray(before), *affine(f"tdnnf{number}.affine"),
                            *norm(f"tdnnf{number}.batchnorm")))
    if f"tdnnf{len(OFFSETS) + 2}.linear" in parts:
        raise ValueError("more layers than known")

    def plain(name: str) -> Array:
        return np.ascontiguousarray(parts[name]["<Params>"].T)

    return Trunk((*affine("tdnn1.affine"), *norm("tdnn1.batchnorm")), tuple(layers),
                 (plain("prefinal-l"), *affine("prefinal-chain.affine"), *norm("prefinal-chain.batchnorm1"),
                  plain("prefinal-chain.linear"), *norm("prefinal-chain.batchnorm2"), *affine("output.affine")))


def _components(data: bytes) -> dict[str, dict[str, Array]]:
    """The fields of every component of a binary nnet3 model, by its name."""
    found: dict[str, dict[str, Array]] = {}
    place = data.find(b"<NumComponents>")
    if place < 0:
        raise FormError("the acoustic model is no Kaldi nnet3 model")
    for part in data[place:].split(b"<ComponentName> ")[1:]:
        name = part[: part.index(b" ")].decode("latin-1")
        found[name] = {}
        for field in _FIELDS:
            at = part.find(field.encode() + b" F")
            if at >= 0:
                found[name][field] = _array(part, at + len(field) + 1)
        for field in ("<Epsilon>", "<TargetRms>"):
            at = part.find(field.encode() + b" \4")
            if at >= 0:
                found[name][field] = np.array(struct.unpack_from("<f", part, at + len(field) + 2)[0], np.float32)
    return found


def _array(data: bytes, at: int) -> Array:
    """A vector (FV) or a matrix (FM) of 32-bit numbers; sizes are a byte with 4 and four bytes."""
    rank = 2 if data[at + 1 : at + 2] == b"M" else 1
    sizes = [int(struct.unpack_from("<i", data, at + 4 + 5 * axis)[0]) for axis in range(rank)]
    count = int(np.prod(sizes))
    return np.frombuffer(data, "<f4", count, at + 3 + 5 * rank).reshape(sizes).astype(np.float32)
