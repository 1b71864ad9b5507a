"""``python -m api.dev.client``: generates openapi.json, the web app's files, docs/tables.md."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from api.dev.call_facts import call_facts_text
from api.dev.description_text import description_text
from api.dev.diagram import diagram_text
from api.dev.max_lengths import max_lengths_text
from api.main import create_app

ROOT = Path(__file__).resolve().parents[2]
OPENAPI = ROOT / "openapi.json"
TYPES = ROOT / "web" / "src" / "api" / "schema.gen.ts"
MAX_LENGTHS = ROOT / "web" / "src" / "api" / "max-lengths.gen.ts"
DIAGRAM = ROOT / "docs" / "tables.md"
CALL_FACTS = ROOT / "web" / "admin" / "src" / "api" / "calls.gen.ts"
# The generator writes a line for each method and kind of parameter that a path does not have.
ABSENT = re.compile(
    r"^ {8}(?:\w+\?: never|parameters: \{\n(?: {12}\w+\?: never;\n)+ {8}\});\n", re.MULTILINE
)


def openapi_text() -> str:
    """Return the API description, which is deterministic."""
    return description_text(create_app().openapi())


def write() -> int:
    """Write all files; return the exit code of the type generator."""
    OPENAPI.write_text(openapi_text(), encoding="utf-8")
    CALL_FACTS.write_text(call_facts_of(OPENAPI), encoding="utf-8")
    MAX_LENGTHS.write_text(max_lengths_text(), encoding="utf-8")
    DIAGRAM.write_text(diagram_text(), encoding="utf-8")
    return generate_types(OPENAPI, TYPES)


def check() -> int:
    """Return 0 if all committed files are up to date."""
    with tempfile.TemporaryDirectory() as folder:
        description, types = Path(folder) / "openapi.json", Path(folder) / "schema.gen.ts"
        facts, lengths = Path(folder) / "calls.gen.ts", Path(folder) / "max-lengths.gen.ts"
        description.write_text(openapi_text(), encoding="utf-8")
        facts.write_text(call_facts_of(description), encoding="utf-8")
        lengths.write_text(max_lengths_text(), encoding="utf-8")
        diagram = Path(folder) / "tables.md"
        diagram.write_text(diagram_text(), encoding="utf-8")
        if code := generate_types(description, types):
            return code
        pairs = (
            (description, OPENAPI),
            (types, TYPES),
            (facts, CALL_FACTS),
            (lengths, MAX_LENGTHS),
            (diagram, DIAGRAM),
        )
        stale = [kept for fresh, kept in pairs if not same_text(fresh, kept)]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is stale: run `python3 run.py client`.")
    return 1 if stale else 0


def call_facts_of(description: Path) -> str:
    """Return the generated script for ``description``."""
    return call_facts_text(json.loads(description.read_text("utf-8")))


def generate_types(description: Path, types: Path) -> int:
    """Run the web app's type generator, shorten its file, and return its exit code."""
    command = ["npx", "--no-install", "openapi-typescript", str(description), "-o", str(types)]
    result = subprocess.run(command, cwd=ROOT / "web", capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(result.stdout, result.stderr)
        return result.returncode
    paths, following, rest = types.read_text("utf-8").partition("\nexport type webhooks")
    types.write_text(ABSENT.sub("", paths) + following + rest, encoding="utf-8")
    return 0


def same_text(one: Path, other: Path) -> bool:
    """Return whether both files exist and have the same text."""
    return other.is_file() and one.read_text("utf-8") == other.read_text("utf-8")


if __name__ == "__main__":
    sys.exit(check() if sys.argv[1:] == ["check"] else write())
