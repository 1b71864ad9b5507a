"""What the ranking announces."""

from dataclasses import dataclass

from api.core.events import DomainEvent


@dataclass(frozen=True)
class PointsAwarded(DomainEvent):
    """Points were awarded that the boards do not show yet."""
