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

    A voice's dictionaries are half a million objects that stay. With them a full collection is a long pause, and
    Python waits with it until a quarter as many have come: tens of megabytes of games that are over. May be called
    again; what has become garbage since is freed.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.collect()  # from now on "a quarter" is of what is left
    give_back()
    atexit.unregister(gc.unfreeze)
    atexit.register(gc.unfreeze)  # else libraries complain at the end that their objects were never freed
