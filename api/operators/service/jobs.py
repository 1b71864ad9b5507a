"""What is done by the clock, looked at and done at once by operators."""

from api.core import clock
from api.core.errors import NotFoundError
from api.database.database import Transaction
from api.http.admin_answers import Done
from api.operators import repository
from api.operators.schemas import JobAnswer, Page, StartedJob
from api.operators.service.context import OperatorContext
from api.operators.service.writing import Deed, audited, perform
from api.security.operators import Acting

UNDERSCORES = str.maketrans("-", "_")


async def list_jobs(context: OperatorContext) -> Page[JobAnswer]:
    """Return all jobs with how they went, by name."""
    stored = {name.translate(UNDERSCORES): name for name in sorted(context.jobs)}
    rows = {row["name"]: row for row in await repository.list_jobs(context.database, list(stored))}
    shown = [
        JobAnswer(
            name=name,
            succeeded_at=rows[kind]["succeeded_at"] if kind in rows else None,
            successes=rows[kind]["successes"] if kind in rows else 0,
            failures=rows[kind]["failures"] if kind in rows else 0,
        )
        for kind, name in stored.items()
    ]
    return Page(rows=shown, next=None)


async def run_job(context: OperatorContext, acting: Acting, name: str) -> Done:
    """Do a job now, until nothing is due, and return when it is done.

    It is written down before it begins, because a job has transactions of its own; and it is done
    again whenever it is asked for, but for a key that was used: jobs do nothing twice.

    Raises:
        NotFoundError: there is no such job.
    """
    step = context.jobs.get(name)
    if step is None:
        raise NotFoundError
    started = StartedJob(name=name, started_at=clock.now())

    async def work(tx: Transaction) -> Done:
        await audited(tx, acting, Deed("run", "job", name))
        return Done.of(started, message="The job has run.")

    done = await perform(context.database, acting, {}, work)
    if not done.is_replayed:
        await step()
    return done
