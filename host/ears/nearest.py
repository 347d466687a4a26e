"""Several microphones, one a seat or one a team: whoever speaks is heard by the nearest one only.

A voice reaches its own microphone and, more quietly, all the others; heard by all of them, one guess would be
everybody's. So in every block the microphone in which sound stands highest above its own noise is the nearest,
and a microphone that stands `APART` lower is brought down to its noise floor for that block. Two people who speak
at the same time into their own microphones both stay. Compared is against each microphone's own noise, so that
their gains need not be alike; the noise floor follows the quietest sound at once and rises slowly.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from host.ears import Ear
from host.events import Heard, Listens, Speaking
from host.sound import Cleaned, Pcm

APART = 6.0
"""dB: a voice at arm's length from its microphone is some 10 dB louder there than in the neighbour's."""
SPEECH = 8.0
"""dB above the noise floor from which there is somebody to be near to."""
RISE = 0.01
"""dB a block (0.3 dB a second) by which the noise floor rises."""
QUIETEST = -90.0


class Nearest:
    """A gate in front of the ears of one device; `ears[i]` stands in for the ear of channel i.

    A block is heard once it has come from all channels, in the order of the channels: the last one's `hear`
    returns the events of all.
    """

    def __init__(self, ears: Sequence[Ear]) -> None:
        self._inner = tuple(ears)
        self._floors: list[float] = []
        self._blocks: list[Cleaned] = []
        self.ears: tuple[Ear, ...] = tuple(_Channel(self, ear) for ear in self._inner)

    def take(self, sound: Cleaned) -> list[Speaking | Heard]:
        """One channel's block; the events of all channels with the last one's."""
        self._blocks.append(sound)
        if len(self._blocks) < len(self._inner):
            return []
        blocks, self._blocks = self._blocks, []
        events: list[Speaking | Heard] = []
        for ear, block, gain in zip(self._inner, blocks, self._gains(blocks), strict=True):
            pcm = block.pcm if gain == 1.0 else np.rint(block.pcm * gain).astype(np.int16)
            events += ear.hear(Cleaned(block.at, pcm, block.residue, block.host_words, block.channel))
        return sorted(events, key=lambda event: event.at)

    def _gains(self, blocks: Sequence[Cleaned]) -> list[float]:
        levels = [_level(block.pcm) for block in blocks]
        if not self._floors:
            self._floors = list(levels)
        self._floors = [min(level, floor + RISE) for level, floor in zip(levels, self._floors, strict=True)]
        over = [level - floor for level, floor in zip(levels, self._floors, strict=True)]
        most = max(over)
        if most < SPEECH:
            return [1.0] * len(over)
        return [1.0 if most - own < APART else 10.0 ** (-own / 20.0) for own in over]


class _Channel:
    """What a session takes for one channel's ear."""

    def __init__(self, group: Nearest, ear: Ear) -> None:
        self._group, self._ear = group, ear

    def listen(self, listens: Listens) -> None:
        self._ear.listen(listens)

    def hear(self, sound: Cleaned) -> Iterable[Speaking | Heard]:
        return self._group.take(sound)

    def close(self) -> None:
        self._ear.close()


def _level(pcm: Pcm) -> float:
    """The level of a block, dBFS."""
    power = float(np.mean(np.square(pcm, dtype=np.float64))) / 32768.0**2
    return max(QUIETEST, 10.0 * float(np.log10(max(power, 1e-12))))
