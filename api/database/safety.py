"""What production finds out about its database before it is ready."""

import signal
from collections.abc import Callable
from dataclasses import replace

import structlog

from api.core.errors import DatabaseUnavailableError
from api.core.supervisor import Job, Rest, Taken
from api.database.connections import CLOSE_SECONDS
from api.database.database import Database
from api.database.errors import NotOneSessionError
from api.database.role import UnsafeDatabaseError, require_plain_sign_in

log = structlog.get_logger(__name__)

POLL_INTERVAL_SECONDS = 60.0
FIND_DEMO_ACCOUNT = "SELECT 1 FROM user_account WHERE email LIKE '%@example.com' LIMIT 1"


def end_process() -> None:
    """Let this process drain and end; with several workers the next one refuses at its start."""
    signal.raise_signal(signal.SIGTERM)


class SafetyCheck:
    """Looks once whether production may work with its database, as soon as that answers.

    Elsewhere than in production there is nothing to find out.
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
        """Look, unless it was found safe before.

        Raises:
            UnsafeDatabaseError: its passwords are public, the sign-in may do too much, or a pooler
                stands where none may.
            DatabaseUnavailableError: it could not be asked.
        """
        if self.is_passed:
            return
        try:
            await require_plain_sign_in(self._database, self._runtime_role)
            # What listens needs a session of its own: that address is looked at, too.
            await (await self._database.connect_alone()).close(timeout=CLOSE_SECONDS)
        except NotOneSessionError as error:
            raise UnsafeDatabaseError(error.reason) from error
        if await self._database.fetch_row(FIND_DEMO_ACCOUNT) is not None:
            raise UnsafeDatabaseError("Production refuses a database with demo accounts")
        self.is_passed = True

    def job(self) -> Job:
        """Return what looks until the database has answered, and ends the process if need be."""
        return Job(
            name="safety", step=self.look, every_seconds=POLL_INTERVAL_SECONDS, begins_at_once=True
        )

    async def look(self) -> None:
        """Look, unless it was found safe before, and end the process if need be.

        Raises:
            DatabaseUnavailableError: it could not be asked.
        """
        try:
            await self.make()
        except UnsafeDatabaseError as refusal:
            log.critical("database_refused", reason=str(refusal))
            self._end()

    def before(self, job: Job) -> Job:
        """Return the job as one whose database is away until that was found safe."""

        async def step() -> Rest | Taken | None:
            if not self.is_passed:
                raise DatabaseUnavailableError
            return await job.step()

        return replace(job, step=step)
