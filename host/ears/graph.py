"""The recogniser's graph: a model's lexicon and language model with the words of tonight's packs.

`prepare` returns a folder that vosk loads. Building takes some seconds and, for a moment, a few hundred
megabytes: it happens in a child process that ends (`python -m host.ears.graph`), and the outcome is
kept in a cache under a hash of everything that went into it. A model without `lang/` (an official one)
has a finished graph and is returned as it is; what it does not know, the ear reports.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import host
from host.ears.files import sha256, sums
from host.ears.fst import ACCEPTOR_PROPERTIES, lookahead
from host.ears.hcl import build_hcl, position_phones
from host.ears.language import NEW_WORD, build_language, read_arpa, unigrams
from host.ears.lexicon import Extra, Lexicon, LexiconError, Pronunciation, check_phones

Progress = Callable[[int], None]
"""Called with percent done, 0 to 100."""

FORMAT = 1
"""Counted up where the same words would give another graph."""
KEPT = 4
"""Graphs that stay in the cache, 17 MB each; the least recently used go first."""
FRAMES_PER_CHUNK = 9
"""The net looks at so many frames of 10 ms at once. By default 21; with 9, partials come 0.1 s sooner for
0.007 s more of computing a second of speech."""


class GraphError(Exception):
    """The graph can't be built; the message is one sentence that says what to do."""


