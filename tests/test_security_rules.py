"""What the server's code never does, read from its syntax: rules that no single call can prove."""

import ast
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEVELOPMENT = ("api/dev/", "api/sandbox/")
PROCESS_MODULES = {"subprocess", "multiprocessing", "pty", "popen2"}
STARTED_BY = {"api/server.py": {"multiprocessing"}}  # its own workers
PICKLERS = {"pickle", "cPickle", "marshal", "shelve", "dill", "yaml", "joblib"}
RUNS_TEXT = {"eval", "exec", "compile", "__import__"}
STARTS_PROCESS = {"system", "popen", "fork", "forkpty", "spawnv", "spawnl", "execv", "execl"}
HASHES = {"sha256", "sha512"}
CRYPTOGRAPHY = {
    "hashlib": {
        "api/adapters/paystack.py",  # the provider's signature
        "api/core/idempotency.py",
        "api/core/sealing.py",
        "api/core/uploads.py",
        "api/payments/router.py",  # the hash of a style in a policy
        "api/questions/rules.py",
        "api/shop/live.py",  # an ETag
    },
    "hmac": {
        "api/adapters/paystack.py",
        "api/core/doors.py",  # compares the key of the figures
        "api/core/identity.py",
        "api/core/passwords.py",
    },
    "cryptography": {"api/core/sealing.py"},
    "jose": {"api/core/identity.py"},
    "passlib": {"api/core/passwords.py"},
}
SAFE_SOCKETIO = (5, 16, 2)  # below it a client could make the server collect attachments


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Return every file of the server with its syntax, without what only development runs."""
    for path in sorted((ROOT / "api").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(DEVELOPMENT):
            yield name, ast.parse(path.read_text())


def imported(tree: ast.Module) -> set[str]:
    """Return the top-level packages that a file imports anywhere in it."""
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module.split(".")[0])
    return modules


def calls(tree: ast.Module) -> Iterator[tuple[str | None, str, ast.Call]]:
    """Return every call as (what it is called on, its name, itself)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield None, node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                owner = node.func.value
                yield owner.id if isinstance(owner, ast.Name) else "", node.func.attr, node


def test_the_server_starts_no_process_and_runs_no_text() -> None:
    found = [
        f"{name}:{module}"
        for name, tree in sources()
        for module in imported(tree) & PROCESS_MODULES - STARTED_BY.get(name, set())
    ]
    found += [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        for owner, called, node in calls(tree)
        if (owner is None and called in RUNS_TEXT) or (owner == "os" and called in STARTS_PROCESS)
    ]

    assert found == []


def test_nothing_is_unpickled() -> None:
    found = [f"{name}:{module}" for name, tree in sources() for module in imported(tree) & PICKLERS]

    assert found == []
    assert tuple(map(int, version("python-socketio").split("."))) >= SAFE_SOCKETIO


def test_cryptography_has_its_few_places_and_approved_hashes() -> None:
    for module, places in CRYPTOGRAPHY.items():
        assert {name for name, tree in sources() if module in imported(tree)} == places, module
    used = {
        called for _, tree in sources() for owner, called, _ in calls(tree) if owner == "hashlib"
    }

    assert used <= HASHES


def test_chance_comes_from_the_systems_source() -> None:
    from_random = [
        f"{name}:{node.lineno}"
        for name, tree in sources()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and "random" in {alias.name for alias in node.names})
        or (isinstance(node, ast.ImportFrom) and node.module == "random")
    ]

    assert from_random == []


def test_templates_are_constants() -> None:
    """``format`` is called on a literal or a constant only: never on what somebody sent."""
    wrong = []
    for name, tree in sources():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in {"format", "format_map"}
            ):
                owner = node.func.value
                is_constant = isinstance(owner, ast.Constant) or (
                    isinstance(owner, ast.Name) and owner.id.isupper()
                )
                if not is_constant:
                    wrong.append(f"{name}:{node.lineno}")

    assert wrong == []
