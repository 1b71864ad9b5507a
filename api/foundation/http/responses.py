"""The documented errors of the API description."""

from typing import Any

REFUSAL = "#/components/schemas/Refusal"
EXAMPLES: dict[int, tuple[str, str, str]] = {
    400: ("Malformed or refused", "bad_request", "The request could not be read."),
    401: ("The token is missing or invalid", "token_missing", "User token is required."),
    402: (
        "Insufficient funds",
        "insufficient_funds",
        "Insufficient wallet balance. Fund your wallet to continue.",
    ),
    404: (
        "Not found, or not visible to the caller",
        "not_found",
        "We could not find what you asked for.",
    ),
    409: ("Conflict with the current state", "conflict", "That is not possible right now."),
    415: (
        "Unsupported file type",
        "unsupported_media_type",
        "Please select a video.",
    ),
    413: ("Request or file too large", "too_large", "The request is too large."),
    422: ("A field is invalid", "validation_failed", "This field is required"),
    428: (
        "A challenge must be solved first; `data.challenge` has it, in ALTCHA's format",
        "challenge_required",
        "Your network is busy. Please wait while we check your connection.",
    ),
    431: (
        "The request's headers are too large",
        "headers_too_large",
        "The request's headers are too large.",
    ),
    429: (
        "Too many requests; see Retry-After",
        "too_many_requests",
        "Too many attempts. Please wait a little and try again.",
    ),
    503: (
        "Temporarily unavailable; see Retry-After",
        "unavailable",
        "We are having trouble right now. Please try again in a moment.",
    ),
}
ALWAYS = (400, 413, 422, 503)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI responses for ``statuses`` and those common to all routes."""
    return documented_only(*ALWAYS, *statuses)


def documented_only(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI responses for ``statuses``."""
    return {status: _document(status) for status in sorted(set(statuses))}


def _document(status: int) -> dict[str, Any]:
    description, code, message = EXAMPLES[status]
    example = {
        "status": status,
        "message": message,
        "data": None,
        "error": {"code": code, "fields": {}, "requestId": "0b5c2c1e9d7f4a61"},
    }
    return {
        "description": description,
        "content": {"application/json": {"example": example, "schema": {"$ref": REFUSAL}}},
    }
