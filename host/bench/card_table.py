"""clues/REPORT.md: what was measured of the clue cards, one section for each measurement."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from host.bench.frame import Share
from host.judge import forms, wrong_forms
from host.packs import Card
from host.packs.text import normal

LEAST = 0.7
"""A card whose forms are accepted less often gets aliases, sounds or another form, or is replaced."""
MOST_FORMS = 4
"""Forms of an answer that are heard: itself and its first aliases."""
SECTIONS = ("heard", "guessed", "read", "lengths")
"""In the order in which they stand in the file."""
HEAD = """# What was measured of the clue cards

Made by programs, one section each; not to be edited by hand. docs/PACKS.md says how a card is written.
"""
_MODEL = "Heard with the model "
_MARK = re.compile(r"^<!-- section (\w+) -->\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Heard:
    """A form that was said once, and what became of it."""

    form: str
    voice: str
    accepted: bool
    words: str = ""
    """The grammar's, with the confidence of those that are vague."""
    dictation: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A card's line in the table."""

    pack: str
    card: str
    answer: str
    forms: tuple[str, ...]
    tuning: tuple[Heard, ...]
    test: tuple[Heard, ...]
    key: str = ""
    """Of the card as it was heard: its forms, rivals and sounds."""

    def share(self, split: str) -> Share:
        """How many of its utterances were accepted in the voices for "tuning" or "test"."""
        heard: tuple[Heard, ...] = getattr(self, split)
        return Share(sum(one.accepted for one in heard), len(heard))

    def worst(self, split: str) -> str:
        """The form that is accepted least, with its count and what was heard for it; "" where none fails."""
        heard: tuple[Heard, ...] = getattr(self, split)
        by_form = {form: [one for one in heard if one.form == form] for form in self.forms}
        shares = {form: Share(sum(one.accepted for one in found), len(found))
                  for form, found in by_form.items() if found}
        failed = [form for form, share in shares.items() if share.hits < share.total]
        if not failed:
            return ""
        form = min(failed, key=lambda name: shares[name].rate)
        lost = next(one for one in by_form[form] if not one.accepted)
        hits, total = shares[form].hits, shares[form].total
        return f'{form} {hits:g}/{total} ({lost.voice}: "{lost.dictation or lost.words}")'


def spoken_forms(card: Card) -> tuple[str, ...]:
    """What is said of a card: its answer and its first aliases, none twice."""
    found = {normal(form): form for form in reversed((card.answer, *card.aliases))}
    return tuple(dict.fromkeys(found[normal(form)] for form in (card.answer, *card.aliases)))[:MOST_FORMS]


def card_key(card: Card) -> str:
    """A short digest of all of a card that decides how it is heard."""
    heard = (spoken_forms(card), forms(card), wrong_forms(card), card.sounds)
    return hashlib.sha256(repr(heard).encode()).hexdigest()[:6]


def percent(share: Share) -> str:
    """"90 % (9/10)"."""
    return f"{share.rate:.0%} ({share.hits:g}/{share.total})" if share.total else "-"


def cell(text: str) -> str:
    """Text that may stand in a table."""
    return " ".join(text.replace("|", "/").split())


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table as lines."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(map(cell, row))} |" for row in rows]


def section(rows: Sequence[Row], voices: Mapping[str, Sequence[str]], model: str = "") -> str:
    """The section "heard": a summary, the cards below `LEAST`, and a table for each pack.

    `model` tells the model by which all of it was heard, for `heard_model`.
    """
    lines = [
        "## By ear",
        "",
        f"`gamehost bench cards --full`: each answer and its first {MOST_FORMS - 1} aliases, said once in each voice, "
        "bare or with a carrier (\"is it ...\"), dry, through the recogniser with the card's own grammar and the "
        f"judge. Voices for tuning: {', '.join(voices['tuning'])}; for test, by which nothing was ever chosen: "
        f"{', '.join(voices['test'])}. Only a verdict of \"right\" counts as accepted.",
        "",
    ]
    lines += [f"{_MODEL}{model}.", ""] if model else []
    summary = []
    for split in ("tuning", "test"):
        shares = [row.share(split) for row in rows if row.share(split).total]
        if shares:
            total = Share(sum(share.hits for share in shares), sum(share.total for share in shares))
            low = sum(share.rate < LEAST for share in shares)
            whole = sum(row.share(split).total == len(row.forms) * len(voices[split]) for row in rows)
            middle = f"{median(share.rate for share in shares):.0%}"
            summary.append((split, f"{len(shares)} of {len(rows)}", str(whole), str(total), middle, str(low)))
    lines += markdown(("voices", "cards heard", "with all forms", "utterances accepted (95 % interval)", "median card",
                       f"cards below {LEAST:.0%}"), summary)
    low_rows = [row for row in rows if row.share("test").total and row.share("test").rate < LEAST]
    lines += ["", f"### Below {LEAST:.0%} over the voices for test", ""]
    lines += markdown(("card", "answer", "tuning", "test", "worst form"), [_cells(row)[:2] + _cells(row)[3:-1]
                      for row in low_rows]) if low_rows else ["None."]
    for pack in dict.fromkeys(row.pack for row in rows):
        lines += ["", f"### {pack}", ""]
        lines += markdown(("card", "answer", "other forms", "tuning", "test", "worst form", "key"),
                          [_cells(row) for row in rows if row.pack == pack])
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    worst = row.worst("test") or row.worst("tuning")
    return (row.card, row.answer, "; ".join(row.forms[1:]), percent(row.share("tuning")), percent(row.share("test")),
            worst, row.key)


def sections(path: Path) -> dict[str, str]:
    """The sections of the file by name; none where there is no file."""
    if not path.exists():
        return {}
    parts = _MARK.split(path.read_text(encoding="utf-8"))
    return {name: text.strip("\n") + "\n" for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def write_section(path: Path, name: str, text: str) -> None:
    """Put one section into the file, the others kept. Raises OSError."""
    found = {**sections(path), name: text}
    known = [*SECTIONS, *(other for other in found if other not in SECTIONS)]
    body = "".join(f"\n<!-- section {other} -->\n{found[other].strip()}\n" for other in known if other in found)
    path.write_text(HEAD + body, encoding="utf-8")


def heard_model(path: Path) -> str:
    """By which model the cards were heard, from the file; "" where it does not say."""
    found = re.search(rf"^{_MODEL}(.+)\.$", sections(path).get("heard", ""), re.MULTILINE)
    return found[1] if found else ""


def heard_cards(path: Path) -> dict[str, tuple[str, float]]:
    """Card id -> (its key as it was heard, the share accepted in the voices for test), read from the file."""
    found: dict[str, tuple[str, float]] = {}
    text = sections(path).get("heard", "")
    for line in text.split("\n"):
        cells = [part.strip() for part in line.strip("|").split("|")]
        share = re.search(r"\((\d+)/(\d+)\)", cells[4]) if len(cells) == 7 else None
        if share and int(share[2]):
            found[cells[0]] = (cells[6], int(share[1]) / int(share[2]))
    return found
