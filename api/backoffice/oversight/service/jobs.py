"""Scheduled jobs: listed, and started immediately by operators."""

from api.backoffice.oversight.enums import JobOutcome
from api.backoffice.oversight.repository import jobs
from api.backoffice.oversight.repository.jobs import JobKindRow
from api.backoffice.oversight.schemas.settings import JobAnswer, StartedJob
from api.backoffice.oversight.service.context import OversightContext
from api.foundation.audit.writing import AuditRecord, audited, perform
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page

DASHES = str.maketrans("_", "-")


async def list_jobs(context: OversightContext) -> Page[JobAnswer]:
    """Return all jobs with their last run, by name, including those that have never run."""
    rows = await jobs.list_jobs(context.database, clock.now())
    shown = {name: _never_run(name) for name in context.jobs}
    for row in rows:
        name = row.name.translate(DASHES)
        shown[name] = _answer(row, name, can_run=name in context.jobs)
    return Page(rows=[shown[name] for name in sorted(shown)], next=None)


async def run_job(context: OversightContext, admin: AdminRequest, name: str) -> AdminResult:
    """Run a job until nothing is due.

    The audit entry is committed first, because a job opens its own transactions. Each request runs
    it again unless its key was used; jobs are idempotent.

    Raises:
        UnavailableError: no process is running it at the moment.
    """
    job = context.jobs.get(name)
    if job is None:
        raise NotFoundError
    started = StartedJob(name=name, started_at=clock.now())

    async def work(tx: Transaction) -> AdminResult:
        await job.ask(tx)
        await audited(tx, admin, AuditRecord("run", "job", name))
        return AdminResult.of(started, message="The job has run.")

    done = await perform(context.database, admin, {}, work)
    if not done.is_replayed:
        await job.step()
    return done


def _never_run(name: str) -> JobAnswer:
    return JobAnswer(
        name=name,
        last_run_at=None,
        outcome=None,
        next_due_at=None,
        running=False,
        can_run=True,
        succeeded_at=None,
        successes=0,
        failures=0,
    )


def _answer(row: JobKindRow, name: str, *, can_run: bool) -> JobAnswer:
    ends = {JobOutcome.SUCCEEDED: row.succeeded_at, JobOutcome.FAILED: row.failed_at}
    last, outcome = max(
        ((at, outcome) for outcome, at in ends.items() if at is not None), default=(None, None)
    )
    return JobAnswer(
        name=name,
        last_run_at=last,
        outcome=outcome,
        next_due_at=row.due_at,
        running=row.running,
        can_run=can_run,
        succeeded_at=row.succeeded_at,
        successes=row.successes,
        failures=row.failures,
    )
