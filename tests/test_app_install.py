"""`gamehost install` and `uninstall`, below a root of the test's own; the units as systemd reads them."""

import argparse
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from host.__main__ import main
from host.app import AppError, box, install, units
from host.app.steps import Copy, Run, Write

needs_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0 or shutil.which("useradd") is None or shutil.which("systemctl") is None,
    reason="making users and units below a root needs root, useradd and systemctl",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The few files of a Debian that the installer looks at."""
    made = tmp_path / "root"
    for folder in ("etc/systemd/system", "usr/lib/systemd/system", "var/lib", "opt"):
        (made / folder).mkdir(parents=True)
    (made / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\n', encoding="utf-8")
    (made / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n", encoding="utf-8")
    (made / "etc/group").write_text("root:x:0:\naudio:x:29:\nvideo:x:44:\ninput:x:105:\n", encoding="utf-8")
    for name in ("shadow", "gshadow"):
        (made / "etc" / name).write_text("", encoding="utf-8")
    return made


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only two small parts of the project are copied."""
    monkeypatch.setattr(install, "PROJECT", ("gamehost", "requirements.lock"))


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Mode and content of every file below a folder."""
    return {str(path.relative_to(folder)): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
            for path in sorted(folder.rglob("*"))}


def test_a_dry_run_tells_every_step_and_does_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Packages, user with its groups, files with their texts, units: all told; not a byte below the root changes."""
    before = tree(root)
    assert main(["install", "--dry-run", "--root", str(root)]) == 0
    out = capsys.readouterr().out
    for words in ("apt-get install", "libportaudio2", "cage", "chromium", "useradd", "--groups audio,input,video",
                  "write   /etc/systemd/system/gamehost.service", "| Type=notify", "settings.toml",
                  "systemctl --root=", "enable gamehost.service gamehost-screen.service", "Nothing was done"):
        assert words in out, words
    assert tree(root) == before


@needs_root
@pytest.mark.usefixtures("small")
def test_installing_twice_is_installing_once_and_uninstalling_leaves_the_data(root: Path) -> None:
    """The second run changes nothing, settings that were edited stay, uninstall leaves only the data, purge nothing."""
    before = tree(root)
    words = ["--root", str(root), "--no-packages"]
    assert main(["install", *words]) == 0
    settings = root / "var/lib/gamehost/settings.toml"
    settings.write_text('game = "venn"\n', encoding="utf-8")
    first = tree(root)
    assert main(["install", *words]) == 0
    assert tree(root) == first
    users = {line.split(":")[0]: line.split(":") for line in (root / "etc/passwd").read_text().splitlines()}
    assert settings.stat().st_uid == int(users["gamehost"][2]) >= 100
    assert users["gamehost"][6] == "/usr/sbin/nologin"
    groups = [line.split(":")[0] for line in (root / "etc/group").read_text().splitlines() if "gamehost" in line]
    assert {"audio", "video", "input"} <= set(groups)
    wanted = root / "etc/systemd/system/multi-user.target.wants"
    assert {path.name for path in wanted.iterdir()} == {units.HOST, units.SCREEN}
    assert (root / "opt/gamehost/gamehost").stat().st_mode & 0o111
    assert main(["uninstall", *words]) == 0
    left = set(tree(root)) - set(before)
    assert settings.is_file()
    assert all("var/lib/gamehost" in name or name.endswith("-") or ".lock" in name or "wants" in name or
               name == "var/lib/systemd" or name == "var/lib/systemd/linger" for name in left), left
    assert "gamehost" not in (root / "etc/passwd").read_text()
    assert not list(wanted.glob("*")) if wanted.exists() else True
    assert main(["uninstall", *words, "--purge"]) == 0
    assert not settings.parent.exists()


