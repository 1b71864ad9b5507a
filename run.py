#!/usr/bin/env python3
"""The commands of the project: each does all the set-up a fresh machine needs, then its work.

Standard library only, and readable by old Pythons, so that it can say what is missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Iterator  # noqa: UP035 - old Pythons have to read this file
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
WEB = ROOT / "web"
STATE = ROOT / "var" / "setup"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = (20, 19)
CONNECT_SECONDS = 3.0
NOT_SOURCES = {"node_modules", "dist", "test-results", "playwright-report", "coverage", "e2e"}

COMMANDS = {
    "start": "serve the product on http://127.0.0.1:8000 (PORT changes it)",
    "test": "run every check and every test",
    "check": "run the fast checks: format, lint, types, floors, migrations, web, client",
    "fix": "format and repair what can be repaired by machine",
    "client": "write openapi.json and the web app's types from the server",
    "seed": "put the demo data into an empty database",
    "migration": "write a migration from the models: migration NAME",
    "bench": "measure: bench NAME (without a name: list them)",
}


class SetupError(Exception):
    """The command cannot run here; the message says what to do, in one line."""


def main(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        return show_help(wanted=bool(arguments) and arguments[0] in {"help", "-h", "--help"})
    command = arguments[0]
    try:
        require_python()
        environment = child_environment(dotenv=command in {"start", "seed"})
        if command == "start":
            require_free_port(environment)
            require_database(environment)
        if command in {"start", "test", "check", "fix", "client", "bench"}:
            require_node(environment)
        with setup_lock():
            set_up(command, environment)
    except SetupError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return hand_over(command, arguments[1:], environment)


def show_help(*, wanted: bool) -> int:
    """Print the commands and return the exit code: 0 when the help was asked for."""
    print("usage: python3 run.py COMMAND\n", file=sys.stdout if wanted else sys.stderr)
    for name, purpose in COMMANDS.items():
        print(f"  {name:10} {purpose}", file=sys.stdout if wanted else sys.stderr)
    return 0 if wanted else 2


def hand_over(command: str, arguments: list[str], environment: dict[str, str]) -> int:
    """Replace this process by the command's own program."""
    module = {
        "start": ["api.dev", "start"],
        "seed": ["api.dev", "seed"],
        "bench": ["bench"],
        "client": ["api.dev.client"],
    }.get(command, ["api.dev.gate", command])
    sys.stdout.flush()
    os.chdir(ROOT)
    os.execve(str(VENV_PYTHON), [str(VENV_PYTHON), "-m", *module, *arguments], environment)  # noqa: S606 - our own interpreter


# --- what the machine must have ------------------------------------------------------------


def require_python() -> None:
    """Refuse a Python that is too old, and Windows.

    Raises:
        SetupError: with the version that was found.
    """
    if os.name == "nt":
        raise SetupError("Windows is not supported directly: run this inside WSL.")
    if sys.version_info < OLDEST_PYTHON:
        raise SetupError(
            f"Python 3.11 or newer is needed; {sys.executable} is {platform.python_version()}. "
            "Start run.py with a newer one, for example python3.12 run.py."
        )


def require_node(environment: dict[str, str]) -> None:
    """Find Node and npm (``NODE`` names another binary) and put them first on the child's PATH.

    Raises:
        SetupError: one of them is missing or too old.
    """
    wanted = environment.get("NODE") or "node"
    node = shutil.which(wanted, path=environment.get("PATH"))
    if node is None:
        raise SetupError(f"Node 20.19 or newer is needed and `{wanted}` was not found: install it.")
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = tuple(int(part) for part in re.findall(r"\d+", answer.stdout)[:2])
    if version < OLDEST_NODE:
        shown = answer.stdout.strip() or "not running"
        raise SetupError(f"Node 20.19 or newer is needed; {node} is {shown}: install a newer one.")
    environment["PATH"] = os.pathsep.join([str(Path(node).parent), environment.get("PATH", "")])
    if shutil.which("npm", path=environment["PATH"]) is None:
        raise SetupError("npm was not found beside Node: install it (on Debian: apt install npm).")


