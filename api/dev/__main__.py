"""``python -m api.dev``: the whole product on one machine, including services and demo data."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import asyncpg
from sqlalchemy.engine import make_url

from api.console import __main__ as console
from api.dev.migrations import upgrade
from api.dev.postgres.embedded import EmbeddedPostgres, running_url
from api.dev.postgres.install import PostgresError
from api.dev.postgres.place import make_passable
from api.dev.seed import DEMO_PASSWORD, DEMO_SIGN_INS, seed_empty_database
from api.dev.valkey import EmbeddedValkey, ValkeyError
from api.dev.worker import WorkerProcess
from api.foundation.core import clock
from api.foundation.core.config import Environment, Settings
from api.foundation.core.processes import exit_on_sigterm
from api.foundation.security.one_time_codes import code_at
from api.foundation.server.listening import PortError, bind
from api.foundation.server.process_settings import SettingsError, load_settings
from api.foundation.server.serving import serve, service_of

OLDEST_POSTGRES = 15
CONNECT_SECONDS = 5.0
COMMANDS = {"start", "seed", "backup", "restore", "console", "admin-code"}


class StartSettings(Settings):
    """Settings whose unset services are started here."""

    brings_valkey = True


class StartError(RuntimeError):
    """The product cannot start; the message is a single line."""


def main(arguments: list[str]) -> int:
    """Run ``start`` or ``seed`` and return the exit code."""
    command = arguments[0] if arguments else "start"
    if command not in COMMANDS:
        print(f"usage: python -m api.dev [{'|'.join(sorted(COMMANDS))}]", file=sys.stderr)
        return 2
    exit_on_sigterm()
    try:
        settings = read_settings()
        if command == "start":
            start(settings)
        elif command == "admin-code":
            print(admin_code(settings))
        elif command == "seed":
            with services(settings) as ready:
                prepare_database(ready)
        elif command == "console":
            with running(settings):
                return console.main(arguments[1:])
        else:
            with services(settings):
                return console.main(arguments)
    except (StartError, PortError, PostgresError, ValkeyError) as error:
        print(f"king-of-fans: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def start(settings: Settings) -> None:
    """Reserve the port, start services, database and worker, and serve until a signal."""
    listener = bind(settings.host, settings.port)
    with listener, services(settings) as ready:
        is_demo = prepare_database(ready)
        backups = ready.backup_dir or ready.var_dir / "backups"
        with WorkerProcess(ready.var_dir, backups) as worker:

            def announce_both() -> None:
                worker.wait_until_ready()
                announce(ready, is_demo=is_demo)

            serve(service_of(ready), listener, on_ready=announce_both)


def admin_code(settings: Settings) -> str:
    """Return the demo operator's current TOTP code (contract B-107).

    Raises:
        StartError: there is no demo operator.
    """
    if settings.demo_operator_totp is None:
        raise StartError("DEMO_OPERATOR_TOTP is not set.")
    return code_at(settings.demo_operator_totp.get_secret_value(), clock.now())


def read_settings() -> Settings:
    """Read the settings; the public URL follows the port unless it is set.

    Raises:
        StartError: a setting is invalid.
    """
    try:
        settings = load_settings(StartSettings)
    except SettingsError as refusal:
        raise StartError(" ".join(refusal.sentences)) from None
    if "public_url" not in settings.model_fields_set:
        host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104 - compared
        os.environ["PUBLIC_URL"] = f"http://{host}:{settings.port}"
    return StartSettings()


@contextmanager
def running(settings: Settings) -> Iterator[Settings]:
    """Use the database of a running ``start``; without one, run what is needed during the block."""
    joins = "database_url" not in settings.model_fields_set
    url = running_url(settings.var_dir / "postgres") if joins else None
    if url is None:
        with services(settings) as ready:
            yield ready
        return
    os.environ["DATABASE_URL"] = url
    yield Settings()


@contextmanager
def services(settings: Settings) -> Iterator[Settings]:
    """Run the services that the settings lack: PostgreSQL, and Valkey for several workers.

    Their addresses are put into the environment, where the workers read them.
    """
    with ExitStack() as stack:
        make_passable(settings.var_dir.absolute())
        if "database_url" not in settings.model_fields_set:
            postgres = stack.enter_context(EmbeddedPostgres(settings.var_dir / "postgres"))
            postgres.ensure_database("fans")
            os.environ["DATABASE_URL"] = postgres.url()
        if settings.workers > 1 and settings.valkey_url is None:
            valkey = stack.enter_context(EmbeddedValkey(settings.var_dir / "valkey"))
            os.environ["VALKEY_URL"] = valkey.url
        yield Settings()


def prepare_database(settings: Settings) -> bool:
    """Migrate, and seed an empty database; return whether it contains demo data.

    Raises:
        StartError: the database is unusable; nothing was changed.
    """
    asyncio.run(require_usable_database(settings.session_database_url))
    upgrade(settings.session_database_url)
    if settings.app_env is Environment.PRODUCTION:
        return False
    return asyncio.run(seed_empty_database(settings))


async def require_usable_database(url: str) -> None:
    """Connect and check the server's version.

    Raises:
        StartError: the server is unavailable, rejects the login, or is too old.
    """
    address = make_url(url)
    shown = address.set(drivername="postgresql").render_as_string(hide_password=True)
    dsn = address.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise StartError(f"The database {shown} does not let us in: {error}.") from error
    major = connection.get_server_version().major
    await connection.close()
    if major < OLDEST_POSTGRES:
        raise StartError(
            f"The database {shown} is PostgreSQL {major}; {OLDEST_POSTGRES} is needed."
        )


def announce(settings: Settings, *, is_demo: bool) -> None:
    """Print the addresses."""
    base = settings.public_url
    lines = ["", f"King of Fans is ready at {base}", "", f"  API documentation  {base}/docs"]
    if settings.smtp_url is None:
        lines.append(f"  Mail               {settings.var_dir / 'outbox'}/*.eml")
    if is_demo:
        lines.append(f"  Demo sign-ins      {', '.join(DEMO_SIGN_INS)}; password {DEMO_PASSWORD}")
    print("\n".join([*lines, "", "Ctrl-C stops it; the data stays.", ""]), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
