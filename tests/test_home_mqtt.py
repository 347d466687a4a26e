"""MQTT: what the home sees of a game, what it may press, and a real broker that comes and goes."""

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from evening import Evening

from host.events import Part
from host.home.mqtt import COMMANDS, SENSORS, Broker, Home, HomeError, NoHome, discovery, node_name, summary

ADDRESSES = [
    ("mqtt://ha.local", Broker("ha.local")),
    ("ha.local:1884", Broker("ha.local", 1884)),
    ("mqtts://me:p%40ss@10.0.0.2", Broker("10.0.0.2", 8883, "me", "p@ss", True)),
]


@pytest.mark.parametrize(("url", "broker"), ADDRESSES)
def test_an_address_is_read(url: str, broker: Broker) -> None:
    """Host, port, user and password; TLS by mqtts."""
    assert Broker.of(url) == broker


@pytest.mark.parametrize("url", ["http://ha.local", "mqtt://", "mqtt://ha.local:port", "mqtt://ha.local:99999"])
def test_an_address_that_is_none_is_one_sentence(url: str) -> None:
    """It says what to write."""
    with pytest.raises(HomeError, match=r"--mqtt: .*mqtt://"):
        Broker.of(url)


def test_what_the_home_may_know_of_a_game() -> None:
    """State, whose turn, scores and the last verdict at each stage; nothing that the screen does not show."""
    evening = Evening()
    assert summary(evening.table.view(evening.state, None))["phase"] in ("gathering", "playing")
    evening.until("card1/statement1", Part.ENDED)
    now = summary(evening.table.view(evening.state, None))
    assert (now["phase"], now["turn"], now["verdict"], now["card"]) == ("playing", "Anna", "", 1)
    assert now["scores"] == "Anna 0, Ben 0, Cleo 0, Dan 0"
    evening.say("red fork")
    evening.until("card1/statement2", Part.ENDED)
    now = summary(evening.table.view(evening.state, None))
    assert now["verdict"] == "Ben: fork: wrong"
    assert "toothbrush" not in json.dumps(now)
    evening.say("pause")
    assert summary(evening.table.view(evening.state, None))["phase"] == "paused"


def test_venn_and_an_empty_view_are_told_as_well() -> None:
    """Teams have points; before anything there is nothing to tell."""
    view = {"game": {"teams": [{"name": "Foxes", "points": 3}, {"name": "Owls", "points": 1}], "guessing": 1,
                     "winner": None, "round": 2}, "players": [("Anna", "")], "title": "Venn", "floor": None}
    now = summary(view)
    assert (now["phase"], now["turn"], now["scores"], now["card"]) == ("playing", "Owls", "Foxes 3, Owls 1", 2)
    assert summary({"game": {}, "players": []})["phase"] == "gathering"


def test_everything_offered_points_to_a_topic_of_ours() -> None:
    """Each sensor reads a key of the state that exists, each button sends what is taken; ids are unique."""
    found = discovery("box", "1")
    keys = summary({"game": {}, "players": []})
    assert len(found) == len(SENSORS) + len(COMMANDS)
    assert len({offer["unique_id"] for offer in found.values()}) == len(found)
    for topic, offer in found.items():
        kind = topic.split("/")[1]
        if kind == "sensor":
            assert offer["state_topic"] == "gamehost/box/state"
            assert offer["value_template"].split("value_json.")[1].split(" ")[0] in keys
        else:
            assert (offer["command_topic"], offer["payload_press"] in COMMANDS) == ("gamehost/box/command", True)


def test_a_machines_name_makes_a_topic() -> None:
    """Plain letters, never empty, no wildcard."""
    assert node_name("Raspberry Pi/#+") == "raspberry_pi"
    assert node_name("+#/") == "box"


# --- a real broker ---------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A broker of the test's own."""

    def __init__(self, port: int, folder: Path) -> None:
        found = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        if found is None:
            pytest.skip("mosquitto is not installed")
        (folder / "m.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", encoding="utf-8")
        self.process = subprocess.Popen([found, "-c", str(folder / "m.conf")], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        wait(lambda: reachable(port))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def reachable(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait(true: Callable[[], Any], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


@pytest.fixture
def seen() -> dict[str, str]:
    """Topic -> newest payload, as an observer sees it."""
    return {}


@pytest.fixture
def observer(tmp_path: Path, seen: dict[str, str]) -> Iterator[tuple[int, Any, Mosquitto]]:
    """Port, somebody else's client, and the broker."""
    client_module = pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed")
    port = free_port()
    broker = Mosquitto(port, tmp_path)
    client = client_module.Client(client_module.CallbackAPIVersion.VERSION2)
    lock = threading.Lock()

    def came(_client: Any, _data: Any, message: Any) -> None:
        with lock:
            seen[message.topic] = message.payload.decode()

    client.on_message = came
    client.on_connect = lambda link, *_: link.subscribe("#")
    client.reconnect_delay_set(1, 1)
    client.connect("127.0.0.1", port)
    client.loop_start()
    yield port, client, broker
    client.disconnect()
    client.loop_stop()
    broker.stop()


def test_a_real_broker_gets_state_and_gives_presses(
    observer: tuple[int, Any, Mosquitto], seen: dict[str, str], tmp_path: Path
) -> None:
    """Online, offers and state arrive; only known presses come through; the broker comes back; offline at the end."""
    port, client, broker = observer
    pressed: list[str] = []
    home = Home(Broker("127.0.0.1", port), pressed.append, "1", "box").start()
    home.tell({"game": {}, "players": []})
    wait(lambda: seen.get("gamehost/box/status") == "online" and "gamehost/box/state" in seen)
    wait(lambda: sum(topic.startswith("homeassistant/") for topic in seen) == len(discovery("box", "1")))
    assert json.loads(seen["gamehost/box/state"])["phase"] == "gathering"
    for payload in ("dance", "", "pause", "\x00\xff" * 99, "SKIP"):
        client.publish("gamehost/box/command", payload)
    wait(lambda: len(pressed) >= 2)
    assert pressed == ["command pause", "command skip"]
    seen.clear()
    broker.stop()
    home.tell({"game": {}, "players": [], "paused": True})
    again = Mosquitto(port, tmp_path)
    try:
        wait(lambda: json.loads(seen.get("gamehost/box/state", "{}")).get("phase") == "paused")
        home.close()
        wait(lambda: seen.get("gamehost/box/status") == "offline")
    finally:
        again.stop()


def test_a_broker_that_is_not_there_does_not_hold_the_game() -> None:
    """Start, tell and close return at once without a broker."""
    pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed")
    home = Home(Broker("127.0.0.1", free_port()), lambda _message: None, "1", "box").start()
    began = time.process_time()
    for paused in (True, False) * 50:
        home.tell({"game": {}, "players": [], "paused": paused})
    home.close()
    assert time.process_time() - began < 5


def test_without_the_library_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play goes on without."""
    from host.app import play

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("host.home.mqtt.importlib.import_module", missing)
    with pytest.raises(HomeError, match="sudo apt install python3-paho-mqtt"):
        Home(Broker("x"), lambda _message: None)
    for url in ("mqtt://x", None):  # None: off by default
        assert isinstance(play.open_home(url, None), NoHome)  # type: ignore[arg-type]  # never reached
