"""What the server's code never does, checked on its syntax: rules that no single call can prove."""

import ast
import functools
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DEVELOPMENT = ("api/dev/",)
PROCESS_MODULES = {"subprocess", "multiprocessing", "pty", "popen2"}
STARTED_BY = {
    "api/foundation/server/serving.py": {"multiprocessing"},  # its own workers
    "api/app/backup/programs.py": {"subprocess"},  # PostgreSQL's programs, without members' input
}
PICKLERS = {"pickle", "cPickle", "marshal", "shelve", "dill", "yaml", "joblib"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
STARTS_PROCESS = re.compile(
    r"os\.(\*|system|popen|fork|forkpty|startfile|(posix_)?spawn\w*|exec[lv]\w*)"
    r"|asyncio\.(\*|(subprocess\.)?create_subprocess_\w+)|asyncio\.subprocess\.\*"
    r"|.*\.subprocess_(exec|shell)"
)
HASHES = {"sha256", "sha512"}
CRYPTOGRAPHY = {
    "hashlib": {
        "api/app/adapters/flutterwave.py",  # the providers' signatures
        "api/app/adapters/paystack.py",
        "api/app/adapters/termii.py",
        "api/app/backup/folder.py",  # digests of a backup's parts
        "api/app/backup/restoring.py",
        "api/app/backup/sealing.py",
        "api/app/backup/taking.py",
        "api/foundation/database/idempotency.py",
        "api/app/schema/sources.py",  # whether a source has changed
        "api/foundation/security/digests.py",  # versions of public content
        "api/foundation/security/sealing.py",
        "api/foundation/security/web_push.py",  # lookup of an endpoint
        "api/foundation/http/spa.py",  # the hash of a script in a policy
        "api/foundation/http/prebuilt.py",  # an ETag
        "api/foundation/http/uploads.py",
        "api/home/public/cards/cache.py",  # names of stored pictures
        "api/home/public/cards/design.py",  # whether the drawing code has changed
        "api/foundation/http/pages.py",  # the hash of a style in a policy
        "api/games/questions/rules/reading.py",  # the order of options
        "api/games/questions/service/importing.py",  # whether the bank has changed
    },
    "hmac": {
        "api/app/adapters/flutterwave.py",
        "api/app/adapters/paystack.py",
        "api/app/adapters/termii.py",
        "api/app/backup/sealing.py",  # signs a manifest
        "api/games/matches/service/feeds.py",  # signatures of match feeds
        "api/foundation/http/dependencies.py",  # compares the key of the figures
        "api/foundation/security/digests.py",
        "api/foundation/security/passwords.py",
    },
    "cryptography": {
        "api/app/backup/sealing.py",
        "api/foundation/security/sealing.py",
        "api/foundation/security/web_push.py",
    },
    "jose": {"api/foundation/security/tokens.py"},
    "passlib": {"api/foundation/security/passwords.py"},
}
SAFE_SOCKETIO = (5, 16, 2)  # older versions let a client make the server buffer attachments


@functools.cache
def sources() -> list[tuple[str, ast.Module]]:
    """Return every file of the server with its syntax tree, except development code."""
    files = {
        path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "api").rglob("*.py"))
    }
    return [
        (name, ast.parse(path.read_text()))
        for name, path in files.items()
        if not name.startswith(DEVELOPMENT)
    ]


@pytest.fixture(scope="module", autouse=True)
def _sources_are_forgotten() -> Iterator[None]:
    yield
    sources.cache_clear()


