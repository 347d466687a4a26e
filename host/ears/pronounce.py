"""How words are pronounced: the model's lexicon, then the pack's `sounds`, then a guess by espeak-ng.

The outcome is sealed into the packs when they are loaded: the graph is built with it and the judge
compares by it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import host
from host.ears.espeak import arpabet
from host.ears.lexicon import Lexicon, LexiconError, Pronunciation, check_phones, tokens

_PATIENCE = 60.0
"""Seconds that espeak-ng gets; it needs a few milliseconds a word."""


def pronounce(
    words: Iterable[str], sounds: Iterable[tuple[str, str]], lexicon: Lexicon
) -> dict[str, tuple[Pronunciation, ...]]:
    """The pronunciations of `words` (tokens, see `lexicon.tokens`), the lexicon's first.

    `sounds` are (word, ARPABET) pairs as packs give them; they join what the lexicon says. Words that
    neither knows are guessed. Raises LexiconError for phones that do not exist and where espeak-ng fails.
    """
    wanted = list(dict.fromkeys(words))
    found = lexicon.find(wanted)
    for word, pronunciation in given(sounds).items():
        if word in wanted:
            found[word] = (*found.get(word, ()), *(new for new in pronunciation if new not in found.get(word, ())))
    for word, phones in guess([word for word in wanted if word not in found]).items():
        found[word] = (phones,)
    return {word: found[word] for word in wanted if word in found}


def vocabulary(
    texts: Iterable[str], sounds: Iterable[tuple[str, str]], lexicon: Lexicon
) -> dict[str, tuple[Pronunciation, ...]]:
    """The pronunciations of every word in `texts` (answers, aliases, names, lines): what `graph.prepare` takes."""
    return pronounce([token for text in texts for token in tokens(text)], sounds, lexicon)


def given(sounds: Iterable[tuple[str, str]]) -> dict[str, tuple[Pronunciation, ...]]:
    """A pack's `sounds` by token; stress digits are dropped. Raises LexiconError for wrong phones."""
    found: dict[str, tuple[Pronunciation, ...]] = {}
    for text, spelt in sounds:
        phones = tuple(phone.rstrip("012") for phone in spelt.upper().split())
        check_phones(text, phones)
        word = tokens(text)
        if len(word) != 1:
            raise LexiconError(f'`sounds` takes one word at a time, not "{text}"; give each its own line')
        if phones not in found.get(word[0], ()):
            found[word[0]] = (*found.get(word[0], ()), phones)
    return found


def guess(words: list[str]) -> dict[str, Pronunciation]:
    """What espeak-ng would say; words for which it has no sound at all are left out."""
    if not words:
        return {}
    root = str(Path(host.__file__).parent.parent)
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    try:
        child = subprocess.run(
            [sys.executable, "-m", "host.ears.espeak"], input=json.dumps(words), capture_output=True, text=True,
            timeout=_PATIENCE, env={**os.environ, "PYTHONPATH": paths}, check=True,
        )
        spoken: Mapping[str, str] = json.loads(child.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        reason = str(getattr(error, "stderr", "") or error).strip().splitlines()[-1]
        raise LexiconError(f"espeak-ng could not pronounce {', '.join(words[:3])} ({reason}); install the package "
                           "espeakng-loader again or give the pronunciation in the pack's `sounds`") from error
    guessed = {word: arpabet(ipa) for word, ipa in spoken.items()}
    return {word: phones for word, phones in guessed.items() if phones}
