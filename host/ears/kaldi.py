"""The vosk library behind two small classes that can't be used at an illegal moment.

vosk aborts the process where it is asked wrongly (FACTS in docs): a grammar that is no JSON or an empty
list, a grammar set while audio is being decoded, two threads in one recogniser, an argument that is not
`bytes`. Here a recogniser gets its grammar when it is made and keeps it, is only ever given bytes, and
`finish` comes once (REC-05, REC-16, REC-17).
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from host.clock import RATE, Samples
from host.ears.hcl import UNKNOWN
from host.events import Word
from host.heap import give_back

_RENEWED: Samples = 30 * RATE
"""A dictation's graph grows while it is used, by 38 MB in 150 s of talk: after so many samples a new one is made."""


_WARM: Samples = RATE // 2
"""So much near silence a new dictation is fed before it is needed, ..."""
_PIECE: Samples = RATE // 10
"""... in pieces of so much: one takes as long as a block on a small machine."""
_HISS = np.random.default_rng(1).normal(0.0, 10.0, _PIECE).round().astype("<i2").tobytes()


class Recogniser(Protocol):
    """One opinion on one utterance; word times count from its first sample."""

    def feed(self, pcm: bytes) -> None:
        """Decode 16-bit mono PCM at 16 kHz."""

    def partial(self) -> str:
        """What it has made of it so far."""

    def finish(self) -> tuple[Word, ...]:
        """The whole utterance with times and confidences; nothing may be fed after it."""


class Engine(Protocol):
    """A loaded model that makes recognisers."""

    def knows(self, word: str) -> bool:
        """Whether the model can recognise the word."""

    def grammar(self, phrases: Sequence[str]) -> Recogniser:
        """A recogniser of phrases; each word must be known."""

    def dictation(self) -> Recogniser:
        """A recogniser of anything, for the next utterance."""


LEAD = 4.0
"""Nepers; the decoder keeps no alternative that is much less likely."""
_ALTERNATIVES = 12
_JUDGED = 300
"""A recogniser is made anew after so many sounds."""


