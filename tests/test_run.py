"""The set-up script rejects invalid environments in one line, before it changes anything."""

import ast
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from api.dev import bootstrap, shell

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = (
    "run.py",
    *(f"api/{name}" for name in ("__init__.py", "dev/__init__.py")),
    *(f"api/dev/{name}.py" for name in ("bootstrap", "machine", "shell")),
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with only the set-up scripts, which must suffice to reject."""
    for name in SCRIPTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        yield holder.getsockname()[1]


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        number: int = holder.getsockname()[1]
    return number


def refusal(copy: Path, command: str, **environment: str) -> str:
    """Run a command that must fail without changing anything; return its output."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    result = subprocess.run(
        [sys.executable, "-B", str(copy / "run.py"), command],
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert result.returncode == 1
    left = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    assert left == set(SCRIPTS)
    assert not (copy / "var").exists()
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_a_taken_port_is_named_with_another_to_try(copy: Path) -> None:
    with taken_port() as port:
        said = refusal(copy, "start", PORT=str(port))

    assert f"Port {port} on 127.0.0.1 cannot be used (Address already in use)" in said
    assert "PORT=" in said


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_no_port_is_named(copy: Path, port: str) -> None:
    assert "PORT must be a number from 1 to 65535" in refusal(copy, "start", PORT=port)


def test_a_database_that_does_not_answer_is_named(copy: Path) -> None:
    port = closed_port()

    said = refusal(
        copy, "start", PORT="8159", DATABASE_URL=f"postgresql+asyncpg://u:secret@127.0.0.1:{port}/x"
    )

    assert f"(127.0.0.1:{port}) does not answer: " in said
    assert "secret" not in said


def test_a_database_socket_that_is_not_there_is_named(copy: Path) -> None:
    url = "postgresql+asyncpg://u:p@/fans?host=/nowhere/run&port=5433"

    said = refusal(copy, "start", PORT="8159", DATABASE_URL=url)

    assert "/nowhere/run/.s.PGSQL.5433" in said


def test_another_kind_of_database_is_refused(copy: Path) -> None:
    said = refusal(copy, "start", PORT="8159", DATABASE_URL="mysql://u:p@127.0.0.1/x")

    assert "DATABASE_URL must begin with postgresql+asyncpg://" in said


def test_a_missing_node_is_named(copy: Path) -> None:
    said = refusal(copy, "test", NODE="/nowhere/node")

    assert "Node 20.19 or newer is needed and `/nowhere/node` was not found" in said


def test_an_old_node_is_named_with_its_version(
    copy: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    node = tmp_path_factory.mktemp("bin") / "node"
    node.write_text("#!/bin/sh\necho v18.19.1\n")
    node.chmod(0o755)

    assert f"{node} is v18.19.1" in refusal(copy, "check", NODE=str(node))


def test_an_old_python_is_named_with_its_version(copy: Path) -> None:
    claim = (
        "import sys, runpy; sys.version_info = (3, 6, 9); runpy.run_path('run.py', {}, '__main__')"
    )
    result = subprocess.run(
        [sys.executable, "-B", "-c", claim], cwd=copy, capture_output=True, text=True, check=False
    )

    assert result.returncode == 1
    assert result.stderr.startswith("run.py: Python 3.11 or newer is needed; ")
    assert result.stderr.count("\n") == 1


def test_the_entry_uses_nothing_that_an_old_python_cannot_read() -> None:
    text = (ROOT / "run.py").read_text(encoding="utf-8")

    tree = ast.parse(text, feature_version=(3, 4))

    assert not [node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign | ast.JoinedStr)]


def test_an_unknown_command_shows_the_commands(copy: Path) -> None:
    result = subprocess.run(
        [sys.executable, str(copy / "run.py"), "stat"], capture_output=True, text=True, check=False
    )

    assert result.returncode == 2
    assert "start" in result.stderr
    assert "test" in result.stderr


def test_the_env_file_is_read_without_comments_and_quotes(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "# PORT=1\nPORT=8150\nexport HOST='0.0.0.0'\nMAIL_FROM=\"Fans <a@b.c>\"\n"
        "VALKEY_URL=\nsmall=1\n"
    )

    assert shell.read_env_file(tmp_path / ".env") == {
        "PORT": "8150",
        "HOST": "0.0.0.0",  # noqa: S104 - text of a file
        "MAIL_FROM": "Fans <a@b.c>",
    }


def test_an_account_without_a_home_gets_one_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setenv("XDG_CACHE_HOME", "/nonexistent/.cache")

    environment = shell.child_environment(dotenv=False)

    assert Path(environment["HOME"]).is_relative_to(ROOT / "var")
    assert "XDG_CACHE_HOME" not in environment


def test_what_is_run_compiles_each_module_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    assert "PYTHONDONTWRITEBYTECODE" not in shell.child_environment(dotenv=False)


@pytest.mark.parametrize(
    ("command", "has_all", "installed"),
    [
        ("start", False, []),
        ("test", False, ["npm ci --omit=dev"]),
        ("test", True, ["npm ci"]),
        ("bench", False, ["npm ci"]),
    ],
)
def test_the_tests_install_the_peers_and_only_the_benchmarks_lighthouse(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
    has_all: bool,
    installed: list[str],
) -> None:
    ran = []

    def must(words: list[str], _environment: dict[str, str], *, folder: Path) -> None:
        assert folder == tmp_path
        ran.append(" ".join(word for word in words if word not in {"--no-audit", "--no-fund"}))

    for name in ("make_venv", "install_packages", "install_web", "build_web"):
        monkeypatch.setattr(bootstrap, name, lambda *_: None)
    monkeypatch.setattr(bootstrap, "PEERS", tmp_path)
    monkeypatch.setattr(shell, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "must", must)
    (tmp_path / "package-lock.json").write_text("{}")
    if has_all:
        shell.write_stamp(tmp_path / "node_modules" / ".installed", "an older lock file")

    bootstrap.set_up(command, dict(os.environ))
    bootstrap.set_up(command, dict(os.environ))

    assert ran == [one.replace("ci", "ci --ignore-scripts") for one in installed]


def test_a_stamp_is_valid_only_for_what_it_was_made_for(tmp_path: Path) -> None:
    shell.write_stamp(tmp_path / "deep" / "stamp", "one")

    assert shell.stamp_is(tmp_path / "deep" / "stamp", "one")
    assert not shell.stamp_is(tmp_path / "deep" / "stamp", "two")
    assert not shell.stamp_is(tmp_path / "other", "one")


def test_a_changed_or_renamed_source_changes_the_digest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shell, "ROOT", tmp_path)
    one, other = tmp_path / "a.ts", tmp_path / "b.ts"
    one.write_text("x")
    before = shell.digest([one])

    one.rename(other)
    renamed = shell.digest([other])
    other.write_text("y")

    assert len({before, renamed, shell.digest([other])}) == 3
