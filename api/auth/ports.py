"""What opening an account needs of others: who writes down by whose invite it came."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from api.database.database import Transaction


class Invitations(Protocol):
    """Writes down who came by an invite."""

    async def accept(self, tx: Transaction, user_id: UUID, invite: str, now: datetime) -> None:
        """Note that a new member came by an invite; what is no invite changes nothing."""
