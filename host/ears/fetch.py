"""Getting a model of vosk's maker: resumable, checked, unpacked at once or not at all.

The maker's list says size and sum (MD5) of each archive; what was unpacked is pinned by sha256 in a file
beside the folder, against which every start compares. vosk's own downloader, which checks nothing, is
never called (SEC-07).
"""

import errno
import hashlib
import json
import re
import shutil
import stat
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path, PurePosixPath

from host.ears.files import sums
from host.ears.models import ModelError, catalogue, check_sums, data_models, known_sums

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""
_PIECE = 1 << 16
_ATTEMPTS = 5
"""So often a cut connection is taken up again by itself, as long as it brings anything."""
_TIMEOUT = 20.0
_LARGEST = 16 * 2**30
"""Bytes that an archive may unpack to."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Offer:
    """What the maker's list says of a model."""

    name: str
    url: str
    size: int
    md5: str


def show(done: int, total: int) -> None:
    """Print the progress as one line that is written over."""
    part = done / total if total else 1.0
    bar = "#" * round(30 * part)
    end = "\n" if done >= total else ""
    print(f"\r[{bar:30}] {done / 1e6:6.1f} of {total / 1e6:.1f} MB", end=end, file=sys.stderr, flush=True)


def fetch(
    name: str, folder: Path | None = None, progress: Progress | None = None, list_url: str | None = None
) -> Path:
    """Get the model `name` into `folder` (the data folder's `models`); returns where it lies.

    Raises ModelError with what to do: an unknown name, a cut connection (what came stays and is gone on
    from), a wrong sum, a full disk, an archive with paths that lead elsewhere.
    """
    folder = folder or data_models()
    if not _NAME.fullmatch(name):
        raise ModelError(f'"{name}" is no name of a model; see: gamehost models')
    ready = folder / name
    if _is_here(ready):
        return ready
    offer = _offer(name, list_url or catalogue().list_url)
    archive = folder / f"{name}.zip.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _check_room(folder, offer, archive)
        _download(offer, archive, progress or (lambda _done, _total: None))
        _check_archive(offer, archive)
        _unpack(offer, archive, folder)
        archive.unlink()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ModelError(f"the disk is full: {folder} needs room for {_needed(offer) / 1e6:.0f} MB; free some and "
                             "run the same command again") from error
        raise ModelError(f"{folder} can't be written ({error.strerror}); set GAMEHOST_DATA to another one") from error
    return ready


def _is_here(ready: Path) -> bool:
    """Whether the model is there, whole."""
    if not ready.is_dir() or not ready.with_name(f"{ready.name}.json").is_file():
        return False
    try:
        check_sums(ready, known_sums(ready))
    except ModelError:
        return False
    return True


def _needed(offer: Offer) -> int:
    """Bytes for the archive and what comes out of it."""
    return offer.size * 3


def _check_room(folder: Path, offer: Offer, archive: Path) -> None:
    here = archive.stat().st_size if archive.is_file() else 0
    if shutil.disk_usage(folder).free < _needed(offer) - here:
        raise OSError(errno.ENOSPC, "no room")


def _open(url: str, headers: dict[str, str] | None = None):  # type: ignore[no-untyped-def]  # http.client's or file's
    if not url.startswith(("https://", "http://")):
        raise ModelError(f"{url} is no web address; the maker's list is not what it should be")
    request = urllib.request.Request(url, headers={"User-Agent": "gamehost", **(headers or {})})  # noqa: S310 - http(s)
    return urllib.request.urlopen(request, timeout=_TIMEOUT)  # noqa: S310 - http(s) only, see above


