"""The commands of ``run.py``: set up a fresh machine, then run the command's program.

Standard library only: it runs before anything is installed.
"""

import contextlib
import fcntl
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from api.dev.machine import require_database, require_free_port, require_node
from api.dev.shell import (
    ROOT,
    STATE,
    SetupError,
    child_environment,
    digest,
    must,
    run,
    say,
    stamp_is,
    write_stamp,
)

VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
WEB = ROOT / "web"
PEERS = ROOT / "bench" / "peers" / "node"
NOT_SOURCES = {"node_modules", "dist", "test-results", "playwright-report", "coverage", "e2e"}

COMMANDS = {
    "start": "serve the product on http://127.0.0.1:8000 (PORT changes it)",
    "build": "build the web app (start does it, too)",
    "test": "run every check and every test: test [--costs] [--shuffle SEED] [--stress N]",
    "check": "run the fast checks: format, lint, types, layers, migrations, web, client",
    "prove-all": "run every long proof whole, which takes hours",
    "fix": "format and repair what can be repaired by machine",
    "client": "write openapi.json and the web app's types from the server",
    "seed": "put the demo data into an empty database",
    "backup": "copy database and media into a new folder: backup [--to FOLDER]",
    "restore": "put a backup into an empty database: restore FOLDER",
    "admin-code": "print the six digits of the demo operator's phone (DEMO_OPERATOR_TOTP)",
    "console": "run an operators' command on the start's database: console COMMAND",
    "migration": "write a migration from the models: migration NAME",
    "seal": "note the digests of new migrations, which are never edited again",
    "bench": "measure: bench [--short] NAME (without a name: list them)",
    "sbom": "write the bills of materials: sbom [FOLDER]",
    "audit": "ask the advisory databases about the locked packages",
}
NEEDS_NODE = {"start", "build", "test", "check", "fix", "client", "bench"}
WITH_DOTENV = {"start", "seed", "backup", "restore", "console", "admin-code"}
# ``bench`` has all of ``dev``; the tests start the benchmarks' peers as well.
PACKAGE_GROUPS = {"bench": "bench", "test": "bench", "sbom": "audit", "audit": "audit"}


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        return show_help(wanted=bool(arguments) and arguments[0] in {"help", "-h", "--help"})
    command = arguments[0]
    try:
        environment = child_environment(dotenv=command in WITH_DOTENV)
        if command == "start":
            require_free_port(environment)
            require_database(environment)
        if command in NEEDS_NODE:
            require_node(environment)
        with setup_lock():
            set_up(command, environment)
    except SetupError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0 if command == "build" else hand_over(command, arguments[1:], environment)


def show_help(*, wanted: bool) -> int:
    """Print the commands and return the exit code: 0 if help was requested."""
    print("usage: python3 run.py COMMAND\n", file=sys.stdout if wanted else sys.stderr)
    for name, purpose in COMMANDS.items():
        print(f"  {name:10} {purpose}", file=sys.stdout if wanted else sys.stderr)
    return 0 if wanted else 2


def hand_over(command: str, arguments: list[str], environment: dict[str, str]) -> int:
    """Replace this process with the command's program."""
    module = {
        "start": ["api.dev", "start"],
        "seed": ["api.dev", "seed"],
        "backup": ["api.dev", "backup"],
        "restore": ["api.dev", "restore"],
        "console": ["api.dev", "console"],
        "admin-code": ["api.dev", "admin-code"],
        "bench": ["bench"],
        "client": ["api.dev.client"],
        "sbom": ["api.dev.components", "sbom"],
        "audit": ["api.dev.components", "audit"],
        "migration": ["api.dev.migrations", "write"],
        "seal": ["api.dev.migrations", "seal"],
    }.get(command, ["api.dev.gate", command])
    sys.stdout.flush()
    os.chdir(ROOT)
    os.execve(str(VENV_PYTHON), [str(VENV_PYTHON), "-m", *module, *arguments], environment)  # noqa: S606 - our own interpreter


