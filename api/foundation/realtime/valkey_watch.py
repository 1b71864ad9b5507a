"""Notices when the Valkey server between the workers' sockets was replaced or restarted."""

from valkey.asyncio import Valkey
from valkey.exceptions import ValkeyError

from api.foundation.core.errors import UnavailableError
from api.foundation.core.metrics import Metrics
from api.foundation.core.supervisor import Job
from api.foundation.metrics.dependencies import DependencyWatch

VALKEY = "valkey"
ANSWER_SECONDS = 2.0
POLL_INTERVAL_SECONDS = 2.0


class ValkeyWatch:
    """Polls Valkey's run id; the sockets' own connections recover without notifying anybody."""

    def __init__(self, url: str, metrics: Metrics) -> None:
        self._client = Valkey.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        self._server = DependencyWatch(VALKEY, metrics)

    def job(self) -> Job:
        """Return the job that polls."""
        return Job(
            name="valkey", step=self.check, every_seconds=POLL_INTERVAL_SECONDS, begins_at_once=True
        )

    async def check(self) -> None:
        """Check once.

        Raises:
            UnavailableError: Valkey does not answer.
        """
        try:
            found = await self._client.info("server")
        except (ValkeyError, OSError) as error:
            self._server.lost()
            raise UnavailableError from error
        self._server.saw(found["run_id"])

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()
