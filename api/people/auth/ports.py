from datetime import datetime
from typing import Protocol
from uuid import UUID

from api.foundation.database.database import Transaction


class Invitations(Protocol):
    """Records which invite a member used."""

    async def accept(self, tx: Transaction, user_id: UUID, invite: str, now: datetime) -> None:
        """Record that a new member used an invite; an invalid one is ignored."""


class Claims(Protocol):
    """Gives new accounts the points that they earned before they signed up."""

    async def redeem(
        self, tx: Transaction, user_id: UUID, club_id: UUID, claim: str, now: datetime
    ) -> None:
        """Award the points of a claim; an invalid or used one is ignored."""
