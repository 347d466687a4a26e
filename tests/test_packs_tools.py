"""For authors: a check's printed text and exit code, a template, spreadsheets, TOML written out."""

import csv
import dataclasses
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pack_samples import CARD, GOOD, HEADER, OTHER, line_of, spoil, write

from host.packs import CATEGORIES, Card, Pack, PackError
from host.packs.files import ID, load_pack
from host.packs.text import clean, read_lexicon
from host.packs.tools import COLUMNS, from_csv, new_pack, run_check, to_toml

DOCS = Path(__file__).resolve().parents[1] / "docs" / "PACKS.md"


def test_a_good_folder_ends_with_0_and_a_report(tmp_path: Path) -> None:
    """The counts are printed, and that there are no faults."""
    write(tmp_path, GOOD)
    code, text = run_check([tmp_path])
    assert code == 0
    assert "2 cards, 1 pack" in text
    assert text.endswith("1 file, 0 faults, 0 warnings")


def test_faults_of_all_files_are_printed_with_their_places(tmp_path: Path) -> None:
    """A refused card, a bad statement, a broken file, a bad venture: file:line: card: fault for each, and 1."""
    refused = spoil('category = "Thing"', 'category = "Beast"', HEADER + CARD + OTHER)
    bad = spoil('"probe"', '"second"', HEADER) + spoil("a river", "5 rivers", spoil("no river", "a river", OTHER))
    write(tmp_path, refused, "a.toml")
    write(tmp_path, spoil("thing-kettle", "thing-urn", bad), "b.toml")
    write(tmp_path, "[pack", "c.toml")
    write(tmp_path, HEADER + '[[venture]]\nid = "x"\ntext = "Off you fly."\nkind = "fly"\n', "ventures.toml")
    code, text = run_check([tmp_path])
    assert code == 1
    assert f"{tmp_path / 'a.toml'}:{line_of(refused, 'category')}:1: thing-ladder: unknown category" in text
    assert 'thing-urn: a voice stumbles over "5" in statement 3' in text
    assert f"{tmp_path / 'c.toml'}:1:6: not valid TOML" in text
    assert 'ventures.toml:10:1: x: unknown kind "fly"' in text
    assert "thing-urn: the answer \"a kettle\" is that of thing-kettle too" in text, "good cards of a bad file count"


def test_left_out_cards_and_warnings_are_told_or_kept_quiet(tmp_path: Path) -> None:
    """CON-02: what is left out of play is named; warnings alone end with 0 and can be left out of the text."""
    write(tmp_path, spoil("My feet never walk.", "The thing seen here never walks.", spoil('"none"', '"moon"')))
    code, text = run_check([tmp_path])
    assert code == 1
    assert "left out of play (need a picture or sound, or the family filter): thing-ladder" in text
    write(tmp_path, spoil('"none"', '"moon"'))
    assert run_check([tmp_path])[0] == 0
    assert "warning: thing-ladder" in run_check([tmp_path])[1]
    assert "warning: thing-ladder" not in run_check([tmp_path], warnings=False)[1]


def test_nothing_to_check_and_a_missing_lexicon_end_with_2(tmp_path: Path) -> None:
    """One sentence, no traceback."""
    code, text = run_check([tmp_path])
    assert (code, text.count("\n")) == (2, 0)
    write(tmp_path, GOOD)
    code, text = run_check([tmp_path], tmp_path / "none.txt")
    assert (code, text.count("\n")) == (2, 0)
    assert "none.txt" in text


def test_the_lexicon_is_used(tmp_path: Path) -> None:
    """With a lexicon file the spelling of statements is looked up."""
    write(tmp_path, GOOD)
    lexicon = tmp_path / "lexicon.txt"
    lexicon.write_text("ladder L AE D ER\nkettle K EH T AH L\n")
    code, text = run_check([tmp_path], lexicon)
    assert code == 0
    assert '"painters" is in no dictionary here' in text
    assert '"ladder" is not in' not in text


