"""Loading packs: what is taken, what is refused, and where the fault is said to be."""

import dataclasses
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pack_samples import CARD, GOOD, HEADER, OTHER, line_of, spoil, write

from host.packs import PackError, Space
from host.packs.decks import digest, load, load_board, load_numbers, load_ventures, load_words
from host.packs.files import load_pack, load_packs, read_pack
from host.packs.source import scan
from host.packs.tools import to_toml

VENTURES = """[pack]
id = "ventures"
title = "Ventures"
licence = "CC BY 4.0"
source = "made for the tests"

[[venture]]
id = "tailwind"
text = "A tail wind! Go on two spaces."
kind = "move"
n = 2

[[venture]]
id = "chairs"
text = "Change places with the leader."
kind = "swap"
who = "leader"
"""

BOARD = """id = "short"
title = "Short"
licence = "CC BY 4.0"
source = "made for the tests"
length = 8
red = [4, 5, 6]
triangles = [2, 5]

[[arrow]]
from = 6
to = 4
"""

WORDS = HEADER + """cards = [
  ["river", "heavy", "wedding"],
  ["cheese", "quiet", "north"],
]
"""

NUMBERS = HEADER + "cards = [[1, 5, 9], [2, 3, 12]]\n"


def test_a_good_pack_is_taken_with_all_its_fields(tmp_path: Path) -> None:
    """Every field of a card arrives, with its pack and line."""
    pack = load_pack(write(tmp_path, GOOD))
    ladder, kettle = pack.cards
    assert (pack.id, pack.title, pack.licence, pack.audience) == ("probe", "Probe", "CC BY 4.0", "family")
    assert (ladder.id, ladder.category, ladder.answer) == ("thing-ladder", "Thing", "a ladder")
    assert ladder.essential == ("ladder",)
    assert ladder.never == ("a staircase",)
    assert ladder.century == -5
    assert len(ladder.statements) == 6
    assert ladder.pack == "probe"
    assert ladder.line == line_of(GOOD, "[[card]]")
    assert kettle.aliases == ()
    assert kettle.line == GOOD[: GOOD.rindex("[[card]]")].count("\n") + 1


def test_essential_may_be_left_out_or_be_a_list(tmp_path: Path) -> None:
    """Without `essential` it is the answer without its article; a list is taken as it is."""
    text = spoil('essential = "ladder"\n', "")
    assert load_pack(write(tmp_path, text)).cards[0].essential == ("ladder",)
    text = spoil('essential = "ladder"', 'essential = ["ladder", "steps"]')
    assert load_pack(write(tmp_path, text)).cards[0].essential == ("ladder", "steps")


def test_sounds_become_pairs_without_stress(tmp_path: Path) -> None:
    """`sounds` is a table of ARPABET strings; stress marks are dropped."""
    text = spoil('region = "none"', 'region = "none"\nsounds = { ladder = "L AE1 D ER0" }')
    assert load_pack(write(tmp_path, text)).cards[0].sounds == (("ladder", "L AE D ER"),)


def test_a_word_may_be_said_in_several_ways(tmp_path: Path) -> None:
    """Pronunciations parted by a slash become a pair each, and are written as they were; a wrong one is told."""
    text = spoil('region = "none"', 'region = "none"\nsounds = { ladder = "L AE D ER / L AO D ER/L AE D ER" }')
    pack = load_pack(write(tmp_path, text))
    assert pack.cards[0].sounds == (("ladder", "L AE D ER"), ("ladder", "L AO D ER"))
    assert 'sounds = { "ladder" = "L AE D ER / L AO D ER" }' in to_toml(pack)
    for wrong in ("L AE D ER /", "L AE / XX", "/"):
        with pytest.raises(PackError, match="can't be read"):
            load_pack(write(tmp_path, spoil("L AE D ER / L AO D ER/L AE D ER", wrong, text)))


