"""``python -m api.console check`` reports problems and changes nothing."""

import re
from argparse import Namespace
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from api.backoffice.oversight.service.settings import set_publisher
from api.console.check import ALEMBIC_INI, check
from api.console.opened import open_database
from api.dev.migrations import upgrade
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.config import Environment, Settings
from api.foundation.database.connections import BEHIND_A_POOLER, DIRECT_BEHIND_A_POOLER
from api.foundation.jobs.runs import BACKUP, RESTORE_PROOF, Run, record_run
from api.foundation.office_settings.schemas import Publisher
from api.foundation.security.sealing import Sealer
from api.people.legal.service import DEFAULT_PUBLISHER
from pydantic import SecretStr
from sqlalchemy.engine import make_url

from tests.conftest import RunningApp
from tests.console.command_line import run
from tests.databases import copy_migrated
from tests.transaction_pooler import transaction_pooler

NAME = "checked"
FINDING = re.compile(r"(ok|todo|FAIL) (\w+): (.+)")


@pytest.fixture(scope="module")
def checked_database(postgres: EmbeddedPostgres) -> str:
    """A separate migrated database, for damage that must not affect other tests."""
    return copy_migrated(postgres, NAME)


@pytest.fixture
def fresh(
    postgres: EmbeddedPostgres, settings: Settings, checked_database: str
) -> Iterator[Settings]:
    """Settings of that database, which is restored to its migrated state."""
    yield settings.model_copy(update={"database_url": checked_database})
    postgres.run_sql("DROP TABLE IF EXISTS alembic_was", NAME)
    upgrade(checked_database)


