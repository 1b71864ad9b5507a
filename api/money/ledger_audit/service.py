"""Proving the ledger: an audit as of one moment, and its stored result."""

import time
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.core.money import naira_from_kobo
from api.foundation.core.supervisor import SKIPPED, Job, Skipped, Sleep
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs.queue import JobQueue
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.money.ledger_audit.enums import ProofSource
from api.money.ledger_audit.jobs import WARN_OF_LEDGER, LedgerWarning
from api.money.ledger_audit.repository import audit_run, keeping
from api.money.ledger_audit.repository.checks import PROOF_SECONDS
from api.money.ledger_audit.repository.keeping import LedgerProofRow, ProofResult, WarningReceiver
from api.money.ledger_audit.schemas import LedgerFindings, ProofAnswer, ProofCheck

log = structlog.get_logger(__name__)

EVERY = timedelta(hours=1)
# A whole proof is due on Sundays at ten in the evening in Lagos, hours before the night's backup.
SUNDAY = 6
WHOLE_AT = timedelta(hours=22)
POLL_INTERVAL_SECONDS = 60.0  # how often a worker checks whether a proof is due


async def prove(database: Database, source: ProofSource, *, is_whole: bool = True) -> ProofResult:
    """Audit the ledger and seal what passes; the result is not stored yet.

    Reads everything, or if ``is_whole`` is false what was written since the last proof, unless
    that failed.
    """
    began = time.perf_counter()
    audited = await audit_run.audit(database, is_whole=is_whole)
    proof = ProofResult(
        id=new_id(),
        at=clock.now(),
        source=source,
        audit=audited,
        took_ms=round((time.perf_counter() - began) * 1000),
    )
    if not proof.ok:
        broken = [one.name for one in proof.found if one.count]
        log.error("the ledger does not balance", checks=broken, kobo=proof.difference_kobo)
    return proof


async def keep(tx: Transaction, proof: ProofResult) -> None:
    """Store a proof."""
    await keeping.insert_proof(tx, proof)


async def prove_now(database: Database, admin: AdminRequest) -> AdminResult:
    """Prove the ledger for an operator, and store the result."""
    proof = await prove(database, ProofSource.BACK_OFFICE)

    async def work(tx: Transaction) -> AdminResult:
        await keep(tx, proof)
        found = _findings(proof)
        after = {"ok": proof.ok, "difference_kobo": proof.difference_kobo}
        await audit.audited(tx, admin, AuditRecord("prove", "ledger_proof", proof.id, after=after))
        said = "The ledger balances." if proof.ok else "The ledger does not balance."
        return AdminResult.of(found, status=201, message=said)

    return await audit.perform(database, admin, {}, work)


async def list_proofs(database: Database, *, before: UUID | None, limit: int) -> Page[ProofAnswer]:
    """Return the proofs, newest first."""
    rows = await keeping.list_proofs(database, before, limit + 1)
    return Page.of(rows, limit, _answer)


async def last_proof(database: Database) -> Content | None:
    """Return the result of the last proof, or None before the first."""
    row = await keeping.read_last(database)
    if row is None:
        return None
    difference = naira_from_kobo(row.difference_kobo)
    return {"ok": row.ok, "at": row.at.isoformat(), "difference": difference}


def prove_job(database: Database, queue: JobQueue) -> Job:
    """Return the job that proves the ledger every hour, on one worker at a time.

    Each proof reads what was written since the last one; once a week it reads everything.
    """

    async def step() -> Sleep | Skipped | None:
        # Manual proofs notify no one and do not count; a proof from the future had a wrong clock.
        last = await keeping.read_last(database, ProofSource.CLOCK)
        if last is not None and timedelta(0) <= clock.now() - last.at < EVERY:
            return SKIPPED
        await prove_by_clock(database, queue, is_whole=await _is_whole_due(database))
        return None

    return Job(
        name="prove", step=step, every_seconds=POLL_INTERVAL_SECONDS, limit_seconds=PROOF_SECONDS
    )


async def _is_whole_due(database: Database) -> bool:
    last = await keeping.read_last_whole(database)
    return last is None or last.at < last_weekly_moment(clock.now())


def last_weekly_moment(now: datetime) -> datetime:
    """Return when the whole proof of this week was due, or of the last one if it is not yet."""
    day = clock.lagos_day(now)
    sunday = day - timedelta(days=(day.weekday() - SUNDAY) % 7)
    due = clock.midnight(sunday) + WHOLE_AT
    return due if due <= now else due - timedelta(weeks=1)


async def prove_by_clock(
    database: Database, queue: JobQueue, *, is_whole: bool = True
) -> ProofResult:
    """Prove the ledger; warn owners and finance once when it stops balancing."""
    before = await keeping.read_last(database, ProofSource.CLOCK)
    proof = await prove(database, ProofSource.CLOCK, is_whole=is_whole)
    async with database.transaction() as tx:
        await keep(tx, proof)
        if not proof.ok and (before is None or before.ok):
            for operator_id in await keeping.list_warned_operators(tx):
                warning = LedgerWarning(proof_id=proof.id, operator_id=operator_id)
                await queue.enqueue(tx, WARN_OF_LEDGER, warning, key=f"{proof.id}:{operator_id}")
    return proof


def _findings(proof: ProofResult) -> LedgerFindings:
    return LedgerFindings(
        ok=proof.ok,
        difference=proof.difference_kobo,
        transfers=proof.transfers,
        checks=[
            ProofCheck(name=one.name, ok=one.count == 0, count=one.count, examples=one.examples)
            for one in proof.found
        ],
    )


def _answer(row: LedgerProofRow) -> ProofAnswer:
    return ProofAnswer(
        id=row.id,
        at=row.at,
        source=ProofSource(row.source),
        ok=row.ok,
        difference=row.difference_kobo,
        transfers=row.transfers,
        checks=[ProofCheck(**one) for one in row.checks],
        took_ms=row.took_ms,
        is_whole=row.is_whole,
    )


async def read_last(database: Database) -> LedgerProofRow | None:
    """Return the last proof, or None before the first."""
    return await keeping.read_last(database)


async def read_last_whole(database: Database) -> LedgerProofRow | None:
    """Return the last proof that read everything, or None before the first."""
    return await keeping.read_last_whole(database)


async def read_warning(
    database: Database, warning: LedgerWarning
) -> tuple[WarningReceiver, LedgerProofRow] | None:
    """Return the operator and the proof of a warning; None if there is no longer one to warn."""
    to = await keeping.read_mail(database, warning.operator_id)
    proof = await keeping.read_proof(database, warning.proof_id)
    return None if to is None or proof is None else (to, proof)
