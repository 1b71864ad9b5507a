"""What carries messages to the push services."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol


@dataclass(frozen=True)
class PushReceipt:
    """What a push service answered: its status, and when it wants to be asked again."""

    status: int
    retry_after: timedelta | None = None


class PushCarrier(Protocol):
    """Carries messages."""

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> PushReceipt:
        """Hand a message over; a redirection is an answer, not a way.

        Raises:
            UnavailableError: there was no answer.
        """
