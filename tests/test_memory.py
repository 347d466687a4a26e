"""What was played is remembered (CE-20), whatever happens to the disk (KIO-08)."""

import errno
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.memory import Memory


class PowerCutError(BaseException):
    """The moment at which the machine goes dark: nothing catches it."""


def played(path: Path, cards: list[str], deck: str = "family") -> Memory:
    memory = Memory.open(path)
    for card in cards:
        assert memory.add(deck, card) == ""
    return memory


def test_ce_20_played_cards_are_there_the_next_evening(tmp_path: Path) -> None:
    """Cards stay in order, per deck, once each; a forgotten deck is empty and the others are not."""
    path = tmp_path / "data" / "played.json"
    played(path, ["a", "b", "a"])
    played(path, ["x"], "venn-words")
    memory = Memory.open(path)
    assert memory.used("family") == ("a", "b")
    assert memory.used("venn-words") == ("x",)
    assert memory.used("never-played") == ()
    assert memory.notice == ""
    memory.forget("family")
    memory = Memory.open(path)
    assert memory.used("family") == ()
    assert memory.used("venn-words") == ("x",)


def test_ce_20_one_packs_cards_begin_anew_and_the_others_stay(tmp_path: Path) -> None:
    """Forgetting some cards of a deck keeps what was played of other packs, in its order, on the next evening too."""
    path = tmp_path / "m.json"
    memory = played(path, ["k1", "f1", "k2", "f2"], "clues")
    memory.forget("clues", {"k1", "k2", "k3"})
    assert memory.used("clues") == Memory.open(path).used("clues") == ("f1", "f2")
    memory.forget("clues", {"f1", "f2"})
    assert Memory.open(path).used("clues") == ()


def test_undo_takes_a_card_back(tmp_path: Path) -> None:
    """A card taken back is unplayed on the next evening too; taking back what was not played is nothing."""
    memory = played(tmp_path / "m.json", ["a", "b"])
    memory.take_back("family", "a")
    memory.take_back("other", "a")
    assert Memory.open(tmp_path / "m.json").used("family") == ("b",)


def test_con_04_a_card_reported_twice_is_skipped(tmp_path: Path) -> None:
    """One report keeps the card, with what was heard; the second, on another evening, skips it."""
    path = tmp_path / "m.json"
    memory = Memory.open(path)
    memory.mark("thing-ladder", "bad", "that one is wrong")
    memory.mark("thing-kettle", "known")
    assert memory.skipped() == ()
    assert memory.marked("bad") == ("thing-ladder",)
    memory = Memory.open(path)
    memory.mark("thing-ladder", "bad", "bad card " * 100)
    assert Memory.open(path).skipped() == ("thing-ladder",)
    assert Memory.open(path).heard("thing-ladder", "bad") == ("that one is wrong", ("bad card " * 100)[:200])
    assert memory.marked("known") == ("thing-kettle",)
    with pytest.raises(ValueError, match="known, bad"):
        memory.mark("thing-kettle", "good")


def spoil(raw: bytes, chance: random.Random) -> bytes:
    """One way in which a power cut, a worn card or an editor spoils a file."""
    at = chance.randrange(len(raw))
    return (
        raw[:at], b"", b"\x00" * len(raw), raw[:at] + bytes([raw[at] ^ (1 << chance.randrange(8))]) + raw[at + 1:],
        raw[:at] + b"\x00" * (len(raw) - at), chance.randbytes(len(raw)), raw + raw[at:], b"[" * 100_000,
        b'{"sum": "", "body": []}',
    )[chance.randrange(9)]


@pytest.mark.parametrize("seed", range(200))
def test_kio_08_a_damaged_file_is_set_aside_and_the_newest_good_copy_kept(tmp_path: Path, seed: int) -> None:
    """200 random damages: it opens, loses at most the last card, tells it, and keeps the damaged file."""
    chance = random.Random(seed)
    path = tmp_path / "m.json"
    played(path, ["a", "b", "c"])
    damaged = spoil(path.read_bytes(), chance)
    path.write_bytes(damaged)
    memory = Memory.open(path)
    assert memory.used("family") == ("a", "b")
    assert "damaged" in memory.notice
    assert "m.json.bad-1" in memory.notice
    assert (tmp_path / "m.json.bad-1").read_bytes() == damaged
    memory.add("family", "d")
    again = Memory.open(path)
    assert again.used("family") == ("a", "b", "d")
    assert again.notice == ""


