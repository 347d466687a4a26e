"""The log: what came in survives, what a power cut left half written does not."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.events import Heard, Hush, In, Line, Part, Pressed, Resumed, Said, Say, Speaking, TimeUp, Trouble, Typed, Word
from host.log import FileDisk, Log, LogError, cut, decode, digest, encode, read

SAMPLES = st.integers(0, 10**9)
WORDS = st.lists(st.builds(Word, st.text(max_size=8), SAMPLES, SAMPLES, st.floats(0, 1)), max_size=3).map(tuple)
EVENTS = st.one_of(
    st.builds(Speaking, SAMPLES, SAMPLES, SAMPLES, st.integers(0, 3)),
    st.builds(Heard, SAMPLES, SAMPLES, SAMPLES, WORDS, WORDS, SAMPLES, st.booleans(), st.integers(0, 3)),
    st.builds(Pressed, SAMPLES, st.text(max_size=8)),
    st.builds(Said, SAMPLES, st.text(max_size=8), st.sampled_from(Part)),
    st.builds(Typed, SAMPLES, st.none() | st.integers(0, 7), st.text(max_size=8)),
    st.builds(TimeUp, SAMPLES),
    st.builds(Resumed, SAMPLES),
    st.builds(Trouble, SAMPLES, st.text(max_size=8)),
)


@given(EVENTS)
def test_an_event_survives_the_way_through_json(event: In) -> None:
    """Whatever came in is the same after it was written and read."""
    assert decode(json.loads(json.dumps(encode(event)))) == event


def write(path: Path, count: int = 30) -> list[In]:
    log = Log(FileDisk(path))
    log.header({"game": "test"})
    came: list[In] = [Said(at, f"line{at}", Part.ENDED) for at in range(count)]
    for event in came:
        log.event(event, (Say(Line("x", "hello é")), Hush()), event)
    log.close()
    return came


def test_a_log_reads_back_what_was_written(tmp_path: Path) -> None:
    """Header, events, digests and effects come back in order."""
    came = write(tmp_path / "log.jsonl")
    back = read(tmp_path / "log.jsonl")
    assert back.header == {"game": "test"}
    assert [record.event for record in back.records] == came
    assert [record.state for record in back.records] == [digest(event) for event in came]
    assert back.records[0].out[0]["line"]["text"] == "hello é"


def test_a_log_cut_at_any_byte_of_its_last_records_keeps_every_whole_record(tmp_path: Path) -> None:
    """Cut anywhere in its last 20 records, a log gives exactly the records that are whole."""
    path = tmp_path / "log.jsonl"
    came = write(path)
    data = path.read_bytes()
    ends = [index + 1 for index, byte in enumerate(data) if byte == 10]
    for size in range(ends[-21], len(data) + 1):
        path.write_bytes(data[:size])
        back = read(path)
        whole = sum(end <= size for end in ends) - 1
        assert [record.event for record in back.records] == came[:whole]
        assert back.good == max(end for end in ends if end <= size)


def test_a_cut_log_can_be_gone_on_with(tmp_path: Path) -> None:
    """After the half-written tail is cut off, appending gives a whole log again."""
    path = tmp_path / "log.jsonl"
    came = write(path)
    path.write_bytes(path.read_bytes()[:-5])
    cut(path, read(path).good)
    log = Log(FileDisk(path))
    log.event(TimeUp(99), (), None)
    log.close()
    assert [record.event for record in read(path).records] == [*came[:-1], TimeUp(99)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a log"),
        (b"hello\n", "not a log"),
        (b'{"format": 99, "header": {}}\n', "another version"),
        (b'{"format": 1, "header": {}}\nrubbish\n{"in": {}}\n', "damaged at byte 28"),
        (b"\x00" * 100 + b"\n" + b"\x00" * 9, "not a log"),
    ],
)
def test_what_is_no_log_is_refused_in_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    """A file that is no log, or damaged inside, gives a LogError that says so."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    with pytest.raises(LogError, match=said):
        read(path)


def test_a_full_disk_ends_the_record_but_not_the_evening() -> None:
    """A disk that fails is given up, says why, and further events raise nothing."""

    class Full:
        def append(self, _data: bytes) -> None:
            raise OSError(28, "No space left on device")

        def sync(self) -> None:
            raise AssertionError("not called after a failure")

        def close(self) -> None:
            pass

    log = Log(Full())
    log.event(TimeUp(1), (), None)
    log.event(TimeUp(2), (), None)
    log.close()
    assert log.failed == "No space left on device"
