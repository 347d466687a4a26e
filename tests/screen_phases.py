"""Every phase of an evening on the screen, one after the other; and pictures of them all.

    python tests/screen_phases.py docs/images [axe.min.js]

draws one sheet of small pictures for each size, and lets axe-core look at every phase where its file is given.
"""

import base64
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser import Browser, Page
from server_table import Served
from test_server_venn import VennServed

from host.events import Part, Trouble
from host.packs import Packs

SIZES = {"800x480": (800, 480), "1080p": (1920, 1080), "tablet": (768, 1024)}
Phase = tuple[str, str]
"""Its name, and a text that the screen shows then."""


def clever(packs: Packs | None = None) -> Iterator[tuple[Served, Phase]]:
    """Clever Endeavor from the roll call to the goodbye."""
    more: dict[str, Any] = {} if packs is None else {"packs": packs}
    with Served(players=(), youngest=None, **more) as served:
        served.until("table/greeting", Part.ENDED)
        yield served, ("who plays", "Who is playing?")
        for colour, name in (("blue", "Anna"), ("red", "Ben"), ("green", "Cleo"), ("white", "Dan")):
            served.inbox.type(None, f"join {colour} {name}")
        served.wait(0.1)
        yield served, ("gathered", "Dan")
        served.inbox.type(None, "ready")
        served.until("table/youngest", Part.ENDED)
        yield served, ("youngest", "Who is the youngest?")
        served.inbox.type(None, "seat 0")
        served.until("card1/statement3", Part.ENDED)
        yield served, ("statements", "statement 3 of 6")
        served.posts.append(Trouble(served.now, "monitor"))
        served.block()
        yield served, ("trouble", "Nobody is heard")
        served.posts.append(Trouble(served.now, "monitor.over"))
        served.inbox.type(None, "command pause")
        served.wait(0.2)
        yield served, ("pause", "Pause")
        served.inbox.type(None, "command continue")
        served.wait(8.0)
        served.inbox.press("red")
        served.wait(0.1)
        served.inbox.press("green")
        served.wait(0.1)
        yield served, ("floor", "Ben has the floor")
        card = served.table.rules.expects(served.state.game).card
        served.say(card.rivals[0].lower())
        served.until("table/your_turn", Part.ENDED)
        yield served, ("wrong", "wrong")
        served.say(card.answer.lower())
        served.until("card1/verdict", Part.ENDED, limit=10)
        yield served, ("right", served.game["card"]["answer"])
        served.inbox.type(None, "command stop")
        served.wait(6.0)
        yield served, ("stop?", "Yes")
        served.inbox.type(None, "yes")
        served.wait(2.0)
        yield served, ("the end", "Good night")


def venn() -> Iterator[tuple[Served, Phase]]:
    """Venn from the names to the numbers."""
    with VennServed(players=()) as served:
        served.until("table/venn_greeting", Part.ENDED)
        for name in ("Anna", "Dan", "Ben", "Eva"):
            served.inbox.type(None, f"join - {name}")
        served.wait(0.1)
        yield served, ("names", "Who is playing?")
    with VennServed(numbers="host") as served:
        served.to_go()
        yield served, ("placing", "Lay your cards")
        served.inbox.press("anna")
        served.wait(1.0)
        served.say(served.plain(2, 5))
        yield served, ("guessing", "say the words")


def accused(page: Page, axe: str) -> list[str]:
    """Serious and critical findings of axe-core in a page."""
    page.call("Page.setBypassCSP", enabled=True)
    page.js(axe + ";true")
    found = page.js("axe.run().then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.length, v.nodes[0].html]))")
    return [f"{impact}: {rule} ({count}): {html[:90]}" for impact, rule, count, html in found
            if impact in ("serious", "critical")]


def sheet(browser: Browser, pictures: list[tuple[str, bytes]], size: tuple[int, int], out: Path) -> None:
    """Small pictures of one size, side by side, with their names."""
    across = 4 if size[0] > size[1] else 5
    width = 300 if size[0] > size[1] else 220
    cells = "".join(
        f'<figure style="margin:0"><img width={width} src="data:image/png;base64,{base64.b64encode(raw).decode()}">'
        f'<figcaption>{name}</figcaption></figure>' for name, raw in pictures)
    rows = -(-len(pictures) // across)
    high = rows * (round(width * size[1] / size[0]) + 26) + 8
    page = browser.page("about:blank", across * (width + 8) + 8, high)
    page.js(f"document.body.innerHTML = {json.dumps(cells)}; document.body.style.cssText = "
            f"'margin:8px;display:grid;gap:8px;grid-template-columns:repeat({across},{width}px);"
            "font:14px sans-serif;background:#fff'; true")
    page.until("[...document.images].every((one) => one.complete)")
    data = page.call("Page.captureScreenshot", format="jpeg", quality=72)["data"]
    out.write_bytes(base64.b64decode(data))


def main(folder: Path, axe_file: Path | None) -> None:
    """Draw the sheets; print what axe says."""
    from host.app.evening import load_packs
    from host.bench.quiet import setup

    axe = "" if axe_file is None else axe_file.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        browser = Browser(Path(scratch))
        pictures: dict[str, list[tuple[str, bytes]]] = {name: [] for name in SIZES}
        looked = 0
        for phases in (clever(load_packs(setup(1))), venn()):
            pages: dict[str, Page] = {}
            now: Served | None = None
            for served, (name, text) in phases:
                if served is not now:
                    now = served
                    address = f"http://127.0.0.1:{served.server.port}/screen"
                    pages = {size: browser.page(address, *wide) for size, wide in SIZES.items()}
                for size, page in pages.items():
                    page.sees(text)
                    path = page.shot(Path(scratch) / "one.png")
                    pictures[size].append((name, path.read_bytes()))
                    if axe:
                        looked += 1
                        for finding in accused(page, axe):
                            print(f"{size} {name}: {finding}")
        for size, wide in SIZES.items():
            sheet(browser, pictures[size], wide, folder / f"phases-{size}.jpg")
        print(f"{sum(map(len, pictures.values()))} pictures; axe looked at {looked} of them")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
