from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Instant, Naira, WireModel
from api.money.ledger_audit.enums import ProofSource


class ProofCheck(WireModel):
    """The result of one check: ``count`` violations, with some ``examples``."""

    name: str = Field(examples=["wallet_cache"])
    ok: bool
    count: int
    examples: list[str]


class LedgerFindings(WireModel):
    """The result of a ledger audit; ``difference`` is what does not add up."""

    ok: bool
    difference: Naira
    transfers: int
    checks: list[ProofCheck]


class ProofAnswer(LedgerFindings):
    """A stored ledger audit."""

    id: UUID
    at: Instant
    source: ProofSource
    took_ms: int
    is_whole: bool
