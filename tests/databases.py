"""PostgreSQL servers and databases that are copied instead of created and migrated each time."""

import fcntl
import functools
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from api.dev.migrations import upgrade
from api.dev.postgres.embedded import EmbeddedPostgres

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "var" / "test-postgres"
SOURCES = ("api", "migrations", "requirements")
MIGRATED = "migrated"  # never connected to, or it could not be copied


def copy_migrated(server: EmbeddedPostgres, name: str) -> str:
    """Create a migrated database on a server of ``migrated_cluster`` and return its address."""
    server.run_sql(f"CREATE DATABASE {name} TEMPLATE {MIGRATED}")
    return server.url(name)


@functools.cache
def empty_cluster() -> Path:
    """Return the template of a server without databases."""
    return _provide("empty", _leave_empty)


@functools.cache
def migrated_cluster() -> Path:
    """Return the template of a server with the migrated databases ``migrated`` and ``fans``."""
    return _provide("migrated", _migrate)


def _leave_empty(server: EmbeddedPostgres) -> None:
    del server


def _migrate(server: EmbeddedPostgres) -> None:
    server.ensure_database(MIGRATED)
    upgrade(server.url(MIGRATED))
    copy_migrated(server, "fans")


def _provide(name: str, fill: Callable[[EmbeddedPostgres], None]) -> Path:
    """Return a template created from the current sources by the first process that needs it."""
    template = TEMPLATES / f"{name}-{_digest_of_sources()}"
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    with (TEMPLATES / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not template.is_dir():
            for outdated in TEMPLATES.glob(f"{name}-*"):
                shutil.rmtree(outdated)
            _make(template, fill)
    return template


def _make(template: Path, fill: Callable[[EmbeddedPostgres], None]) -> None:
    unfinished = template.with_name(f"{template.name}.new")
    with tempfile.TemporaryDirectory(prefix="kof-template-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with EmbeddedPostgres(folder / "postgres") as server:
            _cheapen_passwords(server, (folder / "postgres" / "password").read_text())
            fill(server)
            server.save_as_template(unfinished)
    unfinished.rename(template)


def _cheapen_passwords(server: EmbeddedPostgres, password: str) -> None:
    """Make password checks cheap: thousands of connections are opened, none by an attacker."""
    server.run_sql("ALTER SYSTEM SET scram_iterations = 1")
    server.run_sql(f"SET scram_iterations = 1; ALTER ROLE postgres PASSWORD '{password}'")


def _digest_of_sources() -> str:
    total = hashlib.sha256()
    for path in _sources():
        total.update(f"{path.relative_to(ROOT)}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".sql", ".lock", ".ini"} and path.is_file():
                yield path
