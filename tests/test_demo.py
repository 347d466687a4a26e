"""The README's main job: whole evenings in a simulated room, through the real ear and voice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOGETHER = "audio_fixtures/demo_venn/together_{}.toml"


@pytest.mark.parametrize("asked", [
    (), ("venn",), ("venn", "--scene", TOGETHER.format("won")), ("venn", "--scene", TOGETHER.format("lost")),
])
def test_an_evening_goes_as_its_scene_expects(asked: tuple[str, ...], tmp_path: Path) -> None:
    """`gamehost demo` ends with 0 only where every guess, call, command and point came out as the scene says."""
    env = {**os.environ, "GAMEHOST_DATA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-m", "host", "demo", *asked], cwd=ROOT, env=env, capture_output=True,
                           text=True, timeout=1500, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-1000:]
    assert "went as the scene expects" in ended.stdout
