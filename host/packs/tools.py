"""For authors: check packs, begin a new one, bring one in from a spreadsheet, write one as TOML."""

import csv
import io
import re
import tomllib
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from host.packs import STATEMENTS, Card, Fault, Pack
from host.packs.checks import check, report, sift
from host.packs.decks import read_board, read_numbers, read_ventures, read_words
from host.packs.files import LISTS, PACK_FIELDS, Reader, accepted, assemble, clue_files, read_pack, refused
from host.packs.source import Place, read_text
from host.packs.text import fold, read_lexicon, words

STATEMENT_COLUMNS = tuple(f"statement{number}" for number in range(1, STATEMENTS + 1))
COLUMNS = (
    "id", "category", "answer", "essential", "aliases", "aliases_written", "prompt", "prompt_written", "never",
    "rivals", "sounds", *STATEMENT_COLUMNS, "false_statement", "note", "region", "century", "basis", "difficulty",
)
"""Of a spreadsheet, in any order; the first row names them. Lists are parted by | or ;."""

TEMPLATE = '''# A pack of clue cards for Clever Endeavor. docs/PACKS.md explains every line.
# Check it:  gamehost packs check {file}
# Lines that begin with # are for you; the game does not read them.

[pack]
id = "{id}"                  # small letters, digits, hyphens
title = "{title}"
licence = "private"          # who may use it: "private", "CC BY 4.0", ...
source = "own"               # where the cards come from
audience = "family"

# One block for each card. Copy it, give it another id, and fill it in.
[[card]]
id = "{id}-table"            # no two alike in all packs
category = "Thing"           # Person, Place, Thing, Event or Mystery
answer = "our kitchen table" # as the host says it
essential = "kitchen table"  # what a guess must contain; a list if one of several will do
aliases = ["the dining table"]              # other right answers
prompt = ["a table", "furniture"]           # true but too general: the host asks "more exactly?"
never = ["a desk"]                          # wrong, however near
rivals = ["the sofa", "the fridge", "the bread bin", "the piano"]   # likely wrong guesses, four at least
sounds = {{}}                  # words said otherwise than spelt: {{ Goethe = "G ER T AH" }}
region = "none"              # africa, asia, europe, north-america, south-america, oceania, antarctica, world, none
century = 21                 # -2 is the second before Christ
# Six sentences from vague to telling, each at most 20 words, none with a word of the answer.
statements = [
  "I have four legs and have never gone for a walk.",
  "Jigsaws, quarrels and birthdays are laid out on me.",
  "Before a party I may grow a leaf, though nobody waters me.",
  "I wear a cloth, but only when guests come.",
  "You are told to keep your elbows off me.",
  "Without me, breakfast would be on the floor.",
]
false_statement = "I like to spend the night in the bath."   # obviously wrong, for the game in which one is a lie
note = "Write here what only your family knows; it is read out afterwards."
basis = "look around"        # where a checker would look
difficulty = 1               # 1 easy to 3 hard
'''


def _toml_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda sign: f"\\u{ord(sign.group()):04x}", escaped) + '"'


def _toml_list(texts: Iterable[str], several_lines: bool = False) -> str:
    quoted = [_toml_text(text) for text in texts]
    return "[\n" + "".join(f"  {text},\n" for text in quoted) + "]" if several_lines else f"[{', '.join(quoted)}]"


def to_toml(pack: Pack) -> str:
    """The pack as a file; loading it gives the same cards."""
    lines = ["[pack]"]
    lines += [f"{name} = {_toml_text(getattr(pack, name))}" for name in PACK_FIELDS]
    for card in pack.cards:
        lines += ["", "[[card]]", *_card_lines(card)]
    return "\n".join(lines) + "\n"


def _card_lines(card: Card) -> list[str]:
    ways: dict[str, list[str]] = {}
    for word, spelt in card.sounds:
        ways.setdefault(word, []).append(spelt)
    sounds = ", ".join(f"{_toml_text(word)} = {_toml_text(' / '.join(spelt))}" for word, spelt in ways.items())
    values: dict[str, str] = {
        name: _toml_text(getattr(card, name)) for name in ("id", "category", "answer", "false_statement", "note",
                                                           "region", "basis")}
    values |= {name: _toml_list(getattr(card, name), name == "statements") for name in LISTS}
    values |= {"sounds": f"{{ {sounds} }}" if sounds else "{}", "century": str(card.century),
               "difficulty": str(card.difficulty)}
    order = [name for name in COLUMNS if name not in STATEMENT_COLUMNS]
    order.insert(order.index("false_statement"), "statements")
    return [f"{name} = {values[name]}" for name in order]


