from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.database.tables import Base


class OperatorNote(Base):
    """What an operator wrote about an order or a member, for other operators.

    A note never changes. It is personal data: the member's export has it, and the member's account
    takes it along when it is deleted.
    """

    __tablename__ = "operator_note"
    __table_args__ = (
        CheckConstraint("num_nonnulls(order_id, user_id) = 1", name="one_subject"),
        CheckConstraint("char_length(text) BETWEEN 1 AND 1000", name="text_length"),
        Index(
            "ix_operator_note_order_id", "order_id", postgresql_where=sql("order_id IS NOT NULL")
        ),
        Index("ix_operator_note_user_id", "user_id", postgresql_where=sql("user_id IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    order_id: Mapped[UUID | None] = mapped_column(ForeignKey("shop_order.id"))
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("user_account.id"))
    text: Mapped[str]
    written_by: Mapped[UUID] = mapped_column(ForeignKey("operator.id"))
    written_at: Mapped[datetime]
