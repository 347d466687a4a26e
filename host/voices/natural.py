"""The natural voice: hibari-tts, with the times of its words.

The network works out how long each phoneme lasts before it makes any sound, but hands only the sound
out. Those durations are made one more output of its graph, by appending a few bytes to the model as it
is loaded: two serialised protobuf messages in a row are one merged message. Nothing is written, and
no other package is needed.

Memory: by itself the network keeps for good what its longest sentence took (80 MB for one of 40 words). It is run
without a pool of its own, and after each line what the C library holds back is given to the system again.
"""

import threading
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from host.events import Line, Word
from host.heap import give_back
from host.sound import Clip, Pcm
from host.voices import VoiceError, names
from host.voices.spoken import bare, spoken
from host.voices.trimming import ended_at_sound, trimmed

RATE = 24_000
"""Samples a second."""

_DURATIONS = "/Clip_output_0"
"""The node that holds one number a phoneme: its duration in units of 25 ms."""

_UNIT = RATE // 40
_OUTPUTS = ["lh", "theta", "ln", "lr", "phi", "f0", _DURATIONS]
_LATE = round(0.030 * RATE)
"""The graph's times lie this much after what is heard: measured against gaps in the sound (45 ms where
a word begins, 20 ms where it ends) and against a recogniser's times (35 and 25 ms)."""

_LONGEST = 400
"""Phonemes that the network takes at once; a longer sentence is spoken in pieces."""

_PAUSES = " .,;:!?…"
"""Signs among the phonemes that are no sound of a word."""

_REVISION = 3
"""To be raised whenever the same text gives another sound than before, for the cache's sake."""

_SEED = 1
_GAIN = 1.8
"""Brings the voice to about -20 dBFS while it speaks, as loud as the other voices."""

_KNEE = 0.7
"""Of full scale."""


class _Piece(NamedTuple):
    """What the network speaks at once: phonemes, and the words with the stretch of phonemes of each."""

    phonemes: str
    words: list[tuple[str, int, int]]


class NaturalVoice:
    """A natural American voice, about a hundred times faster than real time on one core of a PC.

    Clips are mono at 24 kHz, with at most 20 ms of silence in front and 30 ms behind; `Clip.words` are
    the words as they are said, lower case. The same text and speed give the same samples. A voice
    belongs to no thread in particular, but speaks one line at a time.

    Raises VoiceError where hibari-tts is missing or is a version without durations.
    """

    def __init__(self) -> None:
        try:
            from hibari import Hibari, dsp
            from hibari.voices import DEFAULT, voice_path

            self.name = f"natural-{version('hibari-tts')}-{DEFAULT}-r{_REVISION}"
            model = Path(voice_path(DEFAULT, download_missing=False)).read_bytes()
        except (ImportError, OSError, PackageNotFoundError) as error:
            raise VoiceError("The natural voice is not installed: run `pip install hibari-tts`, "
                             "or choose --voice pyttsx3.") from error
        try:
            self._engine: Any = Hibari(model=with_output(model, _DURATIONS), threads=1)
            self._engine.sess = _poolless(with_output(model, _DURATIONS))
        except Exception as error:  # onnxruntime raises its own classes, some without a common base
            raise VoiceError("This hibari-tts does not tell word times: run `pip install hibari-tts==0.2.1`, or "
                             "choose --voice pyttsx3.") from error
        self._dsp: Any = dsp
        _ = self._engine.g2p  # its dictionaries take half a second: now, not at the first line of a game
        self._lock = threading.Lock()

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """Synthesise a line; `speed` from 0.5 to 2.0, beyond is taken as the nearest of these.

        A text without anything to say gives an empty clip.
        """
        speed = min(max(speed, 0.5), 2.0)
        noise = np.random.default_rng(_SEED)
        sounds: list[NDArray[np.float32]] = []
        words: list[Word] = []
        at = 0
        with self._lock:
            for piece in self._pieces(spoken(line.text)):
                sound, edges = self._sound(piece.phonemes, speed, noise)
                words += [Word(text, at + edges[first], at + edges[last]) for text, first, last in piece.words]
                sounds.append(sound)
                at += len(sound)
        give_back()
        if not sounds:
            return Clip(line.id, np.zeros(0, np.int16), RATE)
        whole = _int16(np.concatenate(sounds))
        pcm, times = trimmed(whole, ended_at_sound(whole, words, RATE), RATE)
        return Clip(line.id, pcm, RATE, times)

    def phonemes(self, text: str) -> list[tuple[str, str]]:
        """The words of a text as they would be said, each with its phonemes; nothing is synthesised."""
        with self._lock:
            return [(word, piece.phonemes[first:last])
                    for piece in self._pieces(spoken(text)) for word, first, last in piece.words]

    def close(self) -> None:
        """Free the network."""
        self._engine = None

    def _pieces(self, text: str) -> Iterator[_Piece]:
        """Sentences as phonemes, no longer than the network takes."""
        if self._engine is None:
            raise VoiceError("The natural voice has been closed: make a new one.")
        for sentence in self._engine.split_sentences(text):
            known = _names_known(_letters_named(self._engine.g2p.tokenize(sentence)))
            tokens = self._engine.g2p.phonemize_tokens(known)
            yield from _pieces([(t.text, t.phonemes or "", bool(t.whitespace)) for t in tokens], self._engine.vocab)

    def _sound(self, phonemes: str, speed: float, noise: np.random.Generator) -> tuple[NDArray[np.float32], list[int]]:
        """The samples, and the sample at which each phoneme begins (and the last ends)."""
        ids = np.asarray([self._engine.ids(phonemes)], np.int64)
        *spectra, durations = self._engine.sess.run(_OUTPUTS, {"ids": ids, "speed": np.asarray([speed], np.float32)})
        sound = self._dsp.synth(*(part[0] for part in spectra), noise)
        edges = np.cumsum(np.ravel(durations)) * _UNIT - _LATE
        return sound, [max(0, int(edge)) for edge in edges]