def test_a_packed_lexicon_with_extra_words_is_read(tmp_path: Path) -> None:
    """.gz, remarks, `word@chance` and several ways to say a word; a broken one ends with 2."""
    with gzip.open(tmp_path / "lexicon.txt.gz", "wt") as file:
        file.write("a AH\na EY\n")
    (tmp_path / "extra_words.txt").write_text("# added\nvenn@-4.5 V EH N\nkyiv K IY V # a town\n")
    assert read_lexicon(tmp_path / "lexicon.txt.gz") == {
        "a": (("AH",), ("EY",)), "venn": (("V", "EH", "N"),), "kyiv": (("K", "IY", "V"),)}
    raw = (tmp_path / "lexicon.txt.gz").read_bytes()
    for broken in (raw[:-9], b"no gzip"):
        (tmp_path / "lexicon.txt.gz").write_bytes(broken)
        assert run_check([write(tmp_path, GOOD)], tmp_path / "lexicon.txt.gz")[0] == 2


def test_a_new_pack_is_playable_as_it_is(tmp_path: Path) -> None:
    """The template passes its own check; a second one of that name is not overwritten."""
    path = new_pack('Our "Öwn" Family!', tmp_path / "packs")
    assert path.name == "our-own-family.toml"
    assert run_check([path])[0] == 0, run_check([path])[1]
    assert "0 warnings" in run_check([path])[1]
    assert load_pack(path).title == "Our 'Öwn' Family!"
    with pytest.raises(FileExistsError):
        new_pack("our own family", tmp_path / "packs")
    with pytest.raises(ValueError, match="name the pack otherwise"):
        new_pack("???", tmp_path)


ROW = {
    "id": "", "category": "Thing", "answer": "a ladder", "essential": "ladder", "aliases": "a stepladder | some steps",
    "rivals": "a fence; a wall; a stair; a rope", "sounds": "ladder=L AE1 D ER0", "statement1": "My feet never walk.",
    "statement2": "Painters, of all people, trust me.", "statement3": 'Some say "not beneath me".',
    "statement4": "Firemen bring a long one along.", "statement5": "You climb me.\nOften.",
    "statement6": "Lean me against a house.", "false_statement": "Fish use me.", "century": "-5", "difficulty": "2",
}


def sheet(*rows: dict[str, str], delimiter: str = ",", names: tuple[str, ...] = tuple(ROW)) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(names)
    writer.writerows([row.get(name, "") for name in names] for row in rows)
    return text.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_spreadsheet_becomes_a_pack(tmp_path: Path, delimiter: str) -> None:
    """Lists are parted, numbers read, a missing id made; commas, quotes and line breaks within cells are kept apart."""
    path = write(tmp_path, sheet(ROW, {**ROW, "id": "thing-two", "answer": "two"}, delimiter=delimiter), "Our Pack.csv")
    pack = from_csv(path, licence="CC BY 4.0", source="ours")
    one, two = pack.cards
    assert (pack.id, pack.title, pack.licence, pack.source) == ("our-pack", "Our Pack", "CC BY 4.0", "ours")
    assert (one.id, two.id) == ("thing-a-ladder", "thing-two")
    assert one.aliases == ("a stepladder", "some steps")
    assert one.rivals == ("a fence", "a wall", "a stair", "a rope")
    assert one.sounds == (("ladder", "L AE D ER"),)
    assert one.statements[1:3] == ("Painters, of all people, trust me.", 'Some say "not beneath me".')
    assert one.statements[4] == "You climb me. Often."
    assert (one.century, one.difficulty, one.line, two.line) == (-5, 2, 2, 4)


@pytest.mark.parametrize(("row", "says", "column"), [
    ({"category": "Beast"}, 'unknown category "Beast"', "category"),
    ({"century": "old"}, '"century" must be a whole number', "century"),
    ({"difficulty": "9"}, "from 1 to 3", "difficulty"),
    ({"sounds": "ladder=XX"}, '"XX" is no ARPABET', "sounds"),
    ({"answer": ""}, '"answer" is missing', "answer"),
    ({"statement4": ""}, "6 statements, this one 5", "statement4"),
    ({"id": "Not An Id"}, "only small letters", "id"),
    ({"answer": "AT&amp;T"}, "HTML entity", "answer"),
    ({"category": ""}, '"category" is missing', "category"),
    ({"statement2": "A ladder has rungs."}, 'statement 2 says "ladder"', "statement2"),
    ({"statement6": "I am 20 rungs long."}, 'stumbles over "20"', "statement6"),
    ({"false_statement": "Ladders swim."}, "the false statement says", "false_statement"),
])
def test_errors_in_a_spreadsheet_name_line_and_column(
    tmp_path: Path, row: dict[str, str], says: str, column: str,
) -> None:
    """The fault of the second card names its row's first line and the number of the cell's column."""
    path = write(tmp_path, sheet({**ROW, "id": "one"}, {**ROW, **row}), "p.csv")
    code, text = run_check([path])
    assert code == 1
    at = f"{path}:4:{list(ROW).index(column) + 1}: "
    assert any(line.startswith(at) and says in line for line in text.split("\n")), text