def new_pack(name: str, folder: Path) -> Path:
    """Writes a commented template `NAME.toml` and returns its path. Raises ValueError, FileExistsError, OSError."""
    slug = _slug(name)
    if not slug:
        raise ValueError(f'"{name}" has no letter from a to z in it; name the pack otherwise')
    path = folder / f"{slug}.toml"
    title = " ".join(name.replace("\\", " ").replace('"', "'").split())
    folder.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(TEMPLATE.format(file=path, id=slug, title=title))
    return path


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")


def _split(cell: str) -> list[str]:
    return [part.strip() for part in re.split(r"[|;]", cell) if part.strip()]


def _delimiter(first: str) -> str:
    return max(",;\t", key=first.count)


def _number(cell: str) -> int | str:
    return int(cell) if re.fullmatch(r"[+-]?\d{1,4}", cell.strip()) else cell


def _raw(row: dict[str, str]) -> dict[str, Any]:
    """A row's cells as the fields of a card; empty cells are left out."""
    raw: dict[str, Any] = {}
    for name, cell in row.items():
        if not cell.strip() or name in STATEMENT_COLUMNS:
            continue
        if name in LISTS:
            raw[name] = _split(cell)
        elif name in ("century", "difficulty"):
            raw[name] = _number(cell)
        elif name == "sounds":
            raw[name] = {word.strip(): spelt for part in _split(cell) for word, _, spelt in [part.partition("=")]}
        else:
            raw[name] = cell
    raw["statements"] = [row[name] for name in STATEMENT_COLUMNS if row.get(name, "").strip()]
    if "id" not in raw and raw.get("answer"):
        raw["id"] = _slug(f"{raw.get('category', '')} {raw['answer']}")
    return raw


def _places(names: list[str], cells: list[str], line: int) -> dict[tuple[str, int], Place]:
    """Where a row's fields stand; "statements" as a whole where the first of them is missing."""
    places: dict[tuple[str, int], Place] = {}
    for column, (name, cell) in enumerate(zip_longest(names, cells[: len(names)], fillvalue=""), 1):
        if name in STATEMENT_COLUMNS:
            places["statements", STATEMENT_COLUMNS.index(name)] = (line, column)
            if not cell.strip():
                places.setdefault(("statements", -1), (line, column))
        places[name, -1] = (line, column)
    return places


def _head(names: list[str], file: str) -> list[Fault]:
    faults = [Fault(file, 1, "", f'unknown column "{name}"; the columns are {", ".join(COLUMNS)}', "refused", column)
              for column, name in enumerate(names, 1) if name and name not in COLUMNS]
    faults += [Fault(file, 1, "", f'column "{name}" comes twice; remove one', "refused", column)
               for column, name in enumerate(names, 1) if name and name in names[:column - 1]]
    faults += [Fault(file, 1, "", f'there is no column "{name}"; add it to the first row', "refused")
               for name in ("category", "answer", *STATEMENT_COLUMNS) if name not in names]
    return faults


def read_csv(path: Path, papers: dict[str, str]) -> tuple[Pack | None, tuple[Fault, ...]]:
    """A pack out of a spreadsheet saved as CSV, and its faults; a fault's column counts cells, from 1 (A)."""
    text, faults = read_text(path)
    if faults:
        return None, faults
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text.split("\n", 1)[0]), strict=True)
    found: list[Fault] = []
    readers: list[Reader] = []
    names: list[str] = []
    line = 1
    try:
        for cells in rows:
            if not names:
                names = [cell.strip().casefold().replace(" ", "_") for cell in cells]
                found += _head(names, str(path))
            elif any(cell.strip() for cell in cells):
                if any(cell.strip() for cell in cells[len(names):]):
                    text = "more cells than columns; put texts with commas in quotes"
                    found.append(Fault(str(path), line, "", text, "refused", len(names) + 1))
                raw = _raw({name: cell for name, cell in zip(names, cells, strict=False) if name in COLUMNS})
                readers.append(Reader(raw, str(path), str(raw.get("id", f"row {line}")), (line, 1),
                                      _places(names, cells, line)))
            line = rows.line_num + 1
    except csv.Error as error:
        found.append(Fault(str(path), line, "", f"the row can't be read ({error}); look for a stray quote", "refused"))
    if not readers and not found:
        found.append(Fault(str(path), 1, "", "there are no cards below the first row", "refused"))
    return assemble(papers, readers, str(path), found), tuple(found)


