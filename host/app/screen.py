"""`gamehost screen`: one browser that shows the screen's page, and comes back whatever happens to it.

Started by a compositor that shows nothing else (cage), or on a desktop. Before each start what a killed browser
leaves behind is cleared: the lock on its profile (KIO-02) and the mark that makes it offer to "restore pages". The
page's connection to the server is its heartbeat (KIO-06): a browser whose page has none while the server is
there is replaced. So is one that was started before there was any display, once one is plugged in (KIO-05): it may
have opened its window for a screen of no size.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from host.app import AppError
from host.app.stopping import StoppedError, Stopping
from host.server import PORT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--kiosk", "--noerrdialogs", "--disable-infobars", "--no-first-run", "--disable-session-crashed-bubble",
    "--hide-crash-restore-bubble", "--disable-features=Translate,TranslateUI", "--disable-pinch",
    "--overscroll-history-navigation=0", "--check-for-update-interval=31536000", "--disable-component-update",
    "--disable-background-networking", "--disable-sync", "--password-store=basic", "--start-maximized",
    "--ozone-platform-hint=auto", "--disk-cache-size=1000000",
)
LOOK = 1.0
"""Seconds between two looks at browser and page."""
OPENING = 20.0
"""Seconds that a browser may take until its page is connected."""
SILENT = 5.0
"""Seconds without the page's connection after which the browser is replaced."""
DISPLAYS = Path("/sys/class/drm")
"""Where Linux tells what is plugged in: a folder a connector, with a file `status`."""
LEFTOVERS = ("SingletonLock", "SingletonSocket", "SingletonCookie")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("screen", help="show the screen's page in one browser that always comes back")
    parser.add_argument("--port", type=int, default=PORT, help=f"of the game host (default: {PORT})")
    parser.add_argument("--profile", type=Path, metavar="DIR", help="the browser's profile (default: a passing one)")
    parser.add_argument("--browser", help="the browser's program (default: chromium)")
    parser.add_argument("--flag", action="append", default=[], metavar="FLAG", help="one more flag for the browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Until it is ended; 0 then. Raises AppError (3) where there is no browser."""
    program = browser(arguments.browser)
    stopping = Stopping().listen()
    stopping.gently = True
    with tempfile.TemporaryDirectory(prefix="gamehost-screen-") as passing:
        profile = arguments.profile or Path(passing)
        keeper = Keeper([program, *FLAGS, *arguments.flag], profile, arguments.port)
        try:
            while True:
                keeper.look()
                stopping.check()
                time.sleep(LOOK)
        except StoppedError:
            return 0
        finally:
            keeper.close()


def browser(name: str | None) -> str:
    """The browser's path. Raises AppError (3)."""
    for one in [name] if name else BROWSERS:
        if (found := shutil.which(one)) is not None:
            return found
    raise AppError("there is no browser for the screen: sudo apt install chromium", 3)


def connected(port: int) -> int | None:
    """How many screens of this machine are connected; None where no server answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/alive", timeout=2.0) as answer:
            return int(answer.read(16))
    except (OSError, ValueError, urllib.error.URLError):
        return None


def display(folder: Path | None = None) -> bool | None:
    """Whether a display is plugged in; None where that can't be told."""
    found = []
    for status in (folder or DISPLAYS).glob("*/status"):
        with contextlib.suppress(OSError):
            found.append(status.read_text(encoding="ascii", errors="replace").strip() != "disconnected")
    return any(found) if found else None


def clear(profile: Path) -> None:
    """Take away what a killed browser left: locks, also of another host name, and the mark of a crash."""
    profile.mkdir(parents=True, exist_ok=True)
    for name in LEFTOVERS:
        with contextlib.suppress(OSError):
            (profile / name).unlink(missing_ok=True)
    preferences = profile / "Default" / "Preferences"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        found = json.loads(preferences.read_text(encoding="utf-8"))
        found["profile"] |= {"exit_type": "Normal", "exited_cleanly": True}
        preferences.write_text(json.dumps(found), encoding="utf-8")


class Keeper:
    """Keeps one browser at the page. `look` is called about once a second."""

    def __init__(self, command: Sequence[str], profile: Path, port: int) -> None:
        self._command, self._profile, self._port = list(command), profile, port
        self._process: subprocess.Popen[bytes] | None = None
        self._since = 0.0
        """When the page was connected last, or has had no chance to be."""
        self._shown = False
        self._dark = False
        """The browser was started without a display."""
        self.starts = 0

    def look(self) -> None:
        """Start the browser once the server answers; replace it where it or its page is gone."""
        screens, now = connected(self._port), time.monotonic()
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is not None and self._dark and display():
            print("A display is there now; the browser is started again.", flush=True)
            self._end()
        if self._process is None:
            if screens is not None:  # before that it would show its own page of errors
                self._start(now)
        elif screens or screens is None:  # while the server is away, the page tries by itself
            self._since, self._shown = now, self._shown or bool(screens)
        elif now - self._since > (SILENT if self._shown else OPENING):
            print("The page does not answer; the browser is started again.", flush=True)
            self._end()
            self._start(now)

    def _start(self, now: float) -> None:
        clear(self._profile)
        self.starts += 1
        self._since, self._shown, self._dark = now, False, display() is False
        url = f"http://localhost:{self._port}/screen"
        self._process = subprocess.Popen(
            [*self._command, f"--user-data-dir={self._profile}", url], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )

    def _end(self) -> None:
        """End the browser with all of its processes."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, 9)
        process.wait()

    def close(self) -> None:
        """End the browser."""
        self._end()
