"""The ear: vosk behind a voice activity detector, with two opinions on every utterance.

An utterance begins where the detector hears an onset. Sound from a little before it (`PRE_ROLL`) is
decoded as well, so that first words are whole; between utterances nothing is decoded, but a recogniser made
ready. It ends after `Listens.patience` of silence, after `SHORT` where the grammar has heard a whole `complete`
phrase, and in any case after `LONGEST`, from where the next utterance goes on without losing a sample
(REC-14). vosk's own endpoints play no part (REC-13).

`listen` may come at any time. New phrases hold from the next block on: what was said so far of a running
utterance is decoded again with them, which takes 0.02 s for each second of it (REC-05).
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from host.clock import BLOCK, RATE, Samples, samples
from host.ears import calls, keyword
from host.ears.asked import Asked, Speller
from host.ears.colours import ColourEar, Colours
from host.ears.colours import shipped as shipped_colours
from host.ears.detector import QUIET, Chunk, SpeechDetector, level
from host.ears.hcl import UNKNOWN
from host.ears.kaldi import Engine, VoskEngine
from host.ears.onset import risen, settled
from host.ears.opinion import (
    DICTATION_LAG,
    GRAMMAR_LAG,
    Moment,
    Opinion,
    Utterance,
    fuller,
    host_says,
    patience,
    silence,
)
from host.ears.second import SecondLook, open_second
from host.events import Heard, Listens, Speaking, Word
from host.sound import Cleaned, Pcm

PRE_ROLL = samples(0.4)
"""Sound before the onset that is decoded."""
COVERED = samples(1.5)
"""So much sound before the decision is decoded at the most."""
EDGE = samples(0.1)
KEPT = samples(2.0)
"""Sound that is kept from before the decision that somebody speaks."""
SHORT = samples(0.3)
"""Silence that ends an utterance which is a `complete` phrase."""
QUICK = samples(0.18)
"""The same while a card is open (there are `answers`): nothing follows a whole guess."""
EARLY = samples(0.09)
"""Silence after which such a guess is decoded to its end and looked at again, while waiting."""
LONGEST = samples(8.0)
"""Length at which an utterance is closed and goes on as the next."""
SEAM = samples(1.5)
"""Such a cut is made at the quietest place of so many last samples."""
BRIDGED = samples(0.5)
"""A gap in the sound up to this long is taken as silence; a longer one ends the utterance."""
STEADY = samples(0.4)
"""A partial that has not changed for so long (two steps of decoding) is told once more where that matters."""


class VoskEar:
    """The `Ear` protocol over an `Engine`; one object per channel, used by one thread (but for `listen`)."""

    def __init__(
        self,
        engine: Engine,
        listens: Listens | None = None,
        channel: int = 0,
        detector: SpeechDetector | None = None,
        on_missing: Callable[[str, tuple[str, ...]], None] | None = None,
        finder: keyword.Finder | None = None,
        second: SecondLook | None = None,
        colours: Colours | None = None,
    ) -> None:
        """`on_missing(phrase, words)` is told once of each phrase that the model can't hear as a whole.

        `finder` takes a second look at "venn" while that is listened for, `second` one at `Listens.answers`, `colours`
        one at the colours.
        """
        self._engine, self._channel = engine, channel
        self._voice: tuple[int, tuple[float, ...]] = (0, ())
        self._detector = detector or SpeechDetector()
        self._speller = Speller(engine.knows, on_missing)
        self._listens = self._next = listens or Listens(())
        self._second = second
        self._prepare: Callable[[], None] = getattr(engine, "prepare", lambda: None)
        self._asked = self._spell(self._listens)
        self._utterance: Utterance | None = None
        self._opening: tuple[Samples, Samples, Samples, bytes] | None = None
        """An utterance that was told but is not decoded yet: where it began, its first sample, and the sound that was
        kept, with its end."""
        self._number = 0
        self._now: Samples | None = None
        self._over: Samples = 0
        self._past = bytearray()
        self._moments: deque[Moment] = deque(maxlen=(LONGEST + KEPT) // BLOCK + 2)
        self._calls = None if finder is None else calls.Calls(finder, engine)
        self._colours = None if colours is None else ColourEar(colours)
        self._owner: int | None = None
        self._closed = False
        self.suspects = False
        """In the last block somebody may have begun to speak over the host, which is not certain yet."""

    @property
    def second_look(self) -> calls.Calls | None:
        """The second look at "venn", for benches."""
        return self._calls

    @property
    def colour_ear(self) -> ColourEar | None:
        """The second look at colours, for benches."""
        return self._colours

    @property
    def grammar_words(self) -> tuple[Word, ...]:
        """What the grammar has of the running utterance, before the second look; for benches."""
        return self._utterance.grammar.words if self._utterance else ()

    # --- what to listen for ---------------------------------------------------------------------

    def listen(self, listens: Listens) -> None:
        """Set what is worth hearing, from any thread and at any time; it holds from the next block on."""
        self._next = listens

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """Phrases that were asked for but can't be in a grammar, and their unknown words; dictation may hear them."""
        return self._speller.missing

    def _spell(self, listens: Listens) -> Asked:
        """What is listened for in words of the model; the second look watches for the answers."""
        asked = Asked(listens, self._speller)
        if self._second:
            self._second.watch(asked.answers, dict(listens.sounds))
        return asked

    def _apply(self) -> None:
        """Let what was asked for hold."""
        listens, before = self._next, self._asked.phrases
        if listens == self._listens:
            return
        self._asked, self._listens = self._spell(listens), listens
        if self._calls:
            self._calls.wanted = calls.CALL in listens.phrases
        if self._colours:
            self._colours.wanted = not set(self._colours.colours.names).isdisjoint(listens.phrases)
        if self._utterance and self._asked.phrases != before:
            self._again(self._utterance)

    def _again(self, utterance: Utterance) -> None:
        """Decode the running utterance from its first sample with the present phrases."""
        words = utterance.grammar.words
        utterance.grammar = Opinion(self._engine.grammar(self._asked.phrases), GRAMMAR_LAG, words)
        utterance.grammar.recogniser.feed(bytes(utterance.audio))
        utterance.probed = utterance.whole = utterance.margin = None
        utterance.resumed = False

    # --- sound ----------------------------------------------------------------------------------

    def hear(self, sound: Cleaned) -> list[Speaking | Heard]:
        """Take a block; what became known by it. Raises ValueError for sound of another form."""
        pcm = _checked(sound)
        if self._closed:
            raise RuntimeError("the ear is closed")
        if self._owner is None:
            self._owner = threading.get_ident()
        if threading.get_ident() != self._owner:
            raise RuntimeError("an ear belongs to the thread that used it first")
        self._apply()
        events = self._bridge(sound.at)
        return events + self._take(sound, pcm)

    def _bridge(self, at: Samples) -> list[Speaking | Heard]:
        """Come to sample `at`, over samples that were lost."""
        if self._now is None:
            self._now = at
            self._detector.reset(at)
        lost = at - self._now
        if lost < 0:
            raise ValueError(f"sound of sample {at} comes after that of sample {self._now}")
        events: list[Speaking | Heard] = []
        if lost > BRIDGED:
            events += self.end()
            self._past.clear()
            self._now = at
            self._detector.reset(at)
        elif lost:
            events += self._take(Cleaned(self._now, np.zeros(lost, np.int16), channel=self._channel),
                                 np.zeros(lost, np.int16))
        return events

    def _take(self, sound: Cleaned, pcm: Pcm) -> list[Speaking | Heard]:
        now = self._now = sound.at + len(pcm)
        self._moments.append(Moment(sound.at, now, level(pcm), sound.residue, sound.host_words))
        if self._calls:
            self._calls.hear(sound.at, pcm)
        if self._colours:
            self._colours.hear(sound.at, pcm)
        chunks = self._detector.hear(pcm, sound.residue)
        events: list[Speaking | Heard] = []
        self._open()
        self.suspects = self._utterance is None and any(chunk.suspect for chunk in chunks)
        if self._utterance is None:
            self._past += pcm.tobytes()
            del self._past[: max(0, len(self._past) - 2 * KEPT)]
            onset = next((chunk for chunk in chunks if chunk.onset), None)
            if onset is None:
                self._prepare()
                return events
            return [self._onset(now, onset)]
        self._feed(self._utterance, pcm.tobytes())
        utterance = self._utterance
        self._note(utterance, chunks)
        events += self._partial(utterance, now)
        return events + self._close_where_over(utterance, now)

    def _onset(self, now: Samples, onset: Chunk) -> Speaking:
        """Somebody speaks: that is told before anything is decoded, so that the host falls silent at once.

        What the host's voice may have covered is decoded as well, `COVERED` back at the most (BAR-03).
        """
        covered = 0 if onset.since is None else onset.began - max(onset.since, now - COVERED)
        early = max(0, onset.began - onset.early)
        began, first = self._bounds(now, onset.began, len(self._past) // 2, max(PRE_ROLL + early, covered + EDGE))
        self._number += 1
        self._opening = began, first, now, bytes(self._past)
        self._past.clear()
        return Speaking(now, began, self._number, self._channel)

    def _open(self) -> None:
        """Decode what was told to have begun."""
        if self._opening is not None:
            began, first, now, past = self._opening
            self._opening = None
            rose = risen(np.frombuffer(past, "<i2"), now, self._moments)
            self._start(began, first, past[len(past) - 2 * (now - first) :], rose)

    def _bounds(self, now: Samples, began: Samples, kept: Samples, pre_roll: Samples) -> tuple[Samples, Samples]:
        """Where an utterance begins, and its first decoded sample, over the last `kept` samples."""
        oldest = now - kept
        began = max(began, oldest, self._over)
        return began, max(began - pre_roll, oldest, self._over)

    def _start(self, began: Samples, first: Samples, audio: bytes, rose: Samples | None = None) -> None:
        """The utterance with this number, decoded from its first sample on."""
        self._utterance = Utterance(
            self._number, began, first, Opinion(self._engine.grammar(self._asked.phrases), GRAMMAR_LAG),
            Opinion(self._engine.dictation(), DICTATION_LAG), voiced=first + len(audio) // 2, rose=rose,
        )
        self._utterance.over_host = any(one.residue > QUIET for one in self._moments if one.at <= began < one.ended)
        self._feed(self._utterance, audio)

    @staticmethod
    def _feed(utterance: Utterance, pcm: bytes) -> None:
        utterance.audio += pcm
        if utterance.whole is None:
            utterance.grammar.recogniser.feed(pcm)
        utterance.dictation.recogniser.feed(pcm)

    @staticmethod
    def _note(utterance: Utterance, chunks: Sequence[Chunk]) -> None:
        for chunk in chunks:
            utterance.levels.append((chunk.at, chunk.level))
            if chunk.voice:
                utterance.voiced = chunk.at
                utterance.resumed = utterance.whole is not None

    def _partial(self, utterance: Utterance, now: Samples) -> list[Speaking | Heard]:
        """A partial, where either opinion has changed."""
        changed = utterance.whole is None and utterance.grammar.look(now, utterance.began)
        if utterance.dictation.look(now, utterance.began):
            changed = True
            if utterance.resumed:
                self._again(utterance)  # it goes on after all
        words = utterance.grammar.words
        if self._calls:
            words = self._calls.believed(words, utterance.began, now)
            changed = changed or words != utterance.believed
            utterance.believed = words
        if changed:
            utterance.told = utterance.changed = now
        elif self._listens.partials and utterance.told is not None and now - utterance.told >= STEADY:
            utterance.told = None
        else:
            return []
        return [self._heard(utterance, now, words, utterance.dictation.words, now, final=False)]

    # --- the end of an utterance ----------------------------------------------------------------

    def _close_where_over(self, utterance: Utterance, now: Samples) -> list[Speaking | Heard]:
        text = " ".join(word.text for word in utterance.grammar.words)
        likely = self._asked.likely(text)
        guessed = bool(self._asked.answers) and (likely or self._asked.complete(text))
        quiet = silence(utterance, now, guessed)
        if quiet >= patience(utterance, self._listens, likely):
            return [self._final(utterance, now)]
        early, short = (EARLY, QUICK) if self._asked.answers else (SHORT, SHORT)
        if quiet >= early and utterance.whole is None:
            self._finish_early(utterance, text)
        if quiet >= short and utterance.whole is not None:
            return [self._final(utterance, now)]
        if now - utterance.first >= LONGEST:
            return self._cut(utterance, now)
        return []

    def _finish_early(self, utterance: Utterance, text: str) -> None:
        """Take the grammar's final words if they are a `complete` phrase, else decoding goes on."""
        if text == utterance.probed or not self._asked.complete(text):
            return
        words = utterance.grammar.recogniser.finish()
        if self._asked.complete(" ".join(word.text for word in words)):
            utterance.whole = words
            utterance.margin = self._looked(utterance, words)
            return
        self._again(utterance)  # the end of it had not come through yet
        utterance.probed = text

    def _looked(self, utterance: Utterance, words: tuple[Word, ...]) -> float | None:
        """The second look at the grammar's words, their times from the first decoded sample on."""
        return self._second.margin(words, bytes(utterance.audio)) if self._second else None

    def _cut(self, utterance: Utterance, now: Samples) -> list[Speaking | Heard]:
        """Close an utterance that does not end, at its quietest late place, and go on from there."""
        late = [(loud, at) for at, loud in utterance.levels if now - SEAM < at <= now - BLOCK]
        seam = min(late)[1] if late else now
        audio = utterance.audio[2 * (seam - utterance.first) :]
        final = self._final(utterance, now, until=seam)
        self._number += 1
        self._start(seam, seam, bytes(audio))
        going_on = Speaking(now, seam, self._number, self._channel)
        assert self._utterance is not None  # noqa: S101 - begun two lines before
        self._utterance.voiced = max(utterance.voiced, seam)
        return [final, going_on]

    def _final(self, utterance: Utterance, now: Samples, until: Samples | None = None) -> Heard:
        """Both opinions' last words; those from `until` on belong to the next utterance."""
        words, margin = utterance.whole, utterance.margin
        if words is None:
            words = utterance.grammar.recogniser.finish()
            margin = self._looked(utterance, words)
        opinions = []
        for heard, partial in ((words, utterance.grammar.words),
                               (utterance.dictation.recogniser.finish(), utterance.dictation.words)):
            placed = tuple(
                Word(w.text, utterance.first + w.began, utterance.first + w.ended, w.confidence) for w in heard
            )
            kept = fuller(placed, partial)
            opinions.append(tuple(w for w in kept if until is None or (w.began + w.ended) // 2 < until))
        if self._calls:
            opinions[0] = self._calls.believed(opinions[0], utterance.began, until or now)
        if self._colours:
            opinions[0] = self._colours.believed(opinions[0], utterance.began, until or now)
        ended = until or max([utterance.voiced, *(w.ended for opinion in opinions for w in opinion)])
        self._voice = utterance.number, getattr(utterance.dictation.recogniser, "voice", ())
        self._over = until or max(utterance.voiced, utterance.began)
        self._utterance = None
        self._past = bytearray() if until else utterance.audio[2 * (self._over - utterance.first) :]
        told = self._heard(utterance, now, opinions[0], opinions[1], ended, final=True)
        wordless = until is None and not told.dictation and all(word.text == UNKNOWN for word in told.words)
        if utterance.over_host and wordless:
            self._detector.mistaken()
        began = settled(told.began, utterance.rose, told.words[0].began if told.words else None)
        return replace(told, began=min(began, told.ended), margin=margin)

    def _heard(
        self, utterance: Utterance, now: Samples, words: Iterable[Word], dictation: Iterable[Word], ended: Samples,
        *, final: bool,
    ) -> Heard:
        said, dictated = (
            tuple(word for word in opinion if not host_says(word, self._moments)) for opinion in (words, dictation)
        )
        return Heard(now, utterance.began, min(ended, now), said, dictated, utterance.number, final, self._channel)

    def vector(self, channel: int, utterance: int) -> tuple[float, ...] | None:
        """The vector of the voice of the newest utterance, where a speaker model is loaded (host.ears.voiceprint)."""
        number, voice = self._voice
        return voice if voice and (channel, utterance) == (self._channel, number) else None

    def end(self) -> list[Speaking | Heard]:
        """No more sound comes (a recording is over, the device went away): the final of what was being said."""
        self._open()
        if self._utterance is None or self._now is None:
            return []
        return [self._final(self._utterance, self._now)]

    def close(self) -> None:
        """Free the recognisers; `end` first, where the last words matter."""
        self._utterance = self._opening = None
        self._closed = True


def open_ear(
    folder: Path,
    listens: Listens | None = None,
    channel: int = 0,
    on_missing: Callable[[str, tuple[str, ...]], None] | None = None,
    speaker: Path | None = None,
    second: bool = False,
) -> VoskEar:
    """An ear on a folder that vosk loads (from `graph.prepare`, checked by `models.check`).

    `speaker` is a speaker model's folder, where there is one (host.ears.voiceprint). `second`: answers are looked
    at a second time where the model has a net that we know; off while the shipped decision gives that no weight
    (docs/BENCH.md), for it takes 8 ms.
    """
    engine = VoskEngine(folder, speaker)
    look = open_second(folder) if second else None
    return VoskEar(engine, listens, channel, on_missing=on_missing, finder=keyword.shipped(folder), second=look,
                   colours=shipped_colours(folder))


def _checked(sound: Cleaned) -> Pcm:
    """The block's samples, little endian, in one piece (REC-16)."""
    pcm = sound.pcm
    if not isinstance(pcm, np.ndarray) or pcm.ndim != 1 or pcm.dtype.kind != "i" or pcm.dtype.itemsize != 2:
        raise ValueError(f"the ear takes 16-bit mono PCM at {RATE} Hz as a one-dimensional int16 array")
    return np.ascontiguousarray(pcm, dtype="<i2")