def _offer(name: str, list_url: str) -> Offer:
    """The list's line on a model. Raises ModelError if the list can't be had or lacks it."""
    try:
        with _open(list_url) as answer:
            listed = json.loads(answer.read(10_000_000))
        found = next((entry for entry in listed if entry["name"] == name), None)
        if found is None:
            raise ModelError(f"the maker offers no model {name}; see https://alphacephei.com/vosk/models for its names")
        return Offer(name, str(found["url"]), int(found["size"]), str(found["md5"]).lower())
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise ModelError(f"the list of models at {list_url} can't be had ({reason}); check the connection and run the "
                         "same command again") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"the list of models at {list_url} can't be understood; get {name} by hand, unpack it and "
                         "name its folder in GAMEHOST_MODEL") from error


def _download(offer: Offer, archive: Path, progress: Progress) -> None:
    """Bring `archive` to its full size, going on from what is there."""
    problem = "it sent less than it said"
    for _ in range(_ATTEMPTS):
        before = archive.stat().st_size if archive.is_file() else 0
        if before > offer.size:
            archive.unlink()
            before = 0
        if before == offer.size:
            progress(before, offer.size)
            return
        try:
            _continue(offer, archive, before, progress)
        except urllib.error.HTTPError as error:
            problem = f"the server answered {error.code}"
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EIO):
                raise
            problem = str(getattr(error, "reason", None) or error)
        except HTTPException as error:
            problem = str(error) or type(error).__name__
        if (archive.stat().st_size if archive.is_file() else 0) <= before:
            break
    done = archive.stat().st_size if archive.is_file() else 0
    if done == offer.size:
        return
    raise ModelError(f"the connection was cut after {done / 1e6:.1f} of {offer.size / 1e6:.1f} MB ({problem}); run the "
                     "same command again, it goes on from there")


def _continue(offer: Offer, archive: Path, before: int, progress: Progress) -> None:
    """Take one connection's worth."""
    with _open(offer.url, {"Range": f"bytes={before}-"} if before else None) as answer:
        resumed = answer.status == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {before}-")
        done = before if resumed else 0
        with archive.open("ab" if resumed else "wb") as file:
            while done < offer.size and (piece := answer.read(min(_PIECE, offer.size - done))):
                file.write(piece)
                done += len(piece)
                progress(done, offer.size)


def _check_archive(offer: Offer, archive: Path) -> None:
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    if digest != offer.md5:
        archive.unlink()
        raise ModelError(f"what came for {offer.name} is not what the maker's list promises (its sum differs) and was "
                         "thrown away; run the same command again")


def _members(offer: Offer, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The archive's files, if all of them lie below a folder of the model's name."""
    total = 0
    for member in archive.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        kind = stat.S_IFMT(member.external_attr >> 16)
        leads_away = path.is_absolute() or ".." in path.parts or not path.parts or path.parts[0] != offer.name
        if leads_away or ":" in member.filename or kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ModelError(f'the archive of {offer.name} holds "{member.filename}", which leads elsewhere; nothing '
                             "was unpacked: do not use it")
        total += member.file_size
    if total > _LARGEST:
        raise ModelError(f"the archive of {offer.name} would unpack to {total / 1e9:.0f} GB; do not use it")
    return archive.infolist()


def _unpack(offer: Offer, archive: Path, folder: Path) -> None:
    """Unpack beside the goal, pin the sums, and only then give it its name."""
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        try:
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(new, _members(offer, packed))
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            archive.unlink()
            raise ModelError(f"the archive of {offer.name} can't be unpacked ({error}) and was thrown away; run the "
                             "same command again") from error
        unpacked = new / offer.name
        if not unpacked.is_dir():
            raise ModelError(f"the archive of {offer.name} is empty; do not use it")
        pins = {"url": offer.url, "size": offer.size, "md5": offer.md5, "files": sums(unpacked)}
        shutil.rmtree(folder / offer.name, ignore_errors=True)
        unpacked.rename(folder / offer.name)
        written = new / "pins"
        written.write_text(json.dumps(pins, indent=1) + "\n", encoding="utf8")
        written.replace(folder / f"{offer.name}.json")
    finally:
        shutil.rmtree(new, ignore_errors=True)