async def checked(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> tuple[bool, dict[str, tuple[str, str]]]:
    """Run the check; return whether it passed, and state and sentence by name."""
    capsys.readouterr()
    passed = await check(settings, Namespace())
    found = {}
    for line in capsys.readouterr().out.splitlines():
        finding = FINDING.fullmatch(line)
        if finding is not None:  # else a line of the application's log, which has another stream
            state, name, sentence = finding.groups()
            found[name] = (state, sentence)
    return passed, found


async def test_an_empty_migrated_database_fails_nothing_and_says_what_is_to_do(
    fresh: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    passed, found = await checked(fresh, capsys)

    assert passed
    assert {name: state for name, (state, _) in found.items()} == {
        "settings": "ok",
        "database": "ok",
        "session": "ok",
        "migrations": "ok",
        "role": "todo",  # tests sign in as a superuser, which only production rejects
        "functions": "ok",
        "ledger": "ok",
        "profiles": "ok",
        "owner": "todo",
        "club": "todo",
        "plan": "todo",
        "product": "todo",
        "season": "todo",
        "questions": "todo",
        "legal": "ok",
        "backup": "todo",
        "media": "ok",
        "mail": "ok",
        "gateway": "ok",
    }


async def test_in_production_the_legal_pages_must_name_who_runs_the_app(
    fresh: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    production = fresh.model_copy(update={"app_env": Environment.PRODUCTION})

    _, before = await checked(production, capsys)
    async with open_database(fresh) as database, database.transaction() as tx:
        await set_publisher(tx, Publisher.model_validate(vars(DEFAULT_PUBLISHER)))
    _, after = await checked(production, capsys)
    async with open_database(fresh) as database, database.transaction() as tx:
        await tx.execute("UPDATE office_setting SET legal = NULL")

    assert before["legal"][0] == "todo"
    assert "[legal]" in before["legal"][1]
    assert after["legal"] == ("ok", "The legal pages name who runs the app.")


async def test_what_is_there_is_not_asked_for(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    await app.member("ada")
    await app.stock_product()
    await app.open_season()
    await app.add_questions(1)

    _, found = await checked(app.settings, capsys)

    states = {name: found[name][0] for name in ("club", "product", "season", "questions")}
    assert set(states.values()) == {"ok"}


@pytest.mark.parametrize(
    ("sabotage", "name", "sentence"),
    [
        ("DROP TRIGGER append_only ON ledger_transfer", "functions", "is missing"),
        ("GRANT INSERT ON ledger_transfer TO fans_runtime", "functions", "no file grants it"),
        (
            "CREATE OR REPLACE FUNCTION badge_of(point int, season uuid) RETURNS text "
            "LANGUAGE sql AS 'SELECT NULL::text'",
            "functions",
            "badge_of",
        ),
        (
            "SET session_replication_role = replica; "
            "INSERT INTO ledger_account (id, type, owner_id, balance_kobo) "
            "VALUES (gen_random_uuid(), 'wallet', gen_random_uuid(), 1)",
            "ledger",
            "sum_zero, wallet_cache",
        ),
        (
            "CREATE RULE away AS ON DELETE TO session DO INSTEAD NOTHING",
            "functions",
            "The rule session.away is in the database and in no migration.",
        ),
        ("GRANT pg_monitor TO fans_runtime", "functions", "fans_runtime is a member of pg_monitor"),
        ("UPDATE alembic_version SET version_num = 'older'", "migrations", "alembic upgrade head"),
        ("ALTER TABLE alembic_version RENAME TO alembic_was", "migrations", "None has run"),
    ],
)
async def test_each_fault_is_named(
    postgres: EmbeddedPostgres,
    fresh: Settings,
    capsys: pytest.CaptureFixture[str],
    sabotage: str,
    name: str,
    sentence: str,
) -> None:
    postgres.run_sql(sabotage, NAME)
    try:
        passed, found = await checked(fresh, capsys)
    finally:
        repair(postgres, sabotage)

    assert not passed
    assert found[name][0] == "FAIL"
    assert sentence in found[name][1]


def repair(postgres: EmbeddedPostgres, sabotage: str) -> None:
    """Undo damage that the next upgrade does not repair."""
    if "ledger_account" in sabotage:
        take_back = "SET session_replication_role = replica; DELETE FROM ledger_account"
        postgres.run_sql(f"{take_back} WHERE type = 'wallet'", NAME)
    if "CREATE RULE" in sabotage:
        postgres.run_sql("DROP RULE away ON session", NAME)
    if "pg_monitor" in sabotage:
        postgres.run_sql("REVOKE pg_monitor FROM fans_runtime", NAME)
    if "RENAME" in sabotage:
        postgres.run_sql("ALTER TABLE alembic_was RENAME TO alembic_version", NAME)
    if "version_num" in sabotage:
        postgres.run_sql(f"UPDATE alembic_version SET version_num = '{newest()}'", NAME)


def newest() -> str:
    head = ScriptDirectory.from_config(Config(ALEMBIC_INI)).get_current_head()
    assert head is not None
    return head


async def test_services_that_are_away_are_named_and_the_rest_is_looked_at(
    settings: Settings, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "no-folder"
    file.touch()
    away = settings.model_copy(
        update={
            "database_url": "postgresql://nobody@127.0.0.1:1/none",
            "smtp_url": SecretStr("smtp://127.0.0.1:1"),
            "payment_gateway": "paystack",
            "paystack_base_url": "http://127.0.0.1:1",
            "var_dir": file,
        }
    )

    passed, found = await checked(away, capsys)

    assert not passed
    assert {name for name, (state, _) in found.items() if state == "FAIL"} == {
        "database",
        "media",
        "mail",
        "gateway",
    }


@pytest.mark.usefixtures("_empty_tables")
async def test_a_direct_address_through_a_pooler_is_one_finding_and_the_rest_is_looked_at(
    plain_settings: Settings, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    url = plain_settings.database_url
    async with transaction_pooler(url, tmp_path) as (pooled, _):
        direct_too = {"database_url": pooled, "database_direct_url": pooled.replace("+asyncpg", "")}
        _, unnamed = await checked(
            plain_settings.model_copy(update={"database_url": pooled}), capsys
        )
        passed, found = await checked(plain_settings.model_copy(update=direct_too), capsys)
        named = {"database_url": pooled, "database_direct_url": url}
        _, rightly = await checked(plain_settings.model_copy(update=named), capsys)

    assert unnamed["database"] == ("FAIL", f"{BEHIND_A_POOLER}.")
    assert unnamed["media"][0] == "ok"
    assert not passed
    assert [name for name, (state, _) in found.items() if state == "FAIL"] == ["session"]
    assert found["session"][1] == f"{DIRECT_BEHIND_A_POOLER}."
    assert {"migrations", "role", "profiles", "owner", "backup", "gateway"} <= found.keys()
    assert not {"functions", "ledger"} & found.keys()
    assert {rightly[name][0] for name in ("session", "functions", "ledger")} == {"ok"}


async def test_a_login_that_is_refused_is_a_finding(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    url = make_url(settings.database_url).set(database="nowhere")
    nowhere = {"database_url": url.render_as_string(hide_password=False)}

    passed, found = await checked(settings.model_copy(update=nowhere), capsys)

    assert not passed
    assert found["database"] == (
        "FAIL",
        'The database refuses: database "nowhere" does not exist.',
    )
    assert found["media"][0] == "ok"


async def test_sealed_details_of_another_key_fail(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, bisi = await app.member("ada"), await app.member("bisi")
    before, now, other = (f"a profile key of thirty-two bytes, {word}" for word in "abc")
    sealed = [(ada, Sealer(before)), (bisi, Sealer(now))]
    for member, sealer in sealed:
        async with app.database.transaction() as tx:
            await tx.execute(
                "INSERT INTO private_detail (user_id, next_of_kin, changed_at) "
                "VALUES ($1, $2, now())",
                member.id,
                sealer.seal({"name": "Ngozi"}, f"{member.id}:next_of_kin"),
            )

    async def profiles(key: str, key_before: str | None = None) -> tuple[str, str]:
        keys = {"profile_key": SecretStr(key)}
        if key_before is not None:
            keys["profile_key_before"] = SecretStr(key_before)
        _, found = await checked(app.settings.model_copy(update=keys), capsys)
        return found["profiles"]

    both, one, none = await profiles(now, before), await profiles(now), await profiles(other)

    assert both == ("ok", "Sealed details open.")
    assert one == none
    assert none == (
        "FAIL",
        "Some sealed details open under neither PROFILE_KEY nor PROFILE_KEY_BEFORE.",
    )


async def test_a_backup_of_the_future_is_none_of_the_last_night(
    app: RunningApp, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in (BACKUP, RESTORE_PROOF):
        run_ahead = Run(
            kind=kind,
            subject="fans",
            started_at=clock.now() + timedelta(days=2),
            seconds=1.0,
            size_bytes=1,
            succeeded=True,
            outcome="Done.",
        )
        await record_run(app.database, run_ahead)

    _, found = await checked(app.settings, capsys)

    assert found["backup"] == ("todo", "No backup was taken yet: python -m api.app.backup.")


@pytest.mark.usefixtures("_empty_tables")
async def test_production_fails_as_the_owner_and_with_settings_that_do_not_fit(
    settings: Settings, plain_settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    _, owner = await checked(
        settings.model_copy(update={"app_env": Environment.PRODUCTION}), capsys
    )
    _, plain = await checked(plain_settings, capsys)
    unfit = await run("check", url=settings.database_url, APP_ENV="production", WORKERS="3")

    assert owner["role"][0] == "FAIL"
    assert plain["role"] == ("ok", "fans_runtime, and nothing more.")
    assert plain["functions"][0] == "ok"
    assert plain["ledger"][0] == "ok"
    assert unfit.returncode == 1
    lines = unfit.stdout.splitlines()
    assert len(lines) > 3
    assert all(line.startswith("FAIL settings: ") for line in lines)
