"""Public answers as bytes: many strangers read the same few."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from api.foundation.security.digests import content_version
from api.foundation.wire.schemas import Envelope, WireModel, ok

MAX_AGE_SECONDS = 5.0
MAX_ENTRIES = 500
ModelT = TypeVar("ModelT", bound=WireModel)
Key = tuple[str, ...]


@dataclass(frozen=True)
class PublicAnswer(Generic[ModelT]):
    """An answer, its encoded envelope, and the ETag of that."""

    content: ModelT
    body: bytes
    etag: str

    @classmethod
    def of(cls, content: ModelT) -> "PublicAnswer[ModelT]":
        """Encode an answer."""
        envelope: Envelope[ModelT] = ok(content)
        body = envelope.model_dump_json(by_alias=True).encode()
        return cls(content, body, f'"{content_version(body)}"')


class PublicCache:
    """Public answers, at most five seconds old; concurrent callers of one wait for a single read.

    Bounded: beyond ``MAX_ENTRIES`` the least recently used goes. Failures are not stored.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[Key, tuple[float, PublicAnswer[WireModel]]] = OrderedDict()
        self._reading: dict[Key, asyncio.Task[PublicAnswer[WireModel]]] = {}

    async def get(self, key: Key, read: Callable[[], Awaitable[ModelT]]) -> PublicAnswer[ModelT]:
        """Return the answer stored under ``key``, or the encoded result of ``read``."""
        now = asyncio.get_running_loop().time()
        fresh_until, known = self._answers.get(key, (0.0, None))
        if known is not None and now < fresh_until:
            self._answers.move_to_end(key)
            return cast("PublicAnswer[ModelT]", known)
        task = self._reading.get(key)
        if task is None:
            task = self._reading[key] = asyncio.create_task(self._read(key, read))
            task.add_done_callback(lambda done: self._finish(key, done))
        return cast("PublicAnswer[ModelT]", await asyncio.shield(task))

    def clear(self) -> None:
        """Forget all answers; the next callers read them again."""
        self._answers.clear()

    async def _read(
        self, key: Key, read: Callable[[], Awaitable[ModelT]]
    ) -> PublicAnswer[WireModel]:
        answer = cast("PublicAnswer[WireModel]", PublicAnswer.of(await read()))
        self._answers[key] = (asyncio.get_running_loop().time() + MAX_AGE_SECONDS, answer)
        self._answers.move_to_end(key)
        while len(self._answers) > MAX_ENTRIES:
            self._answers.popitem(last=False)
        return answer

    def _finish(self, key: Key, task: "asyncio.Task[PublicAnswer[WireModel]]") -> None:
        del self._reading[key]
        if not task.cancelled():
            task.exception()
