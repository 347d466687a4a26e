"""What a small net for words is given: rows of numbers, so many a second, from the sound or from the acoustic model."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from host.clock import samples
from host.ears import trunk
from host.ears.bands import HOP, Array
from host.sound import Pcm

WIDE, THIN = 768, 64
"""Numbers in a row of a layer, and before the output."""


class Rows(Protocol):
    """A front end along a stream."""

    def hear(self, pcm: Pcm) -> Array:
        """Take samples; the rows that they complete."""


class Front(Protocol):
    """What the net is given: rows of numbers, so many a second."""

    def whole(self, sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:
        """Rows of a whole sound; `hop` samples count as 10 ms, `warp` moves bands, where there are any (training)."""

    def ends(self, rows: NDArray[np.int64], hop: int = HOP) -> NDArray[np.int64]:
        """The samples at which windows that end with the rows of these numbers are said to end."""

    def stream(self) -> Rows:
        """Rows as the samples come, from the first one on."""


class Layer:
    """The front end on a layer of the acoustic model."""

    DEPTH = 9
    """Of the factorised layers: one that sees 0.2 s to either side, so that a call is known 0.2 s after its end."""
    LATER = samples(0.08)
    """A window is said to end so long after the middle of its last row, so that both front ends agree on it."""
    SCALE = np.float32(1 / 3)
    """Brings the rows to about one."""

    def __init__(self, net: trunk.Trunk) -> None:
        self._trunk = net

    def whole(self, sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:  # noqa: ARG002 - no bands
        """Rows of a whole sound, (n, 768), one every 30 ms."""
        frames = trunk.cepstra(sound, hop)
        if len(frames) <= 2 * trunk.context(self.DEPTH):
            return np.zeros((0, WIDE), np.float32)
        return self._trunk.deep(frames, self.DEPTH) * self.SCALE

    def ends(self, rows: NDArray[np.int64], hop: int = HOP) -> NDArray[np.int64]:
        """See `Front`."""
        middle = trunk.context(self.DEPTH) + trunk.BETWEEN * rows
        return middle * hop + trunk.FRAME // 2 + self.LATER * hop // HOP

    def stream(self) -> Rows:
        """See `Front`."""
        return _LayerStream(trunk.Stream(self._trunk, self.DEPTH), self.SCALE)


class _LayerStream:
    def __init__(self, stream: trunk.Stream, scale: np.float32) -> None:
        self._stream, self._scale = stream, scale

    def hear(self, pcm: Pcm) -> Array:
        return np.asarray(self._stream.hear(pcm)[0] * self._scale, np.float32)


class Narrow:
    """The front end on the 64 numbers before the acoustic model's output."""

    EARLY = 4
    """Rows that its windows end before those of `Layer`: it sees what follows anyhow, and need not wait for it."""

    def __init__(self, net: trunk.Trunk) -> None:
        self._trunk = net
        self._depth = len(net.layers)

    def whole(self, sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:  # noqa: ARG002 - no bands
        """Rows of a whole sound, (n, 64), one every 30 ms."""
        frames = trunk.cepstra(sound, hop)
        if len(frames) <= 2 * trunk.context(self._depth):
            return np.zeros((0, THIN), np.float32)
        return self._trunk.narrow(self._trunk.deep(frames, self._depth))

    def ends(self, rows: NDArray[np.int64], hop: int = HOP) -> NDArray[np.int64]:
        """See `Front`."""
        middle = trunk.context(self._depth) + trunk.BETWEEN * (rows + self.EARLY)
        return middle * hop + trunk.FRAME // 2 + Layer.LATER * hop // HOP

    def stream(self) -> Rows:
        """See `Front`."""
        return _NarrowStream(self._trunk)


class _NarrowStream:
    def __init__(self, net: trunk.Trunk) -> None:
        self._trunk, self._stream = net, trunk.Stream(net, len(net.layers))

    def hear(self, pcm: Pcm) -> Array:
        return self._trunk.narrow(self._stream.hear(pcm)[0])


class Double:
    """Both: rows of 768 and 64 numbers whose windows end together."""

    def __init__(self, net: trunk.Trunk) -> None:
        self._trunk = net
        self._layer, self._narrow = Layer(net), Narrow(net)
        apart = trunk.context(len(net.layers)) - trunk.context(Layer.DEPTH)
        self._skipped = apart // trunk.BETWEEN + Narrow.EARLY
        """Rows of the first that come before the first of the second."""

    def whole(self, sound: NDArray[Any], hop: int = HOP, warp: float = 1.0) -> Array:  # noqa: ARG002 - no bands
        """Rows of a whole sound, (n, 832), one every 30 ms."""
        wide, narrow = self._layer.whole(sound, hop)[self._skipped :], self._narrow.whole(sound, hop)
        count = min(len(wide), len(narrow))
        return np.concatenate([wide[:count], narrow[:count]], axis=1)

    def ends(self, rows: NDArray[np.int64], hop: int = HOP) -> NDArray[np.int64]:
        """See `Front`."""
        return self._narrow.ends(rows, hop)

    def stream(self) -> Rows:
        """See `Front`."""
        return _DoubleStream(self._trunk, self._skipped)


class _DoubleStream:
    def __init__(self, net: trunk.Trunk, skipped: int) -> None:
        self._trunk, self._stream = net, trunk.Stream(net, Layer.DEPTH, len(net.layers))
        self._skipped = skipped
        self._wide, self._thin = np.zeros((0, WIDE), np.float32), np.zeros((0, THIN), np.float32)

    def hear(self, pcm: Pcm) -> Array:
        wide, last = self._stream.hear(pcm)
        cut = min(self._skipped, len(wide))
        self._skipped -= cut
        self._wide = np.concatenate([self._wide, wide[cut:] * Layer.SCALE])
        self._thin = np.concatenate([self._thin, self._trunk.narrow(last)])
        count = min(len(self._wide), len(self._thin))
        rows = np.concatenate([self._wide[:count], self._thin[:count]], axis=1)
        self._wide, self._thin = self._wide[count:], self._thin[count:]
        return rows