@pytest.mark.parametrize(("raw", "clean"), [
    ("&Eacute;douard", "Édouard"), ("&quot;Ed&quot; &amp; Co", '"Ed" & Co'), ("&#201;douard", "Édouard"),
    ("&#xc9;douard", "Édouard"), ("E\u0301douard", "Édouard"), ("  two   blanks ", "two blanks"),
    ("soft\u00adhyphen", "softhyphen"), ("no\u00a0break", "no break"), ("AT&T", "AT&T"), ("a &copy b", "a &copy b"),
])
def test_ans_15_con_01_text_is_cleaned_at_load(tmp_path: Path, raw: str, clean: str) -> None:
    """Entities are decoded (with their semicolon), letters composed, blanks single, in every field."""
    quoted = raw.replace('"', '\\"')
    text = spoil('"a ladder"', f'"{quoted}"', spoil('"a stepladder"', f'"{quoted}"'))
    pack, _ = read_pack(write(tmp_path, text))
    assert pack is not None
    assert pack.cards[0].answer == clean
    assert pack.cards[0].aliases == (clean,)


# what is spoilt, what the message must say, the line's text
REFUSED = [
    ('licence = "CC BY 4.0"\n', "", "CON-08", '"licence" is missing', "[pack]"),
    ('source = "made for the tests"', 'source = " "', "CON-08", '"source" is empty', "source ="),
    ('category = "Thing"', 'category = "Animal"', "CON-07", 'unknown category "Animal"', "category ="),
    ('answer = "a ladder"', 'answer = ""', "schema", '"answer" is empty', "answer ="),
    ('answer = "a ladder"\n', "", "schema", '"answer" is missing', "[[card]]"),
    ('answer = "a ladder"', "answer = 7", "schema", '"answer" must be text', "answer ="),
    ('aliases = [', 'alias = [', "schema", 'did you mean "aliases"', "alias ="),
    ('prompt = ["a frame"]', 'prompt = [3]', "schema", 'item 1 of "prompt"', "prompt ="),
    ('prompt = ["a frame"]', 'prompt = [" "]', "schema", 'item 1 of "prompt" is empty', "prompt ="),
    ('prompt = ["a frame"]', 'prompt = {}', "schema", '"prompt" must be a list', "prompt ="),
    ('  "My feet never walk.",\n', "", "schema", "6 statements, this one 5", "statements ="),
    ('"You climb me one rung at a time."', "5", "schema", 'item 5 of "statements"', "  5,"),
    ("century = -5", "century = 1.5", "schema", '"century" must be a whole number', "century ="),
    ("difficulty = 1", "difficulty = 4", "schema", "from 1 to 3", "difficulty ="),
    ('region = "none"', 'region = "none"\nsounds = { x = "QQ" }', "schema", '"QQ" is no ARPABET phone', "sounds ="),
    ('region = "none"', 'region = "none"\nsounds = ["x"]', "schema", '"sounds" must be a table', "sounds ="),
    ('id = "thing-ladder"', 'id = "Thing Ladder"', "schema", "only small letters", "id = \"Thing Ladder"),
    ('id = "thing-kettle"', 'id = "thing-ladder"', "schema", "already; give it another", None),
    ("[[card]]", "[[cards]]", "schema", 'unknown table "cards"', "[[cards]]"),
    ("[pack]", "[packs]", "schema", "header [pack] is missing", None),
    ('answer = "a ladder"', 'answer = "a ladder', "syntax", "not valid TOML", "answer ="),
    ('answer = "a ladder"', 'answer = "a ladder"\nanswer = "steps"', "syntax", "the same key stands twice", None),
]


