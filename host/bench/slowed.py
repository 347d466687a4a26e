"""A quarter of one core, in place of a small computer: processes held by a control group, a millisecond at a time."""

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

SHARE = 0.25
"""Of one core: a Raspberry Pi 4 against a core of a laptop."""


class Slow:
    """Groups of processes that get a share of one core, or all they want. Needs root, as control groups do.

    Both go before all other processes of the machine, so that it is the share that holds them and nothing else.
    """

    def __init__(self, share: float = SHARE) -> None:
        self._share = share
        self._old = Path("/sys/fs/cgroup/cpu")
        self._parent = self._old if self._old.is_dir() else Path("/sys/fs/cgroup")
        self._held, self._free = (self._parent / f"gamehost-{os.getpid()}-{name}" for name in ("held", "free"))

    @property
    def free(self) -> Path:
        """Where a process writes its number to join those that get all they want, after `let`."""
        return self._free / "cgroup.procs"

    def hold(self, pids: Sequence[int]) -> str:
        """Hold these; why that can't be done here, or nothing."""
        return self._join(self._held, round(1_000 / self._share), pids)

    def let(self, pids: Sequence[int]) -> str:
        """Give these all they want, before others; why that can't be done here, or nothing."""
        return self._join(self._free, None, pids)

    def _join(self, group: Path, period: int | None, pids: Sequence[int]) -> str:
        """A group that computes 1 ms in so many microseconds."""
        if self._old.is_dir():
            settings = {"cpu.shares": "65536"}
            if period is not None:
                settings |= {"cpu.cfs_period_us": str(period), "cpu.cfs_quota_us": "1000"}
        else:
            settings = {"cpu.weight": "10000"} | ({} if period is None else {"cpu.max": f"1000 {period}"})
        try:
            group.mkdir(exist_ok=True)
            for name, value in settings.items():
                (group / name).write_text(value, encoding="ascii")
            for pid in pids:
                (group / "cgroup.procs").write_text(str(pid), encoding="ascii")
        except OSError as error:
            return f"not done: {error.strerror}"
        return ""

    def release(self, pids: Sequence[int]) -> None:
        """Let them run as before; the groups are removed once they are empty."""
        for pid in pids:
            join(self._parent / "cgroup.procs", pid)
        for group in (self._held, self._free):
            with contextlib.suppress(OSError):
                group.rmdir()


def join(group: Path, pid: int) -> None:
    """Move a process to the group of that file, if there is one."""
    with contextlib.suppress(OSError):
        group.write_text(str(pid), encoding="ascii")


def share_here(seconds: float = 0.5) -> float:
    """The share of a core that this process gets while it does nothing but compute."""
    began, busy = time.monotonic(), time.process_time()
    while time.monotonic() - began < seconds:
        pass
    return (time.process_time() - busy) / (time.monotonic() - began)


def first(priority: int = -5) -> None:
    """Go before other processes, as the box's unit has it (Nice=-5), where that is allowed."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, min(priority, os.getpriority(os.PRIO_PROCESS, 0)))
