"""Guessed pronunciations: what espeak-ng would say, mapped to the model's phones.

espeak-ng can hang or crash, so it runs in a child process (`python -m host.ears.espeak`), which takes
words as a JSON list and returns {word: IPA}. The mapping is the one with which the model was trained.
"""

import ctypes
import json
import sys

from host.ears.lexicon import Pronunciation

_PHONES = {
    "tʃ": "CH", "dʒ": "JH", "aɪ": "AY", "aʊ": "AW", "eɪ": "EY", "ɔɪ": "OY", "oʊ": "OW", "əʊ": "OW", "ɑːɹ": "AA R",
    "ɔːɹ": "AO R", "oːɹ": "AO R", "ʊɹ": "UH R", "ɛɹ": "EH R", "ɪɹ": "IH R", "iə": "IY AH", "ɚ": "ER", "ɜː": "ER",
    "əl": "AH L", "ɑː": "AA", "iː": "IY", "uː": "UW", "ɔː": "AO", "ɐ": "AH", "ə": "AH", "ʌ": "AH", "æ": "AE", "ɛ": "EH",
    "ɪ": "IH", "ᵻ": "IH", "i": "IY", "ʊ": "UH", "u": "UW", "ɒ": "AA", "a": "AE", "e": "EY", "o": "OW", "ɔ": "AO",
    "b": "B", "d": "D", "f": "F", "ɡ": "G", "g": "G", "h": "HH", "j": "Y", "k": "K", "l": "L", "m": "M", "n": "N",
    "ŋ": "NG", "p": "P", "ɹ": "R", "r": "R", "s": "S", "ʃ": "SH", "t": "T", "ɾ": "T", "ʔ": "T", "θ": "TH", "ð": "DH",
    "v": "V", "w": "W", "z": "Z", "ʒ": "ZH", "x": "K", "ɬ": "L", "n̩": "AH N", "l̩": "AH L", "y": "UW", "ç": "SH",
    "ʁ": "R",
}
_LONGEST = max(map(len, _PHONES))
_SILENT = frozenset("ˈˌ ̃ʲ()\u200d-")
"""Stress, ties and the like: no phones of their own."""


def arpabet(ipa: str) -> Pronunciation:
    """IPA as espeak-ng writes it, as ARPABET phones; signs that are not known are left out."""
    ipa = "".join(sign for sign in ipa if sign not in _SILENT)
    phones: list[str] = []
    at = 0
    while at < len(ipa):
        for length in range(min(_LONGEST, len(ipa) - at), 0, -1):
            if ipa[at : at + length] in _PHONES:
                phones += _PHONES[ipa[at : at + length]].split()
                at += length
                break
        else:
            at += 1
    return tuple(phones)


def _speak(words: list[str]) -> dict[str, str]:
    """{word: IPA} by the library that espeakng-loader brings along."""
    import espeakng_loader  # here, since only the child needs it

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    path = espeakng_loader.get_data_path().encode()
    if library.espeak_Initialize(2, 0, path, 1 << 15) < 0:  # 2: hand over samples; 1 << 15: never call exit()
        sys.exit("espeak-ng can't read its data")
    if library.espeak_SetVoiceByName(b"en-us") != 0:
        sys.exit("espeak-ng has no voice en-us")
    translate = library.espeak_TextToPhonemes
    translate.restype = ctypes.c_char_p
    translate.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    spoken = {}
    for word in words:
        text = ctypes.c_char_p(word.encode())
        heard = []
        while text.value:  # one clause a call
            heard.append((translate(ctypes.byref(text), 1, 2) or b"").decode())  # 1: UTF-8 in, 2: IPA out
        spoken[word] = " ".join(heard)
    return spoken


if __name__ == "__main__":
    json.dump(_speak(json.loads(sys.stdin.buffer.read())), sys.stdout)
