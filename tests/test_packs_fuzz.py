"""Whatever stands in a file, the answer is a pack or a PackError with places, never a traceback."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pack_samples import GOOD

from host.packs import SEVERITIES
from host.packs.checks import check
from host.packs.decks import read_board, read_numbers, read_ventures, read_words
from host.packs.files import CARD_FIELDS, read_pack
from host.packs.tools import read_csv, run_check

PAPERS = {"id": "p", "title": "p", "licence": "x", "source": "x", "audience": "family"}
READERS = {
    "pack": read_pack, "board": read_board, "ventures": read_ventures, "words": read_words, "numbers": read_numbers,
    "csv": lambda path: read_csv(path, PAPERS),
}
TOP = ("pack", "card", "cards", "venture", "arrow", "red", "length", "triangles", "id")
SPARING = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

_values = st.recursive(
    st.one_of(st.integers(-10**20, 10**20).map(str), st.booleans().map(lambda b: str(b).lower()), st.just("1.5"),
              st.just("nan"), st.just("1979-05-27"), st.just('""'), st.just('"&quot; Ünï 🙂"'), st.just("'''\nx\n'''")),
    lambda inner: st.one_of(st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
                            inner.map(lambda value: f"{{ a = {value} }}")), max_leaves=6)


def judge(path: Path, reader: str) -> None:
    """What every reader promises of any file."""
    value, faults = READERS[reader](path)
    lines = path.read_bytes().count(b"\n") + 1
    for fault in faults:
        assert fault.severity in SEVERITIES
        assert 1 <= fault.line <= lines
        assert fault.column >= 1
        assert fault.text
        assert "\n" not in str(fault)
    if reader == "pack" and value is not None:
        check([value])
    assert run_check([path])[0] in (0, 1)


@SPARING
@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 30), st.binary(max_size=4)), min_size=1,
                max_size=3), st.sampled_from(sorted(READERS)))
def test_a_file_with_pieces_cut_out_or_overwritten(
    tmp_path: Path, cuts: list[tuple[int, int, bytes]], reader: str,
) -> None:
    """Bytes cut from a good pack or put into it: faults with a place in the file, no exception."""
    raw = GOOD.encode()
    for at, length, instead in cuts:
        raw = raw[:at] + instead + raw[at + length:]
    path = tmp_path / "cut.toml"
    path.write_bytes(raw)
    judge(path, reader)


@SPARING
@given(st.dictionaries(st.sampled_from([*CARD_FIELDS, "zzz", "kind", "who", "n"]), _values, max_size=8),
       st.dictionaries(st.sampled_from(TOP), _values, max_size=5),
       st.sampled_from(["card", "venture", "arrow", "pack"]), st.sampled_from(sorted(READERS)))
def test_valid_toml_with_anything_in_any_field(
    tmp_path: Path, fields: dict[str, str], top: dict[str, str], table: str, reader: str,
) -> None:
    """Values of any type in the places of others: faults, no exception."""
    lines = [f"{key} = {value}" for key, value in top.items() if key != table]
    lines += [f"[[{table}]]", *(f"{key} = {value}" for key, value in fields.items())]
    path = tmp_path / "odd.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    judge(path, reader)


@pytest.mark.parametrize("reader", sorted(READERS))
@pytest.mark.parametrize("text", ["", "\x00", "pack = 3", "[[pack]]", "card = 5", "[pack]\n[[card]]", "cards = [[]]",
                                  "length = true", "[[arrow]]\nfrom = 1", ",,,\n,,,", "card = [1, 'x']\npack = []"])
def test_small_oddities(tmp_path: Path, text: str, reader: str) -> None:
    """The smallest wrong files, each to each reader."""
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    judge(path, reader)
