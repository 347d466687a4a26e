"""The graph is built right, from the right words, once, and in a child that ends."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.ears import graph
from host.ears.files import sums
from host.ears.fst import ACCEPTOR_PROPERTIES, Fst, lookahead
from host.ears.hcl import build_hcl
from host.ears.language import build_language, read_arpa
from host.ears.lexicon import PHONES, Extra, Lexicon, LexiconError
from host.ears.models import SHIPPED, catalogue

MODEL = Path(__file__).parent.parent / "models" / "vosk-model-small-en-gamehost"

ARPA = """\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-99.0 <s> -0.5
-1.0 </s> 0.0
-1.0 red -0.3
-1.2 bed -0.2
-1.4 led 0.0

\\2-grams:
-0.5 <s> red -0.1
-0.7 red bed -0.4
-0.9 bed </s> 0.0

\\3-grams:
-0.2 <s> red bed

\\end\\
"""
LEXICON = "red R EH D\nbed B EH D\nled L EH D\nlead L EH D\nlead L IY D\na AH\n"


@pytest.fixture
def lang(tmp_path: Path) -> Path:
    folder = tmp_path / "model" / "lang"
    folder.mkdir(parents=True)
    (folder / "lm.arpa").write_text(ARPA)
    (folder / "lexicon.txt").write_text(LEXICON)
    (folder / "extra_words.txt").write_text("venn@-4.5 V EH N # a game\n")
    return folder


def read_const(data: bytes) -> list[list[tuple[int, int, float, int]]]:
    """The arcs by state of a ConstFst, read naively."""
    at = 4
    for _ in range(2):
        (length,) = struct.unpack_from("<i", data, at)
        at += 4 + length
    *_, states, arcs = struct.unpack_from("<iiQqqq", data, at)
    at += struct.calcsize("<iiQqqq")
    rows = [struct.unpack_from("<fIIII", data, at + 20 * state) for state in range(states)]
    at += 20 * states
    flat = [struct.unpack_from("<iifi", data, at + 16 * arc) for arc in range(arcs)]
    return [flat[first : first + count] for _, first, count, _, _ in rows]


def spellings(hcl) -> dict[tuple[int, ...], set[str]]:
    """Every path of at most one word from the start to the end of a word: {forward labels: words}."""
    arcs = read_const(hcl.fst.const(0, by_output=True))
    names = {label: word for word, label in hcl.labels.items()}
    found: dict[tuple[int, ...], set[str]] = {}
    todo = [(1, (), None)]
    while todo:
        state, phones, word = todo.pop()
        for ilabel, olabel, _, to in arcs[state]:
            if to == state or names.get(olabel) == "[unk]":
                continue
            said = names.get(olabel, word)
            heard = (*phones, ilabel) if ilabel else phones
            if said and (to in (1, 2) or ilabel == 2):
                found.setdefault(phones, set()).add(said)
            elif ilabel != 2:
                todo.append((to, heard, said))
    return found


words = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=4),
    st.lists(
        st.lists(st.sampled_from(PHONES[:4]), min_size=1, max_size=4).map(tuple), min_size=1, max_size=3, unique=True,
    ).map(tuple),
    min_size=1, max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(words)
def test_every_pronunciation_leads_to_its_words_and_to_no_others(lexicon) -> None:
    """The transducer spells exactly what the lexicon says, homophones included."""
    from host.ears.hcl import _forward, _placed

    wanted: dict[tuple[int, ...], set[str]] = {}
    for word, pronunciations in lexicon.items():
        for phones in pronunciations:
            wanted.setdefault(tuple(_forward(phone) for phone in _placed(phones)), set()).add(word)
    assert spellings(build_hcl(lexicon, {})) == wanted


@settings(max_examples=60, deadline=None)
@given(words)
def test_the_words_ahead_of_a_state_are_those_that_can_be_reached(lexicon) -> None:
    """A node's label list is what a walk from it finds before a word is decided."""
    hcl = build_hcl(lexicon, {})
    arcs = read_const(hcl.fst.const(0, by_output=True))
    for state, ahead in enumerate(hcl.reach):
        if ahead is None:
            continue
        seen, todo, found = {state}, [state], set()
        while todo:
            for _, olabel, _, to in arcs[todo.pop()]:
                if olabel:
                    found.add(olabel)
                elif to not in seen:
                    seen.add(to)
                    todo.append(to)
        assert sorted(found) == ahead


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 9), st.integers(0, 4)), max_size=40))
def test_a_const_fst_holds_each_state_s_arcs_in_order(rows) -> None:
    """Written and read back, the arcs are those put in, sorted by input label."""
    fst = Fst()
    for _ in range(5):
        fst.state()
    for state, ilabel, olabel, to in rows:
        fst.arc(state, ilabel, olabel, 1.5, to)
    read = read_const(fst.const(ACCEPTOR_PROPERTIES))
    for state in range(5):
        mine = [(i, o, 1.5, to) for s, i, o, to in rows if s == state]
        assert sorted(read[state]) == sorted(mine)
        assert [arc[:2] for arc in read[state]] == sorted(arc[:2] for arc in mine)