def test_a_copy_that_was_broken_off_is_begun_anew(tmp_path: Path) -> None:
    """What an earlier run left half done is replaced, files that the new version no longer has are gone."""
    source, root = tmp_path / "source", tmp_path / "root"
    source.mkdir()
    (source / "new.py").write_text("1", encoding="utf-8")
    (source / "__pycache__").mkdir()
    (root / "opt/.host.new").mkdir(parents=True)
    (root / "opt/host").mkdir()
    (root / "opt/host/old.py").write_text("0", encoding="utf-8")
    Copy(source, "/opt/host").do(root)
    assert [path.name for path in (root / "opt/host").iterdir()] == ["new.py"]
    assert [path.name for path in (root / "opt").iterdir()] == ["host"]


WRONG = [
    (["--user", "root"], "not root"),
    (["--user", "a b"], "lower-case letters"),
    (["--data", "here"], "whole path"),
    (["--data", "/"], "whole path"),
    (["--data", "/var/../etc"], "whole path"),
    (["--root", "/nowhere/at/all"], "there is no folder"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_what_is_typed_wrongly_is_one_sentence(
    words: list[str], said: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is begun, exit code 2."""
    assert main(["install", "--dry-run", "--root", str(root), *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


SYSTEMS = [("ID=ubuntu\nVERSION_ID=24.04", "ubuntu 24"), ("ID=debian\nVERSION_ID=11", "debian 11"), ("", "unknown")]


@pytest.mark.parametrize(("text", "said"), SYSTEMS)
def test_another_system_is_refused(root: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Debian or Raspberry Pi OS 12 and 13 only; elsewhere it says how to play."""
    (root / "etc/os-release").write_text(text, encoding="utf-8")
    assert main(["install", "--dry-run", "--root", str(root)]) == 2
    assert said in (found := capsys.readouterr().err)
    assert "play --screen" in found


def test_a_desktop_keeps_its_screen(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a display manager the screen's service is not installed over it."""
    (root / "etc/systemd/system/display-manager.service").symlink_to("/dev/null")
    assert main(["install", "--dry-run", "--root", str(root)]) == 2
    assert "--no-screen" in capsys.readouterr().err
    assert main(["install", "--dry-run", "--no-screen", "--root", str(root)]) == 0
    out = capsys.readouterr().out
    assert units.SCREEN not in out
    assert "chromium" not in out


def test_a_step_that_fails_says_which_and_why(tmp_path: Path) -> None:
    """The command, its code and its last words; a step that may fail only tells."""
    with pytest.raises(AppError, match=r"sh -c .* ended with 7: no luck\. Mend that"):
        Run(["sh", "-c", "echo no luck >&2; exit 7"]).do(tmp_path)
    with pytest.raises(AppError, match="there is no such program"):
        Run(["/no/such/program"]).do(tmp_path)
    Run(["sh", "-c", "exit 7"], may_fail=True).do(tmp_path)
    Run(["sh", "-c", "exit 7"], needed=lambda: False).do(tmp_path)


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    """Written beside and renamed; one that stays is never written over."""
    Write("/etc/one", "text\n", 0o640).do(tmp_path)
    assert (tmp_path / "etc/one").stat().st_mode & 0o777 == 0o640
    Write("/etc/one", "other\n", stays=True).do(tmp_path)
    assert (tmp_path / "etc/one").read_text() == "text\n"
    assert [path.name for path in (tmp_path / "etc").iterdir()] == ["one"]


# --- the units ------------------------------------------------------------------------------------

PLACE = units.Place(uid=990)


def keys(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if "=" in line:
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def test_kio_11_the_service_is_started_for_ever() -> None:
    """KIO-11, KIO-17: no start limit, two seconds between starts, a watchdog, no process left behind."""
    host = keys(units.host_unit(PLACE))
    assert host["Type"] == ["notify"]
    assert host["StartLimitIntervalSec"] == ["0"]
    assert host["Restart"] == ["always"]
    assert float(host["RestartSec"][0]) >= 2
    assert float(host["WatchdogSec"][0]) > 0
    assert host["KillMode"] == ["control-group"]
    screen = keys(units.screen_unit(PLACE))
    assert screen["Restart"] == ["always"]
    assert screen["StartLimitIntervalSec"] == ["0"]
    assert screen["ExecStart"][0].startswith("/usr/bin/cage -s -- ")


def test_aud_10_the_service_finds_the_sound_server_of_its_user() -> None:
    """AUD-10: XDG_RUNTIME_DIR is the user's own, and its session runs without anybody logged in (linger)."""
    host = units.host_unit(PLACE)
    assert "XDG_RUNTIME_DIR=/run/user/990 " in host
    assert "After=sound.target network.target user@990.service" in host


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_the_units_pass_systemd_analyze_verify(tmp_path: Path) -> None:
    """systemd itself finds nothing to say about either unit; a broken one would be told."""
    for name in ("cage", "gamehost"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    place = units.Place(user="root", uid=990, program=str(tmp_path), data=str(tmp_path))
    screen = units.screen_unit(place).replace("/usr/bin/cage", str(tmp_path / "cage"))
    for name, text in ((units.HOST, units.host_unit(place)), (units.SCREEN, screen)):
        (tmp_path / name).write_text(text.replace(f"file:{tmp_path}", "file:/opt"), encoding="utf-8")
    program = shutil.which("systemd-analyze") or ""

    def said(*names: str) -> str:
        done = subprocess.run([program, "verify", "--man=no", *(str(tmp_path / name) for name in names)],
                              capture_output=True, text=True, check=False, timeout=60)
        ours = [line for line in done.stderr.splitlines() if str(tmp_path) in line or "gamehost" in line]
        return "\n".join(ours)

    assert said(units.HOST, units.SCREEN) == ""
    (tmp_path / "gamehost-broken.service").write_text(
        units.host_unit(place).replace("Restart=always", "Restart=whenever"), encoding="utf-8")
    assert "Failed to parse" in said("gamehost-broken.service")


# --- the settings that a box gets -------------------------------------------------------------------


def test_the_settings_of_a_new_box_are_good() -> None:
    """The file that install writes is read without a word."""
    found = box.read(units.SETTINGS.encode())
    assert (found.game, found.screen) == ("clever", 8137)


def test_settings_are_the_options_of_play(tmp_path: Path) -> None:
    """Numbers, words, switches and lists; the file is kept as the newest good copy."""
    text = 'game = "clever"\npause = 4\nready = false\nwait = true\nstrict = false\npack = []\nplayers = "Anna:blue"\n'
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    found, notice = box.settings(tmp_path)
    assert isinstance(found, argparse.Namespace)
    assert (found.pause, found.ready, found.players, found.strict) == (4.0, False, "Anna:blue", None)
    assert notice == ""
    assert (tmp_path / "settings.toml.old").read_text() == text


BROKEN = {
    "half written": b'game = "cle', "binary": b"\xff\x00\xfe", "unknown": b"gmae = 3\n", "value": b"pause = 99\n",
    "table": b"[rules]\npause = 4\n", "no such game": b'game = "chess"\n',
}


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_settings_that_cannot_be_used_are_set_aside(raw: bytes, tmp_path: Path) -> None:
    """One line; the last good copy is used and put in its place; without one the defaults; nothing is thrown away."""
    path = tmp_path / "settings.toml"
    path.write_bytes(raw)
    found, notice = box.settings(tmp_path)
    assert (found.game, found.screen) == ("clever", 8137)
    assert "defaults" in notice
    assert "\n" not in notice
    assert (tmp_path / "settings.toml.bad-1").read_bytes() == raw
    path.write_text("volume = 0.5\n", encoding="utf-8")
    box.settings(tmp_path)
    path.write_bytes(raw)
    found, notice = box.settings(tmp_path)
    assert found.volume == 0.5
    assert "last good settings" in notice
    assert path.read_text() == "volume = 0.5\n"
    assert (tmp_path / "settings.toml.bad-2").read_bytes() == raw


def test_a_folder_that_cannot_be_written_still_plays(tmp_path: Path) -> None:
    """KIO-09: without a place for the copy the settings hold all the same; without any file the defaults do."""
    assert box.settings(tmp_path / "nowhere")[0].game == "clever"
    (tmp_path / "settings.toml.old").mkdir()
    (tmp_path / "settings.toml").write_text("volume = 0.5\n", encoding="utf-8")
    assert box.settings(tmp_path)[0].volume == 0.5
