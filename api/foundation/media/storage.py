"""Storage of members' media: the port that a folder and an object store implement.

An object is written once under a random key and never changed, so it can be cached, and its name
reveals nothing. The key's suffix alone decides the content type. A key that no row refers to is an
orphan: objects are stored before their row and removed after it, and the sweep deletes what a crash
leaves between the two.
"""

import re
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol

from api.foundation.core.errors import UnavailableError

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
PRIVATE_FOLDERS = frozenset({"crests", "proofs"})  # served by routes that know their owner
KEY = re.compile(
    rf"({'|'.join(FOLDERS)})/[0-9a-f]{{{RANDOM_BYTES * 2}}}\.({'|'.join(CONTENT_TYPES)})"
)


class MediaUnavailableError(UnavailableError):
    """The store did not answer in time, or could not store the object."""

    code = "media_unavailable"


class NoSuchObjectError(Exception):
    """The store has no object under this key."""


@dataclass(frozen=True)
class StoredObject:
    """An object's metadata in the store."""

    key: str
    size_bytes: int
    stored_at: datetime


class MediaStore(Protocol):
    """A store of objects under the keys of ``new_key``.

    Every method may raise ``MediaUnavailableError``. Never call one inside a transaction: the
    store's timeout would hold the transaction open.
    """

    async def put(self, key: str, source: BinaryIO) -> None:
        """Store all of ``source``, from its start; afterwards the whole object is there."""

    async def describe(self, key: str) -> StoredObject:
        """Return the metadata of the object under ``key``.

        Raises:
            NoSuchObjectError: there is none.
        """

    async def read(self, key: str, first_byte: int, last_byte: int) -> AsyncIterator[bytes]:
        """Open an object and return the chunks from ``first_byte`` through ``last_byte``.

        An object removed meanwhile is still read to its end where the store allows it.

        Raises:
            NoSuchObjectError: there is no object under ``key``.
        """

    async def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; missing ones are not an error."""

    def list_old(self, folder: str, before: datetime) -> AsyncIterator[StoredObject]:
        """Iterate over the objects of ``folder`` that were stored before ``before``."""

    def list_all(self, folder: str) -> AsyncIterator[StoredObject]:
        """Iterate over the objects of ``folder``."""

    async def aclose(self) -> None:
        """Close connections."""


def new_key(folder: str, ending: str) -> str:
    """Return a new key; its 128 random bits cannot be guessed."""
    return f"{folder}/{secrets.token_hex(RANDOM_BYTES)}.{ending}"


def is_key(text: str) -> bool:
    """Return whether ``text`` is a key that ``new_key`` could have made."""
    return KEY.fullmatch(text) is not None


def content_type_of(key: str) -> str:
    """Return the content type of an object."""
    return CONTENT_TYPES[key.rpartition(".")[2]]


def media_url(key: str) -> str:
    """Return the URL path of an object."""
    return MEDIA_PATH + key


def picture_url(key: str | None) -> str | None:
    """Return the URL path of a member's picture; None without one."""
    return None if key is None else media_url(key)