def set_up(command: str, environment: dict[str, str]) -> None:
    """Install and build what ``command`` needs, unless it is up to date."""
    make_venv(environment)
    install_packages(PACKAGE_GROUPS.get(command, "dev"), environment)
    if command in NEEDS_NODE:
        install_web(environment)
    if command in {"test", "bench"}:
        install_peers(environment, with_lighthouse=command == "bench")
    if command in {"start", "build", "bench"}:
        build_web(environment)


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Serialize set-ups with a lock that the kernel releases when its holder dies."""
    try:
        STATE.mkdir(parents=True, exist_ok=True)
        STATE.parent.chmod(STATE.parent.stat().st_mode | 0o011)  # for the database's account
        lock = (STATE / "lock").open("w", encoding="ascii")
    except OSError as error:
        raise SetupError(
            f"{ROOT} cannot be written ({error.strerror}): use your own copy."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Waiting for another run.py that is setting up")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_venv(environment: dict[str, str]) -> None:
    """Create the virtual environment, again if its Python is gone or has changed."""
    wanted = f"{platform.python_version()} {sys.base_prefix}"
    if VENV_PYTHON.exists() and stamp_is(VENV / "made-by", wanted):
        return
    say(f"Making the Python environment ({platform.python_version()})")
    shutil.rmtree(VENV, ignore_errors=True)
    made = run([sys.executable, "-m", "venv", str(VENV)], environment, quiet=True)
    if made.returncode != 0:  # Debian without python3-venv lacks ensurepip
        shutil.rmtree(VENV, ignore_errors=True)
        must([sys.executable, "-m", "venv", "--without-pip", str(VENV)], environment)
    write_stamp(VENV / "made-by", wanted)


def install_packages(group: str, environment: dict[str, str]) -> None:
    """Install the hash-locked packages of ``group``: with uv in seconds, else with pip."""
    lock = ROOT / "requirements" / f"{group}.lock"
    stamp = VENV / f"installed-{group}"
    wanted = digest([lock])
    if stamp_is(stamp, wanted):
        return
    say("Installing the Python packages")
    uv = find_uv(environment)
    if uv is not None:
        index = pip_settings(environment)
        command = [
            uv,
            "pip",
            "install",
            "--python",
            str(VENV_PYTHON),
            "--require-hashes",
            "-r",
            str(lock),
        ]
        if run(command, {**environment, **index}).returncode == 0:
            write_stamp(stamp, wanted)
            return
        say("uv did not succeed; trying pip, which takes a minute or two")
    if run([str(VENV_PYTHON), "-m", "pip", "--version"], environment, quiet=True).returncode != 0:
        raise SetupError(
            "Neither uv nor pip can install here: install python3-venv and python3-pip."
        )
    must(
        [str(VENV_PYTHON), "-m", "pip", "install", "--require-hashes", "-r", str(lock)], environment
    )
    write_stamp(stamp, wanted)


def find_uv(environment: dict[str, str]) -> str | None:
    """Return the pinned uv, installing it if necessary; None if pip cannot."""
    lock = ROOT / "requirements" / "uv.lock"
    inside, beside = VENV / "bin" / "uv", VENV / "uv" / "bin" / "uv"
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
    for found, pip in (
        (inside, [str(VENV_PYTHON), "-m", "pip", "install", *options]),
        (beside, [sys.executable, "-m", "pip", "install", "--target", str(VENV / "uv"), *options]),
    ):
        if found.exists() or run(pip, environment, quiet=True).returncode == 0:
            return str(found)
    return None


def pip_settings(environment: dict[str, str]) -> dict[str, str]:
    """Return pip's configured index and certificate under uv's names: uv does not read pip.conf."""
    for python in (str(VENV_PYTHON), sys.executable):
        answer = run([python, "-m", "pip", "config", "list"], environment, quiet=True)
        if answer.returncode == 0:
            break
    else:
        return {}
    found = dict(re.findall(r"^[^.\n]*\.([a-z-]+)='(.*)'$", answer.stdout, flags=re.MULTILINE))
    names = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
    return {names[key]: value for key, value in found.items() if key in names}


def install_web(environment: dict[str, str]) -> None:
    """Install the web app's locked packages if the lock file or Node has changed."""
    install_node(WEB, "the web packages", environment)


def install_peers(environment: dict[str, str], *, with_lighthouse: bool) -> None:
    """Install the benchmarks' locked peers, and Lighthouse, which takes longer than all others."""
    whole = PEERS / "node_modules" / ".installed"
    if with_lighthouse or whole.exists():
        install_node(PEERS, "the peers and Lighthouse", environment)
    else:
        install_node(PEERS, "the peers", environment, "--omit=dev", stamp_name=".installed-peers")


def install_node(
    folder: Path,
    what: str,
    environment: dict[str, str],
    *options: str,
    stamp_name: str = ".installed",
) -> None:
    """Install a folder's locked packages if the lock file or Node has changed."""
    node = run(["node", "--version"], environment, quiet=True).stdout.strip()
    wanted = digest([folder / "package-lock.json"]) + node
    stamp = folder / "node_modules" / stamp_name
    if stamp_is(stamp, wanted):
        return
    say(f"Installing {what}")
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", *options]
    must(command, environment, folder=folder)
    write_stamp(stamp, wanted)


def build_web(environment: dict[str, str]) -> None:
    """Build the web app if one of its sources has changed."""
    wanted = digest(web_sources())
    stamp = STATE / "web-build"
    if (WEB / "dist" / "index.html").is_file() and stamp_is(stamp, wanted):
        return
    say("Building the web app")
    must(["npm", "run", "--silent", "build"], environment, folder=WEB)
    write_stamp(stamp, wanted)


def web_sources() -> list[Path]:
    """Return all files that the build may depend on, in a fixed order."""
    found = []
    for folder, names, files in os.walk(WEB):
        names[:] = sorted(name for name in names if name not in NOT_SOURCES)
        found += [
            Path(folder) / file for file in sorted(files) if not file.startswith(".installed")
        ]
    return found
