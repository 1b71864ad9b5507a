"""Applies changes of members and ends of sessions to this worker's cache and sockets."""

from api.foundation.core.supervisor import Job
from api.foundation.realtime.engine import SocketServer
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.identity import Identity
from api.foundation.security.members import IdentityChanged

POLL_INTERVAL_SECONDS = 60.0  # how long an expired session may keep its sockets
IDENTITY_CHANNEL = "identity_changed"


class IdentityWatch:
    """Keeps the cached members, and their sockets, consistent with the database."""

    def __init__(self, identity: Identity, sockets: SocketServer, security: SecurityLog) -> None:
        self._identity = identity
        self._sockets = sockets
        self._security = security
        self._recheck_all = False
        self._job = Job(
            name="identity", step=self.check_sockets, every_seconds=POLL_INTERVAL_SECONDS
        )

    async def on_announcement(self, payload: str) -> None:
        """Invalidate a changed member, session or club, and end its sockets."""
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
        """Return the job that checks for expired sessions, whose end is not announced."""
        return self._job

    def start(self) -> None:
        """Enable the cache, and recheck all connected members."""
        self._identity.enable_cache()
        self._recheck_all = True
        self._job.wake.set()

    def stop(self) -> None:
        """Disable the cache, because changes may be missed."""
        self._identity.disable_cache()

    async def check_sockets(self) -> None:
        """End the sockets of expired sessions.

        Every open socket is checked once after each time without announcements.

        Raises:
            DatabaseUnavailableError: not all could be checked; it has to be called again.
        """
        everybody, self._recheck_all = self._recheck_all, False
        try:
            for namespace in self._sockets.namespace_handlers.values():
                await namespace.recheck(everybody=everybody)
        except BaseException:
            self._recheck_all = everybody or self._recheck_all
            raise
