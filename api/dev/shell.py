"""Helpers of the set-up: child environments, running commands, stamps."""

import contextlib
import hashlib
import os
import re
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATE = ROOT / "var" / "setup"


class SetupError(Exception):
    """The command cannot run here; the message says what to do, in one line."""


def child_environment(*, dotenv: bool) -> dict[str, str]:
    """Return the children's environment: ours, the ``.env`` file's, and a writable home.

    Checks and tests ignore ``.env``: they must never reach the deployment it describes.

    An account with a missing or read-only home gets one under ``var/``; pip and npm still read the
    settings of the real one.
    """
    environment = {**(read_env_file(ROOT / ".env") if dotenv else {}), **os.environ}
    environment.setdefault("UV_PYTHON_DOWNLOADS", "never")
    environment.setdefault("PYTHONUNBUFFERED", "1")
    for name in ("PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"):  # keep compiled files
        environment.pop(name, None)
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
    """Return the settings of a ``.env`` file: NAME=value lines, without quotes."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    line = re.compile(r"\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*")
    pairs = [found.groups() for found in map(line.fullmatch, lines) if found]
    return {name: value.strip("\"'") for name, value in pairs if value}


def say(sentence: str) -> None:
    """Print the current step."""
    print(f"==> {sentence}", flush=True)


def run(
    command: list[str],
    environment: dict[str, str],
    *,
    folder: Path = ROOT,
    quiet: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run ``command``; with ``quiet`` its output is captured."""
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
    """Run ``command``, showing its output, and print how long it took.

    Raises:
        SetupError: it failed.
    """
    started = time.monotonic()
    code = run(command, environment, folder=folder).returncode
    if code != 0:
        raise SetupError(
            f"`{' '.join(command[:4])}` failed with exit code {code}; its output is above."
        )
    say(f"done in {time.monotonic() - started:.0f} s")


def digest(files: list[Path]) -> str:
    """Return a hash over the names and contents of ``files``."""
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def stamp_is(path: Path, wanted: str) -> bool:
    """Return whether this stamp's step was done for exactly ``wanted``."""
    try:
        return path.read_text(encoding="utf-8") == wanted
    except OSError:
        return False


def write_stamp(path: Path, text: str) -> None:
    """Record that a step is done."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