def require_free_port(environment: dict[str, str]) -> None:
    """Refuse a port that somebody else listens on, before anything is changed.

    Raises:
        SetupError: the port is taken, forbidden or no number.
    """
    host, port = environment.get("HOST") or "127.0.0.1", environment.get("PORT") or "8000"
    if not port.isdigit() or not 0 < int(port) < 65536:
        raise SetupError(f"PORT must be a number from 1 to 65535, not {port!r}.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            raise SetupError(
                f"Port {port} on {host} cannot be used ({os.strerror(error.errno or 0)}): stop "
                f"what listens there, or choose another, for example PORT={int(port) % 65535 + 1}."
            ) from error


def require_database(environment: dict[str, str]) -> None:
    """Refuse a ``DATABASE_URL`` that nobody answers, before anything is changed.

    Raises:
        SetupError: it is no PostgreSQL address, or nothing listens there.
    """
    url = environment.get("DATABASE_URL")
    if not url:
        return
    parts = urlsplit(url)
    if not parts.scheme.startswith("postgres"):
        raise SetupError("DATABASE_URL must begin with postgresql+asyncpg:// or postgresql://.")
    query = parse_qs(parts.query)
    host = query.get("host", [unquote(parts.hostname or "localhost")])[0]
    port = int(query.get("port", [parts.port or 5432])[0])
    address = f"{host}/.s.PGSQL.{port}" if host.startswith("/") else f"{host}:{port}"
    try:
        if host.startswith("/"):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.settimeout(CONNECT_SECONDS)
                probe.connect(address)
        else:
            socket.create_connection((host, port), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise SetupError(
            f"The database of DATABASE_URL ({address}) does not answer: {error}."
        ) from error


# --- set-up ----------------------------------------------------------------------------------


def set_up(command: str, environment: dict[str, str]) -> None:
    """Install and build what ``command`` needs and is not there yet."""
    make_venv(environment)
    install_packages("bench" if command == "bench" else "dev", environment)
    if command in {"start", "test", "check", "fix", "client", "bench"}:
        install_web(environment)
    if command in {"start", "test", "bench"}:
        build_web(environment)


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Let one run.py at a time do the set-up; the kernel frees the lock of a killed one."""
    import fcntl  # noqa: PLC0415 - absent on Windows, which is refused by now

    try:
        STATE.mkdir(parents=True, exist_ok=True)
        STATE.parent.chmod(STATE.parent.stat().st_mode | 0o011)  # the database's account passes
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
    """Make the virtual environment, again when its Python is gone or another one."""
    wanted = f"{platform.python_version()} {sys.base_prefix}"
    if VENV_PYTHON.exists() and stamp_is(VENV / "made-by", wanted):
        return
    say(f"Making the Python environment ({platform.python_version()})")
    shutil.rmtree(VENV, ignore_errors=True)
    made = run([sys.executable, "-m", "venv", str(VENV)], environment, quiet=True)
    if made.returncode != 0:  # Debian without python3-venv has no ensurepip
        shutil.rmtree(VENV, ignore_errors=True)
        must([sys.executable, "-m", "venv", "--without-pip", str(VENV)], environment)
    put_stamp(VENV / "made-by", wanted)


def install_packages(group: str, environment: dict[str, str]) -> None:
    """Install the hash-locked packages of ``group``: by uv in seconds, else by pip."""
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
            put_stamp(stamp, wanted)
            return
        say("uv did not succeed; trying pip, which takes a minute or two")
    if run([str(VENV_PYTHON), "-m", "pip", "--version"], environment, quiet=True).returncode != 0:
        raise SetupError(
            "Neither uv nor pip can install here: install python3-venv and python3-pip."
        )
    must(
        [str(VENV_PYTHON), "-m", "pip", "install", "--require-hashes", "-r", str(lock)], environment
    )
    put_stamp(stamp, wanted)


def find_uv(environment: dict[str, str]) -> str | None:
    """Return the pinned uv, installing it into the environment at need; None when pip cannot."""
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
    """Return pip's configured index and certificate under uv's names: uv reads no pip.conf."""
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
    """Install the web app's locked packages when the lock or Node changed."""
    node = run(["node", "--version"], environment, quiet=True).stdout.strip()
    wanted = digest([WEB / "package-lock.json"]) + node
    stamp = WEB / "node_modules" / ".installed"
    if stamp_is(stamp, wanted):
        return
    say("Installing the web packages")
    must(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], environment, folder=WEB)
    put_stamp(stamp, wanted)


