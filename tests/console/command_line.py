"""``python -m api.console`` as an operator runs it: each time a process of its own."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60

# The program, loaded once: each run is a fork of it, with the arguments, the environment and the
# output files that it is told. Loading it takes ten times as long as most runs.
LOADED = """
import json, os, sys
from api.console.__main__ import main
for line in sys.stdin:
    wish = json.loads(line)
    child = os.fork()
    if child == 0:
        os.environ.clear()
        os.environ.update(wish["environment"])
        for descriptor, file in enumerate(wish["files"], start=1):
            os.dup2(os.open(file, os.O_WRONLY), descriptor)
        sys.exit(main(wish["arguments"]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class LoadedConsole:
    """The console's program in a process that runs it on request, one run at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()

    def run(
        self, arguments: list[str], environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run the program and return its exit code and output."""
        with self._turn, tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("stdout", "stderr")]
            for file in files:
                file.touch()
            wish = {
                "arguments": arguments,
                "environment": environment,
                "files": [str(file) for file in files],
            }
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(wish) + "\n")
            process.stdin.flush()
            code = int(process.stdout.readline())
            output = [file.read_text(encoding="utf-8") for file in files]
        return subprocess.CompletedProcess(arguments, code, *output)

    def stop(self) -> None:
        """End the process, if one was started."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", LOADED],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._process


loaded_console = LoadedConsole()


async def run(
    *arguments: str | Path, url: str, **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run the console against the database at ``url``."""
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": url, **settings}
    async with asyncio.timeout(SECONDS):
        return await asyncio.to_thread(loaded_console.run, [*map(str, arguments)], environment)


async def run_from_the_shell(*arguments: str | Path, url: str) -> subprocess.CompletedProcess[str]:
    """Run the console with an interpreter of its own, which loads everything."""
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
    """Return what was recorded of an operator's acts, each from this system's user."""
    recorded = []
    for line in answer.stderr.splitlines():
        entry = json.loads(line)
        assert (entry.pop("event"), entry.pop("event_type")) == ("security_event", "operator_acted")
        assert (entry.pop("by"), entry.pop("system_user")) == ("console", os.getuid())
        del entry["level"], entry["timestamp"]
        recorded.append(entry)
    return recorded
