from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.money.ledger_audit.enums import ProofSource


class LedgerProof(Base):
    """The result of one audit of the ledger; never changed.

    A proof that is not whole read what was written since the last one. Every transfer that it did
    not see has an id of ``covered_until`` or later, but for a margin; null if that could not be
    established. ``cluster`` is the database that it was made in, which a restored one is not.
    """

    __tablename__ = "ledger_proof"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    source: Mapped[ProofSource] = mapped_column(checked_text(ProofSource))
    ok: Mapped[bool]
    difference_kobo: Mapped[Kobo]
    transfers: Mapped[Kobo]
    checks: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    took_ms: Mapped[int]
    is_whole: Mapped[bool] = mapped_column(server_default=text("true"))
    covered_until: Mapped[datetime | None]
    cluster: Mapped[str | None]


class LedgerSeal(Base):
    """A wallet at the last entry that a proof found to be right, and its balance after that.

    Written only by proofs, and only forwards. Accounts are never deleted, so ``wallet_id`` needs no
    constraint, which would look at the account for each seal.
    """

    __tablename__ = "ledger_seal"
    __table_args__ = (
        CheckConstraint("last_entry > 0", name="covers_entries"),
        CheckConstraint("after_kobo >= 0", name="no_overdraft"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    wallet_id: Mapped[UUID] = mapped_column(primary_key=True)
    last_entry: Mapped[Kobo]
    after_kobo: Mapped[Kobo]
    sealed_at: Mapped[datetime]


class LedgerSealMonth(Base):
    """How many of a wallet's sealed entries are of a month, and their sum.

    ``month`` is the first day of the month in which they were posted, in Lagos.
    """

    __tablename__ = "ledger_seal_month"
    __table_args__ = (
        CheckConstraint("entries > 0", name="covers_entries"),
        CheckConstraint("extract(day FROM month) = 1", name="month_by_first_day"),
        {"postgresql_with": {"fillfactor": "70"}},
    )

    wallet_id: Mapped[UUID] = mapped_column(primary_key=True)
    month: Mapped[date] = mapped_column(primary_key=True)
    entries: Mapped[Kobo]
    moved_kobo: Mapped[Kobo]
