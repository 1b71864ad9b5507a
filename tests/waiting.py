"""Deadlines of tests: a test ends at its condition, and only a hanging one reaches these.

Short deadlines fail on a busy machine and prove nothing on an idle one. Speed is measured in
``bench/``.
"""

import asyncio
import inspect
from collections.abc import Callable

# Below api.security.identity.REMEMBER_SECONDS: a change that only the end of the cache would
# bring has not arrived.
DEADLINE_SECONDS = 25.0

# For a program to start or end: a fresh machine compiles every module first, beside other tests.
START_SECONDS = 240.0


async def until(condition: Callable[[], object], seconds: float = DEADLINE_SECONDS) -> None:
    """Wait until a condition, awaited if it has to be, holds that nothing announces.

    Raises:
        TimeoutError: it does not within ``seconds``.
    """
    async with asyncio.timeout(seconds):
        while True:
            answer = condition()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)
