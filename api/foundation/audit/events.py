"""Events of operators' actions, published after commit."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.events import DomainEvent


@dataclass(frozen=True)
class OperatorActed(DomainEvent):
    """An operator's action, recorded in the audit; without a ``user_id`` it was on the console."""

    action: str
    target_type: str
    target_id: str
    user_id: UUID | None
