from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol


@dataclass(frozen=True)
class PushReceipt:
    """A push service's response: its status, and how long to wait before a retry."""

    status: int
    retry_after: timedelta | None = None


class PushCarrier(Protocol):
    """Sends messages to push services."""

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> PushReceipt:
        """Post a message; redirects are returned, not followed.

        Raises:
            UnavailableError: there was no response.
        """
