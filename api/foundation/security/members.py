"""Members as stored in the database, their sessions, and the events that end either."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn
from uuid import UUID

from api.foundation.core.errors import NotFoundError
from api.foundation.core.events import DomainEvent
from api.foundation.core.ids import parse_id
from api.foundation.security.events import SecurityEvent, SecurityLog

ANOTHER_CLUB = "another club"  # a reason in the security log
SUSPENDED_AT = "CASE WHEN coalesce(u.suspended_until > now(), true) THEN u.suspended_at END"
"""SQL for when the suspension of ``user_account u`` began; null if none is in effect."""


@dataclass(frozen=True, slots=True)
class Member:
    """The signed-in member, as stored in the database."""

    user_id: UUID
    club_id: UUID
    club_name: str
    session_id: UUID
    expires_at: datetime
    security: SecurityLog | None = field(default=None, compare=False, repr=False)

    def require_self(self, user_id: UUID | None) -> None:
        """Reject another member's id as if it did not exist (contract B-4, B-8)."""
        if user_id != self.user_id:
            self.refuse("another member")

    def require_club(self, club: str) -> None:
        """Reject another club as if it did not exist (contract B-17).

        Raises:
            NotFoundError: ``club`` is neither the id nor the exact name of this member's.
        """
        if club != self.club_name and parse_id(club) != self.club_id:
            self.refuse(ANOTHER_CLUB)

    def refuse(self, reason: str) -> NoReturn:
        """Reject access to another's record as if it did not exist, and log the event."""
        if self.security is not None:
            self.security.record(SecurityEvent.ACCESS_REFUSED, user_id=self.user_id, reason=reason)
        raise NotFoundError


@dataclass(frozen=True)
class SessionRevoked(DomainEvent):
    """This worker has ended a session; ``IdentityChanged`` follows on every worker."""

    session_id: UUID


@dataclass(frozen=True)
class IdentityChanged(DomainEvent):
    """The database announces that a member has changed, or that a session has ended.

    Suspension, club and erasure change the member: ``session_id`` is None then. A club's new name
    changes all its members: only ``club_id`` is given then.
    """

    user_id: UUID | None = None
    session_id: UUID | None = None
    club_id: UUID | None = None

    @classmethod
    def read(cls, payload: str) -> "IdentityChanged":
        """Parse the database's announcement."""
        said = {name: UUID(value) for name, value in json.loads(payload).items()}
        if "club" in said:
            return cls(club_id=said["club"])
        return cls(said["user"], said.get("session"))

    def is_about(self, member: Member) -> bool:
        """Return whether the cached ``member`` is no longer valid."""
        if self.club_id is not None:
            return member.club_id == self.club_id
        return member.user_id == self.user_id and self.session_id in {None, member.session_id}


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A live session as stored in the database."""

    user_id: UUID
    club_id: UUID
    club_name: str
    expires_at: datetime

    def describes(self, member: Member) -> bool:
        """Return whether ``member`` still matches the database."""
        return (
            self.user_id == member.user_id
            and self.club_id == member.club_id
            and self.club_name == member.club_name
            and self.expires_at == member.expires_at
        )


ReadSession = Callable[[UUID], Awaitable[SessionRecord | None]]
