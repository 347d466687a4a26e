"""Speaking and hearing at once, or by turns: the echo's delay, two clocks, and half duplex.

A canceller needs to know roughly by how much the echo lags, and needs one clock for microphone and
speaker. Both are read off what is heard: each `WINDOW` of the host's own voice tells a delay
(`find_delay`). The first clear one is reported, to be kept for the next evening. If later ones walk
away from it in a line, the two clocks differ (50 ppm ruin any canceller): that is said, and the far end is
evened out (`clocks`). Where that does not help, host and players speak by turns from then on.

In half duplex the microphone is deaf while the host speaks, until the last of it has come back and `TAIL` after
that; a tone then says "now".
Early answers are impossible, and that is announced (`HALF_DUPLEX`), never left to be found out (BAR-09).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from host.clock import BLOCK, Samples, samples
from host.devices import Device
from host.devices.canceller import CLEAR, find_delay
from host.devices.clocks import MOST, Evened, drift, slope
from host.devices.holding import Holding
from host.events import In, Part, Trouble
from host.sound import Block, Clip, Pcm

HALF_DUPLEX = "half_duplex"
"""The trouble by which the host is told to announce it."""
TAIL = samples(0.06)
"""For so long after the host's last sound the room is still full of it; the tone itself included (BAR-11)."""
TURN = samples(0.15)
"""After so much silence without another line it is the players' turn."""
WINDOW = samples(4.0)
"""Host's voice out of which a delay is told."""
DRIFT = 15.0
"""Parts in a million between the clocks from which on a canceller is not trusted."""
PIECE = samples(1.0)
"""Sound out of which one delay is told: in a longer one two clocks smear it."""
REMEMBERED = 60
"""Delays that are looked at together."""
ODD = 4
"""So many delays in a row that lie elsewhere are another path; fewer are mistakes."""
REFINED = 24
"""Delays after which what is left of the drift is evened out as well, ..."""
LEFT = 1.0
"""... where it is so many parts in a million, ..."""
UNSTEADY = 40.0
"""... or given up, where it is so many: clocks that do not keep their pace."""
JUMP = samples(0.02)
"""A delay that jumps by more is another path (a device was changed): the drift is told anew from there."""


DUCKED = 0.015
"""The host's volume while somebody may be speaking: 36 dB less."""
DUCKS = 5
"""Blocks (0.15 s) after which it is as loud as before, where nobody was."""


