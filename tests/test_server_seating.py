"""Late joiners, leavers and who changes seats or teams, on the screen and on phones in a real browser (issue 7)."""


import pytest
from browser import Browser, Page
from server_table import CODE, Served
from test_server_browser import browser, fine, move, on, process  # noqa: F401 - fixtures
from test_server_venn import VennServed

from host.events import Part
from host.games import Player
from host.understand import COLOURS

SIZES = [(800, 480), (1920, 1080), (768, 1024)]
NUMBER = "document.querySelectorAll('#seats .who button').length"


def names(page: Page, selector: str = "#players") -> list[str]:
    """The players' names as the page shows them, in their order."""
    return [str(name) for name in page.js(
        f"[...document.querySelectorAll('{selector} .name')].map((one) => one.innerText)")]


def targets(page: Page) -> list[str]:
    """Buttons of the dialog that are smaller than a fingertip: 44 pixels (WCAG 2.5.5)."""
    return list(page.js("""[...document.querySelectorAll('#seats button')].filter((one) => {
      const box = one.getBoundingClientRect();
      return one.offsetParent && (box.width < 44 || box.height < 34);
    }).map((one) => one.innerText)"""))


def opened(screen: Page) -> None:
    screen.until("!document.querySelector('#seats-button').hidden")
    screen.click("#seats-button")
    screen.until("document.querySelector('#seats').open")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_lets_players_come_go_and_change_seats(
    browser: Browser, size: tuple[int, int],  # noqa: F811 - the fixture
) -> None:
    """Four play: Maya joins as silver, swaps seats with Anna, Ben leaves after a yes; all by touch, all of it fits."""
    with Served() as served:
        screen = on(browser, served, size, "screen")
        served.until("card1/statement1", Part.ENDED)
        opened(screen)
        screen.until(f"{NUMBER} === 4")
        fine(screen, f"seats {size}")
        assert targets(screen) == []
        screen.type("#newcomer", "<b>Maya</b>")
        screen.click("#seats .join-in button", "silver")
        move(served, lambda: len(served.state.players) == 5)
        screen.until("!document.querySelector('#seats').open")
        screen.sees("<b>maya</b>")
        opened(screen)
        screen.click("#seats .who button", "Anna")
        screen.sees("Anna leaves")
        assert screen.js("[...document.querySelectorAll('#seats [aria-pressed=true] .tick')].map((e) => e.innerText)"
                         ) == ["✓"], "what is chosen has a mark, not only another colour"
        screen.click("#seats .who button", "<b>maya</b>")
        fine(screen, f"two chosen {size}")
        screen.click("#seats .actions button", "change seats")
        move(served, lambda: served.state.players[0].colour == "silver")
        screen.until("document.querySelector('#players .name').innerText.includes('maya')")
        opened(screen)
        screen.click("#seats .who button", "Ben")
        screen.click("#seats .actions button", "Ben leaves")
        move(served, lambda: served.state.question is not None)
        screen.click("#asked button", "Yes")
        move(served, lambda: len(served.state.players) == 4)
        screen.until("!document.querySelector('#players').innerText.includes('Ben')")
        assert names(screen) == ["<b>maya</b>", "Cleo", "Dan", "Anna"]


