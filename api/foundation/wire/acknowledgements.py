"""The acknowledgement of socket events."""

from typing import Any

from api.foundation.wire.schemas import WireModel


class Acknowledgement(WireModel):
    """The answer to every event; ``code`` is null on success."""

    status: int
    message: str
    data: Any = None
    code: str | None = None
