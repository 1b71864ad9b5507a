"""Domain events of the shop."""

from dataclasses import dataclass
from uuid import UUID

from api.foundation.core.events import DomainEvent
from api.shop.enums import PaymentMethod


@dataclass(frozen=True)
class OrderPlaced(DomainEvent):
    """An order was placed; stock is allocated, and the money has moved if the wallet paid."""

    order_id: UUID
    user_id: UUID
    payment_method: PaymentMethod
