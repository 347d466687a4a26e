"""The screen in every phase: after a reload, and after the server was killed, it shows the same within 5 s."""

import re
import time
from collections.abc import Iterator

import pytest
import screen_phases
from browser import Browser, Page, chromium
from server_table import Served

from host.server.run import Server

SAME = "#title, #card, #verdict, #players, #asked, #trouble"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium()
    made = Browser(tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


def shows(page: Page) -> str:
    """What the page says, but for the host's line, which goes on."""
    text = page.js(f"[...document.querySelectorAll('{SAME}')].map((one) => one.innerText).join('|')")
    return re.sub(r"\s+", " ", str(text))


def settled(page: Page) -> str:
    """What it says once it says the same twice."""
    before = ""
    for _ in range(50):
        now = shows(page)
        if now == before:
            return now
        before = now
        time.sleep(0.1)
    return before


def same_within(page: Page, before: str, seconds: float, where: str) -> None:
    """Wait until the page is as it was."""
    deadline = time.monotonic() + seconds
    while shows(page) != before or not page.js("document.querySelector('#offline').hidden"):
        assert time.monotonic() < deadline, f"{where}: {shows(page)} instead of {before}"
        time.sleep(0.05)


def killed(served: Served) -> None:
    """The server ends, and another one takes its port."""
    port, pairing = served.server.port, served.server.pairing
    served.server.close()
    served.server = Server(served.hub, port, pairing).start()


@pytest.mark.parametrize("game", ["clever", "venn"])
def test_reload_and_server_kill_in_every_phase(browser: Browser, game: str) -> None:
    """From the roll call to the goodbye, at 800x480: the same picture within 5 s, without a touch, without errors."""
    now: Served | None = None
    page: Page | None = None
    names = []
    for served, (name, text) in {"clever": screen_phases.clever, "venn": screen_phases.venn}[game]():
        if served is not now or page is None:
            now, page = served, browser.page(f"http://127.0.0.1:{served.server.port}/screen", 800, 480)
        page.sees(text)
        before = settled(page)
        page.reload()
        page.sees(text, 5)
        same_within(page, before, 5, f"{name}, reloaded")
        killed(served)
        same_within(page, before, 5, f"{name}, server killed")
        assert page.troubles() == [], name
        assert page.overflowing() == [], name
        names.append(name)
    assert len(names) >= {"clever": 11, "venn": 3}[game]
