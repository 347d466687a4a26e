"""The two pipes between the game and the sound card's child: messages of a kind, a head, a body.

The child needs little and must never be hurt by the game; so no pickles, no shared memory: one
letter, a JSON table and raw 16-bit samples.
"""

import json
import struct
from collections.abc import Mapping
from enum import Enum
from typing import Any, BinaryIO, NamedTuple

_HEADER = struct.Struct("<cII")


class Kind(Enum):
    """What a message is."""

    READY = b"R"
    """Child: the stream runs; names, rate and latency."""
    BLOCK = b"B"
    """Child: 30 ms; the body is the microphones' samples, then the far end's."""
    ERROR = b"E"
    """Child: one sentence; it ends now."""
    DEVICES = b"D"
    """Child: the list of devices."""
    PLAY = b"P"
    """Parent: queue a clip; the body is its samples."""
    HUSH = b"H"
    """Parent: fall silent."""
    VOLUME = b"V"
    """Parent: the volume as a factor."""


class Message(NamedTuple):
    """One message."""

    kind: Kind
    head: Mapping[str, Any]
    body: bytes = b""


def write(pipe: BinaryIO, message: Message) -> None:
    """Write one message and flush it. Raises OSError where the other end is gone."""
    head = json.dumps(message.head).encode()
    pipe.write(_HEADER.pack(message.kind.value, len(head), len(message.body)) + head + message.body)
    pipe.flush()


def read(pipe: BinaryIO) -> Message | None:
    """Read one message; None where the pipe has ended, also in the middle of a message."""
    header = pipe.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, head_size, body_size = _HEADER.unpack(header)
    head, body = pipe.read(head_size), pipe.read(body_size)
    if len(head) < head_size or len(body) < body_size:
        return None
    return Message(Kind(kind), json.loads(head), body)
