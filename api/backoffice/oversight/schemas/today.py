from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Content, Naira, WireModel


class OpenBank(WireModel):
    """Bank lines without a transfer, and confirmed transfers without a line after three days."""

    lines: int
    transfers: int


class LowStock(WireModel):
    """A size on offer with few available units; ``size`` is null for a product without sizes."""

    product_id: UUID
    name: str
    size: str | None
    available: int


class ShopToday(WireModel):
    """Today's orders in Lagos that still stand, those of them that are paid, and low stock."""

    orders: int
    total: Naira
    paid: int
    paid_total: Naira
    low_stock: list[LowStock]


class Today(WireModel):
    """The operator's open tasks by name, and the state of ledger, backups, bank lines and shop.

    ``proposed`` counts the operator's own open proposals. Parts that the operator may not see are
    omitted; null means never checked.
    """

    waiting: dict[str, int] = Field(examples=[{"approvals": 1, "chatReports": 3}])
    proposed: int
    ledger: Content | None = None
    backup: Content | None = None
    bank: OpenBank | None = None
    shop: ShopToday | None = None
