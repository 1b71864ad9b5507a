from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.money.ledger_audit.enums import ProofSource


class LedgerProof(Base):
    """The result of one audit of the whole ledger; never changed."""

    __tablename__ = "ledger_proof"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    source: Mapped[ProofSource] = mapped_column(checked_text(ProofSource))
    ok: Mapped[bool]
    difference_kobo: Mapped[Kobo]
    transfers: Mapped[Kobo]
    checks: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    took_ms: Mapped[int]
