"""Model folders are found, compared with their sums, tried in a child, and refused in one sentence."""

import json
import shutil
from pathlib import Path

import pytest

from host.ears import graph, models
from host.ears.files import sums

MODEL = models.MODELS / models.SHIPPED


def test_the_catalogue_describes_what_is_shipped() -> None:
    """Every file of the shipped model is listed with its sum, and nothing that is not there."""
    entry = models.catalogue().entries[models.SHIPPED]
    assert dict(entry.files) == sums(MODEL)
    assert entry.size == sum(path.stat().st_size for path in MODEL.rglob("*") if path.is_file())
    assert entry.shipped
    assert entry.licence
    assert entry.sources


def test_the_maker_s_models_are_named() -> None:
    """The small English one first; each with licence, address and accuracy; no sums that nobody knows."""
    others = [entry for entry in models.catalogue().entries.values() if not entry.shipped]
    assert others[0].name == "vosk-model-small-en-us-0.15"
    for entry in others:
        assert entry.licence
        assert entry.accuracy
        assert entry.sources[0].startswith("https://alphacephei.com/vosk/models/")
        assert not entry.files


@pytest.mark.parametrize("text", ["", "list_url = 1", "list_url = 'x'\n[[model]]\nname = 'x'\n", "not toml ["])
def test_a_damaged_catalogue_is_one_sentence(tmp_path: Path, text: str) -> None:
    """The file is named."""
    (tmp_path / "models.toml").write_text(text)
    with pytest.raises(models.ModelError, match=r"models\.toml can't be read"):
        models.catalogue(tmp_path / "models.toml")


def test_a_model_is_found_by_name_path_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetched ones go before shipped ones; the environment names the default."""
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    monkeypatch.setenv("GAMEHOST_DATA", str(tmp_path))
    assert models.find() == MODEL.resolve()
    mine = tmp_path / "models" / "mine"
    mine.mkdir(parents=True)
    assert models.find("mine") == mine
    assert models.find(str(mine)) == mine
    monkeypatch.setenv("GAMEHOST_MODEL", "mine")
    assert models.find() == mine


@pytest.mark.parametrize(("name", "sentence"), [
    ("vosk-model-small-en-us-0.15", "gamehost models fetch vosk-model-small-en-us-0.15"),
    ("nonsense", 'no model "nonsense"'),
])
def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    """What can be fetched is offered."""
    with pytest.raises(models.ModelError, match=sentence):
        models.find(name, tmp_path)


@pytest.fixture(scope="module")
def loadable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped model with its graph, as vosk loads it."""
    return graph.prepare(MODEL, {}, tmp_path_factory.mktemp("cache"))


def copy(folder: Path, to: Path) -> Path:
    """A copy whose files may be damaged; large ones are linked until they are."""
    shutil.copytree(folder, to, copy_function=lambda a, b: Path(b).symlink_to(Path(a).resolve()))
    return to


