"""Real people's talk in two halves, by speaker: one trains and tunes the net for "venn", the figures are of the other.

What the manifest does not mark `test` was heard in the recogniser's training and belongs to the tuning half.
The rest is dealt out speaker by speaker (file by file where nobody knows who speaks), the longest first, to the
half that has less of that folder. Speakers who are heard together in some recording stay together.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from host.bench.library import Library

TALK = ("talk", "keywords", "echo")
Clip = dict[str, Any]


def half(library: Library, split: str, folders: Iterable[str] = TALK) -> list[Clip]:
    """The manifest's clips of these folders in the half for "tuning" or "test", in the manifest's order."""
    found: list[Clip] = []
    for folder in folders:
        clips = [clip for clip in library.manifest if clip["path"].startswith(f"{folder}/")]
        wanted = halves(clips)
        found += [clip for clip in clips if wanted[clip["path"]] == split]
    return found


def halves(clips: Sequence[Clip]) -> dict[str, str]:
    """Path to "tuning" or "test", for the clips of a folder."""
    seconds = {"tuning": sum(float(clip["seconds"]) for clip in clips if not clip["test"]), "test": 0.0}
    found = {clip["path"]: "tuning" for clip in clips if not clip["test"]}
    groups: dict[str, list[Clip]] = defaultdict(list)
    first = _together(clips)
    for clip in clips:
        if clip["test"]:
            groups[first[_speakers(clip)[0]]].append(clip)
    lengths = {name: sum(float(clip["seconds"]) for clip in group) for name, group in groups.items()}
    for name in sorted(groups, key=lambda name: (-lengths[name], name)):
        split = "test" if seconds["test"] <= seconds["tuning"] else "tuning"
        seconds[split] += lengths[name]
        found |= {clip["path"]: split for clip in groups[name]}
    return found


def _speakers(clip: Clip) -> list[str]:
    """Who is heard: names are only unique within a set; the file itself where nobody knows."""
    known = str(clip["speaker"] or "")
    return [f"{clip['set']}/{name}" for name in known.split(",")] if known else [clip["path"]]


def _together(clips: Iterable[Clip]) -> dict[str, str]:
    """Speaker to the first of all who are joined with that speaker by recordings."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while first.setdefault(name, name) != name:
            name = first[name]
        return name

    for clip in clips:
        names = [root(name) for name in _speakers(clip)]
        for name in names:
            first[name] = min(names)
    return {name: root(name) for name in list(first)}
