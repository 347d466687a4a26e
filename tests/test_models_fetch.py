"""Fetching a model from a local server that cuts, lies and serves what it should not."""

import errno
import hashlib
import io
import json
import stat
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from host.ears import fetch
from host.ears.models import ModelError, check_sums, known_sums

NAME = "vosk-model-tiny-xx-1.0"


def packed(files: dict[str, bytes], link: str | None = None) -> bytes:
    """A ZIP of these files, stored so that its size is large enough to be cut; `link` becomes a symbolic link."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        if link:
            info = zipfile.ZipInfo(f"{NAME}/{link}")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return buffer.getvalue()


GOOD = packed({
    f"{NAME}/am/final.mdl": b"m" * 300_000, f"{NAME}/conf/model.conf": b"--beam=10\n", f"{NAME}/README": b"",
})


class Server:
    """A web server whose behaviour tests set: after how many bytes it cuts, whether it can resume."""

    def __init__(self) -> None:
        self.archive, self.md5, self.size = GOOD, "", 0
        self.cuts: list[int] = []
        self.ranges = True
        self.asked: list[str | None] = []
        self.listed: bytes | None = None
        self.answer = 200
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                if self.path.endswith("list.json"):
                    self.reply(200, server.list(), {})
                elif server.answer != 200:
                    self.reply(server.answer, b"", {})
                else:
                    server.serve(self)

            def reply(self, code: int, body: bytes, headers: dict[str, str], said: int | None = None) -> None:
                self.send_response(code)
                for key, value in headers.items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(body) if said is None else said))
                self.end_headers()
                self.wfile.write(body)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def list(self) -> bytes:
        if self.listed is not None:
            return self.listed
        md5 = self.md5 or hashlib.md5(self.archive, usedforsecurity=False).hexdigest()
        return json.dumps([
            {"name": "other", "url": "x", "size": 1, "md5": "y"},
            {"name": NAME, "url": f"{self.url}/{NAME}.zip", "size": self.size or len(self.archive), "md5": md5},
        ]).encode()

    def serve(self, handler) -> None:
        wanted = handler.headers.get("Range")
        self.asked.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.ranges else 0
        body = self.archive[start:]
        cut = self.cuts.pop(0) if self.cuts else len(body)
        headers = {"Content-Range": f"bytes {start}-{len(self.archive) - 1}/{len(self.archive)}"} if start else {}
        handler.reply(206 if start else 200, body[:cut], headers, said=len(body))


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.http.shutdown()
    server.http.server_close()


def get(server: Server, folder: Path, progress=None) -> Path:
    return fetch.fetch(NAME, folder, progress, f"{server.url}/list.json")


def leftovers(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_model_is_fetched_unpacked_and_pinned(server: Server, tmp_path: Path) -> None:
    """The folder and its pins stay, the archive goes; the progress ends at the whole."""
    told: list[tuple[int, int]] = []
    ready = get(server, tmp_path, lambda *step: told.append(step))
    assert (ready / "am" / "final.mdl").read_bytes() == b"m" * 300_000
    assert told[-1] == (len(GOOD), len(GOOD))
    assert leftovers(tmp_path) == {NAME, f"{NAME}.json"}
    check_sums(ready, known_sums(ready))
    assert len(known_sums(ready)) == 3
    get(server, tmp_path)
    assert len(server.asked) == 1


def test_a_damaged_folder_is_fetched_again(server: Server, tmp_path: Path) -> None:
    """The command that the error names does mend it."""
    ready = get(server, tmp_path)
    (ready / "conf" / "model.conf").write_text("")
    get(server, tmp_path)
    assert (ready / "conf" / "model.conf").read_text() == "--beam=10\n"


def test_a_cut_connection_is_taken_up_where_it_was_cut(server: Server, tmp_path: Path) -> None:
    """As long as something comes it goes on by itself, with ranges."""
    server.cuts = [100_000, 70_000]
    get(server, tmp_path)
    assert server.asked == [None, "bytes=100000-", "bytes=170000-"]


def test_a_dead_connection_is_one_sentence_and_the_next_call_goes_on(server: Server, tmp_path: Path) -> None:
    """What came is kept for the next time."""
    server.cuts = [100_000, 0]
    with pytest.raises(ModelError, match=r"cut after 0\.1 of 0\.3 MB.*run the same command again"):
        get(server, tmp_path)
    assert leftovers(tmp_path) == {f"{NAME}.zip.part"}
    server.cuts = []
    get(server, tmp_path)
    assert server.asked[-1] == "bytes=100000-"


def test_a_server_without_ranges_begins_anew(server: Server, tmp_path: Path) -> None:
    """The whole file is taken, not appended to its half."""
    server.cuts, server.ranges = [100_000], False
    assert (get(server, tmp_path) / "README").is_file()


@pytest.mark.parametrize("code", [404, 503])
def test_a_server_that_refuses_is_one_sentence(server: Server, tmp_path: Path, code: int) -> None:
    """The code is told."""
    server.answer = code
    with pytest.raises(ModelError, match=str(code)):
        get(server, tmp_path)


def test_a_wrong_sum_is_thrown_away(server: Server, tmp_path: Path) -> None:
    """Nothing is unpacked, nothing stays, and the next try may be right."""
    server.md5 = "0" * 32
    with pytest.raises(ModelError, match="sum differs"):
        get(server, tmp_path)
    assert leftovers(tmp_path) == set()
    server.md5 = ""
    assert get(server, tmp_path).is_dir()


@pytest.mark.parametrize("when", ["before", "download", "unpack"])
def test_a_full_disk_is_one_sentence(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Found beforehand, while it is written, or while it is unpacked: what to do is told, nothing half is left."""
    full = OSError(errno.ENOSPC, "No space left on device")

    def fail(*_args: object, **_kwargs: object) -> None:
        raise full

    if when == "before":
        monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    elif when == "download":
        monkeypatch.setattr(fetch, "_continue", fail)
    else:
        monkeypatch.setattr(zipfile.ZipFile, "extractall", fail)
    with pytest.raises(ModelError, match=r"disk is full.*run the same command again"):
        get(server, tmp_path)
    assert leftovers(tmp_path) <= {f"{NAME}.zip.part"}


