"""The cache of clips: a convenience that can never do harm."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.events import Line, Word
from host.sound import Clip
from host.voices import cached
from host.voices.cached import CachedVoice, read_clip, write_clip


class Counting:
    """A voice that counts how often it has to speak, and whose sound depends on text and speed."""

    name = "counting-1"

    def __init__(self) -> None:
        self.spoken: list[tuple[str, float]] = []
        self.closed = False

    def speak(self, line: Line, speed: float = 1.0) -> Clip:
        self.spoken.append((line.text, speed))
        pcm = np.frombuffer(f"{line.text}|{speed:.2f}".encode().ljust(400, b"."), "<i2").astype(np.int16)
        return Clip(line.id, pcm, 22_050, (Word("first", 3, 40), Word("été", 50, 90)))

    def close(self) -> None:
        self.closed = True


def same(a: Clip, b: Clip) -> bool:
    return bool(np.array_equal(a.pcm, b.pcm)) and (a.line, a.rate, a.words) == (b.line, b.rate, b.words)


def test_a_line_is_spoken_once_for_all_processes(tmp_path: Path) -> None:
    """The second time, also in a new process's cache, a clip comes from the disk with its word times."""
    voice = Counting()
    first = CachedVoice(voice, tmp_path).speak(Line("a", "Hello."), 1.1)
    again = CachedVoice(voice, tmp_path).speak(Line("a", "Hello."), 1.1)
    assert same(first, again)
    assert again.pcm.flags.writeable
    assert len(voice.spoken) == 1


@pytest.mark.parametrize(("text", "speed", "hit"), [
    ("In 1938.", 1.0, True), ("In nineteen thirty eight.", 1.0, True), ("In 1938.", 1.001, True),
    ("In 1938.", 1.1, False), ("In 1939.", 1.0, False),
])
def test_the_key_is_the_spoken_text_and_the_speed(tmp_path: Path, text: str, speed: float, hit: bool) -> None:
    """What is said alike at the same speed is found, anything else is not; the line's id doesn't matter."""
    voice = Counting()
    cache = CachedVoice(voice, tmp_path)
    cache.speak(Line("a", "In 1938."))
    assert cache.speak(Line("b", text), speed).line == "b"
    assert len(voice.spoken) == (1 if hit else 2)


def test_another_voice_or_version_has_its_own_clips(tmp_path: Path) -> None:
    """A voice of another name never gets this one's clips."""
    voice, other = Counting(), Counting()
    other.name = "counting-2"
    CachedVoice(voice, tmp_path).speak(Line("a", "Hello."))
    CachedVoice(other, tmp_path).speak(Line("a", "Hello."))
    assert len(other.spoken) == 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"", "cut in half": lambda c: c[: len(c) // 2], "cut by one": lambda c: c[:-1],
    "only the first line": lambda c: c[:16], "one bit of sound": lambda c: c[:-5] + bytes([c[-5] ^ 1]) + c[-4:],
    "one bit of the times": lambda c: c[:30] + bytes([c[30] ^ 1]) + c[31:], "something else": lambda _: b"{}" * 50,
    "longer": lambda c: c + b"\0\0", "zeros": lambda c: bytes(len(c)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_ignored_and_written_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """A torn or altered file costs one synthesis; the next time the clip comes from the disk again."""
    voice = Counting()
    cache = CachedVoice(voice, tmp_path)
    first = cache.speak(Line("a", "Hello."))
    (path,) = tmp_path.glob("*.clip")
    path.write_bytes(damage(path.read_bytes()))
    assert same(cache.speak(Line("a", "Hello.")), first)
    assert len(voice.spoken) == 2
    assert same(cache.speak(Line("a", "Hello.")), first)
    assert len(voice.spoken) == 2


def test_a_file_cut_at_any_byte_is_ignored(tmp_path: Path) -> None:
    """No prefix of a clip's file is taken for a clip."""
    path = tmp_path / "x.clip"
    write_clip(path, Counting().speak(Line("a", "Hello.")))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert read_clip(path, "a") is None


@given(pcm=st.lists(st.integers(-32768, 32767), max_size=50), rate=st.integers(8000, 48000),
       words=st.lists(st.tuples(st.text(max_size=10), st.integers(0, 10**6), st.integers(0, 10**6)), max_size=5))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, pcm: list[int], rate: int,
                                 words: list[tuple[str, int, int]]) -> None:
    """Every clip comes back as it was."""
    path = tmp_path_factory.mktemp("clip") / "x.clip"
    clip = Clip("a", np.array(pcm, np.int16), rate, tuple(Word(*word) for word in words))
    write_clip(path, clip)
    read = read_clip(path, "a")
    assert read is not None
    assert same(read, clip)


def test_a_full_disk_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full the voice speaks every time, and leaves no half-written file."""

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cached.Path, "replace", full)
    voice = Counting()
    cache = CachedVoice(voice, tmp_path)
    for _ in range(3):
        assert len(cache.speak(Line("a", "Hello.")).pcm) == 200
    assert len(voice.spoken) == 3
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_only_costs_time(tmp_path: Path) -> None:
    """Where the folder's place is taken by a file the voice speaks all the same."""
    (tmp_path / "taken").write_text("")
    voice = Counting()
    cache = CachedVoice(voice, tmp_path / "taken" / "voices")
    assert len(cache.speak(Line("a", "Hello.")).pcm) == 200
    assert len(cache.speak(Line("a", "Hello.")).pcm) == 200


def test_the_cache_is_bounded_and_forgets_the_longest_unused(tmp_path: Path) -> None:
    """Beyond the limit the files longest unused go; one that was just used stays."""
    voice = Counting()
    size = write_clip(tmp_path / "x", voice.speak(Line("a", "0")))
    (tmp_path / "x").unlink()
    cache = CachedVoice(voice, tmp_path, limit=size * 10)
    for i in range(10):
        cache.speak(Line("a", f"line number {'abcdefghij'[i]}"))
        for path in tmp_path.glob("*.clip"):
            os.utime(path, (path.stat().st_mtime - 60,) * 2)
    cache.speak(Line("a", "line number a"))
    voice.spoken.clear()
    cache.speak(Line("a", "one more line"))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= size * 10
    cache.speak(Line("a", "line number a"))
    cache.speak(Line("a", "one more line"))
    assert [text for text, _ in voice.spoken] == ["one more line"]
    cache.speak(Line("a", "line number b"))
    assert len(voice.spoken) == 2


def test_what_the_voice_raises_comes_through(tmp_path: Path) -> None:
    """A voice's error is not swallowed, and nothing is kept."""

    class Mute(Counting):
        def speak(self, line: Line, speed: float = 1.0) -> Clip:
            raise cached_error

    from host.voices import VoiceError

    cached_error = VoiceError("mute")
    with pytest.raises(VoiceError, match="mute"):
        CachedVoice(Mute(), tmp_path).speak(Line("a", "Hello."))
    assert list(tmp_path.iterdir()) == []


def test_closing_closes_the_voice(tmp_path: Path) -> None:
    """Closing the cache frees the voice behind it."""
    voice = Counting()
    CachedVoice(voice, tmp_path).close()
    assert voice.closed
