"""The idempotency key's header."""

from typing import Annotated

from fastapi import Depends, Header

from api.foundation.core.errors import InvalidFieldError

SHORTEST_KEY = 8
MAX_KEY_LENGTH = 255
REPLAYED_HEADER = "Idempotent-Replayed"


def read_idempotency_key(
    idempotency_key: Annotated[
        str | None,
        Header(description="Identifies this write; a retry with the same key changes nothing."),
    ] = None,
) -> str | None:
    """Return the request's idempotency key, or None.

    Raises:
        InvalidFieldError: it is too short, too long or not printable ASCII.
    """
    if idempotency_key is None:
        return None
    is_plain = idempotency_key.isascii() and idempotency_key.isprintable()
    if not SHORTEST_KEY <= len(idempotency_key) <= MAX_KEY_LENGTH or not is_plain:
        raise InvalidFieldError.of(
            "Idempotency-Key",
            f"An idempotency key has {SHORTEST_KEY} to {MAX_KEY_LENGTH} characters",
        )
    return idempotency_key


IdempotencyKeyHeader = Annotated[str | None, Depends(read_idempotency_key)]
