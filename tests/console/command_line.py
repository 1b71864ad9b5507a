"""``python -m api.console`` as an operator runs it, each time in a new process."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import preloaded

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


async def run(
    *arguments: str | Path, url: str, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run the console against the database at ``url``."""
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": url, **settings}
    async with asyncio.timeout(SECONDS):
        return await asyncio.to_thread(
            preloaded.run,
            [sys.executable, "-m", "api.console", *arguments],
            env=environment,
            cwd=ROOT,
            timeout=SECONDS,
        )


async def run_from_the_shell(*arguments: str | Path, url: str) -> subprocess.CompletedProcess[str]:
    """Run the console in a new interpreter, which imports everything."""
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "api.console", *map(str, arguments)],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def acts(answer: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """Return the recorded actions of an operator, each by this system's user."""
    recorded = []
    for line in answer.stderr.splitlines():
        entry = json.loads(line)
        assert (entry.pop("event"), entry.pop("event_type")) == ("security_event", "operator_acted")
        assert (entry.pop("by"), entry.pop("system_user")) == ("console", os.getuid())
        del entry["level"], entry["timestamp"]
        recorded.append(entry)
    return recorded
