"""Responses whose bytes exist already, and what makes a client's copy of them current."""

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.foundation.wire.encoded import EncodedAnswer


@dataclass(frozen=True)
class Prebuilt:
    """A body, plain and gzipped, with the ETag of both."""

    plain: bytes
    compressed: bytes
    etag: str

    @classmethod
    def of(cls, plain: bytes) -> "Prebuilt":
        """Compress a body and derive its ETag."""
        return cls(plain, gzip.compress(plain, mtime=0), weak_etag(plain))

    def answer(self, request: Request, headers: Mapping[str, str]) -> Response:
        """Return the body in an encoding the client accepts, or 304."""
        headers = {**headers, "ETag": self.etag, "Vary": "Accept-Encoding"}
        if has_current(request.headers.get("if-none-match", ""), self.etag):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.compressed, headers=headers)
        return Response(self.plain, headers=headers)


class PrebuiltResponse:
    """Serves what ``build`` returns; it is awaited once, at the first request."""

    def __init__(self, build: Callable[[], Awaitable[bytes]], headers: Mapping[str, str]) -> None:
        self._build = build
        self._headers = headers
        self._lock = asyncio.Lock()
        self._built: Prebuilt | None = None

    async def built(self) -> Prebuilt:
        """Return the body, building it on the first call."""
        if self._built is None:
            async with self._lock:
                if self._built is None:
                    plain = await self._build()
                    self._built = await asyncio.to_thread(Prebuilt.of, plain)
        return self._built

    async def answer(self, request: Request) -> Response:
        """Return the body in an encoding the client accepts, or 304."""
        return (await self.built()).answer(request, self._headers)


def respond_encoded(
    request: Request, headers: Mapping[str, str], answer: EncodedAnswer[Any]
) -> Response:
    """Return an encoded answer with ``headers``, or 304 if the client has it."""
    headers = {**headers, "ETag": answer.etag}
    known = request.headers.get("if-none-match")
    if known is not None and has_current(known, answer.etag):
        return Response(status_code=304, headers=headers)
    return Response(answer.body, media_type="application/json", headers=headers)


def weak_etag(content: bytes) -> str:
    """Return the ETag of a body that is sent in several encodings."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'


def has_current(if_none_match: str, etag: str) -> bool:
    """Return whether an ``If-None-Match`` header names ``etag``, weak or strong.

    Source: RFC 9110, 13.1.2: the comparison is weak, and ``*`` matches any.
    """
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in known or etag.removeprefix("W/") in known
