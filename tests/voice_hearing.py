"""A recogniser as a listener for the voices' tests, and sentences on which nothing was tuned."""

import json
import os
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from host.events import Word
from host.sound import Clip
from host.voices.spoken import spoken, words_of

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("GAMEHOST_SHARED", ROOT.parent / "shared"))
MODELS = (
    SHARED / "models" / "vosk-model-small-en-gamehost",
    ROOT / "models" / "vosk-model-small-en-gamehost",
)

SENTENCES = (
    "People keep me in a drawer, and look for me when the lights go out.",
    "My best friend is a match, and every meeting makes me shorter.",
    "Children blow at me once a year, and make a wish.",
    "He sailed west to find the east, and came home with the wrong name for a people.",
    "Four of my brothers have other names, but all of us live in one hand.",
    "You walk across me in the kitchen, and swim above me at the beach.",
    "She wrote her first book in the winter of 1816, when the summer never came.",
    "The more you take away from me, the bigger I grow.",
    "Half a million people walked behind me on the last day.",
    "Two statements were read, so that makes five spaces for green.",
    "White and blue change places, and the next card is a person.",
    "Nobody has said the answer yet. Here is the last one.",
    "I was sold for $24, or so the story goes.",
    "Some say that I can be seen from the moon, but that is not true.",
)


@lru_cache(maxsize=1)
def model() -> Any:
    """The recogniser's model; skips the test where there is none."""
    vosk = pytest.importorskip("vosk", reason="vosk is not installed")
    for folder in MODELS:
        if folder.is_dir():
            vosk.SetLogLevel(-1)
            return vosk.Model(str(folder))
    pytest.skip("no recogniser's model under ../shared/models or models/")


def heard(clip: Clip, phrases: tuple[str, ...] = ()) -> list[Word]:
    """What the recogniser hears in a clip, times in samples of the clip; `phrases` become a grammar."""
    import soxr
    import vosk

    grammar = [json.dumps([*(" ".join(words_of(spoken(text))) for text in phrases), "[unk]"])] if phrases else []
    recogniser = vosk.KaldiRecognizer(model(), 16_000, *grammar)
    recogniser.SetWords(True)
    lead = 8_000
    sound = soxr.resample(clip.pcm.astype(np.float32), clip.rate, 16_000)
    padded = np.concatenate([np.zeros(lead), sound, np.zeros(16_000)])
    recogniser.AcceptWaveform(padded.round().astype(np.int16).tobytes())
    found = json.loads(recogniser.FinalResult()).get("result", [])
    shift = lead / 16_000
    return [
        Word(w["word"], round((w["start"] - shift) * clip.rate), round((w["end"] - shift) * clip.rate)) for w in found
    ]


def matched(clip: Clip, found: list[Word]) -> list[tuple[Word, Word]]:
    """Pairs (said, heard) of the words that were understood."""
    said = [word.text for word in clip.words]
    blocks = SequenceMatcher(None, said, [word.text for word in found], False).get_matching_blocks()
    return [(clip.words[a + i], found[b + i]) for a, b, size in blocks for i in range(size)]
