"""Uploads on their way into the store: what they need, and objects stored with their rows."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from api.core.errors import DatabaseUnavailableError
from api.database.database import Database
from api.media.pictures import ImageProcessor
from api.media.storage import MediaStore
from api.media.sweeping import discard


@dataclass(frozen=True)
class UploadContext:
    """What uploads are kept with, made once per process; they rest in ``uploads`` meanwhile."""

    database: Database
    store: MediaStore
    images: ImageProcessor
    uploads: Path


@asynccontextmanager
async def stored(store: MediaStore, objects: Mapping[str, BinaryIO]) -> AsyncIterator[None]:
    """Store objects by key; the block writes the rows that name them, or none of them stays.

    When the database goes away, whether the rows were written is not known: the objects are then
    left to the sweep, which asks the rows.

    Raises:
        MediaUnavailableError: the store is away; nothing is kept.
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
