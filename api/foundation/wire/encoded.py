"""Answers as bytes: what many callers read alike is read and encoded once."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from api.foundation.security.digests import content_version
from api.foundation.wire.schemas import Envelope, ok

MAX_ENTRIES = 500
ContentT = TypeVar("ContentT")
Key = tuple[str, ...]


@dataclass(frozen=True)
class EncodedAnswer(Generic[ContentT]):
    """An answer, its encoded envelope, and the ETag of that."""

    content: ContentT
    body: bytes
    etag: str

    @classmethod
    def of(cls, content: ContentT) -> "EncodedAnswer[ContentT]":
        """Encode an answer."""
        envelope: Envelope[ContentT] = ok(content)
        body = envelope.model_dump_json(by_alias=True).encode()
        return cls(content, body, f'"{content_version(body)}"')


class AnswerCache:
    """Answers that are the same for all callers, for a short time.

    Concurrent callers of one answer wait for a single read. Beyond ``MAX_ENTRIES`` the least
    recently used goes. Failures are not stored.
    """

    def __init__(self, *, max_age_seconds: float) -> None:
        self._max_age_seconds = max_age_seconds
        self._answers: OrderedDict[Key, tuple[float, EncodedAnswer[Any]]] = OrderedDict()
        self._reading: dict[Key, asyncio.Task[EncodedAnswer[Any]]] = {}

    async def get(
        self, key: Key, read: Callable[[], Awaitable[ContentT]]
    ) -> EncodedAnswer[ContentT]:
        """Return the answer stored under ``key``, or the encoded result of ``read``."""
        fresh_until, known = self._answers.get(key, (0.0, None))
        if known is not None and asyncio.get_running_loop().time() < fresh_until:
            self._answers.move_to_end(key)
            return cast("EncodedAnswer[ContentT]", known)
        task = self._reading.get(key)
        if task is None:
            task = self._reading[key] = asyncio.create_task(self._read(key, read))
            task.add_done_callback(lambda done: self._finish(key, done))
        return cast("EncodedAnswer[ContentT]", await asyncio.shield(task))

    def clear(self) -> None:
        """Forget all answers; the next callers read them again."""
        self._answers.clear()

    async def _read(self, key: Key, read: Callable[[], Awaitable[Any]]) -> EncodedAnswer[Any]:
        answer = EncodedAnswer.of(await read())
        fresh_until = asyncio.get_running_loop().time() + self._max_age_seconds
        self._answers[key] = (fresh_until, answer)
        self._answers.move_to_end(key)
        while len(self._answers) > MAX_ENTRIES:
            self._answers.popitem(last=False)
        return answer

    def _finish(self, key: Key, task: "asyncio.Task[EncodedAnswer[Any]]") -> None:
        del self._reading[key]
        if not task.cancelled():
            task.exception()
