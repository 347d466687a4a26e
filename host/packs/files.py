"""Packs from files: clue cards, venture cards, boards, Venn's words and numbers (docs/PACKS.md).

What can't be used is refused with all its faults at once (PackError). What is merely bad to play is left to
`checks`. Text is cleaned here, once: entities decoded, letters composed, blanks single (ANS-15, CON-01).
"""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rapidfuzz import fuzz, process

from host.packs import CATEGORIES, STATEMENTS, Card, Fault, Pack, PackError
from host.packs.source import Place, Source, Table, read_source
from host.packs.text import ENTITY, clean, phones, without_article

PACK_FIELDS = ("id", "title", "licence", "source", "audience")
TEXTS = ("id", "category", "answer", "false_statement", "note", "region", "basis")
LISTS = ("essential", "aliases", "aliases_written", "prompt", "prompt_written", "never", "rivals", "statements")
INTEGERS = ("century", "difficulty")
CARD_FIELDS = tuple(item.name for item in dataclasses.fields(Card) if item.name not in ("pack", "line"))
REQUIRED = ("id", "category", "answer", "statements")
_PHONES = "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH"
PHONES = frozenset(_PHONES.split())
OLDEST = -150_000_000
"""Centuries; before it there was nothing to ask about."""
T = TypeVar("T")
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


