"""Serves the built web app for paths that no route matches.

It is the router's default rather than a mount, so that an unknown API path stays a 404 in the
envelope and a wrong method stays a 405.
"""

import base64
import gzip
import hashlib
import mimetypes
import os
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from api.foundation.http.prebuilt import has_current, weak_etag
from api.foundation.http.refusals import MEDIA_POLICY

ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
SVG = "image/svg+xml"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
SCRIPTS = ("/assets/", "/admin/assets/")  # file names contain a hash of the content
SERVER_PATHS = ("/api/", "/socket.io", "/media/", "/sandbox/", *SCRIPTS)
PAGE = "index.html"
HEAD, HEAD_END = "<!--head-->", "<!--/head-->"
OFFICE = "/admin"
OFFICE_PAGE = "admin/index.html"
VISITORS = "/visitor/"  # a page that only the server fills in
PAYSTACK_FRAME = "https://checkout.paystack.com"
# The only style that the provider's client injects into the page: its loader.
PAYSTACK_LOADER_STYLE = "'sha256-56e7EfkeGORJUMtXdS4A+2LZFuyRDypLbssVftifpJg='"
PAYSTACK_CALLS = "https://api.paystack.co https://standard.paystack.co"
INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def page_policy(public_url: str, page: bytes) -> str:
    """Return the Content-Security-Policy of the members' pages.

    It admits the inline scripts of the built ``page`` by their hashes.
    """
    socket = public_url.replace("http", "ws", 1)
    return "; ".join(
        (
            *_directives(page),
            f"style-src 'self' {PAYSTACK_LOADER_STYLE}",
            "media-src 'self' blob:",
            "worker-src 'self'",
            f"connect-src 'self' {socket} {PAYSTACK_CALLS}",
            f"frame-src 'self' {PAYSTACK_FRAME}",
        )
    )


def office_policy(page: bytes) -> str:
    """Return the policy of the back office's pages, which admits no other origin."""
    return "; ".join(
        (
            *_directives(page),
            "style-src 'self'",
            "media-src 'self' blob:",
            "frame-src 'none'",
        )
    )


def visitor_policy(page: bytes) -> str:
    """Return the policy of pages rendered for visitors, which admits no other origin."""
    return "; ".join((*_directives(page), "style-src 'self'", "media-src 'self'"))


def fill_head(page: str, head: str) -> str:
    """Return a built page with ``head`` in place of its own.

    Its own is between ``<!--head-->`` and ``<!--/head-->``; a page without these marks stays.
    """
    before, start, rest = page.partition(HEAD)
    _, end, after = rest.partition(HEAD_END)
    return before + head + after if start and end else page


@dataclass(frozen=True)
class ScreenHead:
    """The head of a screen as HTML, and the status: 404 for an address without a screen."""

    html: str
    status: int = 200


Heads: TypeAlias = Callable[[str], Awaitable[ScreenHead]]
"""Returns the head of a path."""


def _directives(page: bytes) -> tuple[str, ...]:
    inline = "".join(f" {_hash_of(script)}" for script in INLINE_SCRIPT.findall(page))
    return (
        "default-src 'self'",
        f"script-src 'self'{inline}",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )


def _hash_of(script: bytes) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"


