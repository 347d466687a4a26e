"""The pages in a real browser (Chromium, headless): phone and screen as people use them."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, Page, chromium
from server_table import CODE, Served

from host.events import Part

SIZES = [(800, 480), (1920, 1080), (1024, 768), (768, 1024)]
PHONES = [(320, 568), (360, 640), (820, 1180)]


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    chromium()
    made = Browser(tmp_path_factory.mktemp("chromium"))
    yield made
    made.close()


@pytest.fixture
def browser(process: Browser) -> Iterator[Browser]:
    """The browser, without any page left over."""
    yield process
    process.close_pages()


def address(served: Served, page: str = "") -> str:
    return f"http://127.0.0.1:{served.server.port}/{page}"


def on(browser: Browser, served: Served, size: tuple[int, int], page: str, **more: Any) -> Page:
    return browser.page(address(served, page), *size, **more)


def contrast(page: Page) -> list[str]:
    """Texts with less contrast to their ground than 4.5 (large ones: 3), as WCAG reckons it."""
    return list(page.js(r"""(() => {
      const rgb = (text) => (text.match(/[\d.]+/g) || []).map(Number);
      const linear = (v) => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
      const light = (c) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
      const ground = (one) => {
        for (; one; one = one.parentElement) {
          const c = rgb(getComputedStyle(one).backgroundColor);
          if (c.length === 3 || c[3] > 0.5) return c;
        }
        return [255, 255, 255];
      };
      return [...document.querySelectorAll('body *')].filter((one) => one.offsetParent && !one.disabled &&
          [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
        .map((one) => {
          const style = getComputedStyle(one), a = light(rgb(style.color)), b = light(ground(one));
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          return [ratio, parseFloat(style.fontSize), one.innerText.slice(0, 40)];
        })
        .filter(([ratio, size]) => ratio < (size >= 24 ? 3 : 4.5)).map(String);
    })()"""))


def accessible(page: Page) -> list[str]:
    """Serious findings: buttons and fields without a name, pictures without words, no language, doubled ids."""
    return list(page.js("""(() => {
      const found = [];
      if (!document.documentElement.lang) found.push('no language');
      if (!document.title) found.push('no title');
      const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
      ids.filter((id, at) => ids.indexOf(id) !== at).forEach((id) => found.push(`id ${id} twice`));
      for (const one of document.querySelectorAll('button, input, [role=img]')) {
        if (!one.offsetParent && one.tagName !== 'svg') continue;
        const name = one.getAttribute('aria-label') || one.innerText || one.textContent || '';
        if (!name.trim()) found.push(`no name: ${one.outerHTML.slice(0, 80)}`);
      }
      for (const one of document.querySelectorAll('button, input')) {
        const box = one.getBoundingClientRect();
        if (one.offsetParent && (box.height < 24 || box.width < 24)) found.push(`small: ${one.innerText}`);
      }
      return found;
    })()"""))


def fine(page: Page, where: str) -> None:
    """No errors, nothing that overflows, enough contrast, everything has a name."""
    assert page.troubles() == [], where
    assert page.overflowing() == [], where
    assert contrast(page) == [], where
    assert accessible(page) == [], where
    assert page.js("document.documentElement.scrollWidth - innerWidth") <= 0, where


# --- the phone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", PHONES)
def test_a_phone_joins_buzzes_and_reconnects(browser: Browser, size: tuple[int, int]) -> None:
    """By the QR's address: take a seat, buzz, reload, lose the server and find it again by itself."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = on(browser, served, size, f"#{CODE}", phone=True)
        phone.sees("Who are you?")
        assert CODE not in phone.js("location.href")
        fine(phone, "seats")
        phone.click(".grid button", "Ben")
        phone.sees("Buzz")
        fine(phone, "play")
        x, y = phone.js("(() => { const box = document.querySelector('#buzz').getBoundingClientRect(); "
                        "return [box.x + box.width / 2, box.y + box.height / 2, box.height] })()")[:2]
        phone.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        phone.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        deadline = time.monotonic() + 5
        while served.table.view(served.state, None)["floor"] != 1:
            assert time.monotonic() < deadline
            served.block()
            time.sleep(0.01)
        phone.sees("Your answer!")
        fine(phone, "floor")
        phone.reload()
        phone.sees("Your answer!", 5)
        phone.type("form input", "a fork")
        phone.click("form button", "Send")
        deadline = time.monotonic() + 5
        while not served.game["verdicts"]:
            assert time.monotonic() < deadline
            served.block()
            time.sleep(0.01)
        assert [(one["seat"], one["text"]) for one in served.game["verdicts"]] == [(1, "a fork")]
        phone.sees("wrong")


def test_a_phone_finds_a_server_that_was_killed(browser: Browser, tmp_path: Path) -> None:
    """Server gone: the page says so; back on the same port: the same seat within 5 s, without a touch."""
    from host.server.guard import Pairing

    path = tmp_path / "pairing.json"
    with Served(pairing=Pairing.kept(path, fresh=True)) as served:
        served.until("card1/statement2", Part.ENDED)
        port = served.server.port
        phone = on(browser, served, (360, 640), f"#{served.server.pairing.code}", phone=True)
        screen = on(browser, served, (800, 480), "screen")
        phone.click(".grid button", "Cleo")
        phone.sees("Buzz")
        screen.sees("Statement number two")
        before = screen.text("#card")
    phone.sees("The host is away")
    with Served(pairing=Pairing.kept(path, fresh=False), port=port) as served:
        served.until("card1/statement2", Part.ENDED)
        phone.until("document.querySelector('#offline').hidden", 5)
        phone.until("document.querySelector('#mine').innerText.includes('Cleo')", 5)
        screen.until("document.querySelector('#offline').hidden", 5)
        screen.sees("Statement number two")
        assert screen.text("#card") == before


def test_a_name_is_text_and_nothing_else(browser: Browser) -> None:
    """`<img onerror>` as a name: shown as it is written on phone and screen, and nothing runs."""
    name = "<img onerror=hit()>"
    with Served(players=(), youngest=None) as served:
        served.until("table/greeting", Part.ENDED)
        served.live()
        phone = on(browser, served, (320, 568), f"#{CODE}", phone=True)
        screen = on(browser, served, (800, 480), "screen")
        phone.sees("Your name and your colour")
        fine(phone, "join")
        phone.type("#name", name)
        phone.click(".grid button", "red")
        phone.click("#join")
        for page in (phone, screen):
            page.sees(name.capitalize()[:8])
            assert page.js("document.querySelectorAll('img').length") == 0
        fine(screen, "gather")
        assert "<img onerror=hit()>" in screen.text("#players").lower()


@pytest.mark.parametrize("size", [(320, 568), (820, 1180)])
def test_a_phone_joins_in_the_middle_changes_seats_and_leaves(browser: Browser, size: tuple[int, int]) -> None:
    """A game is on: join by a free colour, swap with Anna, and leave by a second tap only; all of it fits."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        phone = on(browser, served, size, f"#{CODE}", phone=True)
        screen = on(browser, served, (800, 480), "screen")
        phone.sees("Or join in")
        fine(phone, "late")
        served.live()
        phone.type("#name", "Maya")
        phone.click(".grid button", "silver")
        phone.click("#join")
        phone.sees("Buzz")
        screen.sees("Maya")
        phone.click("summary")
        fine(phone, "more")
        phone.click(".seats button", "Anna")
        screen.until("document.querySelector('#players').innerText.indexOf('Maya') < "
                     "document.querySelector('#players').innerText.indexOf('Anna')")
        phone.click("#leave")
        phone.sees("Really?")
        assert len(served.state.players) == 5
        phone.click("#leave")
        phone.sees("Who are you?")
        screen.until("!document.querySelector('#players').innerText.includes('Maya')")
        fine(screen, "left")


def test_a_wrong_code_is_told_and_the_right_one_lets_in(browser: Browser) -> None:
    """Without the QR: the code is typed; a wrong one is told."""
    with Served() as served:
        phone = on(browser, served, (320, 568), "", phone=True)
        phone.sees("Type the code")
        fine(phone, "code")
        phone.type("#code", "00000")
        phone.click("button", "Join")
        phone.sees("That is not the code on the screen.")
        phone.until("document.querySelector('#code').value === ''")
        phone.type("#code", CODE)
        phone.click("button", "Join")
        phone.sees("Who are you?")


# --- the screen -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_shows_each_phase_and_a_reload_shows_the_same(browser: Browser, size: tuple[int, int]) -> None:
    """Gathering, statement, floor, verdict, answer, question: at each size readable, and after a reload the same."""
    with Served(players=(), youngest=None) as served:
        screen = on(browser, served, size, "screen")
        served.until("table/greeting", Part.ENDED)

        def phase(name: str, *texts: str) -> None:
            for text in texts:
                screen.sees(text)
            time.sleep(0.1)
            fine(screen, f"{name} {size}")
            before = settled(screen)
            screen.reload()
            for text in texts:
                screen.sees(text, 5)
            screen.until(f"document.body.innerText.length >= {len(before) - 5}")
            assert settled(screen) == before, name

        phase("who", "Who is playing?", CODE)
        screen.type(".gather input", "Anna")
        screen.click(".colours button", "blue")
        move(served, lambda: len(served.table.view(served.state, None)["players"]) == 1)
        for colour in ("red", "green", "white", "yellow", "purple", "silver", "turquoise"):
            served.inbox.type(None, f"join {colour}")
        served.wait(0.1)
        phase("gathered", "Anna", "Turquoise")
        screen.click("#asked button", "That is all")
        move(served, lambda: served.state.gathering.step == "youngest")
        served.until("table/youngest", Part.ENDED)
        phase("youngest", "Who is the youngest?")
        screen.click("#players button", "Anna")
        move(served, lambda: served.state.game is not None)
        served.until("card1/statement3", Part.ENDED)
        phase("statements", "Statement number three")
        screen.click("#players button", "Red")
        move(served, lambda: served.state.owner is not None)
        served.inbox.press("green")
        served.wait(0.1)
        phase("floor", "Red has the floor", "next")
        served.say("fork")
        served.until("table/your_turn", Part.ENDED)
        phase("wrong", "wrong", "Green has the floor")
        served.say(served.table.rules.expects(served.state.game).card.essential[0])
        served.until("card1/verdict", Part.ENDED, limit=10)
        phase("right", "right +", served.game["card"]["answer"])
        screen.click("#menu-button")
        screen.sees("Phone as a button")
        fine(screen, "menu")
        screen.click("#menu button", "Stop the game")
        move(served, lambda: served.state.question is not None)
        phase("quit", "Yes", "No")
        screen.click("#asked button", "No")
        move(served, lambda: served.state.question is None)


def settled(screen: Page) -> str:
    """What the page says, but for the host's line, which goes on."""
    parts = "#title, #card, #verdict, #players, #asked"
    text = screen.js(f"[...document.querySelectorAll('{parts}')].map((e) => e.innerText).join('|')")
    return re.sub(r"\s+", " ", text)


def move(served: Served, true: Any) -> None:
    """Let the loop go on until what was touched has come through."""
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline
        served.block()
        time.sleep(0.01)


def test_words_appear_one_by_one(browser: Browser) -> None:
    """The host's line grows while it is spoken, and a statement in the list with it."""
    with Served() as served:
        screen = on(browser, served, (1024, 768), "screen")
        served.until("card1/category", Part.ENDED)
        served.live()
        seen = [""]
        deadline = time.monotonic() + 20
        while len(seen) < 5:
            assert time.monotonic() < deadline, seen
            text = screen.text("#card li.new span")
            if text != seen[-1]:
                seen.append(text)
            time.sleep(0.02)
        assert all("Statement number one of card".startswith(text) for text in seen[:5])
        assert [len(text) for text in seen] == sorted(len(text) for text in seen)


def test_reduced_motion_is_honoured_and_pieces_move_otherwise(browser: Browser) -> None:
    """A piece glides to its place, unless the person has asked for less motion."""
    with Served() as served:
        served.until("card1/statement1", Part.ENDED)
        for motion, expected in (("no-preference", "0.7s"), ("reduce", "0s")):
            screen = on(browser, served, (800, 480), "screen", motion=motion)
            screen.until("document.querySelectorAll('.walker').length === 4")
            assert screen.js("getComputedStyle(document.querySelector('.walker')).transitionDuration") == expected


def test_every_colour_has_a_shape_of_its_own(browser: Browser) -> None:
    """No state by colour alone: eight colours, eight shapes, and initials on the board."""
    from host.games import Player
    from host.understand import COLOURS

    players = tuple(Player(colour.capitalize(), colour) for colour in COLOURS)
    with Served(players=players) as served:
        served.until("card1/statement1", Part.ENDED)
        screen = on(browser, served, (800, 480), "screen")
        screen.until("document.querySelectorAll('.walker').length === 8")
        shapes = screen.js("[...document.querySelectorAll('.walker')].map((e) => e.firstChild.tagName + "
                           "(e.firstChild.getAttribute('points') || ''))")
        assert len(set(shapes)) == 8
        texts = screen.js("[...document.querySelectorAll('.walker text')].map((e) => e.textContent)")
        assert texts == [player.name[0] for player in players]
        fine(screen, "eight")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_venn_on_the_screen_and_on_the_clue_givers_phone(browser: Browser, size: tuple[int, int]) -> None:
    """Twelve words, sand, score, the words said; the giver's phone shows the secret, "VENN!" calls for its team."""
    from test_server_venn import VennServed

    with VennServed(numbers="host") as served:
        screen = on(browser, served, size, "screen")
        phone = on(browser, served, (360, 640), f"#{CODE}", phone=True)
        served.until("table/venn_greeting_known", Part.ENDED)
        served.wait(2.0)
        giver = served.game["teams"][0]["giver"]
        phone.click(".grid button", served.state.players[giver].name)
        phone.sees("Only for your eyes")
        served.to_go()
        screen.sees("Lay your cards")
        screen.until("document.querySelectorAll('.words li').length === 12")
        phone.sees("VENN!")
        fine(screen, "placing")
        fine(phone, "giver")
        phone.js("document.querySelector('#buzz').focus()")
        phone.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
        move(served, lambda: served.game["guessing"] is not None)
        served.wait(1.0)
        served.say(served.plain(2, 5))
        screen.until("document.querySelectorAll('.words li.said').length === 2")
        fine(screen, "guessing")
        fine(phone, "guessing")