def test_neighbouring_labels_become_one_interval() -> None:
    """Labels 1, 2, 3 and 7 are two half-open intervals."""
    fst = Fst()
    fst.state(0.0)
    wanted = struct.pack("<qiiiii", 2, 1, 4, 7, 8, 4)
    assert lookahead(fst, [[1, 2, 3, 7]], 7).endswith(wanted)


def test_the_language_model_backs_off_and_keeps_to_the_vocabulary(lang: Path) -> None:
    """Words without a label are left out; added words get their chance; probabilities are natural logarithms."""
    labels = {"red": 1, "bed": 2, "venn": 3}
    fst = build_language(read_arpa(lang / "lm.arpa"), labels, {"venn": -4.5, "red": -3.0})
    arcs = read_const(fst.const(ACCEPTOR_PROPERTIES))
    unigram = {ilabel: weight for ilabel, _, weight, _ in arcs[1]}
    assert set(unigram) == {1, 2, 3}
    assert unigram[3] == pytest.approx(4.5 * np.log(10), rel=1e-6)
    assert unigram[1] == pytest.approx(1.0 * np.log(10), rel=1e-6)
    start = {ilabel: (weight, to) for ilabel, _, weight, to in arcs[0]}
    assert start[0] == (pytest.approx(0.5 * np.log(10), rel=1e-6), 1)
    after_red = {ilabel: weight for ilabel, _, weight, _ in arcs[start[1][1]]}
    assert after_red[2] == pytest.approx(0.2 * np.log(10), rel=1e-6)


@pytest.mark.parametrize("damage", ["\\data\\\n", "\\1-grams:\nabc red -0.1\n", ""])
def test_a_damaged_language_model_is_one_sentence(lang: Path, damage: str) -> None:
    """Half an ARPA file is refused by name, not read as far as it goes."""
    (lang / "lm.arpa").write_text(damage)
    with pytest.raises(LexiconError, match=r"lm\.arpa"):
        read_arpa(lang / "lm.arpa")


def test_the_shipped_model_s_graph_is_the_one_it_was_measured_with(tmp_path: Path) -> None:
    """Without words of its own, the graph equals byte for byte the one that came with the model."""
    graph._run_child([str(MODEL), str(tmp_path)], "{}", lambda _: None)
    measured = catalogue().entries[SHIPPED].graph
    assert {"HCLr.fst", "Gr.fst", "words.txt"} <= measured.keys()
    assert sums(tmp_path / "graph") == measured


def test_what_is_built_once_is_found_again(lang: Path, tmp_path: Path) -> None:
    """The same words come out of the cache; other words make another folder; the old ones go in time."""
    model = lang.parent
    for name in ("am", "conf"):
        (model / name).mkdir()
    (model / "conf" / "model.conf").write_text("--beam=10.0\n")
    reported: list[int] = []
    first = graph.prepare(model, {"zoe": (("Z", "OW"),)}, tmp_path / "cache", reported.append)
    assert reported[-1] == 100
    assert reported == sorted(reported)
    assert " zoe " in f" {(first / 'graph' / 'words.txt').read_text()} ".replace("\n", " ")
    assert "--frames-per-chunk=9" in (first / "conf" / "model.conf").read_text()
    assert (first / "am").resolve() == model / "am"
    again: list[int] = []
    assert graph.prepare(model, {"zoe": (("Z", "OW"),)}, tmp_path / "cache", again.append) == first
    assert again == []
    others = [graph.prepare(model, {f"w{n}": (("W",),)}, tmp_path / "cache") for n in range(graph.KEPT)]
    assert len({first, *others}) == graph.KEPT + 1
    assert not first.exists()
    assert sorted(path.name for path in (tmp_path / "cache" / "graphs").iterdir()) == sorted(p.name for p in others)


