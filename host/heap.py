"""Memory: what was freed is given back to the system, and what stays is not looked through for garbage."""

import atexit
import ctypes
import gc


def give_back() -> None:
    """Give freed memory back, where the C library can (glibc): some 4 ms, so at a moment when nobody waits."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return
    trim(0)


def settle() -> None:
    """Everything is loaded: collect what is garbage, and leave what is not out of all later collections.

    Before an evening: with all that stays a full collection is a pause of 30 ms in a game, a tenth of a second on a
    small computer. Called again it frees what the evening before has left behind, some 16,000 small objects, with
    which Python itself waits until tens of evenings are over.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()
    atexit.unregister(gc.unfreeze)
    atexit.register(gc.unfreeze)  # else libraries complain at the end that their objects were never freed
