"""The input and output of the players' process."""

from dataclasses import dataclass

from bench.load import Summary


@dataclass(frozen=True)
class BattlePlan:
    """The players and their server; ``limit_seconds`` is the maximum thinking time."""

    port: int
    tokens: list[str]
    seconds: float
    limit_seconds: float


@dataclass(frozen=True)
class Played:
    """The result: answers with their latencies, and the number of all frames received."""

    summary: Summary
    frames: int
    ticks: int
