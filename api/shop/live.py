"""The product list as bytes: every phone requests it first, so it is encoded once a second."""

import asyncio
import hashlib
from dataclasses import dataclass

from api.foundation.database.database import Database
from api.foundation.wire.schemas import Envelope, ok
from api.shop.schemas.products import ProductAnswer
from api.shop.service import products

MAX_AGE_SECONDS = 1.0


@dataclass(frozen=True)
class EncodedProducts:
    """The response body and its ETag."""

    body: bytes
    etag: str


class ProductCache:
    """The product list, encoded and at most a second old.

    Its prices are only displayed: a checkout reads the table. Concurrent callers wait for a single
    read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._encoded: EncodedProducts | None = None
        self._fresh_until = 0.0
        self._reading: asyncio.Task[EncodedProducts] | None = None

    async def encoded(self) -> EncodedProducts:
        """Return the encoded product list.

        Raises:
            DatabaseUnavailableError: the list was stale and could not be read.
        """
        if self._encoded is not None and asyncio.get_running_loop().time() < self._fresh_until:
            return self._encoded
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(self._done)
        return await asyncio.shield(self._reading)

    async def _read(self) -> EncodedProducts:
        answer: Envelope[list[ProductAnswer]] = ok(await products.list_products(self._database))
        body = answer.model_dump_json(by_alias=True).encode()
        encoded = EncodedProducts(body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
        self._encoded = encoded
        self._fresh_until = asyncio.get_running_loop().time() + MAX_AGE_SECONDS
        return encoded

    def _done(self, task: "asyncio.Task[EncodedProducts]") -> None:
        self._reading = None
        if not task.cancelled():
            task.exception()