@dataclass
class Reader:
    """One table of a file: takes its fields by type, and collects faults instead of stopping at the first."""

    raw: Mapping[str, Any]
    file: str
    card: str
    place: Place
    places: Mapping[tuple[str, int], Place]
    faults: list[Fault] = field(default_factory=list)

    def fault(self, text: str, name: str = "", item: int = -1, severity: str = "refused") -> None:
        """Notes a fault of a field, or of one item of it."""
        line, column = self.places.get((name, item)) or self.places.get((name, -1)) or self.place
        self.faults.append(Fault(self.file, line, self.card, text, severity, column))

    def known(self, names: tuple[str, ...], required: tuple[str, ...]) -> None:
        """Faults for keys that nobody knows and for required ones that are missing."""
        for key in self.raw:
            if key not in names:
                guess = process.extractOne(key, names, scorer=fuzz.ratio, score_cutoff=60)
                self.fault(f'unknown key "{key}"; ' + (f'did you mean "{guess[0]}"?' if guess else "remove it"), key)
        for key in required:
            if key not in self.raw:
                self.fault(f'"{key}" is missing; add it', key)

    def _clean(self, text: str, name: str, item: int = -1) -> str:
        found = ENTITY.search(text)
        if found:
            self.fault(f'"{found[0]}" in {name} is an HTML entity; write the sign itself', name, item, "error")
        return clean(text)

    def text(self, name: str, default: str = "") -> str:
        """A cleaned string."""
        value = self.raw.get(name, default)
        if not isinstance(value, str):
            self.fault(f'"{name}" must be text in quotes', name)
            return default
        return self._clean(value, name)

    def needed(self, name: str) -> str:
        """A cleaned string that may not be empty."""
        value = self.text(name)
        if not value and isinstance(self.raw.get(name), str):
            self.fault(f'"{name}" is empty; fill it in', name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of cleaned strings; a single string is a list of one."""
        value = self.raw.get(name, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list):
            self.fault(f'"{name}" must be a list of texts, ["...", "..."]', name)
            return ()
        found = []
        for item, one in enumerate(value):
            if not isinstance(one, str):
                self.fault(f'item {item + 1} of "{name}" must be text in quotes', name, item)
            elif not one.strip():
                self.fault(f'item {item + 1} of "{name}" is empty; fill it in or remove it', name, item)
            else:
                found.append(self._clean(one, name, item))
        return tuple(found)

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from low to high."""
        value = self.raw.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(f'"{name}" must be a whole number from {low} to {high}', name)
            return default
        return value


def _sounds(reader: Reader) -> tuple[tuple[str, str], ...]:
    value = reader.raw.get("sounds", {})
    if not isinstance(value, dict) or not all(isinstance(spelt, str) for spelt in value.values()):
        reader.fault('"sounds" must be a table such as { Goethe = "G ER T AH" }', "sounds")
        return ()
    found = []
    for word, ways in value.items():
        for spelt in ways.split("/"):
            wrong = [phone for phone in phones(spelt) if phone not in PHONES]
            if wrong or not spelt.strip():
                what = f'"{wrong[0]}" is no ARPABET phone' if wrong else "it is empty"
                reader.fault(f'the sound of "{word}" can\'t be read: {what}; docs/PACKS.md lists them', "sounds")
            found.append((clean(word), " ".join(phones(spelt))))
    return tuple(dict.fromkeys(found))


def build_card(reader: Reader, pack: str) -> Card:
    """A card out of a table. Its faults are in the reader; with a refused one the card must not be used."""
    reader.known(CARD_FIELDS, REQUIRED)
    texts = {name: reader.needed(name) if name in REQUIRED else reader.text(name) for name in TEXTS}
    lists = {name: reader.texts(name) for name in LISTS}
    if texts["id"] and not ID.match(texts["id"]):
        reader.fault(f'id "{texts["id"]}" may have only small letters, digits and single hyphens', "id")
    if texts["category"] and texts["category"] not in CATEGORIES:
        reader.fault(f'unknown category "{texts["category"]}"; take one of {", ".join(CATEGORIES)}', "category")
    if "statements" in reader.raw and len(lists["statements"]) != STATEMENTS:
        reader.fault(f"a card has {STATEMENTS} statements, this one {len(lists['statements'])}", "statements")
    return Card(
        id=texts["id"], category=texts["category"], answer=texts["answer"],
        essential=lists["essential"] or (without_article(texts["answer"]),), statements=lists["statements"],
        false_statement=texts["false_statement"], aliases=lists["aliases"],
        aliases_written=lists["aliases_written"], prompt=lists["prompt"], prompt_written=lists["prompt_written"],
        never=lists["never"], rivals=lists["rivals"], sounds=_sounds(reader), note=texts["note"],
        region=texts["region"].lower().replace(" ", "-") or "none", basis=texts["basis"],
        century=reader.integer("century", 20, OLDEST, 30), difficulty=reader.integer("difficulty", 1, 1, 3),
        pack=pack, line=reader.place[0],
    )


def reader_of(source: Source, raw: object, table: Table | None, label: str) -> Reader:
    """A reader of one table of a source; whatever is no table is a fault."""
    card = raw.get("id", label) if isinstance(raw, dict) else label
    place = table.place if table else (1, 1)
    reader = Reader(raw if isinstance(raw, dict) else {}, source.file, str(card), place, table.places if table else {})
    if not isinstance(raw, dict):
        reader.fault(f"{label} must be a table; see docs/PACKS.md")
    return reader


def header(source: Source, faults: list[Fault]) -> dict[str, str]:
    """The papers of a file, [pack]; licence and source are required (CON-08)."""
    if "pack" not in source.data:
        faults.append(Fault(source.file, 1, "", "the header [pack] is missing; docs/PACKS.md shows one", "refused"))
        return dict.fromkeys(PACK_FIELDS, "")
    table = next(iter(source.named("pack")), None)
    reader = reader_of(source, source.data["pack"], table, "[pack]")
    reader.card = "[pack]"
    reader.known((*PACK_FIELDS, "note", "cards"), PACK_FIELDS[:4])
    found = {name: reader.needed(name) for name in PACK_FIELDS[:4]}
    found["audience"] = reader.text("audience", "family") or "family"
    if found["id"] and not ID.match(found["id"]):
        reader.fault(f'id "{found["id"]}" may have only small letters, digits and single hyphens', "id")
    faults += reader.faults
    return found


def rows(source: Source, name: str, faults: list[Fault], others: tuple[str, ...] = ("pack",)) -> list[Reader]:
    """A reader for each [[name]] of the file; a fault if there is none."""
    for key in source.data:
        if key not in (name, *others):
            place = next((t.place for t in source.tables if t.name.split(".")[0] == key), (1, 1))
            place = source.tables[0].places.get((key, -1), place)
            faults.append(Fault(source.file, place[0], "", f'unknown table "{key}"; it must be [[{name}]]', "refused"))
    found = source.data.get(name, [])
    if not isinstance(found, list) or not found:
        faults.append(Fault(source.file, 1, "", f"there is no [[{name}]] in the file; add one", "refused"))
        return []
    tables: list[Table | None] = list(source.named(name))
    tables += [None] * (len(found) - len(tables))
    return [reader_of(source, raw, table, f"{name} {number}")
            for number, (raw, table) in enumerate(zip(found, tables, strict=False), 1)]


def refused(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Those that keep a file from being loaded."""
    return tuple(fault for fault in faults if fault.severity == "refused")


def assemble(papers: Mapping[str, str], readers: Iterable[Reader], file: str, faults: list[Fault]) -> Pack:
    """The pack of the cards that can be used; the faults of all are added to `faults`."""
    cards: list[Card] = []
    places: dict[tuple[str, str, int], Place] = {}
    lines: dict[str, int] = {}
    for reader in readers:
        card = build_card(reader, papers["id"])
        if card.id in lines:
            reader.fault(f"this id stands in line {lines[card.id]} already; give it another", "id")
        faults += reader.faults
        if refused(reader.faults):
            continue
        cards.append(card)
        lines[card.id] = card.line
        places[card.id, "", -1] = reader.place
        places |= {(card.id, name, item): place for (name, item), place in reader.places.items()}
    kept = {name: papers[name] for name in PACK_FIELDS}
    return Pack(**kept, cards=tuple(cards), file=file, places=places)


def read_pack(path: Path) -> tuple[Pack | None, tuple[Fault, ...]]:
    """The pack with those of its cards that can be used, and the faults found while reading it."""
    source, faults = read_source(path)
    if source is None:
        return None, faults
    found: list[Fault] = []
    papers = header(source, found)
    pack = assemble(papers, rows(source, "card", found), source.file, found)
    return pack, tuple(sorted(found, key=lambda fault: (fault.line, fault.column)))


def accepted(value: T | None, faults: Iterable[Fault]) -> T:
    """The value, or PackError with all faults that refuse it."""
    bad = refused(faults)
    if bad or value is None:
        raise PackError("\n".join(map(str, bad)), bad)
    return value


def load_pack(path: Path) -> Pack:
    """A pack of clue cards. Raises PackError with all faults that keep it from being used."""
    return accepted(*read_pack(path))


def clue_files(where: Path | Iterable[Path]) -> list[Path]:
    """The files of clue cards in a folder (all *.toml but ventures.toml), or in a list of files and folders."""
    found: list[Path] = []
    for path in [where] if isinstance(where, Path) else where:
        found += sorted(p for p in path.glob("*.toml") if p.name != "ventures.toml") if path.is_dir() else [path]
    return found


def gathered(paths: Iterable[Path], load: Callable[[Path], T]) -> list[T]:
    """Each path loaded. Raises PackError with the faults of all of them."""
    found: list[T] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            found.append(load(path))
        except PackError as error:
            faults += error.faults
    if faults:
        raise PackError("\n".join(map(str, faults)), tuple(faults))
    return found


def load_packs(where: Path | Iterable[Path], ids: Iterable[str] | None = None) -> tuple[Pack, ...]:
    """The packs of a folder or of a list of files and folders; only those named by `ids`, in that order, if given.

    Raises PackError for an unusable file, an unknown id, an id (of a pack or card) that comes twice, or none at all.
    """
    packs = gathered(clue_files(where), load_pack)
    by_id = {pack.id: pack for pack in packs}
    wanted = list(by_id) if ids is None else list(dict.fromkeys(ids))
    unknown = [name for name in wanted if name not in by_id]
    if unknown or not packs:
        there = f"there are {', '.join(by_id)}" if by_id else f"there is no pack in {where}"
        raise PackError(f'no pack "{unknown[0]}"; {there}' if unknown else f"{there}; is the folder right?")
    seen: dict[str, str] = {}
    faults = []
    for kind, name, file, line in [("pack", p.id, p.file, 1) for p in packs] + [
        ("card", card.id, pack.file, card.line) for pack in packs if pack.id in wanted for card in pack.cards
    ]:
        if f"{kind} {name}" in seen:
            text = f'{kind} id "{name}" is that of another in {seen[f"{kind} {name}"]}; change one'
            faults.append(Fault(file, line, name, text, "refused"))
        seen[f"{kind} {name}"] = f"{file}:{line}"
    return accepted(tuple(by_id[name] for name in wanted), faults)
