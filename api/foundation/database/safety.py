"""The safety check that production's database must pass before the worker is ready."""

import signal
from collections.abc import Callable
from dataclasses import replace

import structlog

from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.supervisor import Job, Skipped, Sleep
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.errors import NotOneSessionError
from api.foundation.database.role import UnsafeDatabaseError, require_plain_sign_in

log = structlog.get_logger(__name__)

POLL_INTERVAL_SECONDS = 60.0
FIND_DEMO_ACCOUNT = "SELECT 1 FROM user_account WHERE email LIKE '%@example.com' LIMIT 1"


def end_process() -> None:
    """Shut this process down gracefully; with several workers the replacement fails at startup."""
    signal.raise_signal(signal.SIGTERM)


class SafetyCheck:
    """Checks once whether production may use its database, as soon as it responds.

    Outside production there is nothing to check.
    """

    def __init__(
        self,
        database: Database,
        *,
        runtime_role: str,
        is_needed: bool,
        end: Callable[[], None] = end_process,
    ) -> None:
        self._database = database
        self._runtime_role = runtime_role
        self._end = end
        self.is_passed = not is_needed

    async def make(self) -> None:
        """Run the check unless it has passed.

        Raises:
            UnsafeDatabaseError: it has demo passwords, the login has too many rights, or a pooler
                is in the way of a connection that needs its own session.
        """
        if self.is_passed:
            return
        try:
            await require_plain_sign_in(self._database, self._runtime_role)
            # The listener needs its own session, so its address is checked, too.
            await (await self._database.connect_alone()).close(timeout=CLOSE_SECONDS)
        except NotOneSessionError as error:
            raise UnsafeDatabaseError(error.reason) from error
        if await self._database.fetch_row(FIND_DEMO_ACCOUNT) is not None:
            raise UnsafeDatabaseError("Production refuses a database with demo accounts")
        self.is_passed = True

    def job(self) -> Job:
        """Return the job that retries until the database responds; failure ends the process."""
        return Job(
            name="safety", step=self.check, every_seconds=POLL_INTERVAL_SECONDS, begins_at_once=True
        )

    async def check(self) -> None:
        """Run the check unless it has passed, and end the process on failure."""
        try:
            await self.make()
        except UnsafeDatabaseError as refusal:
            log.critical("database_refused", reason=str(refusal))
            self._end()

    def before(self, job: Job) -> Job:
        """Return a job that treats the database as unavailable until the check has passed."""

        async def step() -> Sleep | Skipped | None:
            if not self.is_passed:
                raise DatabaseUnavailableError
            return await job.step()

        return replace(job, step=step)
