from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    SmallInteger,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.shop.enums import OrderActor, OrderEventKind, OrderStatus, PaymentMethod, ProofState


class Product(Base):
    """A product; ``star`` is 0 to 10, ``position`` is its place in the list.

    Its stock is in its variants: one per size, or one without a size. ``version`` increases with
    every change by an operator; orders do not change the product.
    """

    __tablename__ = "product"
    __table_args__ = (
        CheckConstraint("price_kobo BETWEEN 1 AND 100000000000", name="price_in_range"),
        CheckConstraint("star BETWEEN 0 AND 10", name="star_in_range"),
        Index("ix_product_shelf", "position", "id", postgresql_where=text("NOT hidden")),
        Index("ix_product_position", "position"),
        Index(
            "ix_product_name",
            func.lower(text("name")).label("named_as"),
            postgresql_ops={"named_as": "text_pattern_ops"},
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    description: Mapped[str]
    price_kobo: Mapped[Kobo]
    image: Mapped[str]
    thumbnail: Mapped[str]
    star: Mapped[int] = mapped_column(SmallInteger)
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    position: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    version: Mapped[int] = mapped_column(server_default=text("1"))


class FormerPicture(Base):
    """A small picture that a product used to have, and that older orders still show."""

    __tablename__ = "former_picture"

    thumbnail: Mapped[str] = mapped_column(primary_key=True)
    product_id: Mapped[UUID] = mapped_column(ForeignKey("product.id"))
    replaced_at: Mapped[datetime]


class ProductVariant(Base):
    """A size of a product, or the product itself if it has none; in whole units.

    ``stock`` is what is in store, ``allocated`` the part that belongs to orders not yet shipped. An
    order without a size gets the default. ``version`` increases with every change by an operator
    except changes of its stock.
    """

    __tablename__ = "product_variant"
    __table_args__ = (
        CheckConstraint("stock BETWEEN 0 AND 1000000000", name="stock_in_range"),
        CheckConstraint("allocated BETWEEN 0 AND stock", name="no_oversell"),
        CheckConstraint("char_length(size) BETWEEN 1 AND 12", name="size_length"),
        UniqueConstraint("product_id", "size", postgresql_nulls_not_distinct=True),
        Index(
            "uq_product_variant_default",
            "product_id",
            unique=True,
            postgresql_where=text("is_default"),
        ),
        {"postgresql_with": {"fillfactor": "80"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    product_id: Mapped[UUID] = mapped_column(ForeignKey("product.id"))
    size: Mapped[str | None]
    is_default: Mapped[bool] = mapped_column(server_default=text("false"))
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    position: Mapped[int] = mapped_column(server_default=text("0"))
    stock: Mapped[int]
    allocated: Mapped[int] = mapped_column(server_default=text("0"))
    version: Mapped[int] = mapped_column(server_default=text("1"))


class DeliveryFee(Base):
    """The delivery fee of a state; all rows have the ``version`` of the list's last change."""

    __tablename__ = "delivery_fee"
    __table_args__ = (CheckConstraint("fee_kobo BETWEEN 0 AND 100000000", name="fee_in_range"),)

    state: Mapped[str] = mapped_column(primary_key=True)
    fee_kobo: Mapped[Kobo]
    version: Mapped[int] = mapped_column(server_default=text("1"))


class SavedAddress(Base):
    """The delivery address that a member chose to save."""

    __tablename__ = "saved_address"

    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"), primary_key=True)
    billing: Mapped[dict[str, Any]] = mapped_column(JSONB)


class Order(Base):
    """One checkout. A wallet order is paid by its ledger transfer.

    A pending order expires unless its bank transfer arrives before ``pay_by``. ``status`` changes
    together with a row of ``order_event``; its initial value follows from ``payment_method``.
    ``reminded_at`` is when the member was reminded that the order expires soon.
    """

    __tablename__ = "shop_order"
    __table_args__ = (
        CheckConstraint("total_kobo BETWEEN 1 AND 100000000000", name="total_in_range"),
        CheckConstraint("delivery_fee_kobo BETWEEN 0 AND total_kobo", name="fee_in_total"),
        CheckConstraint(
            "payment_method <> 'wallet' OR (is_paid AND transfer_id IS NOT NULL)",
            name="wallet_order_is_paid",
        ),
        CheckConstraint(
            "(payment_method = 'bank-transfer') = (pay_by IS NOT NULL)",
            name="transfer_has_deadline",
        ),
        Index("ix_shop_order_user_id", "user_id", "id"),
        Index("ix_shop_order_status_payment_method_id", "status", "payment_method", "id"),
        Index("ix_shop_order_open_pay_by", "pay_by", postgresql_where=text("status = 'pending'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[str] = mapped_column(unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    status: Mapped[OrderStatus] = mapped_column(checked_text(OrderStatus))
    payment_method: Mapped[PaymentMethod] = mapped_column(checked_text(PaymentMethod))
    is_paid: Mapped[bool]
    total_kobo: Mapped[Kobo]
    delivery_fee_kobo: Mapped[Kobo] = mapped_column(server_default=text("0"))
    billing: Mapped[dict[str, Any]] = mapped_column(JSONB)
    transfer_id: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transfer.id"), unique=True)
    pay_by: Mapped[datetime | None]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    reminded_at: Mapped[datetime | None]


class OrderEvent(Base):
    """An event of an order after it was placed, with the resulting status; append-only.

    ``note`` is the actor's comment; it is deleted with the member's account.
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
    """A product as ordered: a snapshot that later price changes do not affect.

    Only ``refunded_quantity`` changes: how many of them were refunded.
    """

    __tablename__ = "order_line"
    __table_args__ = (
        CheckConstraint("quantity BETWEEN 1 AND 99", name="quantity_in_range"),
        CheckConstraint("price_kobo >= 1", name="price_positive"),
        CheckConstraint("refunded_quantity BETWEEN 0 AND quantity", name="refunds_what_was_bought"),
    )

    order_id: Mapped[UUID] = mapped_column(ForeignKey("shop_order.id"), primary_key=True)
    line: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    product_id: Mapped[UUID] = mapped_column(ForeignKey("product.id"))
    variant_id: Mapped[UUID] = mapped_column(ForeignKey("product_variant.id"))
    size: Mapped[str | None]
    name: Mapped[str]
    price_kobo: Mapped[Kobo]
    quantity: Mapped[int] = mapped_column(SmallInteger)
    refunded_quantity: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    thumbnail: Mapped[str]


class BankReceipt(Base):
    """A bank transfer for an order, as an operator confirmed it.

    ``reference`` is the bank's, in normal form, and counts only once. ``credited_kobo`` is the part
    credited to the member's wallet; null while it waits for the rest.
    """

    __tablename__ = "bank_receipt"
    __table_args__ = (
        UniqueConstraint("bank", "reference"),
        UniqueConstraint("id", "amount_kobo"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("credited_kobo BETWEEN 0 AND amount_kobo", name="credits_what_came"),
        Index("ix_bank_receipt_order_id", "order_id", "id"),
        Index("ix_bank_receipt_amount_kobo_paid_on", "amount_kobo", "paid_on"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    order_id: Mapped[UUID] = mapped_column(ForeignKey("shop_order.id"))
    bank: Mapped[str]
    reference: Mapped[str]
    amount_kobo: Mapped[Kobo]
    paid_on: Mapped[date]
    received_at: Mapped[datetime]
    credited_kobo: Mapped[Kobo | None]


class BankStatement(Base):
    """An imported bank statement, and its column mapping.

    ``digest`` covers the file and the mapping. The newest mapping is the default of the next
    import.
    """

    __tablename__ = "bank_statement"
    __table_args__ = (UniqueConstraint("digest"),)

    id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[str]
    mapping: Mapped[dict[str, Any]] = mapped_column(JSONB)
    imported_at: Mapped[datetime]


class BankLine(Base):
    """An incoming payment on the bank's statement, and the confirmed transfer that it matches.

    ``ordinal`` distinguishes equal lines of one statement: the n-th is the same line in every
    import. ``row_digest`` and ``row_ordinal`` do the same for the file's row, whatever its columns
    mean; they are null for lines imported before these columns existed. ``words`` are what it can
    be matched by: its reference, and possible references in its text, all without letter case,
    spaces and punctuation. ``matched_by`` and ``reason`` are null if the line was matched
    automatically.
    """

    __tablename__ = "bank_line"
    __table_args__ = (
        UniqueConstraint("booked_on", "amount_kobo", "reference", "narration", "ordinal"),
        UniqueConstraint("row_digest", "row_ordinal"),
        UniqueConstraint("receipt_id"),
        # A line and its transfer have the same amount.
        ForeignKeyConstraint(
            ["receipt_id", "amount_kobo"], ["bank_receipt.id", "bank_receipt.amount_kobo"]
        ),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("ordinal >= 1", name="counts_from_one"),
        CheckConstraint("(receipt_id IS NULL) = (matched_at IS NULL)", name="match_has_moment"),
        CheckConstraint("(matched_by IS NULL) = (reason IS NULL)", name="by_hand_has_reason"),
        CheckConstraint("matched_by IS NULL OR receipt_id IS NOT NULL", name="by_hand_is_match"),
        Index("ix_bank_line_open", "amount_kobo", postgresql_where=text("receipt_id IS NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    statement_id: Mapped[UUID] = mapped_column(ForeignKey("bank_statement.id"))
    booked_on: Mapped[date]
    amount_kobo: Mapped[Kobo]
    reference: Mapped[str]
    narration: Mapped[str]
    ordinal: Mapped[int]
    row_digest: Mapped[str | None]
    row_ordinal: Mapped[int | None]
    words: Mapped[list[str]] = mapped_column(ARRAY(Text))
    receipt_id: Mapped[UUID | None]
    matched_at: Mapped[datetime | None]
    matched_by: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    reason: Mapped[str | None]


class TransferProof(Base):
    """A file that a member uploaded as proof of a bank transfer; one per order is pending.

    ``media_key`` is its key in the store, in a folder that is never served directly.
    """

    __tablename__ = "transfer_proof"
    __table_args__ = (
        Index("ix_transfer_proof_order_id", "order_id", "id"),
        Index("ix_transfer_proof_media_key", "media_key"),
        Index("ix_transfer_proof_state_order_id", "state", "order_id"),
        Index(
            "uq_transfer_proof_waiting",
            "order_id",
            unique=True,
            postgresql_where=text("state = 'waiting'"),
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    order_id: Mapped[UUID] = mapped_column(ForeignKey("shop_order.id"))
    state: Mapped[ProofState] = mapped_column(checked_text(ProofState))
    media_key: Mapped[str]
    note: Mapped[str | None]
    reason: Mapped[str | None]
    uploaded_at: Mapped[datetime]