@pytest.mark.parametrize(("text", "says"), [
    (sheet(ROW, names=("category", "answer")), 'no column "statement1"'),
    (sheet(ROW, names=(*ROW, "price")), 'unknown column "price"'),
    (sheet(ROW, names=(*ROW, "answer")), '"answer" comes twice'),
    (sheet(), "no cards below"),
    (sheet(ROW) + ",".join(["x"] * 30) + "\r\n", "more cells than columns"),
    (sheet(ROW) + '"open\r\n', "stray quote"),
    ("", "is empty"),
])
def test_spreadsheets_that_cannot_be_read_are_refused(tmp_path: Path, text: str, says: str) -> None:
    """One PackError with what to do."""
    with pytest.raises(PackError) as found:
        from_csv(write(tmp_path, text, "p.csv"))
    assert says in str(found.value)


_text = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=20).map(clean)
_filled = _text.filter(bool)
_list = st.lists(_filled, max_size=3).map(tuple)
_id = st.from_regex(ID, fullmatch=True)
_cards = st.builds(
    Card, id=_id, category=st.sampled_from(CATEGORIES), answer=_filled, aliases=_list, prompt=_list, never=_list,
    essential=st.lists(_filled, min_size=1, max_size=3).map(tuple), rivals=_list, note=_text, basis=_text,
    statements=st.lists(_filled, min_size=6, max_size=6).map(tuple), false_statement=_text,
    sounds=st.lists(st.tuples(_filled, st.just("L AE D ER")), max_size=2, unique_by=lambda s: s[0]).map(tuple),
    region=st.sampled_from(("none", "asia")), century=st.integers(-30, 21), difficulty=st.integers(1, 3),
    pack=st.just("p"), line=st.just(0),
)


@settings(deadline=None)
@given(st.lists(_cards, min_size=1, max_size=3, unique_by=lambda card: card.id))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, cards: list[Card]) -> None:
    """to_toml and load_pack are each other's inverse, with any letters in any field."""
    pack = Pack("p", "A \"title\"", "CC BY 4.0", "own \\ mine", "family", tuple(cards))
    path = tmp_path_factory.mktemp("written") / "p.toml"
    path.write_text(to_toml(pack), encoding="utf-8", newline="\n")
    again = load_pack(path)
    assert dataclasses.replace(again, cards=()) == dataclasses.replace(pack, cards=())
    assert [dataclasses.replace(card, line=0) for card in again.cards] == cards


def test_the_page_of_documentation_is_true(tmp_path: Path) -> None:
    """Its example passes the check, and every field and column is explained in it."""
    page = DOCS.read_text(encoding="utf-8")
    blocks = [part.split("```", 1)[0] for part in page.split("```toml\n")[1:]]
    pack = next(block for block in blocks if "[[card]]" in block)
    code, text = run_check([write(tmp_path, pack)])
    assert code == 0, text
    assert "0 warnings" in text
    missing = [name for name in COLUMNS if not name.startswith("statement") and f"`{name}`" not in page]
    assert missing == []


def test_other_examples_of_the_page_are_true(tmp_path: Path) -> None:
    """Its venture cards, board, words and numbers can be loaded."""
    page = DOCS.read_text(encoding="utf-8")
    blocks = [part.split("```", 1)[0] for part in page.split("```toml\n")[1:]]
    for part, name in (("[[venture]]", "ventures.toml"), ("triangles", "boards/b.toml"),
                       ('cards = [["', "venn/words.toml"), ("cards = [[1", "venn/numbers.toml")):
        write(tmp_path, next(block for block in blocks if part in block), name)
    write(tmp_path, GOOD)
    code, text = run_check([tmp_path])
    assert code == 0, text
    assert "5 files, 0 faults" in text