@pytest.mark.parametrize(("old", "new", "fault", "says", "at"), REFUSED, ids=[f"{r[2]}-{r[3]}" for r in REFUSED])
def test_unusable_packs_are_refused_with_file_and_line(
    tmp_path: Path, old: str, new: str, fault: str, says: str, at: str | None,
) -> None:
    """CON-07, CON-08 and the schema: the message names the file, the line and what to do."""
    text = spoil(old, new)
    path = write(tmp_path, text)
    with pytest.raises(PackError) as found:
        load_pack(path)
    hits = [one for one in found.value.faults if says in one.text]
    assert hits, f"{fault}: {found.value}"
    if at is not None:
        assert f"{path}:{line_of(text, at)}:" in str(found.value)
        assert line_of(text, at) in [one.line for one in hits]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """Three faults in two cards and a header give three lines, each with its card."""
    text = spoil('title = "Probe"', 'titel = "Probe"')
    text = spoil('category = "Thing"', 'category = "Beast"', text)
    text = spoil('answer = "a kettle"', "answer = 3", text)
    with pytest.raises(PackError) as found:
        load_pack(write(tmp_path, text))
    cards = [fault.card for fault in found.value.faults]
    assert cards.count("[pack]") == 2
    assert cards.count("thing-ladder") == 1
    assert cards.count("thing-kettle") == 1


@pytest.mark.parametrize(("raw", "says", "line", "column"), [
    (b"", "is empty", 1, 1), (b" \n\n", "is empty", 1, 1),
    (GOOD.encode("utf-16"), "UTF-16", 1, 1),
    (b'[pack]\ntitle = "Caf\xe9"\n', "not UTF-8", 2, 13),
    (b"\x00\x01\x02", "not valid TOML", 1, 1),
    (b"[[[[" * 2000, "not valid TOML", 1, 3),
    (b"a = " + b"[" * 100_000, "not valid TOML", 1, 1),
    (b"#" * 5_000_000, "larger than", 1, 1),
])
def test_files_that_are_no_packs_are_refused_in_one_sentence(
    tmp_path: Path, raw: bytes, says: str, line: int, column: int,
) -> None:
    """Wrong encoding, empty, huge, binary: one fault with its place, no traceback."""
    path = tmp_path / "odd.toml"
    path.write_bytes(raw)
    with pytest.raises(PackError) as found:
        load_pack(path)
    (fault,) = found.value.faults
    assert says in fault.text
    assert (fault.line, fault.column) == (line, column)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    """A missing file, a folder in a file's place, an empty folder each give a PackError that says so."""
    with pytest.raises(PackError, match="no such file"):
        load_pack(tmp_path / "none.toml")
    with pytest.raises(PackError, match="this is a folder"):
        load_pack(tmp_path)
    with pytest.raises(PackError, match="no pack in"):
        load_packs(tmp_path)


def test_a_mark_of_byte_order_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    """A file as Windows editors save it gives the same cards and lines."""
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    plain = load_pack(write(tmp_path, GOOD))
    assert load_pack(path) == plain


def test_packs_are_chosen_by_id_and_ids_come_once(tmp_path: Path) -> None:
    """load_packs keeps the order asked for, and refuses unknown ids and cards that come twice."""
    write(tmp_path, GOOD)
    write(tmp_path, spoil('"probe"', '"second"', HEADER) + spoil("thing-kettle", "thing-urn", OTHER), "b.toml")
    assert [pack.id for pack in load_packs(tmp_path)] == ["second", "probe"]
    assert [pack.id for pack in load_packs(tmp_path, ["probe", "second"])] == ["probe", "second"]
    assert [pack.id for pack in load_packs([tmp_path / "b.toml"])] == ["second"]
    with pytest.raises(PackError, match='no pack "third"; there are second, probe'):
        load_packs(tmp_path, ["third"])
    write(tmp_path, spoil('"probe"', '"third"', HEADER) + CARD, "c.toml")
    with pytest.raises(PackError, match=r'card id "thing-ladder" is that of another in .*c\.toml'):
        load_packs(tmp_path)


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    """It stays with another file name or line, and changes with any text."""
    one = digest(load_pack(write(tmp_path, GOOD)))
    assert digest(load_pack(write(tmp_path, "# moved\n\n" + GOOD, "other.toml"))) == one
    assert digest(load_pack(write(tmp_path, spoil("one rung", "two rungs")))) != one
    assert len(one) == 16


