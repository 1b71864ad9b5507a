"""Serves the built web app for paths that no route matches.

It is the router's default rather than a mount, so that an unknown API path stays a 404 in the
envelope and a wrong method stays a 405.
"""

import base64
import hashlib
import mimetypes
import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from api.foundation.http.refusals import MEDIA_POLICY

ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
SVG = "image/svg+xml"
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
SCRIPTS = ("/assets/", "/admin/assets/")  # file names contain a hash of the content
SERVER_PATHS = ("/api/", "/socket.io", "/media/", "/sandbox/", *SCRIPTS)
PAGE = "index.html"
OFFICE = "/admin"
OFFICE_PAGE = "admin/index.html"
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
    """Responds to GET and HEAD with a file of the build, or with a page for a browser's paths.

    Two pages are built: the members', and the back office's below its own path.
    """

    def __init__(self, folder: Path, *, public_url: str) -> None:
        self._files = _BuiltFiles(directory=folder, check_dir=False)
        self._policies = {
            PAGE: page_policy(public_url, _bytes_of(folder / PAGE)),
            OFFICE_PAGE: office_policy(_bytes_of(folder / OFFICE_PAGE)),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request.

        Raises:
            HTTPException: 404, there is no such file and no browser asks for a page.
        """
        path: str = scope["path"]
        if scope["method"] not in {"GET", "HEAD"} or _is_hidden(path):
            raise HTTPException(404)
        page = OFFICE_PAGE if path == OFFICE or path.startswith(f"{OFFICE}/") else PAGE
        response = await self._find(path, page, scope)
        response.headers["Cache-Control"] = IMMUTABLE if path.startswith(SCRIPTS) else REVALIDATE
        response.headers["Content-Security-Policy"] = self._policies[page]
        response.headers["Vary"] = "Accept-Encoding"
        _name_charset(response)
        await response(scope, receive, send)

    async def _find(self, path: str, page: str, scope: Scope) -> Response:
        if path.rstrip("/") in {"", OFFICE}:
            return await self._files.best(page, scope)
        try:
            return await self._files.best(path.lstrip("/"), scope)
        except HTTPException as error:
            asks_for_page = "text/html" in Headers(scope=scope).get("accept", "")
            if error.status_code != 404 or not asks_for_page:
                raise
            if path.startswith(SERVER_PATHS):
                raise
            return await self._files.best(page, scope)


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
    return path.endswith((".br", ".gz")) or any(part.startswith(".") for part in segments)


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