class VoskEngine:
    """A vosk model; the ears of several channels may share one, in one thread."""

    def __init__(self, folder: Path, speaker: Path | None = None) -> None:
        """Load a folder that `models.check` has found to be sound; `speaker` is a speaker model's, if there is one."""
        import vosk  # here, since loading the library takes its time and only this class needs it

        vosk.SetLogLevel(-1)
        self._vosk = vosk
        self._model: Any = vosk.Model(str(folder))
        self._idle: list[_Used] = []
        self._coming: _Used | None = None
        self._spent: list[_Used] = []
        self._judge: tuple[tuple[str, ...], Any, int] | None = None
        self._speaker: Any = None if speaker is None else vosk.SpkModel(str(speaker))

    def knows(self, word: str) -> bool:
        """Whether the model can recognise the word (a single token)."""
        return bool(word) and not word.isspace() and int(self._model.vosk_model_find_word(word)) >= 0

    def grammar(self, phrases: Sequence[str]) -> Recogniser:
        """A recogniser of phrases and of `[unk]`; with no phrases it hears but `[unk]` (REC-02)."""
        return _VoskRecogniser(self._new(json.dumps([*dict.fromkeys(phrases), UNKNOWN], ensure_ascii=False)))

    def dictation(self) -> Recogniser:
        """A recogniser of anything.

        A finished one is taken up again: what it has worked out of its graph makes it three times faster.
        """
        used = self._idle.pop() if self._idle else self._coming or self._new()
        if used is self._coming:
            self._coming = None
        if used.fed:
            used.recogniser.Reset()
        return _VoskRecogniser(used, self._idle, self._spent)

    def prepare(self) -> None:
        """While nobody speaks: free what is spent and have a dictation ready, a piece of the work at each call.

        A new one works out the beginning of its graph in its first half second, which takes 30 ms: an eighth of a
        second on a small computer, at the moment at which somebody begins to speak. To free an old one takes as
        long, at the moment at which somebody waits for a verdict.
        """
        if self._spent:
            self._spent.pop()
            give_back()
            return
        if self._idle:
            return
        if self._coming is None:
            self._coming = self._new()
            return
        self._coming.recogniser.AcceptWaveform(_HISS)
        self._coming.fed += _PIECE
        if self._coming.fed >= _WARM:
            self._coming.recogniser.FinalResult()
            self._idle.append(self._coming)
            self._coming = None

    def lead(self, pcm: bytes, word: str, rivals: Sequence[str]) -> float:
        """By how much the sound likelier holds this word than any of its rivals alone, in nepers.

        Between -LEAD and LEAD; those are also the answer where the decoder has given up the one or the others.
        """
        key = (word, *rivals)
        if self._judge is None or self._judge[0] != key or self._judge[2] >= _JUDGED:
            recogniser = self._vosk.KaldiRecognizer(self._model, float(RATE), json.dumps([*key, UNKNOWN]))
            recogniser.SetMaxAlternatives(_ALTERNATIVES)
            self._judge = key, recogniser, 0
        _, recogniser, count = self._judge
        self._judge = key, recogniser, count + 1
        recogniser.AcceptWaveform(bytes(pcm))
        found: dict[bool, float] = {}
        for one in json.loads(recogniser.FinalResult()).get("alternatives", []):
            holds = word in one["text"].split()
            found[holds] = max(found.get(holds, -math.inf), float(one["confidence"]))
        recogniser.Reset()
        if True not in found:
            return -LEAD
        return max(-LEAD, min(LEAD, found[True] - found[False])) if False in found else LEAD

    def _new(self, *grammar: str) -> "_Used":
        recogniser = self._vosk.KaldiRecognizer(self._model, float(RATE), *grammar)
        recogniser.SetWords(True)
        if self._speaker is not None and not grammar:
            recogniser.SetSpkModel(self._speaker)
        return _Used(recogniser)


@dataclass
class _Used:
    """A recogniser of the library and how many samples it has been fed in all: its times count from there."""

    recogniser: Any
    fed: Samples = 0


class _VoskRecogniser:
    def __init__(self, used: _Used, idle: list[_Used] | None = None, spent: list[_Used] | None = None) -> None:
        """`idle` takes it when it has finished, `spent` when it has been used for long."""
        self._used, self._idle, self._spent = used, idle, spent
        self._before = used.fed
        self._finished = False
        self.voice: tuple[float, ...] = ()
        """The speaker's vector, once finished, where there is a speaker model (dictation only)."""

    def feed(self, pcm: bytes) -> None:
        if self._finished:
            raise RuntimeError("nothing may be fed to a finished recogniser")
        # vosk's own endpoints (the return value) are ours to ignore: it goes on where no Result is taken
        self._used.recogniser.AcceptWaveform(bytes(pcm))
        self._used.fed += len(pcm) // 2

    def partial(self) -> str:
        return "" if self._finished else str(json.loads(self._used.recogniser.PartialResult()).get("partial", ""))

    def finish(self) -> tuple[Word, ...]:
        if self._finished:
            raise RuntimeError("a recogniser finishes once")
        self._finished = True
        if self._used.fed == self._before:
            return ()
        result = json.loads(self._used.recogniser.FinalResult())
        heard = result.get("result", [])
        self.voice = tuple(map(float, result.get("spk", ())))
        words = tuple(
            Word(word["word"], self._sample(word["start"]), self._sample(word["end"]), min(float(word["conf"]), 1.0))
            for word in heard
        )
        then = self._idle if self._used.fed < _RENEWED else self._spent
        if then is not None:
            then.append(self._used)
        return words

    def _sample(self, time: float) -> Samples:
        """Seconds since the library's recogniser was made, as samples of this utterance."""
        return min(max(round(time * RATE) - self._before, 0), self._used.fed - self._before)