def test_everything_is_loaded_and_sealed(tmp_path: Path) -> None:
    """load() finds clues, ventures, board, words and numbers in a folder laid out like clues/."""
    for name, text in {"probe.toml": GOOD, "ventures.toml": VENTURES, "boards/short.toml": BOARD,
                       "venn/words.toml": WORDS, "venn/numbers.toml": NUMBERS}.items():
        write(tmp_path, text, name)
    packs = load(tmp_path, board="short", pronunciations={"ladder": (("L", "AE", "D", "ER"),)})
    assert [card.id for card in packs.clues] == ["thing-ladder", "thing-kettle"]
    assert [card.kind for card in packs.ventures] == ["move", "swap"]
    assert packs.board.id == "short"
    assert packs.words[0] == ("river", "heavy", "wedding")
    assert packs.numbers == ((1, 5, 9), (2, 3, 12))
    assert digest(load(tmp_path, ["probe"])) == digest(load(tmp_path)) != digest(packs)
    with pytest.raises(dataclasses.FrozenInstanceError):
        packs.clues = ()  # type: ignore[misc]  # that is what is tested
    with pytest.raises(PackError, match='no board "long"; there are short'):
        load(tmp_path, board="long")


def test_a_folder_without_boards_is_refused(tmp_path: Path) -> None:
    """A game needs a board; without one the folder is most likely wrong."""
    write(tmp_path, GOOD)
    with pytest.raises(PackError, match="no board in"):
        load(tmp_path)


@pytest.mark.parametrize(("old", "new", "says"), [
    ('kind = "move"', 'kind = "fly"', 'unknown kind "fly"'),
    ('who = "leader"', 'who = "nobody"', 'unknown who "nobody"'),
    ('who = "leader"', 'who = "all"', "swap needs one other piece"),
    ("n = 2\n", "", "move needs n"),
    ('kind = "move"\nn = 2', 'kind = "fewer"\nn = 6', "5 statements at most"),
    ('kind = "move"\nn = 2', 'kind = "shield"', "shield needs n"),
    ('id = "chairs"', 'id = "tailwind"', "already"),
    ('text = "Change places with the leader."', 'text = ""', '"text" is empty'),
    ("n = 2", 'n = "two"', "whole number"),
    ("n = 2", "n = 2\nspaces = 2", 'unknown key "spaces"'),
])
def test_venture_cards_are_checked(tmp_path: Path, old: str, new: str, says: str) -> None:
    """Each kind has what it needs, or the card is refused (CE-18)."""
    with pytest.raises(PackError) as found:
        load_ventures(write(tmp_path, spoil(old, new, VENTURES)))
    assert says in str(found.value)


def test_a_board_is_taken_as_its_spaces(tmp_path: Path) -> None:
    """length, red, triangles and arrows become spaces (CE-2)."""
    board = load_board(write(tmp_path, BOARD))
    assert len(board.spaces) == 8
    assert board.spaces[2] == Space(triangle=True)
    assert board.spaces[5] == Space(red=True, triangle=True)
    assert board.spaces[6] == Space(red=True, arrow=4)


