"""Events that payments publishes after a commit."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.events import DomainEvent
from api.foundation.core.money import Kobo
from api.money.payments.enums import FundingState


@dataclass(frozen=True)
class FundingDecided(DomainEvent):
    """A funding was credited, set aside for review, or given up although money was expected."""

    reference: str
    user_id: UUID
    amount_kobo: Kobo
    state: FundingState
