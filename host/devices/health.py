"""Is there a room at the microphone? Told from the blocks alone, whatever the sound system says of itself.

- A real microphone always has some noise. Exact zeros for `DEAF` blocks are a muted or dead one ("muted", AUD-16).
- Under PipeWire the stream of a microphone that is pulled out moves to the speaker's monitor without a word: then
  the microphone hears a perfect copy of the host and exact zeros in between ("monitor"). No room makes a perfect
  copy: walls and the loudspeaker itself colour it.
- More than a few samples at the limit in half a second is clipping ("clipped").

What was told is followed by `NAME.over` when it has passed.
"""

from collections import deque

import numpy as np

from host.clock import BLOCK, RATE
from host.sound import Pcm

DEAF = 90
"""Blocks (2.7 s) without a sign of a room after which it is told."""
AGAIN = 10
"""Times as long the same must last to be told again: some speakerphones send zeros in every pause."""
OPEN = 167
"""Blocks (5 s) of sound without a pause of zeros after which a microphone is none of these."""
LOOK = 8
"""Blocks (0.24 s) between two comparisons with the host's voice."""
WINDOW = 16
"""Blocks (0.48 s) that are compared."""
REACH = RATE // 2
"""Samples by which a copy may lag."""
COPY = 0.98
"""Share of the microphone's power that a shifted host explains, from which on it is a copy."""
LIMIT = 32_600
HALF_SECOND = 17
CLIPPED = 0.002
"""Share of the samples of half a second at the limit."""
CLEAR = 6
"""Half seconds without clipping after which it has passed."""
RARELY = 120
"""Half seconds after which clipping may be told again: somebody who shouts is told once."""


class Health:
    """Watches one microphone. `hear` returns what is new, mostly nothing."""

    def __init__(self) -> None:
        self._deaf = 0
        self._patience = DEAF
        self._copies = 0
        self._sounding = 0
        self._quiet = 1 << 30
        """Blocks since the host was heard last."""
        self._told = ""
        self._mic: deque[Pcm] = deque(maxlen=WINDOW)
        self._far: deque[Pcm] = deque(maxlen=WINDOW + REACH // BLOCK + 2)
        self._count = 0
        self._limited = 0
        self._clear = -1
        """Half seconds without clipping since it was told, -1 where it was not."""
        self._since = RARELY

    def hear(self, mic: Pcm, far: Pcm) -> tuple[str, ...]:
        """Take a block, (480,) each; the names of what began or is over."""
        self._count += 1
        self._mic.append(mic)
        self._far.append(far)
        self._quiet = 0 if far.any() else self._quiet + 1
        return (*self._room(bool(mic.any())), *self._clipping(mic))

    def _room(self, sounding: bool) -> tuple[str, ...]:
        self._deaf += 1
        self._sounding = self._sounding + 1 if sounding else 0
        if self._sounding == OPEN:
            self._patience = DEAF
        alone = self._quiet > WINDOW + REACH // BLOCK
        if sounding and (alone or (self._deaf >= LOOK and self._count % LOOK == 0 and not self._explained())):
            self._deaf = self._copies = 0
        if self._told and self._deaf == 0:
            told, self._told = self._told, ""
            self._patience = DEAF if told == "monitor" else min(self._patience * AGAIN, 100 * DEAF)
            return (f"{told}.over",)
        if not self._told and self._deaf >= self._patience:
            self._told = "monitor" if self._copies else "muted"
            return (self._told,)
        return ()

    def _explained(self) -> bool:
        """Whether what the microphone heard last is nothing but a copy of the host's voice."""
        mic = np.concatenate(list(self._mic)).astype(np.float64)
        far = np.concatenate(list(self._far)).astype(np.float64)
        lags = len(far) - len(mic)
        if lags < REACH:
            return True  # nothing can be told so soon
        size = 1 << (len(far) - 1).bit_length()
        cross = np.fft.irfft(np.fft.rfft(far, size) * np.conj(np.fft.rfft(mic, size)), size)[: lags + 1]
        energy = np.concatenate([[0.0], np.cumsum(far * far)])
        power = energy[len(mic) :] - energy[: lags + 1]
        share = cross**2 / np.maximum(power * float(mic @ mic), 1e-9)
        copied = bool(share.max() > COPY)
        self._copies += copied
        return copied

    def _clipping(self, mic: Pcm) -> tuple[str, ...]:
        self._limited += int(np.count_nonzero(np.abs(mic.astype(np.int32)) >= LIMIT))
        if self._count % HALF_SECOND:
            return ()
        share, self._limited = self._limited / (HALF_SECOND * BLOCK), 0
        self._since += 1
        if share > CLIPPED and (self._clear >= 0 or self._since > RARELY):
            fresh, self._clear, self._since = self._clear < 0, 0, 0
            return ("clipped",) if fresh else ()
        if self._clear >= 0:
            self._clear += 1
            if self._clear > CLEAR:
                self._clear = -1
                return ("clipped.over",)
        return ()
