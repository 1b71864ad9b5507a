"""Tables of the ledger. One row is one balanced transfer; rows never change.

The runtime role may read. It writes only through the SQL function ``post_wallet_transfer``, which
locks the wallet, looks up the reference, and inserts; a trigger updates the balance.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.money.wallet.enums import (
    AccountType,
    AdjustmentCategory,
    CreditKind,
    ReviewKind,
    ReviewState,
    TransferKind,
)

LEGAL_FLOW = " OR ".join(
    f"(kind = '{kind}' AND debit_type = '{debit}' AND credit_type = '{credit}')"
    for kind, debit, credit in (
        ("fund", "gateway", "wallet"),
        ("fund", "bank", "wallet"),
        ("purchase", "wallet", "sales"),
        ("subscription", "wallet", "subscriptions"),
        ("refund", "sales", "wallet"),
        ("refund", "subscriptions", "wallet"),
        ("chargeback", "wallet", "gateway"),
        ("debt_repayment", "wallet", "gateway"),
        ("adjust", "adjustments", "wallet"),
        ("adjust", "wallet", "adjustments"),
    )
)


class LedgerAccount(Base):
    """A wallet (one per member, with its balance) or a company account (no cached balance)."""

    __tablename__ = "ledger_account"
    __table_args__ = (
        UniqueConstraint("id", "type"),
        UniqueConstraint("owner_id"),
        Index(
            "uq_ledger_account_company",
            "type",
            unique=True,
            postgresql_where=text("owner_id IS NULL"),
        ),
        CheckConstraint("(type = 'wallet') = (owner_id IS NOT NULL)", name="wallet_has_owner"),
        CheckConstraint(
            "(type = 'wallet') = (balance_kobo IS NOT NULL)", name="only_wallets_cache"
        ),
        CheckConstraint("balance_kobo >= 0", name="no_overdraft"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    type: Mapped[AccountType] = mapped_column(checked_text(AccountType))
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("user_account.id"))
    balance_kobo: Mapped[Kobo | None]
    entries: Mapped[Kobo] = mapped_column(server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class LedgerTransfer(Base):
    """Money moved from a debit to a credit account, with the wallet's balance after it."""

    __tablename__ = "ledger_transfer"
    __table_args__ = (
        UniqueConstraint("kind", "reference"),
        ForeignKeyConstraint(
            ["debit_id", "debit_type"],
            ["ledger_account.id", "ledger_account.type"],
            name="fk_ledger_transfer_debit",
        ),
        ForeignKeyConstraint(
            ["credit_id", "credit_type"],
            ["ledger_account.id", "ledger_account.type"],
            name="fk_ledger_transfer_credit",
        ),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("debit_id <> credit_id", name="two_accounts"),
        CheckConstraint("(kind = 'refund') = (reverses_id IS NOT NULL)", name="refund_reverses"),
        CheckConstraint(LEGAL_FLOW, name="legal_flow"),
        Index("uq_ledger_transfer_wallet_entry", "wallet_id", "wallet_entry", unique=True),
        Index("ix_ledger_transfer_reverses_id", "reverses_id"),
        Index("ix_ledger_transfer_wallet_kind", "wallet_id", "kind", "wallet_entry"),
        # Statements by day and month read only this index, however long the wallet's history is.
        Index(
            "ix_ledger_transfer_wallet_day",
            "wallet_id",
            "created_at",
            postgresql_include=["wallet_entry", "kind", "wallet_change_kobo"],
        ),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[TransferKind] = mapped_column(checked_text(TransferKind))
    reference: Mapped[str]
    debit_id: Mapped[UUID]
    debit_type: Mapped[str]
    credit_id: Mapped[UUID]
    credit_type: Mapped[str]
    amount_kobo: Mapped[Kobo]
    reverses_id: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transfer.id"))
    wallet_id: Mapped[UUID] = mapped_column(ForeignKey("ledger_account.id"))
    wallet_entry: Mapped[Kobo]
    wallet_change_kobo: Mapped[Kobo]
    wallet_after_kobo: Mapped[Kobo]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class ReviewCase(Base):
    """Money that came in, belongs to no purchase, and waits for review in the back office.

    ``reasons`` lists everything that holds it, ``kind`` is the first reason. ``source`` is the
    ledger reference under which it is credited when it is accepted.
    """

    __tablename__ = "review_case"
    __table_args__ = (
        UniqueConstraint("source"),
        CheckConstraint("amount_kobo BETWEEN 1 AND 100000000000", name="amount_in_range"),
        CheckConstraint("(state = 'open') = (decided_at IS NULL)", name="decided_has_moment"),
        CheckConstraint("reasons[1] = kind", name="kind_is_first_reason"),
        Index("ix_review_case_open", "id", postgresql_where=text("state = 'open'")),
        Index(
            "ix_review_case_decided_at",
            "decided_at",
            postgresql_where=text("decided_at IS NOT NULL"),
        ),
        Index("ix_review_case_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[ReviewKind] = mapped_column(checked_text(ReviewKind))
    reasons: Mapped[list[str]] = mapped_column(ARRAY(Text))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    amount_kobo: Mapped[Kobo]
    subject: Mapped[str]
    source: Mapped[str]
    state: Mapped[ReviewState] = mapped_column(
        checked_text(ReviewState), server_default=text("'open'")
    )
    opened_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    reason: Mapped[str | None]


class WalletAdjustment(Base):
    """A change of a wallet by one operator, or by two: then it names the approval.

    The transfer is in the ledger, under ``adjust:<id>`` or ``approval:<approval_id>``.
    """

    __tablename__ = "wallet_adjustment"
    __table_args__ = (
        UniqueConstraint("approval_id"),
        CheckConstraint("amount_kobo <> 0", name="moves_money"),
        Index("ix_wallet_adjustment_operator_id_created_at", "operator_id", "created_at"),
        Index("ix_wallet_adjustment_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    operator_id: Mapped[UUID] = mapped_column(ForeignKey("operator.id"))
    approval_id: Mapped[UUID | None] = mapped_column(ForeignKey("approval.id"))
    amount_kobo: Mapped[Kobo]
    category: Mapped[AdjustmentCategory] = mapped_column(checked_text(AdjustmentCategory))
    reason: Mapped[str]
    created_at: Mapped[datetime]


class OperatorCredit(Base):
    """A credit or gift that an operator initiated, inserted before it is posted.

    The ledger posts operator credits only under the ``reference`` of such a row. ``document_id`` is
    the adjustment, gift, review case, refund, cancelled order or bank receipt. ``counted_kobo`` is
    added to the operator's day, ``confirmed_kobo`` to the day's confirmed transfers. Without an
    approval, ``limit_kobo`` limited the credit and the other two limits the day. ``is_imported``
    marks credits posted before this table existed.
    """

    __tablename__ = "operator_credit"
    __table_args__ = (
        UniqueConstraint("kind", "document_id"),
        UniqueConstraint("reference"),
        CheckConstraint("counted_kobo >= 0 AND confirmed_kobo >= 0", name="counts_forward"),
        CheckConstraint("is_imported OR initiator_id IS NOT NULL", name="has_initiator"),
        CheckConstraint(
            "is_imported OR approval_id IS NOT NULL"
            " OR counted_kobo <= limit_kobo AND counted_kobo <= day_limit_kobo"
            " AND confirmed_kobo <= confirm_limit_kobo",
            name="alone_within_limits",
        ),
        Index("ix_operator_credit_initiator_id_created_at", "initiator_id", "created_at"),
        Index("ix_operator_credit_user_id", "user_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[CreditKind] = mapped_column(checked_text(CreditKind))
    initiator_id: Mapped[UUID | None] = mapped_column(ForeignKey("operator.id"))
    approval_id: Mapped[UUID | None] = mapped_column(ForeignKey("approval.id"))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id"))
    document_id: Mapped[UUID]
    reference: Mapped[str]
    amount_kobo: Mapped[Kobo]
    counted_kobo: Mapped[Kobo]
    confirmed_kobo: Mapped[Kobo] = mapped_column(server_default=text("0"))
    limit_kobo: Mapped[Kobo]
    day_limit_kobo: Mapped[Kobo]
    confirm_limit_kobo: Mapped[Kobo] = mapped_column(server_default=text("0"))
    is_imported: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime]
