"""A heartbeat file for the health check of a container without a port.

``python -m api.foundation.jobs.heartbeat NAME`` exits with 0 while that process's event loop runs,
else 1. Standard library only, because it is started every few seconds.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

BEAT_SECONDS = 5.0
SILENCE_SECONDS = 30.0


def place(name: str) -> Path:
    """Return the file of the process of that name; each container has its own folder."""
    return Path(tempfile.gettempdir()) / f"king-of-fans-{name}-{os.getuid()}.beat"


@asynccontextmanager
async def beating(name: str) -> AsyncIterator[None]:
    """Touch the file during the block and delete it afterwards."""
    task = asyncio.create_task(_beat(name))
    try:
        yield
    finally:
        task.cancel()
        # A failure shows as a file that is no longer touched.
        await asyncio.gather(task, return_exceptions=True)


async def _beat(name: str) -> None:
    file = place(name)
    try:
        while True:
            file.touch()
            await asyncio.sleep(BEAT_SECONDS)
    finally:
        file.unlink(missing_ok=True)


def is_alive(name: str) -> bool:
    """Return whether the file was touched recently."""
    try:
        return time.time() - place(name).stat().st_mtime < SILENCE_SECONDS
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_alive(sys.argv[1]) else 1)