@pytest.mark.parametrize("seed", range(20))
def test_kio_08_with_all_copies_damaged_it_starts_anew_and_says_so(tmp_path: Path, seed: int) -> None:
    """Nothing readable left: empty, with a notice; a second damage gets the next number."""
    chance = random.Random(seed)
    path = tmp_path / "m.json"
    for number in (1, 2):
        played(path, ["a", "b"])
        for copy in (path, tmp_path / "m.json.old"):
            copy.write_bytes(spoil(copy.read_bytes(), chance))
        memory = Memory.open(path)
        assert memory.used("family") == ()
        assert "starts anew" in memory.notice
        assert len(list(tmp_path.glob("m.json.bad-*"))) == 2 * number


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_kio_08_a_power_cut_in_the_middle_of_a_save_loses_at_most_that_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str,
) -> None:
    """Cut before each step of a save in turn: what was saved before is there, nothing is called damaged."""
    steps = 0
    cut_at = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps == cut_at:
            raise PowerCutError

    real_fsync, real_replace, real_open = os.fsync, Path.replace, Path.open

    def fsync(fd: int) -> None:
        if call == "fsync":
            step()
        real_fsync(fd)

    def replace(self: Path, target: Path) -> Path:
        if call == "replace":
            step()
        return real_replace(self, target)

    def opened(self: Path, mode: str = "r", *args: object, **more: object) -> object:
        file = real_open(self, mode, *args, **more)  # type: ignore[call-overload]  # passed on
        if "w" in mode and call in ("open", "write"):
            if call == "write" and steps + 1 == cut_at:
                file.write(b'{"sum": "')
                file.flush()
            step()
        return file

    for cut in (1, 2):
        path = tmp_path / str(cut) / "m.json"
        played(path, ["a", "b"])
        steps, cut_at = 0, cut
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            patch.setattr(Path, "replace", replace)
            patch.setattr(Path, "open", opened)
            memory = Memory.open(path)
            try:
                memory.add("family", "c")
                done = True
            except PowerCutError:
                done = False
        again = Memory.open(path)
        assert again.used("family")[:2] == ("a", "b")
        assert again.used("family")[2:] in ([("c",)] if done else [(), ("c",)])
        assert again.notice == ""


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_full_or_read_only_disk_is_told_once_and_the_evening_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int,
) -> None:
    """The first failing save returns a notice, the next none; once it works again, all of the evening is saved."""
    path = tmp_path / "m.json"
    memory = played(path, ["a"])

    def fail(self: Path, *_: object) -> None:
        raise OSError(error, os.strerror(error), str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", fail)
        first = memory.add("family", "b")
        assert "can't be saved" in first
        assert os.strerror(error) in first
        assert memory.notice == first
        assert memory.add("family", "c") == ""
    assert memory.used("family") == ("a", "b", "c")
    assert Memory.open(path).used("family") == ("a",)
    assert memory.add("family", "d") == ""
    assert Memory.open(path).used("family") == ("a", "b", "c", "d")


def test_a_file_that_may_not_be_read_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It opens empty with a notice."""
    played(tmp_path / "m.json", ["a"])

    def fail(_: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", fail)
    memory = Memory.open(tmp_path / "m.json")
    assert memory.used("family") == ()
    assert "Permission denied" in memory.notice


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file in the folder's place: a notice, no exception."""
    (tmp_path / "data").write_text("")
    memory = Memory.open(tmp_path / "data" / "m.json")
    notice = memory.add("family", "a")
    assert "can't be saved" in (notice or memory.notice)
    assert memory.used("family") == ("a",)


@given(st.lists(st.one_of(
    st.tuples(st.just("add"), st.sampled_from("xy"), st.text(max_size=5)),
    st.tuples(st.just("take_back"), st.sampled_from("xy"), st.text(max_size=5)),
    st.tuples(st.just("forget"), st.sampled_from("xy")),
), max_size=12))
def test_after_every_change_the_file_says_what_the_memory_says(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, ...]],
) -> None:
    """Against a naive list: used() and a freshly opened memory agree with it after any changes."""
    path = tmp_path_factory.mktemp("memory") / "m.json"
    memory = Memory.open(path)
    plain: dict[str, list[str]] = {"x": [], "y": []}
    for name, deck, *card in changes:
        getattr(memory, name)(deck, *card)
        if name == "forget":
            plain[deck] = []
        elif name == "take_back":
            plain[deck] = [one for one in plain[deck] if one != card[0]]
        elif card[0] not in plain[deck]:
            plain[deck].append(card[0])
    for deck, cards in plain.items():
        assert memory.used(deck) == tuple(cards) == Memory.open(path).used(deck)