def test_a_model_that_moved_is_linked_anew(lang: Path, tmp_path: Path) -> None:
    """A cached graph follows the model's folder."""
    model = lang.parent
    for name in ("am", "conf"):
        (model / name).mkdir()
    first = graph.prepare(model, {}, tmp_path / "cache")
    moved = model.rename(tmp_path / "elsewhere")
    assert graph.prepare(moved, {}, tmp_path / "cache") == first
    assert (first / "am").resolve() == moved / "am"


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(bytes(path.stat().st_size)), Path.unlink])
@pytest.mark.parametrize("name", ["graph/HCLr.fst", "conf/model.conf", "sums.json"])
def test_a_cache_damaged_by_a_power_cut_is_built_anew(lang: Path, tmp_path: Path, name: str, damage) -> None:
    """Files of zeros or files that are gone are noticed at the next start."""
    model = lang.parent
    for folder in ("am", "conf"):
        (model / folder).mkdir()
    (model / "conf" / "model.conf").write_text("--beam=10.0\n")
    first = graph.prepare(model, {}, tmp_path / "cache")
    whole = {path: path.read_bytes() for path in first.rglob("*") if path.is_file()}
    damage(first / name)
    assert graph.prepare(model, {}, tmp_path / "cache") == first
    assert {path: path.read_bytes() for path in first.rglob("*") if path.is_file()} == whole


@pytest.mark.parametrize(("words", "sentence"), [
    ({"zzz": ()}, "no pronunciation is known for zzz"),
    ({"zzz": (("QX",),)}, "unknown phones QX"),
    ({"zzz": ((),)}, "no phones"),
])
def test_a_word_without_sounds_is_refused(lang: Path, tmp_path: Path, words, sentence: str) -> None:
    """REC-01: no word is dropped in silence; nothing half-built stays behind."""
    for name in ("am", "conf"):
        (lang.parent / name).mkdir()
    with pytest.raises((graph.GraphError, LexiconError), match=sentence):
        graph.prepare(lang.parent, words, tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("graphs/*"))


def test_a_damaged_lexicon_is_one_sentence(lang: Path, tmp_path: Path) -> None:
    """A packed file cut in half is named, by the child to the parent."""
    for name in ("am", "conf"):
        (lang.parent / name).mkdir()
    whole = (MODEL / "lang" / "lexicon.txt.gz").read_bytes()
    (lang / "lexicon.txt.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(graph.GraphError, match=r"lexicon\.txt\.gz.*put the model folder back"):
        graph.prepare(lang.parent, {}, tmp_path / "cache")


def test_a_cache_that_can_t_be_written_is_one_sentence(lang: Path, tmp_path: Path) -> None:
    """The way out is named."""
    for name in ("am", "conf"):
        (lang.parent / name).mkdir()
    (tmp_path / "cache").write_text("a file in the way")
    with pytest.raises(graph.GraphError, match="GAMEHOST_CACHE"):
        graph.prepare(lang.parent, {}, tmp_path / "cache")


def test_an_official_model_is_taken_as_it_is(tmp_path: Path) -> None:
    """A model without a lexicon of its own keeps its graph."""
    assert graph.prepare(tmp_path, {"zoe": (("Z", "OW"),)}) == tmp_path.resolve()


def test_the_child_stays_small(tmp_path: Path) -> None:
    """The child that builds the shipped graph with a thousand more words peaks below 400 MB."""
    extra = {f"w{n}": [[PHONES[n % 39], PHONES[n // 39 % 39], "AH"]] for n in range(1000)}
    alone = (  # in a process of its own: the peak is that of all children of a process
        "import resource, sys\nfrom host.ears import graph\n"
        "graph._run_child(sys.argv[1:], sys.stdin.read(), lambda _: None)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", alone, str(MODEL), str(tmp_path)], input=json.dumps({"words": extra}),
                          capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 400 * 1024
    listed = (tmp_path / "graph" / "words.txt").read_text().split()
    assert set(extra) <= set(listed[::2])


def test_the_lexicon_is_read_for_what_is_asked(lang: Path) -> None:
    """Only the wanted words come back, own words of the model included, in the file's order."""
    lexicon = Lexicon(lang)
    lead = (("L", "EH", "D"), ("L", "IY", "D"))
    assert lexicon.find(["lead", "venn", "nix"]) == {"lead": lead, "venn": (("V", "EH", "N"),)}
    assert set(lexicon.find()) == {"red", "bed", "led", "lead", "a", "venn"}
    assert lexicon.extra == Extra({"venn": (("V", "EH", "N"),)}, {"venn": -4.5})