class WebApp:
    """Responds to GET and HEAD with a file of the build, or with a page for all other paths.

    Two pages are built: the members', with a head for each path, and the back office's below its
    own path. A client that accepts JSON only gets a 404 instead of a page.
    """

    def __init__(self, folder: Path, *, public_url: str, heads: Heads) -> None:
        self._files = _BuiltFiles(directory=folder, check_dir=False)
        self._heads = heads
        page = _bytes_of(folder / PAGE)
        self._page = page.decode()
        self._policies = {
            PAGE: page_policy(public_url, page),
            OFFICE_PAGE: office_policy(_bytes_of(folder / OFFICE_PAGE)),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request.

        Raises:
            HTTPException: 404, there is no such file, and no page for the path or the client.
        """
        path: str = scope["path"]
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(404)
        is_office = path == OFFICE or path.startswith(f"{OFFICE}/")
        response = await self._find(path, scope, is_office=is_office)
        response.headers["Cache-Control"] = IMMUTABLE if path.startswith(SCRIPTS) else REVALIDATE
        response.headers["Content-Security-Policy"] = self._policies[
            OFFICE_PAGE if is_office else PAGE
        ]
        response.headers["Vary"] = "Accept-Encoding"
        _name_charset(response)
        await response(scope, receive, send)

    async def _find(self, path: str, scope: Scope, *, is_office: bool) -> Response:
        is_root = path.rstrip("/") in {"", OFFICE}
        if not is_root and not _is_hidden(path):
            try:
                return await self._files.best(path.lstrip("/"), scope)
            except HTTPException as error:
                if error.status_code != 404:
                    raise
        if path.startswith(SERVER_PATHS) or _accepts_only_json(scope):
            raise HTTPException(404)
        if is_office:
            return await self._files.best(OFFICE_PAGE, scope)
        return await self._show(path, scope)

    async def _show(self, path: str, scope: Scope) -> Response:
        if not self._page:
            raise HTTPException(404)
        head = await self._heads(path)
        content = fill_head(self._page, head.html).encode()
        asked = Headers(scope=scope)
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "ETag": weak_etag(content),
        }
        if has_current(asked.get("if-none-match", ""), headers["ETag"]):
            return Response(status_code=304, headers=headers)
        if "gzip" in asked.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            content = gzip.compress(content, compresslevel=6, mtime=0)
        return Response(content, status_code=head.status, headers=headers)


def _accepts_only_json(scope: Scope) -> bool:
    accept = Headers(scope=scope).get("accept", "")
    kinds = [part.partition(";")[0].strip().lower() for part in accept.split(",") if part.strip()]
    return bool(kinds) and all(
        kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
        for kind in kinds
    )


def _bytes_of(page: Path) -> bytes:
    return page.read_bytes() if page.is_file() else b""


class _BuiltFiles(StaticFiles):
    async def best(self, path: str, scope: Scope) -> Response:
        accepted = Headers(scope=scope).get("accept-encoding", "")
        for encoding, ending in ENCODINGS:
            if encoding in accepted:
                response = await self._find(path + ending, scope)
                if response is not None:
                    media_type = self._media_type(path)
                    response.headers["Content-Encoding"] = encoding
                    response.headers["Content-Type"] = media_type
                    return response
        return await self.get_response(path, scope)

    async def _find(self, path: str, scope: Scope) -> Response | None:
        try:
            return await self.get_response(path, scope)
        except HTTPException:
            return None

    @staticmethod
    def _media_type(path: str) -> str:

        guessed = mimetypes.guess_type(path)[0] or "application/octet-stream"
        is_text = guessed.startswith("text/") or guessed == "application/javascript"
        return f"{guessed}; charset=utf-8" if is_text else guessed


def _name_charset(response: Response) -> None:
    """Declare an SVG as UTF-8; the framework does so only for ``text/…``."""
    if response.headers.get("Content-Type") == SVG:
        response.headers["Content-Type"] = f"{SVG}; charset=utf-8"


def _is_hidden(path: str) -> bool:
    segments: Sequence[Any] = path.split("/")
    return (
        path.endswith((".br", ".gz"))
        or path.startswith(VISITORS)
        or any(part.startswith(".") for part in segments)
    )


class Media(StaticFiles):
    """Serves the pictures bundled with the product: cached for long, never run as a page.

    ``not_here`` are folders beside them that another service handles, in any spelling.
    """

    def __init__(self, *, directory: Path, not_here: Collection[str]) -> None:
        super().__init__(directory=directory, check_dir=False)
        self._not_here = frozenset(not_here)

    @override
    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file, unless its real path is in one of the ``not_here`` folders."""
        found, facts = super().lookup_path(path)
        root = os.path.realpath(str(self.directory))
        first = os.path.relpath(os.path.realpath(found), root).split(os.sep)[0] if found else ""
        return ("", None) if first in self._not_here else (found, facts)

    @override
    async def check_config(self) -> None:
        """Treat a missing folder as empty: no file has been stored yet."""

    @override
    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file with headers that prevent browsers from running it."""
        response = await super().get_response(path, scope)
        _name_charset(response)
        response.headers["Cache-Control"] = "public, max-age=86400"
        response.headers["Content-Security-Policy"] = MEDIA_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response
