"""Venture cards, boards, Venn's words and numbers from files, and all of them sealed into Packs."""

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from host.packs import VENTURE_KINDS, WHO, Board, Fault, Pack, PackError, Packs, Space, Venture
from host.packs.checks import sift
from host.packs.files import Reader, accepted, gathered, header, load_packs, reader_of, rows
from host.packs.source import Source, read_source

SWAPPERS = ("left", "right", "leader", "last")
FEWEST_SPACES = 4
"""START, one plain, one red, the Circle."""
MOST_SPACES = 200
BOARD_FIELDS = ("id", "title", "licence", "source", "audience", "original", "length", "red", "triangles", "note")


def _venture(reader: Reader) -> Venture:
    reader.known(("id", "text", "kind", "who", "n"), ("id", "text", "kind"))
    card = Venture(
        id=reader.needed("id"), text=reader.needed("text"), kind=reader.text("kind"),
        who=reader.text("who", "self"), n=reader.integer("n", 0, -30, 30),
    )
    if card.kind not in VENTURE_KINDS:
        reader.fault(f'unknown kind "{card.kind}"; take one of {", ".join(VENTURE_KINDS)}', "kind")
    if card.who not in WHO:
        reader.fault(f'unknown who "{card.who}"; take one of {", ".join(WHO)}', "who")
    if card.kind == "swap" and card.who not in SWAPPERS:
        reader.fault(f"swap needs one other piece; who must be one of {', '.join(SWAPPERS)}", "who")
    if card.kind == "move" and card.n == 0:
        reader.fault("move needs n, the spaces to move (negative: back)", "n")
    if card.kind in ("free", "fewer", "bonus", "shield") and card.n < 1:
        reader.fault(f"{card.kind} needs n, 1 or more", "n")
    if card.kind == "fewer" and card.n > 5:
        reader.fault("fewer may take away 5 statements at most, n = 1 to 5", "n")
    return card


def read_ventures(path: Path) -> tuple[tuple[Venture, ...] | None, tuple[Fault, ...]]:
    """The Venture cards of a file, [[venture]] with id, text, kind, who, n (CE-18), and the faults found."""
    source, faults = read_source(path)
    if source is None:
        return None, faults
    found: list[Fault] = []
    header(source, found)
    cards: dict[str, Venture] = {}
    for reader in rows(source, "venture", found):
        card = _venture(reader)
        if card.id in cards:
            reader.fault("this id stands there already; give it another", "id")
        cards[card.id] = card
        found += reader.faults
    return tuple(cards.values()), tuple(found)


def load_ventures(path: Path) -> tuple[Venture, ...]:
    """The Venture cards of a file. Raises PackError."""
    return accepted(*read_ventures(path))


def _numbers(reader: Reader, name: str, length: int) -> dict[int, int]:
    """Space -> its item in the list of that name; faults for what is no space of the board."""
    raw = reader.raw.get(name, [])
    if not isinstance(raw, list):
        reader.fault(f'"{name}" must be a list of spaces, [19, 20, 21]', name)
        return {}
    found: dict[int, int] = {}
    for item, space in enumerate(raw):
        if type(space) is not int or not 0 <= space < length:
            reader.fault(f'"{space}" in {name} is no space; they are counted from 0 to {length - 1}', name, item)
        else:
            found[space] = item
    return found


def _arrows(source: Source, faults: list[Fault], red: Mapping[int, int]) -> dict[int, int]:
    """Space -> where its arrow points to; faults by CE-2."""
    if "arrow" not in source.data:
        return {}
    found: dict[int, int] = {}
    readers = rows(source, "arrow", faults, tuple(source.data))
    for reader in readers:
        reader.known(("from", "to"), ("from", "to"))
        begin, end = (reader.integer(name, -1, 0, MOST_SPACES) for name in ("from", "to"))
        if begin in found:
            reader.fault(f"space {begin} has an arrow already; remove one", "from")
        found[begin] = end
    for reader in readers:
        start, goal = reader.raw.get("from", 0), reader.raw.get("to", 0)
        if not reader.faults and start not in red:
            reader.fault(f"space {start} has an arrow but is not red (CE-2)", "from")
        if not reader.faults and not (goal in red and goal not in found and goal < start):
            reader.fault(f"the arrow of space {start} must point to an earlier red space without an arrow (CE-2)", "to")
        faults += reader.faults
    return found


def read_board(path: Path) -> tuple[Board | None, tuple[Fault, ...]]:
    """A board and the faults found: its papers, length, red, triangles and [[arrow]] (CE-2)."""
    source, faults = read_source(path)
    if source is None:
        return None, faults
    reader = reader_of(source, source.data, source.tables[0], "board")
    reader.known((*BOARD_FIELDS, "arrow"), ("id", "title", "licence", "source", "length", "red"))
    name, title = reader.needed("id"), reader.needed("title")
    reader.needed("licence"), reader.needed("source")
    length = reader.integer("length", FEWEST_SPACES, FEWEST_SPACES, MOST_SPACES)
    red, triangles = _numbers(reader, "red", length), _numbers(reader, "triangles", length)
    found: list[Fault] = []
    arrows = _arrows(source, found, red)
    for space, item in triangles.items():
        if space in arrows:
            reader.fault(f"space {space} has both a triangle and an arrow; keep one (CE-2)", "triangles", item)
        if space in (0, length - 1):
            reader.fault(f"space {space} is START or the Winner's Circle; it has no triangle (CE-2)", "triangles", item)
    if 0 in red:
        reader.fault("START must not be red (CE-2)", "red", red[0])
    if length - 1 in arrows:
        reader.fault("the Winner's Circle has no arrow (CE-2)", "length")
    spaces = tuple(Space(space in red, space in triangles, arrows.get(space)) for space in range(length))
    return Board(name, title, spaces), (*reader.faults, *found)


