"""The products as bytes: what every phone asks for first is encoded once a second at most."""

import asyncio
import hashlib
from dataclasses import dataclass

from api.database.database import Database
from api.http.wire import Envelope, ok
from api.shop import service
from api.shop.schemas import ProductAnswer

FRESH_SECONDS = 1.0


@dataclass(frozen=True)
class EncodedProducts:
    """The answer's body and the tag that names it."""

    body: bytes
    etag: str


class ProductCache:
    """The product list, encoded and at most a second old.

    Prices on it are only shown: a checkout reads the table. Callers that come while it is being
    read wait for that one read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._encoded: EncodedProducts | None = None
        self._fresh_until = 0.0
        self._reading: asyncio.Task[EncodedProducts] | None = None

    async def encoded(self) -> EncodedProducts:
        """Return the products.

        Raises:
            DatabaseUnavailableError: it had to be read and could not be.
        """
        if self._encoded is not None and asyncio.get_running_loop().time() < self._fresh_until:
            return self._encoded
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(self._done)
        return await asyncio.shield(self._reading)

    async def _read(self) -> EncodedProducts:
        answer: Envelope[list[ProductAnswer]] = ok(await service.list_products(self._database))
        body = answer.model_dump_json(by_alias=True).encode()
        encoded = EncodedProducts(body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
        self._encoded = encoded
        self._fresh_until = asyncio.get_running_loop().time() + FRESH_SECONDS
        return encoded

    def _done(self, task: "asyncio.Task[EncodedProducts]") -> None:
        self._reading = None
        if not task.cancelled():
            task.exception()
