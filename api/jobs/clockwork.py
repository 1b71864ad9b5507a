"""What is done by the clock in a worker, with its last success where operators look for it."""

from dataclasses import replace

from api.core.supervisor import Job, Rest, Taken
from api.database.database import Database
from api.jobs.figures import note_failure, note_success


def noted(database: Database, job: Job) -> Job:
    """Return the job with its successes written down among those of the stored jobs' kinds."""

    async def step() -> Rest | Taken | None:
        try:
            outcome = await job.step()
        except Exception:
            await note_failure(database, job.name)
            raise
        if not isinstance(outcome, Taken):
            await note_success(database, job.name)
        return outcome

    return replace(job, step=step)
