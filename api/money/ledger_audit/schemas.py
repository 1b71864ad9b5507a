from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import Instant, Naira, WireModel
from api.money.ledger_audit.enums import ProofSource


class ProofCheck(WireModel):
    """What one check has found; ``count`` is how many things break it, ``examples`` name some."""

    name: str = Field(examples=["wallet_cache"])
    ok: bool
    count: int
    examples: list[str]


class LedgerFindings(WireModel):
    """What a look at the whole ledger has found; ``difference`` is what does not add up."""

    ok: bool
    difference: Naira
    transfers: int
    checks: list[ProofCheck]


class ProofAnswer(LedgerFindings):
    """A proof as it was kept."""

    id: UUID
    at: Instant
    source: ProofSource
    took_ms: int
