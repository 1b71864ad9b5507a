"""``check``: reports the problems of this deployment in sentences. It changes nothing."""

import io
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

import asyncpg
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import exc

from api.app.factories import make_gateways, make_mailer, make_media_store, make_sealer
from api.app.schema.compare import differences_at
from api.console.opened import unseen_database
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.core.ids import new_id
from api.foundation.database.connections import CLOSE_SECONDS
from api.foundation.database.database import Database
from api.foundation.database.errors import NotOneSessionError
from api.foundation.database.role import UnsafeDatabaseError, require_plain_sign_in
from api.foundation.jobs.runs import BACKUP, RESTORE_PROOF, last_success
from api.foundation.media.storage import new_key
from api.money.ledger_audit import service as ledger_audits
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.ledger_audit.repository.checks import CHECKS
from api.people.legal import service as legal
from api.people.users.service import profile as users_profile

ALEMBIC_INI = Path(__file__).resolve().parents[2] / "alembic.ini"
MAX_NAMED = 5
READ_ONLY = "It takes no writes: it is read-only."
MAX_BACKUP_AGE = timedelta(hours=26)
SAMPLE = b"written and removed by python -m api.console check"
MISSING = (
    (
        "owner",
        "SELECT FROM operator WHERE 'owner' = ANY (roles) AND disabled_at IS NULL "
        "AND totp_secret IS NOT NULL",
        "No owner can sign in to the back office: python -m api.console make-operator.",
    ),
    ("club", "SELECT FROM club", "There is no club: nobody can sign up."),
    ("plan", "SELECT FROM plan WHERE NOT hidden", "There is no plan on offer."),
    ("product", "SELECT FROM product WHERE NOT hidden", "The shop has no product."),
    ("season", "SELECT FROM season WHERE ends_at > now()", "There is no season now or to come."),
    (
        "questions",
        "SELECT FROM question WHERE retired_at IS NULL",
        "The question bank is empty: python -m api.console import-questions fills it.",
    ),
)


class State(StrEnum):
    """The result of a check."""

    OK = "ok"
    TODO = "todo"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    state: State
    name: str
    sentence: str


async def check(settings: Settings, _options: Namespace) -> bool:
    """Run all checks, print a line each, and return whether none fails."""
    found = [Finding(State.OK, "settings", f"They fit {settings.app_env.value}.")]
    print_finding(found[0])
    async for finding in run_checks(settings):
        print_finding(finding)
        found.append(finding)
    return all(finding.state is not State.FAIL for finding in found)


def print_finding(finding: Finding) -> None:
    """Print one line: ``ok|todo|FAIL name: sentence``."""
    print(f"{finding.state.value} {finding.name}: {finding.sentence}", flush=True)


async def run_checks(settings: Settings) -> AsyncIterator[Finding]:
    """Check the database and its contents, then the other services."""
    async with unseen_database(settings) as database:
        async for finding in _check_database(settings, database):
            yield finding
    for name, reach in (
        ("media", _reach_media),
        ("mail", _reach_mail),
        ("gateway", _reach_gateway),
    ):
        yield await _reached(name, reach, settings)


async def _check_database(settings: Settings, database: Database) -> AsyncIterator[Finding]:
    server = await _finding_of("database", _check_server(database))
    yield server
    if server.state is State.FAIL and server.sentence != READ_ONLY:
        return
    session = await _finding_of("session", _check_session(database))
    yield session
    migrated = await _finding_of("migrations", _check_migrations(database))
    yield migrated
    yield await _finding_of("role", _check_role(settings, database))
    if migrated.state is State.FAIL:
        return
    if session.state is State.OK:
        yield await _finding_of("functions", _check_functions(settings))
        yield await _finding_of("ledger", _check_ledger(database))
    yield await _finding_of("profiles", _check_profiles(settings, database))
    for name, query, sentence in MISSING:
        yield await _finding_of(name, _check_present(database, name, query, sentence))
    yield await _finding_of("legal", _check_legal(settings, database))
    yield await _finding_of("backup", _check_backups(database))


