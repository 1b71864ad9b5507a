"""How much a run does: everything, or so little that it takes seconds and no time is judged.

A benchmark states its full numbers and reads them through these functions, as do the processes it
starts. A short run (``python3 run.py bench --short``) does the same work with small numbers.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")
VARIABLE = "BENCH_SHORT"  # inherited by all processes of a run
SECONDS_DIVISOR, MIN_SECONDS = 50, 0.1
PEOPLE_DIVISOR, MIN_PEOPLE = 100, 4
ROOM = 40  # as many as may write 200 messages in five seconds
ROWS_DIVISOR, MIN_ROWS, MAX_ROWS = 100, 100, 1000
CALLS_DIVISOR = 500
PGBENCH_TRANSACTIONS = 2  # of each client


def is_short() -> bool:
    """Return whether this is a short run."""
    return os.environ.get(VARIABLE) == "1"


def rounds(full: int) -> int:
    """Return how often slices alternate."""
    return 1 if is_short() else full


def warm_ups() -> int:
    """Return how many slices run first and do not count."""
    return 0 if is_short() else 1


def variants(full: Sequence[ItemT]) -> Sequence[ItemT]:
    """Return the ways in which our server is run; a short run has only the first."""
    return full[:1] if is_short() else full


def seconds(full: float) -> float:
    """Return the duration of a slice, or of a pause that only serves its figures."""
    return max(MIN_SECONDS, full / SECONDS_DIVISOR) if is_short() else full


def people(full: int) -> int:
    """Return how many members or connections take part."""
    return min(full, max(MIN_PEOPLE, full // PEOPLE_DIVISOR)) if is_short() else full


def room(full: int) -> int:
    """Return how many members are in a chat's room."""
    return min(full, ROOM) if is_short() else full


def rows(full: int) -> int:
    """Return how many rows a table gets."""
    small = min(MAX_ROWS, max(MIN_ROWS, full // ROWS_DIVISOR))
    return min(full, small) if is_short() else full


def calls(full: int) -> int:
    """Return how many calls in the process a series has."""
    return max(1, full // CALLS_DIVISOR) if is_short() else full


def min_count(full: int) -> int:
    """Return the minimum number of operations that a figure needs to mean anything."""
    return 1 if is_short() else full


def idle_share(full: float) -> float:
    """Return the share of its idle speed that the machine must have for a figure to count."""
    return 0.0 if is_short() else full


def pgbench_length(full_seconds: int) -> str:
    """Return the option that ends pgbench, which knows only whole seconds."""
    if is_short():
        return f"--transactions={PGBENCH_TRANSACTIONS}"
    return f"--time={full_seconds}"
