"""A voice that remembers on disk what it has said: word times beside the sound, one file a line.

The cache is a convenience: whatever is wrong with it (a torn file, a full or read-only disk) costs a
synthesis and nothing else.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from pathlib import Path

import numpy as np

from host.events import Line, Word
from host.sound import Clip
from host.voices import Voice
from host.voices.spoken import spoken

_MAGIC = b"gamehost clip 1\n"
LIMIT = 200_000_000
"""Bytes on disk; an evening of clips is some 50 million."""


class CachedVoice:
    """Another voice behind a cache on disk, keyed by its name, the text as it is said, and the speed.

    Files are written whole or not at all, and the oldest go when `limit` bytes are passed. The speed is
    rounded to hundredths, so that the same setting finds the same clip.
    """

    def __init__(self, voice: Voice, folder: Path, limit: int = LIMIT) -> None:
        self.name = voice.name
        self._voice = voice
        self._folder = folder
        self._limit = limit
        self._size: int | None = None

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        """The line's clip, from the disk where it has been spoken before. Raises what the voice raises."""
        speed, text = round(speed, 2), spoken(line.text)
        key = hashlib.sha256(f"{self.name}\n{speed:.2f}\n{text}".encode()).hexdigest()[:40]
        path = self._folder / f"{key}.clip"
        clip = read_clip(path, line.id)
        if clip is None:
            clip = self._voice.speak(Line(line.id, text), speed)
            self._keep(path, clip)
        return clip

    def close(self) -> None:
        """Free the voice; the cache stays."""
        self._voice.close()

    def _keep(self, path: Path, clip: Clip) -> None:
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self._size is None:
                self._size = sum(size for _, size, _ in self._files())
            self._size += write_clip(path, clip)
            if self._size > self._limit:
                self._prune()

    def _files(self) -> list[tuple[float, int, Path]]:
        """Age (seconds since the epoch of the last use), size and place of every file."""
        found = []
        for path in self._folder.glob("*.clip*"):
            with contextlib.suppress(OSError):
                stat = path.stat()
                found.append((stat.st_mtime, stat.st_size, path))
        return found

    def _prune(self) -> None:
        """Delete the longest unused until four fifths of the limit are left."""
        files = sorted(self._files())
        size = sum(size for _, size, _ in files)
        for _, length, path in files:
            if size <= self._limit * 0.8:
                break
            path.unlink(missing_ok=True)
            size -= length
        self._size = size


def write_clip(path: Path, clip: Clip) -> int:
    """Write a clip whole or not at all; returns its bytes. Raises OSError where the disk refuses."""
    words = [[word.text, word.began, word.ended] for word in clip.words]
    head = json.dumps({"rate": clip.rate, "words": words}).encode() + b"\n"
    body = head + clip.pcm.astype("<i2").tobytes()
    content = _MAGIC + zlib.crc32(body).to_bytes(4, "little") + body
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        try:
            file.write(content)
            file.close()
            Path(file.name).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(file.name).unlink()
            raise
    return len(content)


def read_clip(path: Path, line: str) -> Clip | None:
    """The clip in a file, or None where there is none or it is damaged; marks the file as used."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + 4
    body = content[start:]
    if not body or content[: len(_MAGIC)] != _MAGIC:
        return None
    if zlib.crc32(body) != int.from_bytes(content[len(_MAGIC) : start], "little"):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    head, _, sound = body.partition(b"\n")
    fields = json.loads(head)
    words = tuple(Word(text, began, ended) for text, began, ended in fields["words"])
    return Clip(line, np.frombuffer(sound, "<i2").astype(np.int16), fields["rate"], words)
