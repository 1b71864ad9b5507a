"""A forked process behaves like a started one, and ends with its parent."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from api.dev.postgres.server import command_line

from tests.preloaded import ROOT, PreloadedPopen, run, start
from tests.waiting import DEADLINE_SECONDS

SHOW = (
    "import os, sys; print(sys.argv[1:], os.environ['WHO'], os.getcwd()); "
    "print('aside', file=sys.stderr); sys.exit(int(sys.argv[1]))"
)
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while command_line(pid):
        assert time.monotonic() < until, f"process {pid} still runs"
        time.sleep(0.01)


def test_it_has_its_own_arguments_environment_folder_and_output(tmp_path: Path) -> None:
    ended = run(python(SHOW, "3"), env={"WHO": "ada"}, cwd=tmp_path, timeout=60)

    assert ended.returncode == 3
    assert ended.stdout == f"['3'] ada {tmp_path}\n"
    assert ended.stderr == "aside\n"


def test_many_that_are_started_at_once_have_each_their_own_id_and_code() -> None:
    code = "import os, sys; print(os.getpid()); sys.exit(int(sys.argv[1]))"

    def ask(number: int) -> tuple[bool, int]:
        command = python(code, str(number))
        with PreloadedPopen(command, stdout=subprocess.PIPE, text=True) as process:
            printed, _ = process.communicate(timeout=60)
        return int(printed) == process.pid, process.returncode

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(ask, range(24)))

    assert answers == [(True, number) for number in range(24)]


def test_many_threads_that_are_first_start_one_loader() -> None:
    code = (
        "import subprocess, sys, threading, time\n"
        "from tests import preloaded\n"
        "begin = subprocess.Popen.__init__\n"
        "def slowly(*given, **named):\n"
        "    time.sleep(0.2)\n"
        "    begin(*given, **named)\n"
        "subprocess.Popen.__init__ = slowly\n"
        "found = []\n"
        "threads = [threading.Thread(target=lambda: found.append(preloaded.loader()))"
        " for _ in range(8)]\n"
        "[one.start() for one in threads]; [one.join() for one in threads]\n"
        "print(len(set(map(id, found))))\n"
    )
    asked = subprocess.run(python(code), cwd=ROOT, capture_output=True, text=True, check=True)

    assert asked.stdout == "1\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_and_its_code_says_which(number: signal.Signals) -> None:
    process = PreloadedPopen(SLEEP)
    assert process.poll() is None

    os.kill(process.pid, number)

    assert process.wait(DEADLINE_SECONDS) == -number
    assert not command_line(process.pid)


async def test_its_output_is_read_while_it_runs() -> None:
    code = "import sys; print('ready', flush=True); sys.stdin.read(); print('over')"
    process = await start("-c", code, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None

    async with asyncio.timeout(DEADLINE_SECONDS):
        assert await process.stdout.readline() == b"ready\n"
        printed, _ = await process.communicate()

    assert printed == b"over\n"
    assert process.returncode == 0


def test_a_module_of_the_product_runs_as_the_program_that_it_is() -> None:
    ended = run([sys.executable, "-m", "api.console", "no-command"], env={}, timeout=60)

    assert ended.returncode == 2
    assert ended.stderr.startswith("usage: python -m api.console")


def test_it_ends_with_a_killed_process_that_asked_for_it() -> None:
    code = (
        "import sys, time\n"
        "from tests.preloaded import PreloadedPopen\n"
        "child = PreloadedPopen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(python(code), cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert command_line(pid)

        parent.kill()
        parent.wait()

        wait_until_gone(pid)


def test_what_cannot_be_forked_is_refused() -> None:
    with pytest.raises(ValueError, match="start it with subprocess"):
        PreloadedPopen(["/bin/true"])