@pytest.mark.parametrize(("old", "new", "says", "at"), [
    ("triangles = [2, 5]", "triangles = [2, 6]", "both a triangle and an arrow", "triangles"),
    ("triangles = [2, 5]", "triangles = [0, 5]", "START or the Winner's Circle", "triangles"),
    ("triangles = [2, 5]", "triangles = [7]", "START or the Winner's Circle", "triangles"),
    ("triangles = [2, 5]", "triangles = [8]", "is no space", "triangles"),
    ("to = 4", "to = 3", "earlier red space", "to ="),
    ("to = 4", "to = 6", "earlier red space", "to ="),
    ("from = 6", "from = 3", "is not red", "from ="),
    ("from = 6\nto = 4", "from = 5\nto = 6", "earlier red space", "to ="),
    ("from = 6", "from = 7", "is not red", "from ="),
    ("red = [4, 5, 6]", "red = [0, 4, 5, 6]", "START must not be red", "red ="),
    ("length = 8", "length = 2", "from 4 to 200", "length ="),
    ('licence = "CC BY 4.0"\n', "", '"licence" is missing', None),
    ("red = [", "reds = [", 'unknown key "reds"', "reds ="),
])
def test_ce_2_refuses_boards(tmp_path: Path, old: str, new: str, says: str, at: str | None) -> None:
    """A board is refused where CE-2 says so, with the line."""
    text = spoil(old, new, BOARD)
    with pytest.raises(PackError) as found:
        load_board(write(tmp_path, text))
    hits = [fault for fault in found.value.faults if says in fault.text]
    assert hits, str(found.value)
    if at:
        assert hits[0].line == line_of(text, at)


@pytest.mark.parametrize(("text", "says"), [
    (HEADER + 'cards = [["a", "b"]]\n', "three entries"),
    (HEADER + 'cards = [["river", "heavy", 3]]\n', "three words"),
    (HEADER + 'cards = [["river", "heavy", ""]]\n', "three words"),
    (HEADER + 'cards = [["river", "heavy", "River"]]\n', '"River" stands on card 1 already'),
    (HEADER + "cards = []\n", '"cards" must be a list'),
    ('cards = [["river", "heavy", "wedding"]]\n', "[pack] is missing"),
])
def test_venn_words_are_checked(tmp_path: Path, text: str, says: str) -> None:
    """Word cards have three different words each (VN-2)."""
    with pytest.raises(PackError) as found:
        load_words(write(tmp_path, text))
    assert says in str(found.value)


@pytest.mark.parametrize("card", ["[1, 2]", "[1, 2, 2]", "[0, 1, 2]", "[1, 2, 13]", '[1, 2, "3"]', "[1, 2, true]", "4"])
def test_venn_numbers_are_checked(tmp_path: Path, card: str) -> None:
    """Number cards have three different numbers from 1 to 12 (VN-4)."""
    with pytest.raises(PackError, match="card 2 must have three"):
        load_numbers(write(tmp_path, f"{HEADER}cards = [[1, 2, 3],\n {card}]\n"))


_texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r", exclude_categories=("Cs", "Cc")),
                 max_size=12)
_values = st.one_of(
    st.integers(-99, 99).map(str), st.just("{ a = [1, 2], b = '#' }"),
    _texts.map(lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'),
    _texts.filter(lambda text: "'" not in text).map(lambda text: f"'{text}'"),
    _texts.filter(lambda text: not set('"\\') & set(text)).map(lambda text: f'"""\n{text}\n[[card]]\nx = 1\n"""'),
)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.lists(_values, max_size=3), st.booleans()), max_size=6,
                unique_by=lambda row: row[0]))
def test_the_scanner_finds_what_tomllib_finds(rows: list[tuple[str, list[str], bool]]) -> None:
    """Keys and the number of items agree with tomllib's for lists with strings, brackets, comments in between."""
    text = "# head ] [ \n[[card]]\n"
    for key, values, spread in rows:
        between = ", # [ \"\n  " if spread else ", "
        text += f"{key} = [{between.join(values)}] # = [\n"
    places = scan(text)[1].places
    data = tomllib.loads(text)["card"][0]
    assert {name for name, item in places if item == -1} == set(data)
    for key, value in data.items():
        assert sorted(item for name, item in places if name == key and item >= 0) == list(range(len(value)))
        assert text.split("\n")[places[key, -1][0] - 1].startswith(f"{key} = [")
