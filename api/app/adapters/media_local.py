"""Media in a local folder."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from api.foundation.core.logs import report_unavailable
from api.foundation.media.storage import (
    CHUNK_BYTES,
    MediaUnavailableError,
    NoSuchObjectError,
    StoredObject,
    is_key,
)

ResultT = TypeVar("ResultT")
UNFINISHED = ".unfinished-"


class LocalMedia:
    """A ``MediaStore`` under one folder; all I/O runs on threads.

    An object is written to a temporary file, synced and then renamed, so that a crash leaves the
    whole object or nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, key: str, source: BinaryIO) -> None:
        """Store all of ``source``, from its start."""
        await _on_thread(partial(self._put, self._place(key), source))

    async def describe(self, key: str) -> StoredObject:
        """Return the metadata of the object under ``key``."""
        return await _on_thread(partial(_describe, key, self._place(key)))

    async def read(self, key: str, first_byte: int, last_byte: int) -> AsyncIterator[bytes]:
        """Open the file; it can be read to its end even if it is deleted meanwhile."""
        handle = await _on_thread(partial(_open, self._place(key), first_byte))
        return _chunks(handle, last_byte - first_byte + 1)

    async def delete(self, keys: Iterable[str]) -> None:
        """Delete files; a missing one is not an error."""
        places = [self._place(key) for key in keys]
        await _on_thread(partial(_remove, places))

    async def list_old(self, folder: str, before: datetime) -> AsyncIterator[StoredObject]:
        """Yield the old files of ``folder``, deleting old unfinished ones on the way."""
        for found in await _on_thread(lambda: list(self._list_old(folder, before))):
            yield found

    async def list_all(self, folder: str) -> AsyncIterator[StoredObject]:
        """Yield the files of ``folder``."""
        for found, _ in await _on_thread(lambda: list(self._entries(folder))):
            if is_key(found.key):
                yield found

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""

    def _place(self, key: str) -> Path:
        if not is_key(key):
            raise NoSuchObjectError(key)
        return self._folder / key

    @staticmethod
    def _put(place: Path, source: BinaryIO) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        source.seek(0)
        descriptor, unfinished = tempfile.mkstemp(prefix=UNFINISHED, dir=place.parent)
        try:
            with os.fdopen(descriptor, "wb") as target:
                while chunk := source.read(CHUNK_BYTES):
                    target.write(chunk)
                target.flush()
                os.fsync(target.fileno())
            Path(unfinished).replace(place)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
        _make_durable(place.parent)

    def _list_old(self, folder: str, before: datetime) -> Iterator[StoredObject]:
        for found, place in self._entries(folder):
            if found.stored_at >= before:
                continue
            if is_key(found.key):
                yield found
            elif place.name.startswith(UNFINISHED):
                place.unlink(missing_ok=True)

    def _entries(self, folder: str) -> Iterator[tuple[StoredObject, Path]]:
        with suppress(FileNotFoundError), os.scandir(self._folder / folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    facts = entry.stat(follow_symlinks=False)
                    stored_at = datetime.fromtimestamp(facts.st_mtime, UTC)
                    found = StoredObject(f"{folder}/{entry.name}", facts.st_size, stored_at)
                    yield found, Path(entry.path)


async def _on_thread(work: Callable[[], ResultT]) -> ResultT:
    """Run ``work`` on a thread; a full or broken disk counts as an unavailable store."""
    try:
        return await asyncio.to_thread(work)
    except FileNotFoundError as error:
        raise NoSuchObjectError(str(error.filename)) from error
    except OSError as error:
        report_unavailable("media", error)
        raise MediaUnavailableError from error


def _describe(key: str, place: Path) -> StoredObject:
    facts = place.stat()
    return StoredObject(key, facts.st_size, datetime.fromtimestamp(facts.st_mtime, UTC))


def _open(place: Path, first_byte: int) -> BinaryIO:
    handle = place.open("rb")
    handle.seek(first_byte)
    return handle


async def _chunks(handle: BinaryIO, left: int) -> AsyncIterator[bytes]:
    try:
        while left > 0:
            chunk = await asyncio.to_thread(handle.read, min(left, CHUNK_BYTES))
            if not chunk:
                return
            left -= len(chunk)
            yield chunk
    finally:
        handle.close()


def _remove(places: Iterable[Path]) -> None:
    for place in places:
        place.unlink(missing_ok=True)


def _make_durable(folder: Path) -> None:
    """Sync the directory entry to disk; unsupported systems sync names automatically."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