def names(tree: ast.Module) -> dict[str, str]:
    """Return what each imported name of a file refers to: ``md5`` for ``hashlib.md5``."""
    meant = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.split(".")[0]
                meant[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                meant[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return meant


def imported(tree: ast.Module) -> set[str]:
    """Return the top-level packages that a file imports anywhere."""
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.split(".")[0])
    return modules


def uses(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Return what a file uses, called or passed on, as (qualified name, line).

    Imported names are resolved to their origin; others keep their local name.
    """
    meant = names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from ((whole, node.lineno) for whole in [whole_name(node, meant)] if whole)


def whole_name(node: ast.expr, meant: dict[str, str]) -> str | None:
    """Return ``hashlib.md5`` for any alias of it, None if it is no dotted name."""
    if isinstance(node, ast.Name):
        return meant.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        owner = whole_name(node.value, meant)
        return None if owner is None else f"{owner}.{node.attr}"
    return None


def starts_or_runs(name: str, tree: ast.Module) -> list[str]:
    """Return where a file starts a process or executes text."""
    found = [
        f"{name}:{module}"
        for module in imported(tree) & PROCESS_MODULES - STARTED_BY.get(name, set())
    ]
    return found + [
        f"{name}:{line}"
        for used, line in uses(tree)
        if used.removeprefix("builtins.") in RUNS_TEXT or STARTS_PROCESS.fullmatch(used)
    ]


def hashes(tree: ast.Module) -> set[str]:
    """Return the members of ``hashlib`` that a file uses."""
    return {used.split(".")[1] for used, _ in uses(tree) if used.startswith("hashlib.")}


def test_the_server_starts_no_process_and_runs_no_text() -> None:
    assert [place for name, tree in sources() for place in starts_or_runs(name, tree)] == []


@pytest.mark.parametrize(
    "text",
    [
        "import os\nos.system('x')",
        "import os as quiet\nquiet.system('x')",
        "from os import system",
        "from os import system as quiet\nquiet('x')",
        "import os\nrun = os.popen",
        "import os\nos.posix_spawn('x', [], {})",
        "import os.path\nos.execvpe('x', [], {})",
        "from os import *",
        "import asyncio\nasyncio.create_subprocess_exec('x')",
        "import asyncio as quiet\nquiet.create_subprocess_shell('x')",
        "from asyncio import create_subprocess_exec as quiet",
        "from asyncio.subprocess import create_subprocess_shell",
        "import asyncio\nasyncio.subprocess.create_subprocess_exec('x')",
        "loop.subprocess_exec(protocol, 'x')",
        "import subprocess as quiet",
        "from subprocess import run",
        "from multiprocessing import Process",
        "def late():\n    import pty",
        "eval('x')",
        "run = exec",
        "import builtins\nbuiltins.eval('x')",
        "from builtins import exec as quiet",
    ],
)
def test_every_way_to_start_a_process_or_run_text_is_found(text: str) -> None:
    assert starts_or_runs("api/x.py", ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "import hashlib\nhashlib.md5(b'x')",
        "import hashlib as quiet\nquiet.md5(b'x')",
        "from hashlib import md5",
        "from hashlib import sha1 as sha256",
        "import hashlib\nmake = hashlib.new",
        "from hashlib import *",
    ],
)
def test_every_way_to_another_hash_is_found(text: str) -> None:
    assert not hashes(ast.parse(text)) <= HASHES


def test_what_only_looks_alike_is_left_alone() -> None:
    text = (
        "import os, re, hashlib\nre.compile('x')\nos.path.join('a')\nsystem('x')\nhashlib.sha256()"
    )

    assert starts_or_runs("api/x.py", ast.parse(text)) == []
    assert hashes(ast.parse(text)) <= HASHES


def test_nothing_is_unpickled() -> None:
    found = [f"{name}:{module}" for name, tree in sources() for module in imported(tree) & PICKLERS]

    assert found == []
    assert tuple(map(int, version("python-socketio").split("."))) >= SAFE_SOCKETIO


def test_cryptography_has_its_few_places_and_approved_hashes() -> None:
    for module, places in CRYPTOGRAPHY.items():
        assert {name for name, tree in sources() if module in imported(tree)} == places, module

    assert {used for _, tree in sources() for used in hashes(tree)} <= HASHES


def test_what_proves_a_sender_is_compared_in_constant_time() -> None:
    comparing = {
        name
        for name, tree in sources()
        for used, _ in uses(tree)
        if used in {"hmac.compare_digest", "api.foundation.security.digests.are_same"}
    }

    assert comparing >= {
        "api/app/adapters/flutterwave.py",
        "api/app/adapters/paystack.py",
        "api/games/matches/service/feeds.py",
        "api/foundation/http/dependencies.py",
        "api/money/receipts/rules.py",
        "api/foundation/security/digests.py",
    }


def test_chance_comes_from_the_systems_source() -> None:
    from_random = [name for name, tree in sources() if "random" in imported(tree)]

    assert from_random == []


def test_templates_are_constants() -> None:
    """``format`` is called on literals, constants and their entries, never on user input."""
    wrong = []
    for name, tree in sources():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"format", "format_map"}
            ):
                owner = node.func.value
                if isinstance(owner, ast.Subscript):
                    owner = owner.value
                is_constant = isinstance(owner, ast.Constant) or (
                    isinstance(owner, ast.Name) and owner.id.isupper()
                )
                if not is_constant:
                    wrong.append(f"{name}:{node.lineno}")

    assert wrong == []
