"""Chromium without a window, driven by its DevTools protocol; only what the tests need."""

import base64
import ctypes
import itertools
import json
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--disable-extensions", "--remote-debugging-port=0",
)


def chromium() -> str:
    """The browser, or a skip."""
    for name in ("chromium", "chromium-browser"):
        if (found := shutil.which(name)) is not None:
            return found
    pytest.skip("Chromium is not installed")
    raise AssertionError


def _die_with_parent() -> None:
    """On Linux the browser ends with the tests, also where those are killed."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Browser:
    """One process; each page has cookies and storage of its own."""

    def __init__(self, folder: Path) -> None:
        self._open = ExitStack()
        self.process = subprocess.Popen(
            [chromium(), *FLAGS, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=_die_with_parent,
        )
        self.pages: list[Page] = []
        port = folder / "DevToolsActivePort"
        deadline = time.monotonic() + 60
        while not port.is_file() or len(port.read_text().split()) < 2:
            assert time.monotonic() < deadline, "Chromium did not start"
            time.sleep(0.05)
        number, path = port.read_text().split()
        self.socket = self._open.enter_context(
            connect(f"ws://127.0.0.1:{number}{path}", max_size=None, ping_interval=None, open_timeout=30)
        )
        self._numbers = itertools.count(1)
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """One command and its answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=30))
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self.events.append(answer)

    def page(self, url: str, width: int, height: int, phone: bool = False, motion: str = "no-preference") -> "Page":
        """A page of that size."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        page.call("Page.enable")
        page.call("Runtime.enable")
        page.call("Log.enable")
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])
        page.size(width, height, phone)
        page.go(url)
        self.pages.append(page)
        return page

    def close_pages(self) -> None:
        """Close what a test has opened."""
        for page in self.pages:
            self.call("Target.closeTarget", targetId=page.target)
        self.pages = []
        self.events = []

    def close(self) -> None:
        self._open.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)


class Page:
    """One page."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser, self.session, self.target = browser, session, target

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        return self.browser.call(method, self.session, **values)

    def size(self, width: int, height: int, phone: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)

    def reload(self) -> None:
        self.call("Page.reload")

    def js(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def text(self, selector: str = "body") -> str:
        return str(self.js(f"(document.querySelector({json.dumps(selector)}) || {{innerText: ''}}).innerText"))

    def until(self, expression: str, seconds: float = 10.0) -> Any:
        """Wait until an expression is true."""
        deadline = time.monotonic() + seconds
        while not (found := self.js(f"(() => {{ try {{ return !!({expression}) }} catch (e) {{ return false }} }})()")):
            assert time.monotonic() < deadline, f"never true: {expression}; the page says: {self.text()[:500]}"
            time.sleep(0.03)
        return found

    def sees(self, text: str, seconds: float = 10.0) -> None:
        """Wait until the page shows a text."""
        self.until(f"document.body.innerText.includes({json.dumps(text)})", seconds)

    def click(self, selector: str, text: str = "") -> None:
        """Press where the element is, with the mouse, as a person would: it must be visible and on top."""
        find = (f"[...document.querySelectorAll({json.dumps(selector)})]"
                f".find((one) => one.innerText.includes({json.dumps(text)}))")
        self.until(find)
        x, y = self.js(f"(() => {{ const one = {find}; one.scrollIntoView({{block: 'nearest'}}); "
                       "const box = one.getBoundingClientRect(); "
                       "const at = [box.x + box.width / 2, box.y + box.height / 2];"
                       "const top = document.elementFromPoint(...at); "
                       "return top && one.contains(top) ? at : [-1, -1] })()")
        assert x >= 0, f"{selector} {text} is covered or off the page"
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        self.js(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def shot(self, path: Path) -> Path:
        """A picture of what is seen."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
        return path

    def troubles(self) -> list[str]:
        """Errors that the page wrote to its console, but for lost connections."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(event["params"]["exceptionDetails"])[:500])
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                text = event["params"]["entry"]["text"]
                found += [] if "WebSocket" in text or "ERR_CONN" in text else [text]
        return found

    def overflowing(self) -> list[str]:
        """Texts that do not fit their boxes though nothing marks them as cut, or that leave the window."""
        return list(self.js("""(() => [...document.querySelectorAll('button, h1, h2, p, li, .name, .more, td')]
          .filter((one) => one.offsetParent && one.innerText.trim())
          .filter((one) => {
            const box = one.getBoundingClientRect(), style = getComputedStyle(one);
            const cut = style.textOverflow === 'ellipsis' || one.closest('#card, #speech, .card');
            return (!cut && one.scrollWidth > one.clientWidth + 2 && style.display !== 'inline') ||
              (one.tagName === 'BUTTON' && one.scrollHeight > one.clientHeight + 2) ||
              box.right > innerWidth + 1 || box.left < -1;
          }).map((one) => `${one.tagName}#${one.id}.${one.className}: ${one.innerText.slice(0, 60)}`))()"""))
