"""Timeouts of tests: a test ends at its condition, and only a stuck one reaches these.

Short timeouts fail on a busy machine and prove nothing on an idle one. Speed is measured in
``bench/``.
"""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from api.foundation.database.database import Database

# Less than api.foundation.security.identity.REMEMBER_SECONDS: a change that only takes effect when
# the cache expires counts as missing.
DEADLINE_SECONDS = 25.0

# For a program to start or end: a fresh machine compiles all modules first, beside other tests.
START_SECONDS = 240.0
BLOCKED = """
SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
 WHERE NOT granted AND datname = current_database()
"""


async def until(condition: Callable[[], object], seconds: float = DEADLINE_SECONDS) -> None:
    """Poll until a condition, which may be a coroutine, is true.

    Raises:
        TimeoutError: it is not within ``seconds``.
    """
    async with asyncio.timeout(seconds):
        while True:
            answer = condition()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)


async def until_blocked(database: Database, task: asyncio.Task[Any]) -> None:
    """Return once a transaction waits for another's lock, or a task has ended without waiting."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        # In a separate task: the caller may be inside a transaction.
        while not task.done():
            if await asyncio.create_task(database.fetch_value(BLOCKED)):
                return
            await asyncio.sleep(0.01)
