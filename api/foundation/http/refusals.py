"""Headers and envelope shared by all responses; framework-free."""

import json
from http import HTTPStatus
from typing import TypeAlias

from api.foundation.http.request_ids import new_request_id

PERMISSIONS_POLICY = "camera=(), microphone=(), geolocation=(), payment=(self)"
# The default policy of responses in a browser: nothing is allowed.
DEFAULT_POLICY = (
    "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
MEDIA_POLICY = "default-src 'none'; sandbox; base-uri 'none'; frame-ancestors 'none'"
Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]
SECURITY_HEADERS: Headers = (
    (b"strict-transport-security", b"max-age=31536000; includeSubDomains"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin-allow-popups"),
    (b"permissions-policy", PERMISSIONS_POLICY.encode()),
    (b"content-security-policy", DEFAULT_POLICY.encode()),
)
API_HEADERS: Headers = (
    *SECURITY_HEADERS,
    (b"cache-control", b"no-store"),
)
# The sandbox provider is a separate site that our pages frame; it sets its own policy.
SANDBOX_HEADERS: Headers = SECURITY_HEADERS[:-1]
STATUS_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "validation_failed",
    429: "too_many_requests",
    431: "headers_too_large",
    500: "internal_error",
    503: "unavailable",
}
SENTENCES = {
    400: "The request could not be read.",
    404: "We could not find what you asked for.",
    405: "That is not possible here.",
    413: "The request is too large.",
    415: "This kind of content is not accepted here.",
    431: "The request's headers are too large.",
    500: "Something went wrong on our side. Please try again.",
    503: "We are having trouble right now. Please try again in a moment.",
}


def bare_refusal(status: int, *, request_id: str | None = None) -> tuple[Headers, bytes]:
    """Return headers and envelope of an error that bypasses the framework."""
    request_id = request_id or new_request_id()
    content = {
        "status": status,
        "message": SENTENCES[status],
        "data": None,
        "error": {"code": STATUS_CODES[status], "fields": {}, "requestId": request_id},
    }
    body = json.dumps(content, separators=(",", ":")).encode()
    headers = (
        *API_HEADERS,
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"x-request-id", request_id.encode()),
    )
    return headers, body


def unreadable(status: HTTPStatus) -> bytes:
    """Return the whole response to a request that never reached the application."""
    headers, body = bare_refusal(status.value)
    headers = (*headers, (b"connection", b"close"))
    lines = [f"HTTP/1.1 {status.value} {status.phrase}".encode()]
    lines += [name + b": " + value for name, value in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