class Duplex:
    """A device around a device. `half` may be set at any time."""

    def __init__(
        self, device: Device, tone: Clip, *, half: bool = False, start: Samples = 0,
        notice: Callable[[str], None] = lambda _text: None, on_delay: Callable[[Samples], None] = lambda _delay: None,
        on_window: Callable[[], None] = lambda: None, on_clock: Callable[[], None] = lambda: None, lag: Samples = 0,
    ) -> None:
        """`tone` says "now"; `on_delay` is told once by how many samples the echo lags; `lag` is what is known of that.

        `on_window` is called after each `WINDOW` of the host's voice, `on_clock` where two clocks are evened out:
        what a canceller learnt until then is worth nothing.
        """
        self.device, self.half = device, half
        self._holding = Holding(device)
        self._tone = replace(tone, line="")
        self._lag = lag
        self._notice, self._on_delay = notice, on_delay
        self._on_window, self._on_clock = on_window, on_clock
        self._posts: list[In] = [Trouble(start, HALF_DUPLEX)] if half else []
        self._open: set[str] = set()
        self._quiet: Samples = 1 << 40
        self._owes_tone = False
        self._mic: list[Pcm] = []
        self._far: list[Pcm] = []
        self._delays: list[tuple[Samples, float]] = []
        self._evened = Evened()
        self._odd = 0
        self._volume = 1.0
        self._ducked = 0
        self._now = start
        self.ducked_since: Samples | None = None
        """From which sample on the host has been turned down; None while it is not."""
        self.ducks = 0
        """How often it was."""

    @property
    def delay(self) -> Samples | None:
        """By how many samples the echo lags; None before that is known."""
        return round(self._delays[0][1]) if self._delays else None

    @property
    def drift(self) -> float:
        """By how many parts in a million microphone and speaker differ, as far as that is evened out."""
        return self._evened.rate

    def inbox(self) -> Sequence[In]:
        """What the loop should be told since it last asked."""
        posts, self._posts = self._posts, []
        return posts

    def read(self) -> Block | None:
        """The device's next block; silent where half duplex is deaf."""
        block = self._holding.read()
        if block is None:
            return None
        self._follow(block)
        self._now = block.at + BLOCK
        if self._ducked:
            self._ducked -= 1
            if not self._ducked:
                self._undo_duck()
        if not self.half:
            block = replace(block, far=self._evened.feed(block.far))
            self._listen(block)
            return block
        if self.delay is None:
            self._listen(block)
        if self._owes_tone and not self._open and self._quiet >= TURN:
            self._owes_tone = False
            self.device.play(self._tone, block.at + BLOCK)
        deaf = self._quiet < TAIL + (self._lag if self.delay is None else self.delay)
        return replace(block, mic=np.zeros_like(block.mic)) if deaf else block

    def _follow(self, block: Block) -> None:
        """Whether the host speaks, and whether it has said something since the last tone."""
        for mark in block.marks:
            if mark.part in (Part.ENDED, Part.CUT):
                self._open.discard(mark.line)
                self._owes_tone = True
        self._quiet = 0 if block.far.any() else min(self._quiet + BLOCK, 1 << 40)

    def _listen(self, block: Block) -> None:
        """Collect the host's voice, and tell the delay out of it."""
        if self._quiet > samples(0.5) or block.gap:
            if block.gap or sum(map(len, self._far)) < WINDOW // 2:
                self._mic, self._far = [], []
            return
        self._mic.append(block.mic[0])
        self._far.append(block.far)
        if len(self._far) * BLOCK < WINDOW:
            return
        mic, far = np.concatenate(self._mic), np.concatenate(self._far)
        self._mic, self._far = [], []
        at = block.at + BLOCK - len(far)
        pieces = [(at + place, find_delay(mic[place : place + PIECE], far[place : place + PIECE]))
                  for place in range(0, len(far) - PIECE + 1, PIECE)]
        clear = [(when, found.exact) for when, found in pieces if found.clarity >= CLEAR]
        if clear and not self._delays and not self._evened.running:
            self._on_delay(round(float(np.median([delay for _, delay in clear]))))
        for when, delay in clear:
            self._found(when, delay)
        self._on_window()

    def _found(self, at: Samples, delay: float) -> None:
        if self._delays and abs(delay - float(np.median([known for _, known in self._delays]))) > JUMP:
            self._odd += 1
            if self._odd < ODD:
                return
            self._delays = []
            self._on_delay(round(delay))
        self._odd = 0
        self._delays.append((at, delay))
        if self._evened.running:
            if len(self._delays) >= REFINED:
                self._refine(at, delay, slope(self._delays))
            return
        del self._delays[:-REMEMBERED]
        rate = drift(self._delays)
        if rate is not None and abs(rate) > DRIFT:
            self._even_out(at, delay, rate)

    def _even_out(self, at: Samples, delay: float, rate: float) -> None:
        """Two clocks: from now on the far end is read at the microphone's pace."""
        if abs(rate) > MOST:
            self._take_turns(at, rate)
            return
        self._notice(f"Microphone and speaker run by two clocks ({rate:+.0f} parts in a million); that is evened out. "
                     "One device for both is better.")
        self._evened.change(rate, round(delay))
        self._delays = []
        self._on_clock()

    def _refine(self, at: Samples, delay: float, left: float) -> None:
        """What the first look left of the drift."""
        if abs(left) > UNSTEADY:
            self._take_turns(at, self._evened.rate + left)
            return
        if abs(left) > LEFT:
            self._evened.change(left, round(delay))
        self._delays = []

    def _take_turns(self, at: Samples, rate: float) -> None:
        self._notice(f"Microphone and speaker run by two clocks ({rate:+.0f} parts in a million): host and "
                     "players now speak by turns. Use one device for both, and early answers count again.")
        self.half = True
        self._posts.append(Trouble(at, HALF_DUPLEX))

    def play(self, clip: Clip, at: Samples) -> None:
        """Queue a clip."""
        if clip.line:
            self._open.add(clip.line)
        self._holding.play(clip, at)

    def hush(self) -> None:
        """Fall silent."""
        self._holding.hush()
        self._ducked = min(self._ducked, 1)  # the next block fades out what sounded; then as loud as before

    def hold(self) -> None:
        """Somebody speaks: fall silent, and keep what is to be said."""
        self._holding.hold()
        self._ducked = min(self._ducked, 1)

    def go_on(self) -> None:
        """It is quiet again: say what is held, from the sentence on in which it was cut."""
        self._holding.go_on()

    def moved(self) -> dict[str, Samples]:
        """Lines that have gone on since this was last asked: where they would have begun without the break."""
        return self._holding.moved()

    def duck(self) -> None:
        """Turn the host down from the next block on, until `DUCKS` blocks have passed without another call.

        Somebody may be speaking, which will be known in a moment: this gains that moment.
        """
        self._ducked = DUCKS
        if self.ducked_since is None:
            self.ducked_since = self._now
            self.ducks += 1
            self._turn(self._volume * DUCKED)

    def _undo_duck(self) -> None:
        self._ducked = 0
        if self.ducked_since is not None:
            self.ducked_since = None
            self._turn(self._volume)

    def set_volume(self, volume: float) -> None:
        """Make the host louder or quieter, where the device can."""
        self._volume = volume
        if self.ducked_since is None:
            self._turn(volume)

    def _turn(self, volume: float) -> None:
        getattr(self.device, "set_volume", lambda _volume: None)(volume)

    def close(self) -> None:
        """Give the device back."""
        self.device.close()
