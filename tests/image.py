"""The Dockerfile's image, as far as it can be built without a container engine.

The stages' copies and removals are read from the Dockerfile and applied to a folder; the installed
packages are those of the runtime's lock file only. Under root its processes run as a user who owns
none of its files.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
USER = 10001
INSTRUCTION = re.compile(r"^([A-Z]+) +((?:.*\\\n)*.*)$", re.MULTILINE)


def stages() -> dict[str, list[tuple[str, str]]]:
    """Return the instructions of each stage, after those of its base stage."""
    found: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for word, rest in INSTRUCTION.findall(DOCKERFILE):
        if word == "FROM":
            origin, _, name = rest.partition(" AS ")
            found[name] = [*found.get(origin, [])]
        else:
            found[name].append((word, rest.replace("\\\n", " ")))
    return found


def last(stage: str, word: str) -> str:
    """Return the last instruction of a kind."""
    return [rest for kind, rest in stages()[stage] if kind == word][-1]


def command_of(stage: str) -> list[str]:
    command: list[str] = json.loads(last(stage, "CMD"))
    return command


def health_of(stage: str) -> list[str]:
    command: list[str] = json.loads(last(stage, "HEALTHCHECK").partition(" CMD ")[2])
    return command


# The user may read all files, because this machine's Python may be in a private folder; writing is
# limited by owner and modes.
AS_USER = (
    [
        *("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"),
        *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
        *("--bounding-set=-all,+dac_read_search", "--no-new-privs"),
    ]
    if os.geteuid() == 0
    else []
)


class Image:
    """One stage's ``/srv/app`` in a folder, read-only, with its packages beside it."""

    def __init__(self, stage: str, folder: Path) -> None:
        self.stage = stage
        self.app = folder / "srv" / "app"
        self.var = folder / "srv" / "var"
        self.tmp = folder / "tmp"
        self._site = folder / "site"
        self.python = folder / "bin" / "python"
        for place in (self.app, self.var, self.tmp, self._site, self.python.parent):
            place.mkdir(parents=True)
        self._copy(stage, folder)
        install_locked(self._site)
        # Without ``site`` only the standard library and the paths below are found.
        self.python.write_text(f'#!/bin/sh\nexec {shlex.quote(base_python())} -S "$@"\n')
        self.python.chmod(0o755)
        make_read_only(self.app)
        for place in (self.var, self.tmp):
            if os.geteuid() == 0:
                os.chown(place, USER, USER)

    def _copy(self, stage: str, folder: Path) -> None:
        """Apply COPY, and the RUN that removes development files."""
        for word, rest in stages()["source"]:
            if word == "COPY":
                self._copy_one(rest, folder, ROOT)
            elif word == "RUN":
                here = re.sub(r"(?<=\s)/source", f"{folder}/source", rest)
                subprocess.run(["/bin/sh", "-c", here], check=True)
        for word, rest in stages()[stage]:
            if word == "COPY" and "--from=" not in rest:
                self._copy_one(rest, folder, ROOT)
            elif word == "COPY" and "--from=source" in rest:
                self._copy_one(rest.replace("--from=source", ""), folder, folder)
        shutil.rmtree(folder / "source")

    def _copy_one(self, rest: str, folder: Path, origin: Path) -> None:
        source, target = rest.split()
        there = folder / target[1:] if target.startswith("/") else self.app / target
        from_place = origin / source.lstrip("/")
        if from_place.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(from_place, there, ignore=ignored)
        else:
            shutil.copy(from_place, there)

    def environment(self, settings: dict[str, str]) -> dict[str, str]:
        """Return the environment of a process: the image's, and its own settings."""
        return {
            "PATH": f"{self.python.parent}:/usr/bin:/bin",
            "PYTHONPATH": str(self._site),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            "HOST": "127.0.0.1",
            "VAR_DIR": str(self.var),
            "WEB_DIST": str(self.app / "web" / "dist"),
            "TMPDIR": str(self.tmp),
            **settings,
        }

    def start(self, command: list[str], settings: dict[str, str]) -> "subprocess.Popen[str]":
        """Start a command of the image as its user."""
        program = str(self.python) if command[0] == "python" else command[0]
        return subprocess.Popen(
            [*AS_USER, program, *command[1:]],
            cwd=self.app,
            env=self.environment(settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: list[str], settings: dict[str, str]) -> tuple[int, str]:
        """Run a command of the image as its user; return exit code and output."""
        process = self.start(command, settings)
        printed, _ = process.communicate(timeout=60)
        return process.returncode, printed


def base_python() -> str:
    """Return the interpreter that this environment is based on."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def install_locked(site: Path) -> None:
    """Link the packages of the runtime's lock file, and no others, into a folder.

    Links, because copies would be large and lack the image's bytecode.
    """
    lock = (ROOT / "requirements" / "runtime.lock").read_text(encoding="utf-8")
    for name in re.findall(r"^([a-z0-9._-]+)==", lock, re.MULTILINE):
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # for another platform or Python
        for top in {file.parts[0] for file in package.files or () if file.parts[0] != ".."}:
            source, target = Path(str(package.locate_file(top))), site / top
            if source.exists() and not target.exists():
                target.symlink_to(source)


def make_read_only(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)


def make_removable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
