"""Which voice speaks: the natural one where it is installed and fast enough here, else pyttsx3."""

import contextlib
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

from host.events import Line
from host.voices import Voice, VoiceError
from host.voices.cached import CachedVoice

NAMES = ("natural", "pyttsx3", "silent")

FAST_ENOUGH = 5.0
"""Seconds of speech that the natural voice has to make in a second to be preferred."""

_SAMPLE = Line("speed", "Replace me every three months, says the person in the white coat.")


def choose(name: str | None = None, cache: Path | None = None) -> Voice:
    """The voice of that name, or the best one for this machine where `name` is None.

    With `cache`, a folder, its clips and its measured speed are kept there. Raises VoiceError for an
    unknown name, for a voice that isn't installed, and where there is no voice at all.
    """
    makers: dict[str, Callable[[], Voice]] = {"natural": _natural, "pyttsx3": _pyttsx3, "silent": _silent}
    if name is None:
        voice = _best(cache)
    elif name in makers:
        voice = makers[name]()
    else:
        raise VoiceError(f"There is no voice {name!r}: choose one of {', '.join(NAMES)}.")
    return voice if cache is None or name == "silent" else CachedVoice(voice, cache)


def _best(cache: Path | None) -> Voice:
    try:
        voice = _natural()
    except VoiceError:
        voice = None
    if voice is not None:
        if speed_here(voice, cache) >= FAST_ENOUGH:
            return voice
        voice.close()
    try:
        return _pyttsx3()
    except VoiceError as error:
        if voice is not None:
            return _natural()  # slow is better than mute
        raise VoiceError("There is no voice here: run `pip install hibari-tts`, or "
                         "`pip install espeakng-loader pyttsx3`.") from error


def speed_here(voice: Voice, cache: Path | None, clock: Callable[[], float] = time.process_time) -> float:
    """How many seconds of speech the voice makes in a second of computing on this machine; remembered in `cache`.

    The voice computes in one thread, and what else the machine does while it is tried must not decide for good which
    voice speaks: so the processor's time is counted, not the wall's.
    """
    key = f"{voice.name} on {platform.node()} ({platform.machine()}), of computing"
    path = None if cache is None else cache / "speed.json"
    known = _known(path)
    if key in known:
        return known[key]
    voice.speak(_SAMPLE)  # the first time loads dictionaries
    best = 0.0
    for _ in range(3):
        began = clock()
        clip = voice.speak(_SAMPLE)
        best = max(best, len(clip.pcm) / clip.rate / max(clock() - began, 1e-6))
    if path is not None:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(known | {key: round(best, 1)}), encoding="utf-8")
    return best


def _known(path: Path | None) -> dict[str, float]:
    """Speeds measured before; nothing where the file is missing or damaged."""
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(key): float(value) for key, value in found.items() if isinstance(value, int | float)}


def _natural() -> Voice:
    from host.voices.natural import NaturalVoice

    return NaturalVoice()


def _pyttsx3() -> Voice:
    """espeak-ng on Linux; elsewhere the platform's voice, and espeak-ng where that can't be had."""
    from host.voices.espeak import EspeakVoice

    if not sys.platform.startswith("linux"):
        from host.voices.rendered import RenderedVoice

        with contextlib.suppress(VoiceError):
            return RenderedVoice()
    return EspeakVoice()


def _silent() -> Voice:
    from host.voices.silent import SilentVoice

    return SilentVoice()