def load_board(path: Path) -> Board:
    """A board. Raises PackError, also for what CE-2 refuses."""
    return accepted(*read_board(path))


def _cards_of_three(path: Path) -> tuple[Reader, list[tuple[int, list[Any]]]]:
    source, faults = read_source(path)
    if source is None:
        return Reader({}, str(path), "", (1, 1), {}, list(faults)), []
    found: list[Fault] = []
    header(source, found)
    # `cards` may stand before [pack] or, as TOML then reads it, within it
    inside = source.data.get("pack", {})
    raw = source.data.get("cards", inside.get("cards", []) if isinstance(inside, dict) else [])
    place = next((table for table in source.tables if ("cards", -1) in table.places), source.tables[0])
    reader = reader_of(source, {"cards": raw}, place, "cards")
    reader.faults = found
    cards = []
    if not isinstance(raw, list) or not raw:
        reader.fault('"cards" must be a list of cards of three, [["...", "...", "..."], ...]', "cards")
        raw = []
    for number, card in enumerate(raw):
        if isinstance(card, list) and len(card) == 3:
            cards.append((number, card))
        else:
            reader.fault(f"card {number + 1} must have three entries", "cards", number)
    return reader, cards


def read_words(path: Path) -> tuple[tuple[tuple[str, str, str], ...], tuple[Fault, ...]]:
    """Venn's word cards of three, [pack] and `cards` (VN-2), and the faults found; no word may come twice."""
    reader, cards = _cards_of_three(path)
    found: list[tuple[str, str, str]] = []
    seen: dict[str, int] = {}
    for number, card in cards:
        words = Reader({"cards": card}, reader.file, f"card {number + 1}", reader.place, {}).texts("cards")
        if len(words) != 3:
            reader.fault(f"card {number + 1} must have three words in quotes, none empty", "cards", number)
            continue
        for word in words:
            if word.casefold() in seen:
                reader.fault(f'"{word}" stands on card {seen[word.casefold()]} already', "cards", number)
            seen[word.casefold()] = number + 1
        found.append((words[0], words[1], words[2]))
    return tuple(found), tuple(reader.faults)


def load_words(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Venn's word cards. Raises PackError."""
    return accepted(*read_words(path))


def read_numbers(path: Path) -> tuple[tuple[tuple[int, int, int], ...], tuple[Fault, ...]]:
    """Venn's number cards, three different numbers from 1 to 12 each (VN-4), and the faults found."""
    reader, cards = _cards_of_three(path)
    found: list[tuple[int, int, int]] = []
    for number, card in cards:
        if all(type(one) is int and 1 <= one <= 12 for one in card) and len(set(card)) == 3:
            found.append((card[0], card[1], card[2]))
        else:
            reader.fault(f"card {number + 1} must have three different numbers from 1 to 12 (VN-4)", "cards", number)
    return tuple(found), tuple(reader.faults)


def load_numbers(path: Path) -> tuple[tuple[int, int, int], ...]:
    """Venn's number cards. Raises PackError."""
    return accepted(*read_numbers(path))


def load_confusable(path: Path) -> tuple[tuple[tuple[str, str], ...], float]:
    """Pairs of list words that must not stand in one round, and the least distance in sound (VN-2).

    Nothing where there is no file. Raises PackError where it is not what `host.bench.confusable` writes.
    """
    if not path.exists():
        return (), 0.0
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        pairs = tuple((str(one), str(other)) for one, other in table["pairs"])
        return pairs, float(table["closest"])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise PackError(f"{path} can't be used ({error}); make it again: python -m host.bench.confusable") from error


def load(
    folder: Path, packs: Iterable[str] | None = None, board: str | None = None, *, more: Iterable[Path] = (),
    family: bool = True, pronunciations: Mapping[str, tuple[tuple[str, ...], ...]] | None = None,
) -> Packs:
    """All that a game draws from, sealed.

    `folder` is laid out like clues/; `packs` and `board` choose by id (all packs, the first board); `more` are files
    or folders of the family's own packs. Cards that need a picture (CON-02), or that the family filter holds back
    unless `family` is False (CON-05), are left out. Raises PackError with the faults of all files.
    """
    boards = sorted((folder / "boards").glob("*.toml"))
    if not boards:
        raise PackError(f"there is no board in {folder / 'boards'}; is the folder right?")
    clues, _ = sift(load_packs([folder, *more], packs), family=family)
    loaded = gathered(boards, load_board)
    chosen = loaded[0] if board is None else next((one for one in loaded if one.id == board), None)
    if chosen is None:
        raise PackError(f'no board "{board}"; there are {", ".join(one.id for one in loaded)}')
    ventures, venn = folder / "ventures.toml", folder / "venn"
    words, numbers = venn / "words.toml", venn / "numbers.toml"
    confusable, closest = load_confusable(venn / "confusable.toml")
    return Packs(
        clues=tuple(card for pack in clues for card in pack.cards), board=chosen,
        ventures=load_ventures(ventures) if ventures.exists() else (),
        words=load_words(words) if words.exists() else (),
        numbers=load_numbers(numbers) if numbers.exists() else (), confusable=confusable, closest=closest,
        pronunciations=dict(pronunciations or {}),
    )


def digest(packs: Packs | Pack) -> str:
    """A hash of the content, for logs: 16 hex digits that change with any card, and not with its line or file."""
    plain = dataclasses.asdict(dataclasses.replace(packs, places={}, file="") if isinstance(packs, Pack) else packs)
    for card in plain.get("clues", ()) or plain.get("cards", ()):
        del card["line"]
    text = json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