def from_csv(path: Path, *, title: str = "", licence: str = "private", source: str = "") -> Pack:
    """A pack out of a spreadsheet saved as CSV (COLUMNS; `to_toml` writes it). Raises PackError with all faults."""
    slug = _slug(path.stem) or "pack"
    papers = {"id": slug, "title": title or path.stem, "licence": licence, "source": source or f"from {path.name}",
              "audience": "family"}
    return accepted(*read_csv(path, papers))


def _read_any(path: Path) -> tuple[object, tuple[Fault, ...]]:
    """Whatever kind of pack file it is, by its place and tables."""
    if path.suffix.lower() == ".csv":
        return read_csv(path, {"id": _slug(path.stem) or "pack", "title": path.stem, "licence": "private",
                               "source": path.name, "audience": "family"})
    kinds: tuple[tuple[str, Callable[[Path], tuple[object, tuple[Fault, ...]]]], ...] = (
        ("venture", read_ventures), ("length", read_board))
    text, _ = read_text(path)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        data = {}
    if path.parent.name == "boards":
        return read_board(path)
    for table, read in kinds:
        if table in data:
            return read(path)
    if path.parent.name == "venn":
        return read_numbers(path) if path.stem == "numbers" else read_words(path)
    return read_pack(path)


def _files(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        found += clue_files(path)
        if path.is_dir():
            others = ("ventures.toml", "boards/*.toml", "venn/words.toml", "venn/numbers.toml")
            found += [file for pattern in others for file in sorted(path.glob(pattern))]
    return list(dict.fromkeys(found))


def spelt_right(paths: Iterable[Path]) -> frozenset[str]:
    """Words that are right though they are in no dictionary: spelling.txt in a checked folder or beside a file."""
    folders = dict.fromkeys(path if path.is_dir() else path.parent for path in paths)
    lines = [line for folder in folders if (folder / "spelling.txt").is_file()
             for line in read_text(folder / "spelling.txt")[0].split("\n")]
    return frozenset(word for line in lines for word in words(line.split("#")[0]))


def run_check(paths: Iterable[Path], lexicon_path: Path | None = None, *, warnings: bool = True) -> tuple[int, str]:
    """Checks files, or folders laid out like clues/. Returns the exit code and what to print.

    0: nothing but warnings; 1: faults; 2: there was nothing to check, or no such lexicon.
    """
    paths = list(paths)
    files = _files(paths)
    if not files:
        return 2, "there is no pack to check; name a file or a folder with *.toml files"
    try:
        lexicon = read_lexicon(lexicon_path) if lexicon_path else None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        return 2, f"the lexicon {lexicon_path} can't be read ({error}); name the model's lexicon.txt"
    packs: list[Pack] = []
    faults: list[Fault] = []
    for path in files:
        value, found = _read_any(path)
        faults += found
        if isinstance(value, Pack):
            packs.append(value)
    faults += check(packs, lexicon, spelt_right(paths))
    order = {str(path): number for number, path in enumerate(files)}
    faults.sort(key=lambda fault: (order[fault.file], fault.line, fault.column))
    _, out = sift(packs)
    bad = [fault for fault in faults if fault.severity != "warning"]
    lines = [str(fault) for fault in faults if warnings or fault.severity != "warning"]
    if packs:
        lines += ["", report(packs)]
    if out:
        lines.append(f"left out of play (need a picture or sound, or the family filter): {', '.join(out)}")
    if refused(faults):
        lines.append("files or cards that can't be loaded are not counted")
    counts = ((len(files), "file"), (len(bad), "fault"), (len(faults) - len(bad), "warning"))
    lines.append(", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts))
    return int(bool(bad)), "\n".join(lines)
