"""Which colours does the recogniser tell apart? The measurement behind `host.understand.COLOURS`.

    python -m host.bench.choose_colours [--model FOLDER] [--shared FOLDER]

Every candidate is spoken by the tuning voices, alone and in front of an answer, dry and with pink
noise at 10 dB, and heard by a grammar of all candidates, some answers and `[unk]`. Printed are, for
each colour, how often it was heard, what it was taken for, and how often it came out of real talk in
which nobody named it. Nothing here is a figure for the README: the voices were in the model's training.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

RATE = 16_000
CANDIDATES = (
    "red", "blue", "green", "white", "black", "yellow", "orange", "purple", "pink", "brown", "gray", "silver",
    "gold", "golden", "violet", "turquoise",
)
ANSWERS = ("a toothbrush", "the eiffel tower", "theodore roosevelt", "the rosetta stone", "a penguin", "the moon")
CARRIERS = ("is it", "i think it's", "i am", "takes", "is", "it was", "me", "yes", "no", "ready", "go")
VOICES: dict[str, tuple[str, ...]] = {
    "rms": ("flite", "-voice", "rms", "-t", "{text}", "-o", "{file}"),
    "slt": ("flite", "-voice", "slt", "-t", "{text}", "-o", "{file}"),
    "kal16": ("flite", "-voice", "kal16", "-t", "{text}", "-o", "{file}"),
    "us1": ("espeak-ng", "-v", "mb-us1", "-w", "{file}", "{text}"),
    "us2": ("espeak-ng", "-v", "mb-us2", "-w", "{file}", "{text}"),
    "us3": ("espeak-ng", "-v", "mb-us3", "-w", "{file}", "{text}"),
    "pico": ("pico2wave", "-l", "en-US", "-w", "{file}", "{text}"),
}
"""Voices for tuning (never the test voices), and how each is asked."""

Sound = NDArray[np.float64]


def spoken(voice: str, text: str, folder: Path) -> Sound:
    """The text in that voice at 16 kHz, with a third of a second of quiet on either side."""
    file = folder / "clip.wav"
    file.unlink(missing_ok=True)
    command = [part.format(text=text, file=file) for part in VOICES[voice]]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    sound, rate = soundfile.read(str(file), dtype="float64", always_2d=True)
    mono: Sound = soxr.resample(sound[:, 0], rate, RATE)
    level = float(np.sqrt(np.mean(mono[np.abs(mono) > 0.01] ** 2))) or 1.0
    quiet = np.zeros(RATE // 3)
    return np.concatenate([quiet, mono * (0.05 / level), quiet])


def noisy(sound: Sound, decibel: float, random: np.random.Generator) -> Sound:
    """The sound with pink noise so many decibel below its active frames (they stand at 0.05)."""
    spectrum = np.fft.rfft(random.standard_normal(len(sound)))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1))
    noise = np.fft.irfft(spectrum, len(sound))
    noise *= 0.05 / 10 ** (decibel / 20) / float(np.sqrt(np.mean(noise**2)))
    return np.asarray(sound + noise)


class Listener:
    """The model with one grammar."""

    def __init__(self, folder: Path, phrases: tuple[str, ...]) -> None:
        import vosk

        vosk.SetLogLevel(-1)
        self.recogniser = vosk.KaldiRecognizer(vosk.Model(str(folder)), RATE, json.dumps([*phrases, "[unk]"]))
        self.recogniser.SetWords(True)

    def hear(self, sound: Sound) -> list[tuple[str, float]]:
        """The words heard, each with its confidence."""
        data = (np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes()
        words = []
        for first in range(0, len(data), 6400):
            if self.recogniser.AcceptWaveform(data[first : first + 6400]):
                words += json.loads(self.recogniser.Result()).get("result", [])
        words += json.loads(self.recogniser.FinalResult()).get("result", [])
        return [(word["word"], float(word["conf"])) for word in words]


def confusions(
    listener: Listener, colours: tuple[str, ...], clips: dict[tuple[str, str, str], Sound]
) -> dict[tuple[str, str], Counter[str]]:
    """(colour, condition) -> what was heard as the first word that is a colour, "-" for none."""
    random = np.random.default_rng(7)
    table: dict[tuple[str, str], Counter[str]] = {}
    for (colour, _, _), clip in clips.items():
        if colour not in colours:
            continue
        for condition, sound in (("dry", clip), ("10 dB", noisy(clip, 10, random))):
            heard = next((word for word, _ in listener.hear(sound) if word in colours), "-")
            table.setdefault((colour, condition), Counter())[heard] += 1
    return table


def talk(shared: Path) -> Iterator[Sound]:
    """Real talk marked for tuning in which no candidate is said."""
    for line in (shared / "audio" / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        clip = json.loads(line)
        if not clip["path"].startswith("talk/") or clip["test"]:
            continue
        if clip["text"] and set(clip["text"].lower().split()) & set(CANDIDATES):
            continue
        sound, rate = soundfile.read(str(shared / "audio" / clip["path"]), dtype="float64", always_2d=True)
        yield soxr.resample(sound[:, 0], rate, RATE)


def report(table: dict[tuple[str, str], Counter[str]], colours: tuple[str, ...]) -> None:
    """Print one row a colour: heard dry, heard in noise, taken for."""
    print(f"{'colour':10} {'dry':>9} {'10 dB':>9}  taken for")
    for colour in colours:
        wrong = Counter[str]()
        cells = []
        for condition in ("dry", "10 dB"):
            row = table[colour, condition]
            cells.append(f"{row[colour]:3}/{sum(row.values()):<3}")
            wrong += Counter({word: count for word, count in row.items() if word != colour})
        print(f"{colour:10} {cells[0]:>9} {cells[1]:>9}  {', '.join(f'{w} {n}' for w, n in wrong.most_common())}")


def main() -> int:
    """Measure all candidates, then the chosen eight alone."""
    from host.understand import COLOURS

    parser = argparse.ArgumentParser(prog="python -m host.bench.choose_colours", description=__doc__.splitlines()[0])
    root = Path(__file__).resolve().parents[2]
    shared = Path(os.environ.get("GAMEHOST_SHARED", root.parent / "shared"))
    parser.add_argument("--model", type=Path, default=root / "models" / "vosk-model-small-en-gamehost")
    parser.add_argument("--shared", type=Path, default=shared)
    options = parser.parse_args()
    missing = sorted({command[0] for command in VOICES.values() if shutil.which(command[0]) is None})
    if missing:
        print(f"The tuning voices need {', '.join(missing)}: apt install flite espeak-ng mbrola-us1 mbrola-us2 "
              "mbrola-us3 libttspico-utils", file=sys.stderr)
        return 3
    if not (options.model / "am").is_dir():
        print(f"There is no model in {options.model}: name its folder with --model.", file=sys.stderr)
        return 3
    clips: dict[tuple[str, str, str], Sound] = {}
    with tempfile.TemporaryDirectory() as folder:
        for voice in VOICES:
            for colour in CANDIDATES:
                for phrase in (colour, f"{colour}, {ANSWERS[len(clips) % len(ANSWERS)]}", f"Anna is {colour}"):
                    clips[colour, phrase, voice] = spoken(voice, phrase, Path(folder))
    eight = tuple(COLOURS)
    for title, colours in (("all candidates", CANDIDATES), ("the table's colours alone", eight)):
        print(f"\n{title}")
        listener = Listener(options.model, (*colours, *ANSWERS, *CARRIERS, "anna"))
        report(confusions(listener, colours, clips), colours)
        if (options.shared / "audio" / "manifest.jsonl").is_file():
            false, length = Counter[str](), 0
            for sound in talk(options.shared):
                length += len(sound)
                false.update(word for word, sure in listener.hear(sound) if word in colours and sure >= 0.5)
            rates = ", ".join(f"{colour} {count}" for colour, count in false.most_common())
            print(f"out of {length / RATE / 60:.0f} minutes of talk without them: {rates or 'none'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
