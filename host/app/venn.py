"""`gamehost venn`: printed number cards for the clue givers; and the options of Venn's rules."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from host.app import AppError
from host.app.paths import CLUES
from host.app.pdf import A4, MM, Page, document
from host.games.venn_state import bad_team_name
from host.packs import PackError
from host.packs.decks import load_numbers

COLUMNS, ROWS = 3, 4
HATCH = 2.2
"""Points between the lines that keep the numbers from shining through."""
RULES = ("cooperative", "best_of_three", "expert", "art_cards", "numbers", "family_words", "teams")
"""Venn's options as they are typed."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("venn", help="print number cards for Venn's clue givers")
    what = parser.add_subparsers(required=True, metavar="WHAT")
    cards = what.add_parser("cards", help="a sheet of number cards: cut out, fold, and draw one each round")
    cards.add_argument("--pdf", type=Path, metavar="FILE", required=True, help="where the sheet goes")
    cards.set_defaults(run=print_cards)


def print_cards(arguments: argparse.Namespace) -> int:
    """Write the sheet."""
    try:
        cards = load_numbers(CLUES / "venn" / "numbers.toml")
        arguments.pdf.write_bytes(sheet(cards))
    except PackError as error:
        raise AppError(str(error)) from error
    except OSError as error:
        raise AppError(f"{arguments.pdf} can't be written: {error.strerror}") from error
    print(f"wrote {arguments.pdf}: {len(cards)} number cards. Print it, cut along the lines, and fold each card at the "
          "dashes with the numbers inside; a clue giver draws one a round and shows it to nobody.")
    return 0


def sheet(cards: Sequence[tuple[int, int, int]]) -> bytes:
    """The cards as a PDF, twelve a page, to be folded so that they stay secret (VN-4)."""
    pages = []
    for first in range(0, len(cards), COLUMNS * ROWS):
        page = Page()
        for place, card in enumerate(cards[first : first + COLUMNS * ROWS]):
            _card(page, place % COLUMNS, place // COLUMNS, card)
        pages.append(page)
    return document(pages)


def _card(page: Page, column: int, row: int, card: tuple[int, int, int]) -> None:
    """One card: the numbers below the fold, and above it the side that is seen when it is folded."""
    margin = 8 * MM
    width, height = (A4[0] - 2 * margin) / COLUMNS, (A4[1] - 2 * margin) / ROWS
    left, low = margin + column * width, A4[1] - margin - (row + 1) * height
    fold = low + height / 2
    for x in (left, left + width):
        page.line(x, low, x, low + height)
    for y in (low, low + height):
        page.line(left, y, left + width, y)
    page.line(left, fold, left + width, fold, dashed=True)
    lines = int((height / 2 - 8) / HATCH)
    for count in range(lines):  # ink on the outer side, so that nothing can be read through the paper
        y = fold + 4 + count * HATCH
        page.line(left + 4, y, left + width - 4, y, width=1.4)
    for place, number in enumerate(card):
        page.text(left + width * (2 * place + 1) / 6, low + height / 4 - 10, str(number), 28)


# --- the options of `gamehost play venn` -----------------------------------------------------------


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The options of Venn's rules; those not given stay as the rules have them."""
    rules = parser.add_argument_group("how it is played (Venn)")
    for name, what in (
        ("cooperative", "all together, against the clock"), ("best-of-three", "the first to win two games"),
        ("expert", "the first art card goes into an inner zone"), ("family-words", "a player reads out your own cards"),
    ):
        rules.add_argument(f"--{name}", action="store_true", default=None, help=what)
    rules.add_argument("--art-cards", choices=["trust", "button", "spoken"], help="who counts them (default: trust)")
    rules.add_argument("--numbers", choices=["host", "box"],
                       help="number cards: the host's own, or drawn from the box or the printed sheet (default: box)")
    rules.add_argument("--teams", metavar='"NAME,NAME"', help="names of the two teams (default: Foxes,Owls)")


def read_rules(given: Mapping[str, Any]) -> dict[str, Any]:
    """The game's options among those typed. Raises AppError (2) for team names that can't be."""
    options: dict[str, Any] = {name: given[name] for name in ("best_of_three", "expert", "art_cards", "numbers")
                               if given.get(name) is not None}
    if given.get("cooperative"):
        options["mode"] = "cooperative"
    if given.get("family_words"):
        options["words"] = "family"
    if given.get("teams") is not None:
        options["teams"] = _teams(given["teams"])
    return options


def _teams(text: str) -> tuple[str, ...]:
    names = tuple(" ".join(part.split()).capitalize() for part in text.split(",") if part.strip())
    if len(names) != len(("one", "other")) or names[0] == names[1]:
        raise AppError(f'"{text}" are not two teams; write --teams "Foxes,Owls".', 2)
    for name in names:
        if fault := bad_team_name(name, ()):
            raise AppError(f"{fault[0].upper()}{fault[1:]}.", 2)
    return names
