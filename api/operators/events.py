"""What operators did, once it is committed."""

from dataclasses import dataclass
from uuid import UUID

from api.core.events import DomainEvent


@dataclass(frozen=True)
class OperatorActed(DomainEvent):
    """An operator did something, and the audit has it; without a ``user_id`` it was the console."""

    action: str
    target_type: str
    target_id: str
    user_id: UUID | None
