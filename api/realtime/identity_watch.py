"""Lets nothing of this worker go on as if members had not changed or sessions not ended."""

from api.core.supervisor import Job
from api.realtime.engine import SocketServer
from api.security.events import SecurityEvent, SecurityLog
from api.security.identity import Identity
from api.security.members import IdentityChanged

POLL_INTERVAL_SECONDS = 60.0  # so long a session that has ended unused may keep its sockets
IDENTITY_CHANNEL = "identity_changed"


class IdentityWatch:
    """Keeps what is remembered of members, and their sockets, true to the database."""

    def __init__(self, identity: Identity, sockets: SocketServer, security: SecurityLog) -> None:
        self._identity = identity
        self._sockets = sockets
        self._security = security
        self._has_to_look = False
        self._job = Job(
            name="identity", step=self.check_sockets, every_seconds=POLL_INTERVAL_SECONDS
        )

    async def hear(self, payload: str) -> None:
        """Forget a member, a session or a club that has changed, and end the sockets."""
        event = IdentityChanged.read(payload)
        await self._identity.forget(event)
        closed = sum(
            namespace.close_changed(event)
            for namespace in self._sockets.namespace_handlers.values()
        )
        if event.session_id is None:
            about = {} if event.club_id is None else {"club_id": str(event.club_id)}
            self._security.record(
                SecurityEvent.IDENTITY_CHANGED, user_id=event.user_id, sockets=closed, **about
            )

    def job(self) -> Job:
        """Return what looks at the sockets of sessions whose end is not announced."""
        return self._job

    def start(self) -> None:
        """Trust what is remembered from now on; look again at who is connected already."""
        self._identity.start_remembering()
        self._has_to_look = True
        self._job.wake.set()

    def stop(self) -> None:
        """Trust nothing that is remembered: changes cannot be heard."""
        self._identity.stop_remembering()

    async def check_sockets(self) -> None:
        """End the sockets of sessions that lie unused.

        Every open socket is looked at once after each time without announcements.

        Raises:
            DatabaseUnavailableError: not all could be looked at; it has to be done again.
        """
        everybody, self._has_to_look = self._has_to_look, False
        try:
            for namespace in self._sockets.namespace_handlers.values():
                await namespace.check_again(everybody=everybody)
        except BaseException:
            self._has_to_look = everybody or self._has_to_look
            raise