def _poolless(model: bytes) -> Any:
    """A session on one thread that frees what a sentence took, instead of keeping a pool for the longest."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def with_output(model: bytes, node: str) -> bytes:
    """An ONNX model with one node's output added to what it hands out.

    Field 7 of a model is its graph, field 12 of a graph an output, field 1 of an output its name.
    """
    return model + _field(7, _field(12, _field(1, node.encode())))


def _field(number: int, content: bytes) -> bytes:
    if len(content) > 127:
        raise ValueError("a node's name is too long to be added")
    return bytes([number << 3 | 2, len(content)]) + content


def _letters_named(tokens: list[Any]) -> list[Any]:
    """Give an "A" that stands beside another initial its name: "A A Milne" is nobody's article."""
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        beside = [t.text for t in (before, after) if t is not None]
        if token.text == "A" and any(len(text) == 1 and text.isupper() and text != "I" for text in beside):
            token.phonemes = "ˈA"
    return tokens


def _names_known(tokens: list[Any]) -> list[Any]:
    """Give names that the dictionary has wrong their own phonemes, and a genitive the ending that fits them."""
    before = None
    for token in tokens:
        phonemes = names.genitive(before) if before and token.text in ("'s", "’s") else names.said(token.text)
        if phonemes is not None:
            token.phonemes = phonemes
        before = phonemes
    return tokens


def _pieces(tokens: list[tuple[str, str, bool]], known: dict[str, int]) -> Iterator[_Piece]:
    """Join tokens (text, phonemes, followed by a space) into pieces; words are told apart by the spaces.

    A word for which there are no phonemes is not spoken and not named.
    """
    phonemes, words, text, first = "", [], "", 0
    for token, sounds, space in [*tokens, ("", "", True)]:
        text += token
        phonemes += "".join(sign for sign in sounds if sign in known)
        if not space:
            continue
        last = len(phonemes.rstrip(_PAUSES))
        if bare(text) and last > first:
            words.append((bare(text), first, last))
        if len(phonemes) > _LONGEST - 60 and (phonemes[-1] in ",;:…" or len(phonemes) > _LONGEST - 20):
            yield _Piece(phonemes, words)
            phonemes, words = "", []
        elif phonemes and not phonemes.endswith(" "):
            phonemes += " "
        text, first = "", len(phonemes)
    if words:
        yield _Piece(phonemes.rstrip(), words)


def _int16(sound: NDArray[np.float32]) -> Pcm:
    """Louder, and rounded off above `_KNEE` so that a shout never clips."""
    loud = sound * np.float32(_GAIN)
    size = np.abs(loud)
    room = 0.95 - _KNEE
    rounded = np.where(size > _KNEE, _KNEE + room * np.tanh((size - _KNEE) / room), size)
    pcm: Pcm = (np.sign(loud) * rounded * 32767.0).round().astype(np.int16)
    return pcm
