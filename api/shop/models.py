"""Products and orders."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    SmallInteger,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.core.money import Kobo
from api.database.tables import Base, checked_text
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, PaymentMethod


class Product(Base):
    """Something the shop sells; ``star`` is 0 to 10, ``position`` is its place in the list."""

    __tablename__ = "product"
    __table_args__ = (
        CheckConstraint("price_kobo BETWEEN 1 AND 100000000000", name="price_in_range"),
        CheckConstraint("stock >= 0", name="no_oversell"),
        CheckConstraint("star BETWEEN 0 AND 10", name="star_in_range"),
        Index("ix_product_shelf", "position", "id", postgresql_where=text("NOT hidden")),
        {"postgresql_with": {"fillfactor": "80"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    description: Mapped[str]
    price_kobo: Mapped[Kobo]
    image: Mapped[str]
    thumbnail: Mapped[str]
    star: Mapped[int] = mapped_column(SmallInteger)
    stock: Mapped[int]
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    position: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Order(Base):
    """One checkout. A wallet order is paid by the ledger transfer it names.

    A bank transfer is to arrive before ``pay_by``: then a pending order expires. ``status`` moves
    together with a row of ``order_event``; its first is what ``payment_method`` says. The member
    was told at ``reminded_at`` that the order ends soon.
    """

    __tablename__ = "shop_order"
    __table_args__ = (
        CheckConstraint("total_kobo BETWEEN 1 AND 100000000000", name="total_in_range"),
        CheckConstraint(
            "payment_method <> 'wallet' OR (is_paid AND transfer_id IS NOT NULL)",
            name="wallet_order_is_paid",
        ),
        CheckConstraint(
            "(payment_method = 'bank-transfer') = (pay_by IS NOT NULL)",
            name="transfer_has_deadline",
        ),
        Index("ix_shop_order_user_id", "user_id", "id"),
        Index("ix_shop_order_open_pay_by", "pay_by", postgresql_where=text("status = 'pending'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[str] = mapped_column(unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    status: Mapped[OrderStatus] = mapped_column(checked_text(OrderStatus))
    payment_method: Mapped[PaymentMethod] = mapped_column(checked_text(PaymentMethod))
    is_paid: Mapped[bool]
    total_kobo: Mapped[Kobo]
    billing: Mapped[dict[str, Any]] = mapped_column(JSONB)
    transfer_id: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transfer.id"), unique=True)
    pay_by: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    reminded_at: Mapped[datetime | None]


class OrderEvent(Base):
    """One thing that happened to an order after it was placed, and where it led; append-only.

    ``note`` is what the actor said; it goes when the member leaves.
    """

    __tablename__ = "order_event"
    __table_args__ = (Index("ix_order_event_order_id", "order_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    order_id: Mapped[UUID] = mapped_column(ForeignKey("shop_order.id"))
    kind: Mapped[OrderEventKind] = mapped_column(checked_text(OrderEventKind))
    status: Mapped[OrderStatus] = mapped_column(checked_text(OrderStatus))
    at: Mapped[datetime]
    actor: Mapped[OrderActor] = mapped_column(checked_text(OrderActor))
    note: Mapped[str | None]


class OrderLine(Base):
    """What was bought, as it was then: a snapshot that later price changes do not touch."""

    __tablename__ = "order_line"
    __table_args__ = (
        CheckConstraint("quantity BETWEEN 1 AND 99", name="quantity_in_range"),
        CheckConstraint("price_kobo >= 1", name="price_positive"),
    )

    order_id: Mapped[UUID] = mapped_column(ForeignKey("shop_order.id"), primary_key=True)
    line: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    product_id: Mapped[UUID] = mapped_column(ForeignKey("product.id"))
    name: Mapped[str]
    price_kobo: Mapped[Kobo]
    quantity: Mapped[int] = mapped_column(SmallInteger)
    thumbnail: Mapped[str]
