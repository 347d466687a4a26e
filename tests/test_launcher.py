"""The launcher: which Python it takes, and what it says where there is none (REC-29)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parents[1] / "gamehost"


def launch(tmp_path: Path, python: str | None) -> subprocess.CompletedProcess[str]:
    """Run the launcher with nothing but a few tools and perhaps one Python on the path."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("dirname", "basename", "cmp", "sh"):
        for folder in ("/usr/bin", "/bin"):
            if (Path(folder) / name).exists():
                (tools / name).symlink_to(Path(folder) / name)
                break
    if python is not None:
        (tools / "python3").write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
        (tools / "python3").chmod(0o755)
    return subprocess.run(
        ["/bin/sh", str(LAUNCHER), "--version"], capture_output=True, text=True, check=False, timeout=60,
        env={"PATH": str(tools), "HOME": str(tmp_path), "GAMEHOST_VENV": str(tmp_path / "venv")},
    )


@pytest.mark.skipif(os.name != "posix", reason="the launcher is a shell script")
@pytest.mark.parametrize("python", [None, "exit 1"], ids=["no python", "a python that does not fit"])
def test_rec_29_without_a_python_that_has_wheels_it_says_which_is_needed(tmp_path: Path, python: str | None) -> None:
    """REC-29: one sentence, exit code 3, and nothing is left behind."""
    done = launch(tmp_path, python)
    assert done.returncode == 3
    assert done.stderr.strip() == (
        "gamehost: Python 3.11, 3.12 or 3.13 is needed and was not found; install one of them and try again.")
    assert not (tmp_path / "venv").exists()


@pytest.mark.skipif(os.name != "posix", reason="the launcher is a shell script")
def test_a_python_without_venv_is_told_in_one_sentence(tmp_path: Path) -> None:
    """Debian's python3 without python3-venv: the package is named, exit code 3."""
    fake = f'case "$1" in -c) exec {sys.executable} "$@";; *) echo "No module named venv"; exit 1;; esac'
    done = launch(tmp_path, fake)
    assert done.returncode == 3
    assert "sudo apt install python3-venv" in done.stderr.strip().splitlines()[-1]


def test_every_pinned_package_has_a_hash() -> None:
    """The lock files pin versions with hashes, and the test's lock holds all of the other's pins."""
    root = LAUNCHER.parent
    plain, test = ((root / name).read_text() for name in ("requirements.lock", "requirements-test.lock"))
    pins = [line.split(" ")[0] for line in plain.splitlines() if "==" in line and not line.startswith((" ", "#"))]
    assert len(pins) > 20
    assert all(pin in test for pin in pins)
    assert plain.count("--hash=sha256:") >= len(pins)
