"""CPU time of a process and its descendants, read from ``/proc``."""

import os
import resource

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
MAX_BYTES = 16_384


def used_seconds() -> float:
    """Return the CPU seconds of this process, its ended children and its live descendants.

    Ended children count after they were waited for. Without ``/proc`` live descendants are missing.
    """
    ours, ended = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    total = ours.ru_utime + ours.ru_stime + ended.ru_utime + ended.ru_stime
    return total + sum(_ticks(pid) for pid in _descendants(os.getpid())) / TICKS_PER_SECOND


def _descendants(pid: int) -> list[int]:
    found = []
    for child in _children(pid):
        found += [child, *_descendants(child)]
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            children += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    except OSError:  # it has ended, or the kernel does not list children
        return children
    return children


def _ticks(pid: int) -> int:
    """Return utime, stime, cutime and cstime of one process."""
    try:
        line = _read(f"/proc/{pid}/stat")
    except OSError:
        return 0
    return sum(map(int, line.rpartition(b")")[2].split()[11:15]))


def _read(path: str) -> bytes:
    # Called twice per test; a file object would take most of the time.
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, MAX_BYTES)
    finally:
        os.close(file)