def build_web(environment: dict[str, str]) -> None:
    """Build the web app when one of its sources changed."""
    wanted = digest(web_sources())
    stamp = STATE / "web-build"
    if (WEB / "dist" / "index.html").is_file() and stamp_is(stamp, wanted):
        return
    say("Building the web app")
    must(["npm", "run", "--silent", "build"], environment, folder=WEB)
    put_stamp(stamp, wanted)


def web_sources() -> list[Path]:
    """Return every file that the build can depend on, in a fixed order."""
    found = []
    for folder, names, files in os.walk(WEB):
        names[:] = sorted(name for name in names if name not in NOT_SOURCES)
        found += [
            Path(folder) / file for file in sorted(files) if not file.startswith(".installed")
        ]
    return found


# --- small tools -----------------------------------------------------------------------------


def child_environment(*, dotenv: bool) -> dict[str, str]:
    """Return the children's environment: ours, the ``.env`` file's, and a home they can write.

    Checks and tests leave ``.env`` alone: they must never meet the deployment it describes.

    An account without a home, or with a read-only one, gets one under ``var/``; pip and npm keep
    reading the settings of the real one.
    """
    environment = {**(read_env_file(ROOT / ".env") if dotenv else {}), **os.environ}
    environment.setdefault("UV_PYTHON_DOWNLOADS", "never")
    environment.setdefault("PYTHONUNBUFFERED", "1")
    environment.pop("PYTHONHOME", None)
    environment.pop("VIRTUAL_ENV", None)
    home = Path(environment.get("HOME") or "/nonexistent")
    if home.is_dir() and os.access(home, os.W_OK | os.X_OK):
        return environment
    for name, file in (
        ("PIP_CONFIG_FILE", ".config/pip/pip.conf"),
        ("npm_config_userconfig", ".npmrc"),
    ):
        with contextlib.suppress(OSError):
            if (home / file).is_file():
                environment.setdefault(name, str(home / file))
    substitute = STATE / "home"
    environment["HOME"] = str(substitute)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environment.pop(name, None)
    return environment


def read_env_file(path: Path) -> dict[str, str]:
    """Return the settings of a ``.env`` file: NAME=value lines, quotes removed."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    line = re.compile(r"\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*")
    pairs = [found.groups() for found in map(line.fullmatch, lines) if found]
    return {name: value.strip("\"'") for name, value in pairs if value}


def say(sentence: str) -> None:
    """Tell what is being done now."""
    print(f"==> {sentence}", flush=True)


def run(
    command: list[str],
    environment: dict[str, str],
    *,
    folder: Path = ROOT,
    quiet: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run ``command``; with ``quiet`` its output is kept instead of shown."""
    Path(environment["HOME"]).mkdir(parents=True, exist_ok=True)
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=quiet,
            text=True,
            check=False,
        )
    except OSError as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


def must(command: list[str], environment: dict[str, str], *, folder: Path = ROOT) -> None:
    """Run ``command`` with its output shown, and tell how long it took.

    Raises:
        SetupError: it failed.
    """
    begun = time.monotonic()
    code = run(command, environment, folder=folder).returncode
    if code != 0:
        raise SetupError(
            f"`{' '.join(command[:4])}` failed with exit code {code}; its output is above."
        )
    say(f"done in {time.monotonic() - begun:.0f} s")


def digest(files: list[Path]) -> str:
    """Return a hash over the names and contents of ``files``."""
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stamp_is(path: Path, wanted: str) -> bool:
    """Return whether the step that left this stamp was done for exactly ``wanted``."""
    try:
        return path.read_text(encoding="utf-8") == wanted
    except OSError:
        return False


def put_stamp(path: Path, text: str) -> None:
    """Note that a step is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
