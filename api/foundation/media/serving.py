"""Serves stored media: whole or in ranges, cached where allowed, never executed as a page."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.foundation.http.prebuilt import has_current
from api.foundation.http.refusals import MEDIA_POLICY
from api.foundation.media.storage import (
    FOLDERS,
    MEDIA_PATH,
    PRIVATE_FOLDERS,
    MediaStore,
    NoSuchObjectError,
    content_type_of,
    is_key,
)

# A moment may be removed or hidden: caches revalidate each time.
CACHING = {
    "avatars": "public, max-age=31536000, immutable",
    "news": "public, max-age=31536000, immutable",
    "shop": "public, max-age=31536000, immutable",
    "moments": "private, no-cache",
}
IsWithheld: TypeAlias = Callable[[str], Awaitable[bool]]
RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
READABLE = frozenset({"GET", "HEAD"})


class StoredMedia:
    """Serves the objects in the store; other requests under the path go to ``otherwise``."""

    def __init__(
        self,
        store: MediaStore,
        otherwise: ASGIApp,
        withheld: Mapping[str, IsWithheld] | None = None,
    ) -> None:
        """``withheld`` maps a folder to a check whether an object must not be served."""
        self._store = store
        self._withheld = withheld or {}
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request.

        Raises:
            HTTPException: 404, there is no such object; 405, the method is not GET or HEAD.
            DatabaseUnavailableError: it is unknown whether the object may be served.
        """
        key = scope["path"].removeprefix(MEDIA_PATH)
        if key.partition("/")[0] not in FOLDERS:
            await self._otherwise(scope, receive, send)
            return
        if scope["method"] not in READABLE:
            raise HTTPException(405)
        if not is_key(key) or key.partition("/")[0] in PRIVATE_FOLDERS:
            raise HTTPException(404)
        is_withheld = self._withheld.get(key.partition("/")[0])
        if is_withheld is not None and await is_withheld(key):
            raise HTTPException(404)
        try:
            response = await self._answer(key, Headers(scope=scope), scope["method"])
        except NoSuchObjectError as error:
            raise HTTPException(404) from error
        await response(scope, receive, send)

    async def _answer(self, key: str, asked: Headers, method: str) -> Response:
        found = await self._store.describe(key)
        headers = _headers(key)
        if has_current(asked.get("if-none-match", ""), headers["ETag"]):
            return Response(status_code=304, headers=headers)
        byte_range = _byte_range(asked, headers["ETag"], found.size_bytes)
        if byte_range.is_beyond:
            beyond = {"Content-Range": f"bytes */{found.size_bytes}", "Cache-Control": "no-store"}
            return Response(status_code=416, headers=beyond)
        if byte_range.is_part:
            headers["Content-Range"] = (
                f"bytes {byte_range.first}-{byte_range.last}/{found.size_bytes}"
            )
        headers["Content-Length"] = str(byte_range.last - byte_range.first + 1)
        status = 206 if byte_range.is_part else 200
        if method == "HEAD":
            return Response(status_code=status, headers=headers)
        chunks = await self._store.read(key, byte_range.first, byte_range.last)
        return StreamingResponse(chunks, status_code=status, headers=headers)


@dataclass(frozen=True)
class _ByteRange:
    """The requested bytes, both ends included."""

    first: int
    last: int
    is_part: bool

    @property
    def is_beyond(self) -> bool:
        return self.first > self.last


def _byte_range(asked: Headers, etag: str, size: int) -> _ByteRange:
    """Read the Range header; an unsupported one, such as several ranges, means the whole object."""
    whole = _ByteRange(0, size - 1, is_part=False)
    found = RANGE.fullmatch(asked.get("range", "").strip())
    if found is None or asked.get("if-range", etag) != etag:
        return whole
    first, last = found.groups()
    if first:
        end = min(int(last), size - 1) if last else size - 1
        if last and int(last) < int(first):
            return whole
        return _ByteRange(int(first), end, is_part=True)
    if not last:
        return whole
    return _ByteRange(max(0, size - int(last)), size - 1, is_part=True)


def _headers(key: str) -> dict[str, str]:
    folder, _, name = key.partition("/")
    return {
        "Content-Type": content_type_of(key),
        "Content-Disposition": f'inline; filename="{name}"',
        "Content-Security-Policy": MEDIA_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Accept-Ranges": "bytes",
        "Cache-Control": CACHING[folder],
        "ETag": f'"{name}"',
    }
