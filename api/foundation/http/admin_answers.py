"""Results of back-office writes, also when they are repeated."""

from dataclasses import dataclass
from typing import Any, Self, cast

from fastapi.responses import JSONResponse

from api.foundation.http.idempotency_header import REPLAYED_HEADER
from api.foundation.http.wire import Content, Envelope, WireModel


@dataclass(frozen=True)
class AdminResult:
    """A response as stored under an idempotency key: ``data`` is already JSON."""

    data: Content | None
    status: int = 200
    message: str = "Done."
    is_replayed: bool = False

    @classmethod
    def of(cls, content: WireModel | None, *, status: int = 200, message: str = "Done.") -> Self:
        """Return the result with ``content``."""
        data = None if content is None else content.model_dump(mode="json")
        return cls(data, status, message)


def to_response(done: AdminResult) -> Envelope[Any]:
    """Return the response of ``done``; the route's annotation is only for the description."""
    content = {"status": done.status, "message": done.message, "data": done.data}
    headers = {REPLAYED_HEADER: "true"} if done.is_replayed else None
    response = JSONResponse(content, status_code=done.status, headers=headers)
    return cast("Envelope[Any]", response)  # sent unchanged by the framework