@pytest.mark.parametrize(("files", "link"), [
    ({"../evil": b"x"}, None),
    ({f"{NAME}/../../evil": b"x"}, None),
    ({"/evil": b"x"}, None),
    ({f"{NAME}\\..\\..\\evil": b"x"}, None),
    ({"C:/evil": b"x"}, None),
    ({"elsewhere/file": b"x"}, None),
    ({f"{NAME}/ok": b"x"}, "link"),
])
def test_an_archive_that_leads_elsewhere_is_refused(server: Server, tmp_path: Path, files, link: str | None) -> None:
    """SEC-07: `..`, absolute paths, other folders and links: nothing at all is unpacked."""
    folder = tmp_path / "a" / "b"
    server.archive = packed({f"{NAME}/README": b"", **files}, link)
    with pytest.raises(ModelError, match="leads elsewhere"):
        get(server, folder)
    assert not list(tmp_path.rglob("*evil*"))
    assert not (folder / NAME).exists()


def test_a_broken_archive_is_thrown_away(server: Server, tmp_path: Path) -> None:
    """What has the right sum but is no archive is told."""
    server.archive = b"no archive" * 100
    with pytest.raises(ModelError, match="can't be unpacked"):
        get(server, tmp_path)
    assert leftovers(tmp_path) == set()


@pytest.mark.parametrize(("listed", "sentence"), [
    (b"<html>", "can't be understood"), (b"[{}]", "can't be understood"), (b"[]", "offers no model"),
    (json.dumps([{"name": NAME, "url": "file:///etc/passwd", "size": 1, "md5": "x"}]).encode(), "no web address"),
])
def test_a_strange_list_is_one_sentence(server: Server, tmp_path: Path, listed: bytes, sentence: str) -> None:
    """A portal page, a list of another form, a name that is not on it, an address that is none."""
    server.listed = listed
    with pytest.raises(ModelError, match=sentence):
        get(server, tmp_path)


def test_no_connection_is_one_sentence(tmp_path: Path) -> None:
    """A list that can't be had."""
    with pytest.raises(ModelError, match="check the connection"):
        fetch.fetch(NAME, tmp_path, list_url="http://127.0.0.1:9/list.json")


@pytest.mark.parametrize("name", ["../x", "", "a b", "/etc", ".hidden"])
def test_a_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    """No path is let in by the name."""
    with pytest.raises(ModelError, match="no name of a model"):
        fetch.fetch(name, tmp_path, list_url="http://127.0.0.1:9/list.json")


def test_a_folder_that_can_t_be_written_is_one_sentence(server: Server, tmp_path: Path) -> None:
    """A file in the way of the folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="GAMEHOST_DATA"):
        get(server, tmp_path / "file" / "models")