async def _finding_of(name: str, pending: Awaitable[Finding]) -> Finding:
    """Return a check's finding; a database error is a failure."""
    try:
        return await pending
    except NotOneSessionError as error:
        return Finding(State.FAIL, name, f"{error.reason}.")
    except DatabaseUnavailableError:
        return Finding(State.FAIL, name, "The database does not answer.")
    except (asyncpg.PostgresError, exc.SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        return Finding(State.FAIL, name, f"The database refuses: {reason or type(error).__name__}.")


async def _check_server(database: Database) -> Finding:
    version = int(await database.fetch_value("SHOW server_version_num"))
    if version < 150_000:
        return Finding(State.FAIL, "database", "PostgreSQL must be 15 or newer.")
    if await database.fetch_value("SHOW transaction_read_only") == "on":
        return Finding(State.FAIL, "database", READ_ONLY)
    return Finding(State.OK, "database", f"PostgreSQL {version // 10_000} answers.")


async def _check_session(database: Database) -> Finding:
    """Open a session as migrations, LISTEN and backups need it: past any pooler."""
    await (await database.connect_alone()).close(timeout=CLOSE_SECONDS)
    return Finding(State.OK, "session", "It is PostgreSQL's own.")


async def _check_present(database: Database, name: str, query: str, sentence: str) -> Finding:
    if await database.fetch_row(f"{query} LIMIT 1") is None:
        return Finding(State.TODO, name, sentence)
    return Finding(State.OK, name, "There.")


async def _check_legal(settings: Settings, database: Database) -> Finding:
    """Check that the legal pages name who runs the app; outside production the default will do."""
    if await legal.names_publisher(database):
        return Finding(State.OK, "legal", "The legal pages name who runs the app.")
    if not settings.is_production:
        return Finding(State.OK, "legal", "The legal pages name an example.")
    return Finding(
        State.TODO,
        "legal",
        "The legal pages name an example: set who runs the app in the back office's settings, "
        "or by [legal] of an opening file.",
    )


async def _check_migrations(database: Database) -> Finding:
    newest = ScriptDirectory.from_config(Config(ALEMBIC_INI)).get_current_head()
    try:
        found = await database.fetch_value("SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return Finding(State.FAIL, "migrations", "None has run: alembic upgrade head.")
    except asyncpg.PostgresError as error:
        return Finding(State.FAIL, "migrations", f"They cannot be read: {error}.")
    if found != newest:
        return Finding(
            State.FAIL,
            "migrations",
            f"The database is at {found}, this release at {newest}: alembic upgrade head.",
        )
    return Finding(State.OK, "migrations", f"At {newest}, the newest.")


async def _check_role(settings: Settings, database: Database) -> Finding:
    try:
        await require_plain_sign_in(database, settings.database_runtime_role)
    except UnsafeDatabaseError as refusal:
        state = State.FAIL if settings.is_production else State.TODO
        return Finding(state, "role", f"{refusal}.")
    return Finding(State.OK, "role", f"{settings.database_runtime_role}, and nothing more.")


async def _check_functions(settings: Settings) -> Finding:
    """Compare functions, triggers and grants with their files, and tables with the migrations."""
    sentences = await differences_at(settings.session_database_url, settings.database_runtime_role)
    if sentences:
        more = len(sentences) - MAX_NAMED
        listed = " ".join(sentences[:MAX_NAMED]) + (f" And {more} more." if more > 0 else "")
        return Finding(State.FAIL, "functions", listed)
    return Finding(State.OK, "functions", "They, grants and tables are as this release makes them.")


async def _check_ledger(database: Database) -> Finding:
    broken = await broken_invariants_in(database)
    if broken:
        return Finding(State.FAIL, "ledger", f"It fails these checks: {', '.join(broken)}.")
    last = await ledger_audits.last_proof(database)
    if last is not None and not last["ok"]:
        found = f"The last proof, at {last['at']}, found what does not add up: console prove."
        return Finding(State.FAIL, "ledger", found)
    return Finding(State.OK, "ledger", f"It balances: {len(CHECKS)} checks hold.")


async def _check_profiles(settings: Settings, database: Database) -> Finding:
    """Decrypt one sealed value per key."""
    opens = await users_profile.can_open_sealed(database, make_sealer(settings))
    if opens is None:
        return Finding(State.OK, "profiles", "No bank account and no next of kin is sealed yet.")
    if not opens:
        sentence = "Some sealed details open under neither PROFILE_KEY nor PROFILE_KEY_BEFORE."
        return Finding(State.FAIL, "profiles", sentence)
    return Finding(State.OK, "profiles", "Sealed details open.")


async def _check_backups(database: Database) -> Finding:
    """Check that a backup was taken and tested in the last night."""
    for kind, done in ((BACKUP, "taken"), (RESTORE_PROOF, "restored for a proof")):
        last = await last_success(database, kind, clock.now())
        if last is None:
            return Finding(
                State.TODO, "backup", f"No backup was {done} yet: python -m api.app.backup."
            )
        if clock.now() - last.started_at > MAX_BACKUP_AGE:
            when = f"{last.started_at.astimezone(clock.LAGOS):%Y-%m-%d %H:%M}"
            return Finding(State.TODO, "backup", f"The last backup was {done} at {when}.")
    return Finding(State.OK, "backup", "Taken and proven within the last 26 hours.")


async def _reached(
    name: str, reach: Callable[[Settings], Awaitable[str]], settings: Settings
) -> Finding:
    try:
        return Finding(State.OK, name, await reach(settings))
    except Exception as error:  # any failure: the other checks continue
        cause = error.__cause__ or error
        return Finding(State.FAIL, name, f"It cannot be reached: {type(cause).__name__}: {cause}.")


async def _reach_media(settings: Settings) -> str:
    store = make_media_store(settings)
    key = new_key("shop", "webp")
    try:
        await store.put(key, io.BytesIO(SAMPLE))
        found = await store.describe(key)
        await store.delete([key])
    finally:
        await store.aclose()
    if found.size_bytes != len(SAMPLE):
        raise OSError("an object came back in another size")
    where = settings.var_dir if settings.s3_bucket is None else settings.s3_bucket
    return f"An object was written to {where}, found and removed."


async def _reach_mail(settings: Settings) -> str:
    await make_mailer(settings).reach()
    if settings.smtp_url is None:
        return "Mail is written to the outbox, not sent."
    return "The mail server takes our sign-in."


async def _reach_gateway(settings: Settings) -> str:
    real = settings.model_copy(
        update={"payment_gateways": tuple(g for g in settings.gateways if not g.is_sandbox)}
    )
    if not real.payment_gateways:
        return "Payments are imitated."
    gateways = make_gateways(real, None)
    try:
        for gateway in gateways:
            await gateway.verify(f"check{new_id().hex}")
    finally:
        for gateway in gateways:
            await gateway.aclose()
    names = " and ".join(gateway.name for gateway in gateways)
    return (
        f"{names} answer with our keys." if len(gateways) > 1 else f"{names} answers with our key."
    )
