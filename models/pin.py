"""Write the sums of a shipped model into models.toml, after its files were replaced.

usage: python models/pin.py [NAME]
"""

import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from host.ears.files import sums  # noqa: E402 - the path comes first
from host.ears.graph import build_graph  # noqa: E402
from host.ears.lexicon import Extra  # noqa: E402
from host.ears.models import SHIPPED, catalogue  # noqa: E402

TABLE = ROOT / "models" / "models.toml"


def pin(name: str) -> None:
    """Replace size, file sums and graph sums of the model `name`."""
    folder = TABLE.parent / name
    with tempfile.TemporaryDirectory() as out:
        build_graph(folder / "lang", Extra(), Path(out), lambda _: None)
        built = sums(Path(out))
    files = sums(folder)
    size = sum((folder / path).stat().st_size for path in files)
    entries = re.split(r"(?m)^(?=\[\[model\]\])", TABLE.read_text(encoding="utf8"))
    for number, entry in enumerate(entries):
        if f'name = "{name}"' in entry:
            head = re.sub(r"(?m)^size = .*$", f"size = {size}", re.split(r"(?m)^\[model\.", entry)[0])
            tables = [("files", files), ("graph", built)]
            for title, listed in tables:
                head = head.rstrip() + f"\n\n[model.{title}]\n"
                head += "".join(f'"{path}" = "{digest}"\n' for path, digest in listed.items())
            entries[number] = head + "\n"
    TABLE.write_text("".join(entries), encoding="utf8")
    catalogue(TABLE)


if __name__ == "__main__":
    pin(sys.argv[1] if len(sys.argv) > 1 else SHIPPED)
