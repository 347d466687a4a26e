"""A voice without sound: for tests, for replaying logs, and for rooms where nobody has to listen."""

import numpy as np

from host.clock import RATE
from host.events import Line, Word
from host.sound import Clip
from host.voices.spoken import bare, spoken

_WORD = round(0.35 * RATE)
_GAP = round(0.05 * RATE)
_PAUSES = {",": round(0.15 * RATE), ";": round(0.15 * RATE), ":": round(0.15 * RATE)} | dict.fromkeys(
    ".!?…", round(0.35 * RATE)
)


class SilentVoice:
    """Digital silence as long as somebody would speak: 150 words a minute, with pauses at punctuation.

    Clips are mono at 16 kHz, begin with the first word and end with the last; instant.
    """

    name = "silent-1"

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """The silence of a line; `speed` from 0.5 to 2.0, beyond is taken as the nearest of these."""
        speed = min(max(speed, 0.5), 2.0)
        words: list[Word] = []
        at = end = 0.0
        for part in spoken(line.text).split():
            if bare(part):
                end = at + _WORD / speed
                words.append(Word(bare(part), round(at), round(end)))
                at = end + (_GAP + _PAUSES.get(part[-1], 0)) / speed
        return Clip(line.id, np.zeros(round(end), np.int16), RATE, tuple(words))

    def close(self) -> None:
        """Nothing to free."""
