"""The sound card's child process: the only place where PortAudio is loaded.

PortAudio can abort, hang, or freeze its list of devices; here it can do so without harm. The child
opens one duplex stream, copies blocks to the game and the game's voice to the card, and ends when
its stdin ends, so that it never outlives the game (KIO-17), or when the stream ends, so that the
game starts a new one (AUD-07).

One thread reads a period and writes a period, in turn. With a callback, PortAudio waits for both
directions at once, and ALSA's pulse plugin (PipeWire, PulseAudio) lets it wait by asking without
end: four fifths of a core, against a fiftieth this way. A stream must not be closed while another
thread reads from it (AUD-13): nobody closes it, the process ends.

    python -m host.devices.card_child '{"list": true}'
    python -m host.devices.card_child '{"microphone": "usb", "speaker": null, "channels": 1}'
"""

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from queue import SimpleQueue
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np

from host.clock import RATE, samples
from host.devices import DeviceError, card_wire
from host.devices.card_engine import Engine
from host.devices.card_wire import Kind, Message
from host.events import Word
from host.sound import Block, Clip

PREFERRED = 48_000
PERIOD = 100
"""Periods a second: 480 frames at 48 kHz. Three make a block."""

ENDED = 3
"""Exit code: the stream ended by itself."""
REFUSED = 4
"""Exit code: the device can't be opened; the reason has been sent."""


