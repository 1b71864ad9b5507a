"""Notices that the Valkey which joins the workers' sockets is another process than before."""

from valkey.asyncio import Valkey
from valkey.exceptions import ValkeyError

from api.core.errors import UnavailableError
from api.core.metrics import Metrics
from api.core.supervisor import Job
from api.figures.dependencies import DependencyWatch

VALKEY = "valkey"
ANSWER_SECONDS = 2.0
POLL_INTERVAL_SECONDS = 2.0


class ValkeyWatch:
    """Asks Valkey who it is; the sockets' own connections heal without telling anybody."""

    def __init__(self, url: str, metrics: Metrics) -> None:
        self._client = Valkey.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        self._server = DependencyWatch(VALKEY, metrics)

    def job(self) -> Job:
        """Return what looks again and again."""
        return Job(
            name="valkey", step=self.look, every_seconds=POLL_INTERVAL_SECONDS, begins_at_once=True
        )

    async def look(self) -> None:
        """Look once.

        Raises:
            UnavailableError: it does not answer.
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
