"""Media in an S3-compatible object store.

Bytes pass through this process in both directions: the bucket stays private, and an object is
served with our headers, whichever store is used.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, TypeAlias

import aioboto3
import aiohttp
from aiobotocore.config import AioConfig
from botocore.exceptions import BotoCoreError, ClientError

from api.foundation.core.logs import report_unavailable
from api.foundation.media.storage import (
    CHUNK_BYTES,
    MediaUnavailableError,
    NoSuchObjectError,
    StoredObject,
    content_type_of,
    is_key,
)

CONNECT_SECONDS = 3
READ_SECONDS = 10
ATTEMPTS = 2
CONNECTIONS = 32
CALL_SECONDS = 30.0
DELETE_BATCH = 1000  # maximum of one call of the S3 API
Untyped: TypeAlias = Any
"""What the library builds at run time and has no types for."""
MISSING = frozenset({"404", "NoSuchKey", "NotFound"})


@dataclass(frozen=True)
class Bucket:
    """The location of the objects and the credentials."""

    name: str
    endpoint_url: str | None
    region: str
    access_key: str | None
    secret_key: str | None


class S3Media:
    """A ``MediaStore`` in one bucket; the first call opens the connection."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._client: Untyped = None

    async def put(self, key: str, source: BinaryIO) -> None:
        """Store all of ``source``, from its start."""
        client = await self._connected()
        source.seek(0)
        with _translated(key):
            async with asyncio.timeout(CALL_SECONDS):
                await client.put_object(
                    Bucket=self._bucket.name, Key=key, Body=source, ContentType=content_type_of(key)
                )

    async def describe(self, key: str) -> StoredObject:
        """Return the metadata of the object under ``key``."""
        client = await self._connected()
        with _translated(key):
            async with asyncio.timeout(CALL_SECONDS):
                found = await client.head_object(Bucket=self._bucket.name, Key=key)
        return StoredObject(key, found["ContentLength"], found["LastModified"])

    async def read(self, key: str, first_byte: int, last_byte: int) -> AsyncIterator[bytes]:
        """Open an object and return its chunks."""
        client = await self._connected()
        with _translated(key):
            async with asyncio.timeout(CALL_SECONDS):
                found = await client.get_object(
                    Bucket=self._bucket.name, Key=key, Range=f"bytes={first_byte}-{last_byte}"
                )
        return _chunks(found["Body"], key)

    async def delete(self, keys: Iterable[str]) -> None:
        """Delete objects; a missing one is not an error."""
        client = await self._connected()
        wanted = list(keys)
        for start in range(0, len(wanted), DELETE_BATCH):
            batch = wanted[start : start + DELETE_BATCH]
            with _translated(batch[0]):
                async with asyncio.timeout(CALL_SECONDS):
                    await client.delete_objects(
                        Bucket=self._bucket.name,
                        Delete={"Objects": [{"Key": key} for key in batch], "Quiet": True},
                    )

    async def list_old(self, folder: str, before: datetime) -> AsyncIterator[StoredObject]:
        """Yield the objects of ``folder`` that were stored before ``before``."""
        async for found in self.list_all(folder):
            if found.stored_at < before:
                yield found

    async def list_all(self, folder: str) -> AsyncIterator[StoredObject]:
        """Yield the objects of ``folder``."""
        client = await self._connected()
        pages = client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket.name, Prefix=f"{folder}/"
        )
        with _translated(folder):
            async for page in pages:
                for found in page.get("Contents", ()):
                    if is_key(found["Key"]):
                        yield StoredObject(found["Key"], found["Size"], found["LastModified"])

    async def aclose(self) -> None:
        """Close the connections."""
        await self._stack.aclose()
        self._client = None

    async def _connected(self) -> Untyped:
        async with self._opening:
            if self._client is None:
                session = aioboto3.Session(
                    aws_access_key_id=self._bucket.access_key,
                    aws_secret_access_key=self._bucket.secret_key,
                    region_name=self._bucket.region,
                )
                opened = session.client(
                    "s3", endpoint_url=self._bucket.endpoint_url, config=_config(self._bucket)
                )
                self._client = await self._stack.enter_async_context(opened)
        return self._client


def _config(bucket: Bucket) -> AioConfig:
    return AioConfig(
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"total_max_attempts": ATTEMPTS, "mode": "standard"},
        max_pool_connections=CONNECTIONS,
        # Stores other than Amazon's address buckets by path and lack trailing checksums.
        s3={"addressing_style": "path" if bucket.endpoint_url else "auto"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )


async def _chunks(body: Untyped, key: str) -> AsyncIterator[bytes]:
    with _translated(key):
        async with body:  # returns the connection to the pool, read to its end or not
            async for chunk in body.iter_chunks(CHUNK_BYTES):
                yield chunk


@contextmanager
def _translated(key: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise NoSuchObjectError(key) from error
        report_unavailable("media", error)
        raise MediaUnavailableError from error
    except (BotoCoreError, aiohttp.ClientError, TimeoutError, OSError) as error:
        report_unavailable("media", error)
        raise MediaUnavailableError from error