def load() -> ModuleType:
    """Import sounddevice. Raises DeviceError with what to do where PortAudio is missing."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        if "PortAudio" in str(error):
            advice = "Install it with: sudo apt install libportaudio2" if sys.platform == "linux" else "Reinstall it."
            raise DeviceError(f"The sound library PortAudio is missing. {advice}") from error
        raise DeviceError(f"The sound library can't be loaded: {error}") from error
    return sounddevice  # type: ignore[no-any-return]  # untyped package


def devices(sd: ModuleType) -> list[dict[str, Any]]:
    """Every device with its name, channels, rate and whether it is a default."""
    first_in, first_out = sd.default.device
    return [
        {
            "name": str(entry["name"]),
            "inputs": int(entry["max_input_channels"]),
            "outputs": int(entry["max_output_channels"]),
            "rate": int(entry["default_samplerate"]),
            "default_in": index == first_in,
            "default_out": index == first_out,
        }
        for index, entry in enumerate(sd.query_devices())
    ]


def choose(found: list[dict[str, Any]], name: str | None, side: str) -> int:
    """The number of the device to use for `side` ("inputs" or "outputs").

    A name is a part of the device's name, in any case: numbers change when things are plugged in
    (AUD-03). Without one it is the default, unless that has no channels (AUD-09). Raises DeviceError.
    """
    what = "microphone" if side == "inputs" else "speaker"
    usable = [index for index, entry in enumerate(found) if entry[side] > 0]
    if not usable:
        raise DeviceError(f"No {what} was found: plug one in and start again.")
    if name:
        matching = [index for index in usable if name.lower() in found[index]["name"].lower()]
        exact = [index for index in matching if found[index]["name"].lower() == name.lower()]
        names = ", ".join(found[index]["name"] for index in (matching or usable))
        if not matching:
            raise DeviceError(f'No {what} is called "{name}"; there are: {names}.')
        if len(matching) > 1 and len(exact) != 1:
            raise DeviceError(f'"{name}" may be any of these: {names}; write more of the {what}\'s name.')
        return (exact or matching)[0]
    preferred = [index for index in usable if found[index]["default_in" if side == "inputs" else "default_out"]]
    return (preferred or usable)[0]


class Child:
    """One stream and its two pipes. `run` returns the process's exit code."""

    def __init__(self, sd: ModuleType, config: Mapping[str, Any], out: BinaryIO) -> None:
        self._sd, self._config, self._out = sd, config, out
        self._events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._engine: Engine
        self._glitches = 0

    def run(self, commands: BinaryIO) -> int:
        """Serve until the game goes away or the stream ends."""
        stream = self._open()
        threading.Thread(target=self._listen, args=(commands,), daemon=True).start()
        try:
            stream.start()
            threading.Thread(target=self._copy, args=(stream,), daemon=True).start()
            latency = self._config.get("latency")
            self._engine.latency = samples(sum(stream.latency) if latency is None else float(latency))
            self._tell_ready(stream)
            return self._serve()
        except BrokenPipeError:
            return 0

    def _serve(self) -> int:
        while True:
            kind, value = self._events.get()
            if kind == "sound":
                for block in self._engine.hear(*value):
                    self._send(block)
                self._engine.refill()
            elif kind == "message":
                self._obey(value)
            elif kind == "failed":
                card_wire.write(self._out, Message(Kind.ERROR, {"sentence": str(value)}))
                return ENDED
            else:
                return 0 if kind == "quit" else ENDED

    def _copy(self, stream: Any) -> None:
        """On a thread of its own: copy bytes, nothing else; whatever ends it is told."""
        try:
            while True:
                captured, overflowed = stream.read(self._engine.frames)
                data, marks = self._engine.exchange()
                underflowed = stream.write(data)
                self._glitches += bool(overflowed) + bool(underflowed)
                self._events.put(("sound", (bytes(captured), data, marks)))
        except self._sd.PortAudioError:
            self._events.put(("finished", None))
        except Exception as error:
            self._events.put(("failed", f"copying sound failed: {error!r}"))
            raise

    def _attempts(self, source: Mapping[str, Any], sink: Mapping[str, Any]) -> Iterator[tuple[int, int, int]]:
        """Rates and channels to try: the preferred ones, then what the device itself prefers (AUD-04)."""
        inputs = min(max(1, int(self._config.get("channels", 1))), source["inputs"])
        outputs = min(2, sink["outputs"])
        for rate in dict.fromkeys((PREFERRED, int(source["rate"]), int(sink["rate"]), 44_100, RATE)):
            for channels in dict.fromkeys((inputs, min(2, source["inputs"]))):
                yield rate, channels, outputs

    def _open(self) -> Any:
        found = devices(self._sd)
        source = choose(found, self._config.get("microphone"), "inputs")
        sink = choose(found, self._config.get("speaker"), "outputs")
        self._names = found[source]["name"], found[sink]["name"]
        last: Exception | None = None
        for rate, inputs, outputs in self._attempts(found[source], found[sink]):
            frames = rate // PERIOD
            self._engine = Engine(rate, frames, inputs, outputs, int(self._config.get("channels", 1)))
            try:
                return self._sd.RawStream(
                    samplerate=rate, blocksize=frames, device=(source, sink), channels=(inputs, outputs),
                    dtype="int16", latency="low",
                )
            except (self._sd.PortAudioError, ValueError) as error:
                last = error
        raise DeviceError(self._refusal(last))

    def _refusal(self, error: Exception | None) -> str:
        names = " and ".join(dict.fromkeys(self._names))
        if "unavailable" in str(error).lower() or "busy" in str(error).lower():
            return f"{names}: busy, another program holds it. Close that program and start again."
        return f"{names} can't be opened ({error}): choose another microphone or speaker."

    def _tell_ready(self, stream: Any) -> None:
        head = {
            "microphone": self._names[0], "speaker": self._names[1], "rate": int(stream.samplerate),
            "channels": self._engine.microphones, "latency": self._engine.latency,
        }
        card_wire.write(self._out, Message(Kind.READY, head))

    def _send(self, block: Block) -> None:
        marks = [[mark.at, mark.line, mark.part.value] for mark in block.marks]
        head = {
            "at": block.at, "channels": len(block.mic), "marks": marks,
            "late": self._engine.late, "glitches": self._glitches,
        }
        card_wire.write(self._out, Message(Kind.BLOCK, head, block.mic.tobytes() + block.far.tobytes()))

    def _obey(self, message: Message) -> None:
        head = message.head
        if message.kind is Kind.PLAY:
            words = tuple(Word(text, began, ended) for text, began, ended in head["words"])
            pcm = np.frombuffer(message.body, np.int16)
            self._engine.play(Clip(head["line"], pcm, head["rate"], words, head["gap"]), head["at"])
        elif message.kind is Kind.HUSH:
            self._engine.hush()
        elif message.kind is Kind.VOLUME:
            self._engine.set_volume(float(head["volume"]))

    def _listen(self, commands: BinaryIO) -> None:
        """On a thread of its own: what the game asks for; its end is ours."""
        while (message := card_wire.read(commands)) is not None:
            self._events.put(("message", message))
        self._events.put(("quit", None))
        threading.Timer(2.0, os._exit, (0,)).start()


def main(config: Mapping[str, Any], commands: BinaryIO, out: BinaryIO) -> int:
    """List devices or serve one stream; the exit code."""
    try:
        sd = load()
        try:
            if config.get("list"):
                card_wire.write(out, Message(Kind.DEVICES, {"devices": devices(sd)}))
                return 0
            return Child(sd, config, out).run(commands)
        except sd.PortAudioError as error:
            raise DeviceError(f"The sound system refuses: {error}") from error
    except DeviceError as error:
        with contextlib.suppress(OSError):
            card_wire.write(out, Message(Kind.ERROR, {"sentence": str(error)}))
        return REFUSED


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game ends us by ending our stdin
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a C library prints must not get between the messages
    code = main(json.loads(sys.argv[1]), sys.stdin.buffer, pipe)
    os._exit(code)  # PortAudio's own clean-up at exit can crash (AUD-15)
