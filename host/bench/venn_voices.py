"""Voices that train the net for "venn": the tuning voices, and more that no recogniser need understand.

A voice is asked in several ways (higher, slower, as one shouts), so that a dozen programs sound like fifty
people; the fifty voices of Kokoro (host.bench.kokoro) and blends of two of them are a crowd of their own. None of
it is of a test voice, or of the program of one (hibari, RHVoice; of Kokoro's voices the one that taught hibari is
left out).
"""

import random
import subprocess
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import soundfile

from host.app.paths import cache_folder
from host.bench import kokoro
from host.bench.frame import MissingError
from host.bench.library import Library, Voice
from host.bench.voices import Speaker
from host.devices.levels import Floats

_ACCENTS = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-029")
_THROATS = ("f1", "f2", "f3", "f4", "f5", "m1", "m2", "m3", "m4", "m5", "m7", "Andy", "Annie", "Alex", "Linda", "Steph",
            "Michael", "klatt2", "klatt4", "Paul", "anika", "Ed")


def _ways() -> dict[str, tuple[str, ...]]:
    """Commands by name, `{text}` and `{file}` left open."""
    found: dict[str, tuple[str, ...]] = {}
    pitches = {"slt": (150, 260), "rms": (80, 170), "kal16": (90, 190), "awb": (110, 200), "kal": (90, 160)}
    for voice, (low, high) in pitches.items():
        for stretch, pitch in ((0.85, low + 20), (1.0, high), (1.3, (low + high) // 2), (1.6, high + 20), (1.15, low)):
            found[f"{voice}+{pitch}+{stretch}"] = (
                "flite", "-voice", voice, "--setf", f"duration_stretch={stretch}", "--setf",
                f"int_f0_target_mean={pitch}", "-t", "{text}", "-o", "{file}")
    for voice in ("us1", "us2", "us3"):
        for pitch, speed in ((35, 190), (75, 130), (60, 105), (90, 150)):
            found[f"{voice}+{pitch}+{speed}"] = (
                "espeak-ng", "-v", f"mb-{voice}", "-p", str(pitch), "-s", str(speed), "-w", "{file}", "{text}")
    for at, throat in enumerate(_THROATS):
        accent, pitch, speed = _ACCENTS[at % len(_ACCENTS)], (35, 50, 65, 80)[at % 4], (175, 140, 205, 115, 160)[at % 5]
        found[f"espeak+{accent}+{throat}"] = (
            "espeak-ng", "-v", f"{accent}+{throat}", "-p", str(pitch), "-s", str(speed), "-w", "{file}", "{text}")
    for accent, pitch, speed in (("en-GB", 100, 100), ("en-US", 125, 85), ("en-GB", 85, 120), ("en-US", 140, 110)):
        found[f"pico+{accent}+{pitch}"] = (
            "pico2wave", "-l", accent, "-w", "{file}", f'<pitch level="{pitch}"><speed level="{speed}">{{text}}'
            "</speed></pitch>")
    return found


WAYS = _ways()
"""Voices beside those of voices.toml, and what makes each speak."""
PEOPLE = tuple(name for name in WAYS if not name.startswith("espeak"))
"""Those of them that sound like somebody."""


BLENDS = 27
"""Voices made of two of Kokoro's."""
PACES = (0.85, 1.0, 1.0, 1.2)


def crowd(apart: Iterable[str] = ()) -> tuple[str, ...]:
    """Kokoro's voices that have been fetched, each at one pace, and blends of two, none of `apart`."""
    draw, names = random.Random(3), kokoro.names()
    free = [name for name in names if name not in set(apart)]
    blends = []
    for _ in range(BLENDS if len(free) > 1 else 0):
        one = draw.choice(free)
        blends.append(f"{one}~{draw.choice([name for name in free if name[1] == one[1] and name != one] or free)}")
    return tuple(f"kokoro+{name}+{draw.choice(PACES)}" for name in (*names, *blends))


def program(voice: str) -> str:
    """Whose voice it is, however it is asked: what is held out is held out in all its ways."""
    first, _, rest = voice.partition("+")
    return rest.partition("+")[0] if first == "kokoro" else first


class Roster(Library):
    """The library with the voices of WAYS."""

    def voice(self, name: str) -> Voice:
        """A voice by name; KeyError if there is none."""
        if name.startswith("kokoro+"):
            return Voice(name, "tuning", "kokoro", "", "hibari-tts onnxruntime", "pip")
        if name not in WAYS:
            return super().voice(name)
        asked = WAYS[name][0]
        packages = {"flite": "flite", "espeak-ng": "espeak-ng mbrola-us1 mbrola-us2 mbrola-us3",
                    "pico2wave": "libttspico-utils"}[asked]
        return Voice(name, "tuning", "way", asked, packages, "apt")


class Chorus(Speaker):
    """A speaker that knows those ways as well; a clip that a program can't make is left out."""

    def __init__(self, library: Roster, folder: Path | None = None) -> None:
        super().__init__(library, folder or cache_folder() / "bench" / "clips")

    def _spoken(self, voice: Voice, text: str, file: Path) -> tuple[Floats, int]:
        if voice.kind == "kokoro":
            _, name, pace = voice.name.split("+")
            return self._kokoro(text, name, float(pace)), kokoro.RATE
        if voice.kind != "way":
            return super()._spoken(voice, text, file)
        command = [part.format(text=text, file=file) for part in WAYS[voice.name]]
        subprocess.run(command, capture_output=True, timeout=60, check=False)
        if not file.exists():
            raise MissingError(f"the voice {voice.name} does not speak: install {voice.packages}")
        sound, rate = soundfile.read(str(file), dtype="float32", always_2d=True)
        return sound[:, 0], rate

    @cached_property
    def _kokoro(self) -> kokoro.Kokoro:
        return kokoro.Kokoro()

    def all_of(self, wanted: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Make (voice, text) where missing; those that could be made. Raises MissingError if a program is not here."""
        pairs = list(dict.fromkeys(wanted))
        self.check({voice for voice, _ in pairs})
        good = []
        for voice, text in pairs:
            try:
                if not self.path(voice, text).exists():
                    self._make(self._library.voice(voice), text, self.path(voice, text))
            except MissingError:
                continue  # some say nothing for some words
            good.append((voice, text))
        return good
