"""A device with as many microphones as were asked for: what it lacks is silent, and told once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from host.clock import Samples
from host.devices import Device
from host.sound import Block, Clip


class Channels:
    """A device whose blocks have `count` channels."""

    def __init__(self, device: Device, count: int, notice: Callable[[str], None] = print) -> None:
        self._device, self._count, self._notice = device, count, notice
        self._told = False

    def read(self) -> Block | None:
        """The next block, its missing channels silent, those too many left out."""
        block = self._device.read()
        if block is None or len(block.mic) == self._count:
            return block
        if len(block.mic) < self._count and not self._told:
            self._told = True
            self._notice(f"the microphone has {len(block.mic)} channel{'s' * (len(block.mic) > 1)}, not {self._count}: "
                         "only the first players have one of their own; say colours")
        missing = np.zeros((max(0, self._count - len(block.mic)), block.mic.shape[1]), np.int16)
        return replace(block, mic=np.concatenate([block.mic[: self._count], missing]))

    def play(self, clip: Clip, at: Samples) -> None:
        """As the device."""
        self._device.play(clip, at)

    def hush(self) -> None:
        """As the device."""
        self._device.hush()

    def __getattr__(self, name: str) -> Any:
        """What else the device can: turn the host down, hold what it says."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._device, name)

    def set_volume(self, volume: float) -> None:
        """As the device, where it has a volume."""
        getattr(self._device, "set_volume", lambda _factor: None)(volume)

    def close(self) -> None:
        """As the device."""
        self._device.close()
