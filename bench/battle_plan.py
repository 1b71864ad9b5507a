"""What the players of a battle are told, and what they report."""

from dataclasses import dataclass

from bench.load import Summary


@dataclass(frozen=True)
class BattlePlan:
    """Who plays where; ``limit_seconds`` is how long a player thinks at most."""

    port: int
    tokens: list[str]
    seconds: float
    limit_seconds: float


@dataclass(frozen=True)
class Played:
    """What happened: answers with their latencies, and every frame that came meanwhile."""

    summary: Summary
    frames: int
    ticks: int
