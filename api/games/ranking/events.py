"""Events of the ranking."""

from dataclasses import dataclass

from api.foundation.core.events import DomainEvent


@dataclass(frozen=True)
class PointsAwarded(DomainEvent):
    """Points were awarded and not folded into the boards yet."""
