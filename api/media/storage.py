"""Where members' media lie: the port that a folder and an object store both stand behind.

An object is written once under a random key and never changed, so that it may be cached
and a name tells nothing. The key's ending alone decides the type it is served as. A key is named by
a row or it is an orphan: objects are stored before their row and removed after it, and what a crash
leaves between the two is swept away later.
"""

import re
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol

from api.core.errors import UnavailableError

MEDIA_PATH = "/media/"
CONTENT_TYPES = {
    "mp4": "video/mp4",
    "pdf": "application/pdf",
    "webm": "video/webm",
    "webp": "image/webp",
}
CHUNK_BYTES = 64 * 1024
RANDOM_BYTES = 16
FOLDERS = ("avatars", "crests", "moments", "news", "proofs", "shop")
PRIVATE_FOLDERS = frozenset({"crests", "proofs"})  # handed out by calls that know whose they are
KEY = re.compile(
    rf"({'|'.join(FOLDERS)})/[0-9a-f]{{{RANDOM_BYTES * 2}}}\.({'|'.join(CONTENT_TYPES)})"
)


class MediaUnavailableError(UnavailableError):
    """The store did not answer in time, or could not take the object."""

    code = "media_unavailable"


class NoSuchObjectError(Exception):
    """The store holds nothing under this key."""


@dataclass(frozen=True)
class StoredObject:
    """One object as the store describes it."""

    key: str
    size_bytes: int
    stored_at: datetime


class MediaStore(Protocol):
    """A place for objects under the keys of ``new_key``.

    Every method may raise ``MediaUnavailableError``. None of them may be called while a
    transaction is open: the store's patience would become the database's.
    """

    async def put(self, key: str, source: BinaryIO) -> None:
        """Store all of ``source``, from its start; afterwards the object is there whole."""

    async def describe(self, key: str) -> StoredObject:
        """Return what is stored under ``key``.

        Raises:
            NoSuchObjectError: nothing is.
        """

    async def read(self, key: str, first_byte: int, last_byte: int) -> AsyncIterator[bytes]:
        """Open an object and return the chunks from ``first_byte`` through ``last_byte``.

        An object removed meanwhile is still read to its end where the store allows it.

        Raises:
            NoSuchObjectError: nothing is stored under ``key``.
        """

    async def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; one that is not there is no error."""

    def list_old(self, folder: str, before: datetime) -> AsyncIterator[StoredObject]:
        """Go through the objects of ``folder`` that were stored before ``before``."""

    def list_all(self, folder: str) -> AsyncIterator[StoredObject]:
        """Go through the objects of ``folder``."""

    async def aclose(self) -> None:
        """Let go of connections."""


def new_key(folder: str, ending: str) -> str:
    """Return a fresh key; 128 random bits, so that nobody finds another's by trying."""
    return f"{folder}/{secrets.token_hex(RANDOM_BYTES)}.{ending}"


def is_key(text: str) -> bool:
    """Say whether ``text`` is a key that ``new_key`` could have made."""
    return KEY.fullmatch(text) is not None


def content_type_of(key: str) -> str:
    """Return the type an object is served as."""
    return CONTENT_TYPES[key.rpartition(".")[2]]


def media_url(key: str) -> str:
    """Return the path an object is served at."""
    return MEDIA_PATH + key


def picture_url(key: str | None) -> str | None:
    """Return the path of a member's picture; None without one."""
    return None if key is None else media_url(key)
