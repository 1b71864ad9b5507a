"""``python -m api.dev.components``: the product's dependencies and their known vulnerabilities."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
RUNTIME_LOCK = ROOT / "requirements" / "runtime.lock"
WEB = ROOT / "web"
TOOLS = Path(sys.executable).parent


def main(arguments: list[str]) -> int:
    """Run ``sbom`` or ``audit`` and return its exit code."""
    if arguments == ["audit"]:
        return audit()
    if arguments[:1] == ["sbom"]:
        return write_bills(Path(arguments[1]) if arguments[1:] else ROOT / "var" / "sbom")
    print("usage: python3 run.py sbom [FOLDER] | audit", file=sys.stderr)
    return 2


def write_bills(folder: Path) -> int:
    """Write a bill of materials (CycloneDX) for the server and one for the web app."""
    folder.mkdir(parents=True, exist_ok=True)
    server, web = folder / "server.cdx.json", folder / "web.cdx.json"
    code = run([str(TOOLS / "cyclonedx-py"), "requirements", str(RUNTIME_LOCK), "-o", str(server)])
    command = ["npm", "sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"]
    with web.open("w", encoding="utf-8") as output:
        code |= run(command, folder=WEB, output=output)
    if code == 0:
        print(f"{server}\n{web}")
    return code


def audit() -> int:
    """Query advisory databases about every locked package; return 1 if one has a vulnerability."""
    python = run([str(TOOLS / "pip-audit"), "--strict", "--disable-pip", "-r", str(RUNTIME_LOCK)])
    web = run(["npm", "audit", "--omit=dev"], folder=WEB)
    return 1 if python or web else 0


def run(command: Sequence[str], *, folder: Path = ROOT, output: IO[str] | None = None) -> int:
    """Run a program, showing its output or writing it to ``output``; return its exit code."""
    return subprocess.run(list(command), cwd=folder, stdout=output, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
