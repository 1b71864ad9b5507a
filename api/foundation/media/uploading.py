"""Uploads on their way into the store, and objects stored together with their rows."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.database import Database
from api.foundation.media.pictures import ImageProcessor
from api.foundation.media.storage import MediaStore
from api.foundation.media.sweeping import discard


@dataclass(frozen=True)
class UploadContext:
    """Dependencies of uploads, created once per process; ``uploads`` buffers them meanwhile."""

    database: Database
    store: MediaStore
    images: ImageProcessor
    uploads: Path


@asynccontextmanager
async def stored(store: MediaStore, objects: Mapping[str, BinaryIO]) -> AsyncIterator[None]:
    """Store objects by key; the block writes their rows, or the objects are removed again.

    When the database connection is lost, it is unknown whether the rows were written: the objects
    are then left to the sweep.

    Raises:
        MediaUnavailableError: the store is unavailable; nothing is stored.
    """
    try:
        for key, source in objects.items():
            await store.put(key, source)
        yield
    except DatabaseUnavailableError:
        raise
    except BaseException:
        await discard(store, list(objects))
        raise
