import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core.money import Kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.money.ledger_audit.enums import ProofSource
from api.money.ledger_audit.repository.audit_run import Audit, CheckResult

INSERT = """
INSERT INTO ledger_proof (id, at, source, ok, difference_kobo, transfers, checks, took_ms,
                          is_whole, covered_until, cluster)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
READ = """
SELECT id, at, source, ok, difference_kobo, transfers, checks, took_ms, is_whole FROM ledger_proof
"""


@dataclass(frozen=True)
class LedgerProofRow:
    id: UUID
    at: datetime
    source: str
    ok: bool
    difference_kobo: Kobo
    transfers: int
    checks: list[dict[str, Any]]
    took_ms: int
    is_whole: bool


LIST = Query(READ + " WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2", LedgerProofRow)
READ_ONE = Query(READ + " WHERE id = $1", LedgerProofRow)
READ_LAST = Query(
    READ + " WHERE $1::text IS NULL OR source = $1 ORDER BY id DESC LIMIT 1", LedgerProofRow
)
READ_LAST_WHOLE = Query(READ + " WHERE is_whole ORDER BY id DESC LIMIT 1", LedgerProofRow)


LIST_WARNED = """
SELECT id FROM operator WHERE disabled_at IS NULL AND roles && ARRAY['owner', 'finance']
"""


@dataclass(frozen=True)
class WarningReceiver:
    email: str
    first_name: str


READ_MAIL = Query(
    """
SELECT u.email, u.first_name FROM operator o JOIN user_account u ON u.id = o.user_id
 WHERE o.id = $1 AND o.disabled_at IS NULL
""",
    WarningReceiver,
)


@dataclass(frozen=True)
class ProofResult:
    id: UUID
    at: datetime
    source: ProofSource
    audit: Audit
    took_ms: int

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return self.audit.ok

    @property
    def difference_kobo(self) -> int:
        """What does not add up."""
        return self.audit.totals.difference_kobo

    @property
    def transfers(self) -> int:
        """The number of transfers that were read."""
        return self.audit.totals.transfers

    @property
    def found(self) -> tuple[CheckResult, ...]:
        """The result of each check."""
        return self.audit.found


async def insert_proof(tx: Transaction, proof: ProofResult) -> None:
    checks = [
        {"name": one.name, "ok": one.count == 0, "count": one.count, "examples": one.examples}
        for one in proof.found
    ]
    await tx.execute(
        INSERT,
        proof.id,
        proof.at,
        proof.source.value,
        proof.ok,
        proof.difference_kobo,
        proof.transfers,
        json.dumps(checks),
        proof.took_ms,
        proof.audit.is_whole,
        proof.audit.covered_until,
        proof.audit.cluster,
    )


async def list_proofs(
    database: Database, before: UUID | None, limit: int
) -> Sequence[LedgerProofRow]:
    """Return up to ``limit`` proofs, newest first."""
    return await database.fetch_rows(LIST, before, limit)


async def read_proof(database: Database, proof_id: UUID) -> LedgerProofRow | None:
    return await database.fetch_row(READ_ONE, proof_id)


async def read_last(database: Database, source: ProofSource | None = None) -> LedgerProofRow | None:
    """Return the last proof, of one source or of any, or None before the first."""
    return await database.fetch_row(READ_LAST, source and source.value)


async def read_last_whole(database: Database) -> LedgerProofRow | None:
    """Return the last proof that read everything, or None before the first."""
    return await database.fetch_row(READ_LAST_WHOLE)


async def list_warned_operators(tx: Transaction) -> list[UUID]:
    return await tx.fetch_column(LIST_WARNED)


async def read_mail(database: Database, operator_id: UUID) -> WarningReceiver | None:
    """Return an operator's mail address; None if they are no longer an operator."""
    return await database.fetch_row(READ_MAIL, operator_id)
