"""A simulated room played through a real speaker, in real time: for people to watch a scene happen."""

import numpy as np
import soxr

from host.clock import RATE, Samples
from host.devices.card import SoundCard
from host.devices.mouth import GRACE
from host.devices.room import Room
from host.sound import Block, Clip

_LEAD = 12
"""Blocks that are handed to the card before it must keep pace (0.36 s)."""


class Aloud:
    """The room as a device, kept to the pace of a card that plays it; the card's microphone is ignored."""

    def __init__(self, room: Room, card: SoundCard) -> None:
        self.room, self.card = room, card
        self._up = soxr.ResampleStream(RATE, card.rate, 1, dtype="float32")
        self._handed = 0

    def read(self) -> Block | None:
        """The room's next block, at the latest 0.4 s before it sounds."""
        block = self.room.read()
        if block is None:
            self._wait(_LEAD)
            return None
        left, right = self.room.mix()
        mono = (left.astype(np.float32) + right.astype(np.float32)) / 2.0
        sound = np.clip(np.rint(self._up.resample_chunk(mono)), -32768, 32767).astype(np.int16)
        self.card.play(Clip("", sound, self.card.rate), 0)
        self._handed += 1
        if self._handed > _LEAD:
            self._wait(1)
        return block

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip in the room."""
        self.room.play(clip, at)

    def hush(self) -> None:
        """Hush the host in the room."""
        self.room.hush()

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter."""
        self.room.set_volume(volume)

    def saying(self, now: Samples, grace: Samples = GRACE) -> tuple[str, ...]:
        """The words that the host is saying."""
        return self.room.saying(now, grace)

    def close(self) -> None:
        """Finish the room's files and give the card back."""
        self.room.close()
        self.card.close()

    def _wait(self, blocks: int) -> None:
        """Let the card play so much."""
        for _ in range(blocks):
            self.card.read()