def cache_folder() -> Path:
    """Where graphs are kept: $GAMEHOST_CACHE, else gamehost in the user's cache folder."""
    own = os.environ.get("GAMEHOST_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(own) if own else Path(base) / "gamehost"


def show(percent: int) -> None:
    """Print the progress as one line that is written over."""
    end = "\n" if percent >= 100 else ""
    print(f"\rpreparing the vocabulary: {percent:3d} %", end=end, file=sys.stderr, flush=True)


def prepare(
    model: Path,
    extra: Mapping[str, tuple[Pronunciation, ...]],
    cache: Path | None = None,
    progress: Progress | None = None,
    chances: Mapping[str, float] | None = None,
) -> Path:
    """A folder that vosk loads: the model with `extra` words {word: pronunciations} in its vocabulary.

    Words that the lexicon has keep their pronunciations beside those given (none need be given) and
    become likelier in free dictation; `chances` sets log10 of that probability by word. `progress` is
    only called where something is built. Raises GraphError or LexiconError.
    """
    model = model.resolve()
    if not (model / "lang").is_dir():
        return model
    for word, pronunciations in extra.items():
        for phones in pronunciations:
            check_phones(word, phones)
    order = {
        "words": {word: [list(phones) for phones in extra[word]] for word in sorted(extra)},
        "chances": dict(sorted((chances or {}).items())),
    }
    shelf = (cache or cache_folder()) / "graphs"
    folder = shelf / _digest(model, order)
    try:
        if not _is_sound(folder):
            shutil.rmtree(folder, ignore_errors=True)
            _build(model, order, folder, progress or (lambda _: None))
            _forget(shelf, folder)
        _link(model, folder)
        os.utime(folder)
    except OSError as error:
        raise GraphError(f"the vocabulary can't be written to {shelf} ({error.strerror}); free some space "
                         "or set GAMEHOST_CACHE to another folder") from error
    return folder


def _is_sound(folder: Path) -> bool:
    """Whether a cached graph is as it was built: a power cut may leave files that are empty or cut short."""
    try:
        wanted: dict[str, str] = json.loads((folder / "sums.json").read_text())
        return all(sha256(folder / name) == digest for name, digest in wanted.items())
    except (OSError, ValueError, AttributeError):
        return False


def _digest(model: Path, order: Mapping[str, object]) -> str:
    total = hashlib.sha256(f"{FORMAT} {FRAMES_PER_CHUNK} {Lexicon(model / 'lang').digest()}".encode())
    for path in (*sorted((model / "lang").glob("lm.arpa*")), *sorted((model / "conf").iterdir())):
        total.update(path.read_bytes())
    total.update(json.dumps(order, ensure_ascii=False).encode())
    return total.hexdigest()[:24]


def _build(model: Path, order: Mapping[str, object], folder: Path, progress: Progress) -> None:
    """Have the child build into a new folder beside `folder`, then rename it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix="new-", dir=folder.parent))
    try:
        _run_child([str(model), str(new)], json.dumps(order, ensure_ascii=False), progress)
        (new / "conf").mkdir()
        for path in (model / "conf").iterdir():
            text = path.read_text()
            if path.name == "model.conf" and "--frames-per-chunk" not in text:
                text = f"{text.rstrip()}\n--frames-per-chunk={FRAMES_PER_CHUNK}\n"
            (new / "conf" / path.name).write_text(text)
        (new / "sums.json").write_text(json.dumps(sums(new)))
        new.chmod(0o755)
        try:
            new.rename(folder)
        except OSError:
            if not _is_sound(folder):  # else another process was faster: just as good
                raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _run_child(arguments: list[str], order: str, progress: Progress) -> None:
    root = str(Path(host.__file__).parent.parent)
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    child = subprocess.Popen(
        [sys.executable, "-m", "host.ears.graph", *arguments], text=True, encoding="utf8",
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    with child:
        stdin, stdout, stderr = (cast("IO[str]", pipe) for pipe in (child.stdin, child.stdout, child.stderr))
        with suppress(BrokenPipeError):  # it died at once; its last words follow
            stdin.write(order)
            stdin.close()
        for line in stdout:
            if line.strip().isdigit():
                progress(int(line))
        words = stderr.read().strip().splitlines()
    if child.returncode != 0:
        reason = words[-1] if words else f"the child process ended with {child.returncode}"
        raise GraphError(f"the vocabulary could not be built: {reason}")


def _link(model: Path, folder: Path) -> None:
    """Let `am` in the cached folder point to the model's, wherever that lies by now."""
    link = folder / "am"
    if link.is_symlink() and link.resolve() == model / "am":
        return
    new = folder / f"am.{os.getpid()}"
    new.unlink(missing_ok=True)
    new.symlink_to(model / "am")
    new.replace(link)


def _forget(shelf: Path, keep: Path) -> None:
    """Remove the graphs that have not been used for longest."""
    old = [path for path in shelf.iterdir() if path != keep and not path.name.startswith("new-")]
    old.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in old[KEPT - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


# --- the child ----------------------------------------------------------------------------------


def build_graph(lang: Path, extra: Extra, out: Path, progress: Progress) -> None:
    """Write graph files for the lexicon and language model in `lang` to the folder `out`."""
    lexicon = Lexicon(lang)
    words = lexicon.find()
    progress(10)
    for word, pronunciations in extra.sounds.items():
        known = words.get(word, ())
        words[word] = (*known, *(phones for phones in dict.fromkeys(pronunciations) if phones not in known))
    silent = [word for word, pronunciations in words.items() if not pronunciations]
    if silent:
        raise LexiconError(f"no pronunciation is known for {', '.join(silent[:5])}; give one in the pack's `sounds`")
    added = dict.fromkeys([*lexicon.extra.sounds, *extra.sounds], NEW_WORD)
    chances = {**added, **lexicon.extra.chances, **extra.chances}
    arpa = lang / ("lm.arpa.gz" if (lang / "lm.arpa.gz").is_file() else "lm.arpa")
    hcl = build_hcl(words, unigrams(arpa))
    progress(45)
    out.mkdir(parents=True, exist_ok=True)
    (out / "HCLr.fst").write_bytes(lookahead(hcl.fst, hcl.reach, len(hcl.labels)))
    labels = hcl.labels
    del hcl, words  # the language model is as large again
    progress(60)
    language = build_language(read_arpa(arpa), labels, chances)
    progress(90)
    (out / "Gr.fst").write_bytes(language.const(ACCEPTOR_PROPERTIES))
    _write_tables(out, labels)
    progress(100)


def _write_tables(out: Path, labels: Mapping[str, int]) -> None:
    names = [name for name, _ in position_phones()]
    kinds = {"B": "begin", "E": "end", "I": "internal", "S": "singleton"}
    (out / "phones").mkdir(exist_ok=True)
    lines = [f"{number} {kinds[name[-1]] if '_' in name else 'nonword'}" for number, name in enumerate(names, 1)]
    (out / "phones" / "word_boundary.int").write_text("\n".join(lines) + "\n")
    numbered = "".join(f"{name} {number}\n" for number, name in enumerate(names, 1))
    (out / "phones.txt").write_text("<eps> 0\n" + numbered)
    words = "".join(f"{word} {label}\n" for word, label in labels.items())
    (out / "words.txt").write_text("<eps> 0\n" + words, encoding="utf8")
    (out / "disambig_tid.int").write_text(f"{2 * len(names) + 1}\n")


def main() -> None:
    """Build for the parent: `python -m host.ears.graph MODEL OUT`, the extra words as JSON on stdin."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    asked = parser.parse_args()
    order = json.loads(sys.stdin.buffer.read().decode("utf8") or "{}")
    sounds = {word: tuple(map(tuple, given)) for word, given in order.get("words", {}).items()}
    try:
        build_graph(asked.model / "lang", Extra(sounds, order.get("chances", {})), asked.out / "graph",
                    lambda percent: print(percent, flush=True))
    except (LexiconError, OSError, MemoryError) as error:
        sys.exit(f"{error or 'out of memory'}")


if __name__ == "__main__":
    main()