DAMAGE = {
    "half": lambda data: data[: len(data) // 2],
    "empty": lambda _: b"",
    "gone": lambda _: None,
}


@pytest.mark.parametrize("how", DAMAGE)
def test_each_damaged_file_is_named_by_the_sums(tmp_path: Path, how: str) -> None:
    """REC-20: any file of the model cut to half, emptied or deleted is told by its name."""
    wanted = models.catalogue().entries[models.SHIPPED].files
    for name in wanted:
        broken = copy(MODEL, tmp_path / name.replace("/", "_") / models.SHIPPED)
        data = DAMAGE[how]((broken / name).read_bytes())
        (broken / name).unlink()
        if data is not None:
            (broken / name).write_bytes(data)
        with pytest.raises(models.ModelError, match=name):
            models.check_sums(broken, wanted)


@pytest.mark.parametrize(("name", "how"), [
    ("am/final.mdl", "half"), ("graph/Gr.fst", "half"), ("graph/HCLr.fst", "half"), ("conf/mfcc.conf", "gone"),
    ("graph/words.txt", "empty"),
])
def test_a_damaged_folder_without_sums_fails_its_trial(loadable: Path, tmp_path: Path, name: str, how: str) -> None:
    """REC-20: where no sums are known, the child finds out, also what fails only with the first recogniser."""
    broken = copy(loadable, tmp_path / "broken")
    data = DAMAGE[how]((broken / name).read_bytes())
    (broken / name).unlink()
    if data is not None:
        (broken / name).write_bytes(data)
    with pytest.raises(models.ModelError, match="broken"):
        models.self_test(broken)


def test_a_model_that_hangs_is_given_up(loadable: Path, tmp_path: Path) -> None:
    """REC-20: with an empty model.conf vosk aborts or hardly decodes; either way it is told."""
    broken = copy(loadable, tmp_path / "broken")
    (broken / "conf" / "model.conf").unlink()
    (broken / "conf" / "model.conf").write_bytes(b"")
    with pytest.raises(models.ModelError, match="broken"):
        models.self_test(broken, patience=20)
    with pytest.raises(models.ModelError, match="did not decode one second"):
        models.self_test(loadable, patience=0.01)


def test_a_model_that_is_too_slow_is_refused(loadable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second of sound must be decoded in three."""
    monkeypatch.setattr(models, "SLOWEST", 0.0001)
    with pytest.raises(models.ModelError, match="for one second of sound"):
        models.self_test(loadable)


def test_a_model_without_unk_is_refused(loadable: Path, tmp_path: Path) -> None:
    """REC-07: without `[unk]` nothing could be refused."""
    broken = copy(loadable, tmp_path / "broken")
    words = (broken / "graph" / "words.txt").read_text()
    (broken / "graph" / "words.txt").unlink()
    (broken / "graph" / "words.txt").write_text(words.replace("[unk] ", "[other] "))
    with pytest.raises(models.ModelError, match=r"\[unk\]"):
        models.self_test(broken)


@pytest.mark.parametrize(("files", "memory", "sentence"), [
    (("graph/HCLr.fst", "rnnlm/final.raw"), 0, "seconds late"),
    (("graph/HCLG.fst",), 0, "told what to listen for"),
    (("graph/HCLr.fst",), 2_000_000, "too large"),
])
def test_an_unfit_model_is_told(tmp_path: Path, files, memory: int, sentence: str) -> None:
    """REC-19: models that rescore, take no grammar or do not fit into the memory."""
    for name in files:
        (tmp_path / "m" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "m" / name).write_bytes(b"x" * 1_000_000)
    with pytest.raises(models.ModelError, match=sentence):
        models.check_fit(tmp_path / "m", memory)


def test_the_whole_way_is_gone_once(loadable: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found, compared, built, tried; the second time only found and compared."""
    monkeypatch.delenv("GAMEHOST_MODEL", raising=False)
    tried: list[Path] = []
    real = models.self_test
    monkeypatch.setattr(models, "self_test", lambda folder: (tried.append(folder), real(folder)))
    cache = loadable.parent.parent
    assert models.provide({}, cache=cache) == loadable
    assert models.provide({}, cache=cache) == loadable
    assert tried == [loadable]


def test_pinned_sums_are_compared(tmp_path: Path) -> None:
    """A fetched model is compared with what was unpacked; damaged pins are told."""
    folder = tmp_path / "some"
    folder.mkdir()
    (folder / "a").write_text("a")
    (tmp_path / "some.json").write_text(json.dumps({"files": sums(folder)}))
    models.check_sums(folder, models.known_sums(folder))
    (folder / "a").write_text("b")
    with pytest.raises(models.ModelError, match="gamehost models fetch some"):
        models.check_sums(folder, models.known_sums(folder))
    (tmp_path / "some.json").write_text("{}")
    with pytest.raises(models.ModelError, match="damaged"):
        models.known_sums(folder)


def test_vosk_s_own_downloader_is_never_called() -> None:
    """SEC-07: the library gets a path, never a name or a language, which would make it look on the network."""
    source = "".join(path.read_text() for path in Path(models.__file__).parent.glob("*.py"))
    assert source.count("vosk.Model(") == 1
    assert "vosk.Model(str(folder))" in source
    assert "model_name" not in source
