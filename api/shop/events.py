"""What the shop announces."""

from dataclasses import dataclass
from uuid import UUID

from api.core.events import DomainEvent
from api.shop.enums import PaymentMethod


@dataclass(frozen=True)
class OrderPlaced(DomainEvent):
    """An order stands; stock has moved, and money too when it was paid from the wallet."""

    order_id: UUID
    user_id: UUID
    payment_method: PaymentMethod
