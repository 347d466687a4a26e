"""A display that is plugged in later than the power (KIO-05)."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, chromium
from server_table import Served

from host.app import screen
from host.events import Part

STAND_IN = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
"""In place of a browser: runs until it is ended."""


@pytest.fixture
def plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two connectors as Linux shows them, nothing plugged in."""
    for name in ("card1-HDMI-A-1", "card1-HDMI-A-2"):
        (tmp_path / "drm" / name).mkdir(parents=True)
        (tmp_path / "drm" / name / "status").write_text("disconnected\n", encoding="ascii")
    (tmp_path / "drm" / "version").write_text("drm 1.1.0\n", encoding="ascii")
    monkeypatch.setattr(screen, "DISPLAYS", tmp_path / "drm")
    monkeypatch.setattr(screen, "connected", lambda _port: 1)
    return tmp_path / "drm"


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[screen.Keeper]:
    """One that keeps the stand-in."""
    keeper = screen.Keeper(STAND_IN, tmp_path / "profile", 1)
    yield keeper
    keeper.close()


def plug(plugs: Path, there: bool) -> None:
    """Plug the second display in, or out."""
    (plugs / "card1-HDMI-A-2" / "status").write_text("connected\n" if there else "disconnected\n", encoding="ascii")


def test_kio_05_a_display_that_comes_later_gets_a_new_browser(plugs: Path, keeper: screen.Keeper) -> None:
    """KIO-05: started without a display, the browser is started again when one comes, once; never where one was."""
    keeper.look()
    keeper.look()
    assert keeper.starts == 1
    plug(plugs, True)
    for _ in range(3):
        keeper.look()
    assert keeper.starts == 2
    plug(plugs, False)
    keeper.look()
    plug(plugs, True)
    keeper.look()
    assert keeper.starts == 2, "a display that only went to sleep does not cost the picture"


def test_kio_05_where_displays_cannot_be_told_nothing_is_replaced(plugs: Path, keeper: screen.Keeper) -> None:
    """A desktop or a machine without that folder: the browser stays."""
    for connector in plugs.glob("card*"):
        (connector / "status").unlink()
    assert screen.display() is None
    keeper.look()
    keeper.look()
    assert keeper.starts == 1


def test_kio_05_the_page_fills_a_display_that_grows(tmp_path: Path) -> None:
    """KIO-05: a page that was opened at 1x1 fills 1080p as soon as its window does, without a reload."""
    chromium()
    browser = Browser(tmp_path)
    try:
        with Served() as served:
            served.until("card1/statement1", Part.ENDED)
            page = browser.page(f"http://127.0.0.1:{served.server.port}/screen", 1, 1)
            page.until("document.body.innerText.includes('Statement number one')")
            page.size(1920, 1080)
            page.until("innerWidth === 1920 && document.documentElement.clientWidth === 1920")
            page.sees("Statement number one")
            page.until("document.body.getBoundingClientRect().height >= 1079")
            assert page.overflowing() == []
    finally:
        browser.close()
