from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, SmallInteger, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base, checked_text
from api.money.wallet.enums import ReceiptKind


class Receipt(Base):
    """The number and the buyer of a receipt; issued once per subject.

    ``subject_id`` is an order, a funding, a period of a plan, or the transfer of a refund.
    """

    __tablename__ = "receipt"
    __table_args__ = (
        UniqueConstraint("kind", "subject_id"),
        UniqueConstraint("year", "sequence"),
        Index("ix_receipt_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[ReceiptKind] = mapped_column(checked_text(ReceiptKind))
    subject_id: Mapped[UUID]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    year: Mapped[int] = mapped_column(SmallInteger)
    sequence: Mapped[int]
    buyer: Mapped[dict[str, Any]] = mapped_column(JSONB)
    issued_at: Mapped[datetime]


class ReceiptCounter(Base):
    """The last number of a year; its row is locked during issue, so that there are no gaps."""

    __tablename__ = "receipt_counter"

    year: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    last: Mapped[int]
