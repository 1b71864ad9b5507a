"""``jobs``: lists the queue of stored jobs, and retries dead letters."""

from argparse import Namespace
from datetime import timedelta

from api.app.factories import make_sealer
from api.console.acts import audit_act, record_act
from api.console.opened import open_database
from api.foundation.core.config import Settings
from api.foundation.jobs.figures import list_jobs
from api.foundation.jobs.queue import JobQueue

MAX_LISTED = 200


async def show_jobs(settings: Settings, _options: Namespace) -> bool:
    """Print waiting, running and dead jobs, oldest first; never their payloads."""
    async with open_database(settings) as database:
        jobs = await list_jobs(database, MAX_LISTED)
    if not jobs:
        print("The queue is empty.")
    else:
        print(f"{'id':>8}  {'kind':16} {'state':8} {'age':>10} {'tries':>5}  last error")
    for job in jobs:
        age = str(timedelta(seconds=int(job.age.total_seconds())))
        print(
            f"{job.id:8}  {job.kind:16} {job.state:8} {age:>10} {job.tries:5}  {job.error or '-'}"
        )
    return True


async def retry_job(settings: Settings, options: Namespace) -> bool:
    """Reset a dead letter for another round of attempts; return whether it existed."""
    async with open_database(settings) as database, database.transaction() as tx:
        is_queued = await JobQueue(make_sealer(settings)).retry(tx, options.id)
        if is_queued:
            await audit_act(tx, "retry_job", "job", options.id)
    if not is_queued:
        print(f"No failed job has the id {options.id}.")
        return False
    record_act("retry_job", job=options.id)
    print(f"Job {options.id} waits for its next try.")
    return True
