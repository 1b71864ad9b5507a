"""A file that a living process touches, for the health check of a container without a port.

``python -m api.jobs.heartbeat NAME`` exits with 0 while that process's event loop runs, else 1.
Standard library only: it is started every few seconds.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

BEAT_SECONDS = 5.0
SILENCE_SECONDS = 30.0


def place(name: str) -> Path:
    """Return the file of the process of that name; each container has a folder of its own."""
    return Path(tempfile.gettempdir()) / f"king-of-fans-{name}-{os.getuid()}.beat"


async def beat(name: str) -> None:
    """Touch the file until cancelled; then it is gone."""
    file = place(name)
    try:
        while True:
            file.touch()
            await asyncio.sleep(BEAT_SECONDS)
    finally:
        file.unlink(missing_ok=True)


def is_alive(name: str) -> bool:
    """Say whether the file was touched lately."""
    try:
        return time.time() - place(name).stat().st_mtime < SILENCE_SECONDS
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if is_alive(sys.argv[1]) else 1)