def test_a_full_table_a_taken_name_and_before_the_game(browser: Browser) -> None:  # noqa: F811 - the fixture
    """Nobody more can join eight; a name that is taken is told on the page; in the roll call there is no button."""
    eight = tuple(Player(colour.capitalize(), colour) for colour in COLOURS)
    with Served(players=eight) as served:
        screen = on(browser, served, (800, 480), "screen")
        served.until("card1/statement1", Part.ENDED)
        opened(screen)
        screen.sees("Nobody more can join.")
        fine(screen, "eight")
        assert targets(screen) == []
    with Served() as served:
        screen = on(browser, served, (800, 480), "screen")
        served.until("card1/statement1", Part.ENDED)
        opened(screen)
        screen.type("#newcomer", "anna")
        screen.click("#seats .join-in button", "yellow")
        screen.sees("There is a anna already")
        served.wait(0.3)
        assert len(served.state.players) == 4
    with Served(players=(), youngest=None) as served:
        screen = on(browser, served, (800, 480), "screen")
        screen.sees("Who is playing?")
        assert screen.js("document.querySelector('#seats-button').hidden")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_teams_change_on_the_screen_in_venn(browser: Browser, size: tuple[int, int]) -> None:  # noqa: F811 - fixture
    """VN-1: a newcomer with a team that has room, one goes over, two change teams; in a round it waits and is shown."""
    with VennServed() as served:
        screen = on(browser, served, size, "screen")
        served.ended("again")
        opened(screen)
        fine(screen, f"teams {size}")
        screen.click("#seats .join-in button", "with Owls")
        screen.sees("Type the name first.")
        screen.type("#newcomer", "Maya")
        screen.click("#seats .join-in button", "with Owls")
        move(served, lambda: len(served.state.players) == 5)
        opened(screen)
        screen.until(f"{NUMBER} === 5")
        screen.click("#seats .who button", "Maya")
        screen.click("#seats .actions button", "Maya goes over to Foxes")
        move(served, lambda: served.state.players[4].team == 0)
        opened(screen)
        screen.click("#seats .who button", "Anna")
        screen.click("#seats .who button", "Ben")
        screen.sees("Anna and Ben are in one team.")
        screen.click("#seats .who button", "Dan")
        screen.click("#seats .actions button", "change teams")
        move(served, lambda: served.state.players[1].team == 0)
        served.say("no")
        served.wait(20.0)
        served.say("ready")
        served.wait(1.2)
        served.say("ready")
        served.until("round1/go", Part.ENDED, limit=20.0)
        served.inbox.type(None, "leave 4")
        served.wait(0.2)
        served.inbox.type(None, "yes")
        served.wait(0.2)
        screen.sees("After this round: Maya leaves.")
        fine(screen, f"coming {size}")


@pytest.mark.parametrize("size", [(320, 568), (820, 1180)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_phone_comes_and_goes_in_venn(browser: Browser, size: tuple[int, int]) -> None:  # noqa: F811 - the fixture
    """VN-1: a name and a team; then change teams with somebody, and leave by a second tap."""
    with VennServed() as served:
        served.ended("again")
        phone = on(browser, served, size, f"#{CODE}", phone=True)
        phone.sees("Or join in")
        fine(phone, "late")
        phone.click("button", "With Foxes")
        phone.sees("Type your name.")
        phone.type("#name", "Maya")
        phone.click("button", "With Foxes")
        move(served, lambda: len(served.state.players) == 5)
        phone.until("document.querySelector('#mine').innerText.includes('Maya')")
        phone.click("summary")
        fine(phone, "more")
        assert phone.js("[...document.querySelectorAll('.seats button')].map((one) => one.innerText.trim())") == [
            "Dan", "Eva", "Go over to Owls", "Use another phone", "Leave the game"]
        phone.click(".seats button", "Dan")
        move(served, lambda: served.state.players[4].team == 1)
        phone.until("!document.querySelector('.seats').innerText.includes('Eva')")
        phone.click("#leave")
        phone.sees("Really?")
        phone.click("#leave")
        move(served, lambda: len(served.state.players) == 4)
        phone.sees("Who are you?")


def test_a_phone_that_joins_in_the_middle_of_a_round_is_told(browser: Browser) -> None:  # noqa: F811 - the fixture
    """VN-7: "you play from the next round on", and then it is there."""
    with VennServed() as served:
        served.to_go()
        phone = on(browser, served, (360, 640), f"#{CODE}", phone=True)
        phone.sees("Or join in")
        phone.type("#name", "Maya")
        phone.click("button", "With Owls")
        move(served, lambda: bool(served.state.chairs))
        phone.sees("You play from the next round on.")
        fine(phone, "waits")
