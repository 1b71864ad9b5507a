"""Differences between a database and its files are reported, and repaired by migrating."""

import asyncio
from collections.abc import Iterator

import asyncpg
import pytest
from alembic import command
from api.app.schema.compare import differences_at
from api.dev.migrations import alembic_config, upgrade
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings

from tests.databases import copy_migrated

DATABASE = "compared"
ROLE = Settings.model_fields["database_runtime_role"].default

SABOTAGE = [
    (
        "DROP TRIGGER append_only ON ledger_transfer",
        "The trigger ledger_transfer.append_only is missing in the database.",
    ),
    (
        "ALTER TABLE point_entry DISABLE TRIGGER append_only",
        "The trigger point_entry.append_only was changed in the database.",
    ),
    (
        "CREATE OR REPLACE FUNCTION hold_member(p_user uuid) RETURNS boolean LANGUAGE sql "
        "AS 'SELECT true'",
        "The function hold_member was changed in the database.",
    ),
    (
        "GRANT EXECUTE ON FUNCTION lock_wallet TO PUBLIC",
        "The function lock_wallet was changed in the database.",
    ),
    ("DROP FUNCTION fold_points", "The function fold_points is missing in the database."),
    (
        "GRANT INSERT ON ledger_transfer TO fans_runtime",
        "fans_runtime may INSERT on ledger_transfer, and no file grants it.",
    ),
    (
        "GRANT UPDATE (points) ON point_entry TO PUBLIC",
        "fans_runtime may UPDATE (points) on point_entry, and no file grants it.",
    ),
    (
        "REVOKE SELECT ON club FROM fans_runtime",
        "fans_runtime may not SELECT on club, and a file grants it.",
    ),
]


@pytest.fixture
def url(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The address of a migrated database whose damage is kept."""
    yield copy_migrated(postgres, DATABASE)
    postgres.run_sql(f"DROP DATABASE {DATABASE}")


def differences(url: str) -> list[str]:
    return asyncio.run(differences_at(url, ROLE))


def test_a_migrated_database_is_as_its_files_say(url: str) -> None:
    assert differences(url) == []


def test_what_was_done_to_a_database_is_told_and_mended(
    postgres: EmbeddedPostgres, url: str
) -> None:
    for statement, sentence in SABOTAGE:
        postgres.run_sql(statement, DATABASE)
        sentences = differences(url)
        upgrade(url)

        assert sentences == [sentence]
        assert differences(url) == []


def test_what_no_file_makes_is_told(postgres: EmbeddedPostgres, url: str) -> None:
    postgres.run_sql("CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS 'SELECT 1'", DATABASE)
    postgres.run_sql("ALTER TABLE club ADD CONSTRAINT extra CHECK (name <> '')", DATABASE)
    postgres.run_sql(
        "ALTER TABLE product_variant DROP CONSTRAINT ck_product_variant_no_oversell", DATABASE
    )

    assert differences(url) == [
        "The function extra is in the database and in no file.",
        "The check club.extra is in the database and in no migration.",
        "The check product_variant.ck_product_variant_no_oversell is missing in the database.",
    ]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "ALTER TABLE session DROP CONSTRAINT fk_session_user_id_user_account",
            "The constraint session.fk_session_user_id_user_account is missing in the database.",
        ),
        (
            "ALTER TABLE product ALTER COLUMN description DROP NOT NULL",
            "The column product.description was changed in the database.",
        ),
        (
            "ALTER TABLE club ALTER COLUMN created_at SET DEFAULT '2020-01-01'",
            "The column club.created_at was changed in the database.",
        ),
        (
            "DROP INDEX ix_user_account_club_id",
            "The index user_account.ix_user_account_club_id is missing in the database.",
        ),
        (
            "CREATE RULE away AS ON DELETE TO session DO INSTEAD NOTHING",
            "The rule session.away is in the database and in no migration.",
        ),
        (
            "ALTER TABLE club ADD COLUMN motto text",
            "The column club.motto is in the database and in no migration.",
        ),
    ],
)
def test_what_was_done_to_the_tables_is_told_also_after_the_next_upgrade(
    postgres: EmbeddedPostgres, url: str, statement: str, sentence: str
) -> None:
    postgres.run_sql(statement, DATABASE)
    sentences = differences(url)
    upgrade(url)

    assert sentences == [sentence]
    assert differences(url) == [sentence]


def test_a_dropped_unique_constraint_is_told_with_its_index(
    postgres: EmbeddedPostgres, url: str
) -> None:
    postgres.run_sql("ALTER TABLE funding DROP CONSTRAINT uq_funding_reference", DATABASE)

    assert differences(url) == [
        "The constraint funding.uq_funding_reference is missing in the database.",
        "The index funding.uq_funding_reference is missing in the database.",
    ]


def test_who_may_become_the_owner_or_what_the_running_role_may_become_is_told(
    postgres: EmbeddedPostgres, url: str
) -> None:
    postgres.run_sql("CREATE ROLE compared_owner; CREATE ROLE compared_clerk LOGIN")
    postgres.run_sql("ALTER TABLE club OWNER TO compared_owner", DATABASE)
    try:
        postgres.run_sql("GRANT compared_owner TO compared_clerk")
        postgres.run_sql(f"GRANT pg_monitor TO {ROLE}")
        sentences = differences(url)
    finally:
        postgres.run_sql(f"REVOKE pg_monitor FROM {ROLE}")
        postgres.run_sql("ALTER TABLE club OWNER TO CURRENT_USER", DATABASE)
        postgres.run_sql("DROP ROLE compared_clerk; DROP ROLE compared_owner")

    assert sentences == [
        "compared_clerk is a member of compared_owner, and should not be.",
        f"{ROLE} is a member of pg_monitor, and should not be.",
    ]


def test_what_has_no_file_any_more_is_dropped(postgres: EmbeddedPostgres, url: str) -> None:
    postgres.run_sql(
        "CREATE FUNCTION before() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$",
        DATABASE,
    )
    postgres.run_sql(
        "CREATE TRIGGER before BEFORE UPDATE ON club EXECUTE FUNCTION before()", DATABASE
    )
    for kind, name in (("function", "before"), ("trigger", "club.before")):
        postgres.run_sql(
            "INSERT INTO database_objects (kind, name, digest, found) "
            f"VALUES ('{kind}', '{name}', '', '')",
            DATABASE,
        )

    upgrade(url)

    assert differences(url) == []
    names = "SELECT count(*) FROM database_objects WHERE name LIKE '%before'"
    assert postgres.run_sql(names, DATABASE).strip() == "0"


def test_a_function_with_other_arguments_takes_the_place_of_the_one_before(
    postgres: EmbeddedPostgres, url: str
) -> None:
    postgres.run_sql("DROP FUNCTION badge_of", DATABASE)
    postgres.run_sql(
        "CREATE FUNCTION badge_of(text) RETURNS int LANGUAGE sql AS 'SELECT 1'", DATABASE
    )

    upgrade(url)

    assert differences(url) == []


def test_migrating_again_changes_nothing(postgres: EmbeddedPostgres, url: str) -> None:
    query = "SELECT max(applied_at), count(*) FROM database_objects"
    before = postgres.run_sql(query, DATABASE)

    upgrade(url)

    assert postgres.run_sql(query, DATABASE) == before


def test_a_migration_that_waits_for_a_table_gives_up_and_leaves_everything(
    postgres: EmbeddedPostgres,
) -> None:
    postgres.ensure_database(DATABASE)
    where = postgres.url(DATABASE)
    command.upgrade(alembic_config(where), "20261123_0100")
    try:
        asyncio.run(migrate_while_a_member_writes(where))
    finally:
        postgres.run_sql(f"DROP DATABASE {DATABASE}")


async def migrate_while_a_member_writes(url: str) -> None:
    member = await asyncpg.connect(url.replace("+asyncpg", ""))
    async with member.transaction():
        await member.execute("LOCK TABLE rate_limit IN ROW EXCLUSIVE MODE")
        with pytest.raises(Exception, match="lock timeout"):
            await asyncio.wait_for(asyncio.to_thread(upgrade, url), 30)
        version = await member.fetchval("SELECT version_num FROM alembic_version")
        indexes = await member.fetchval("SELECT to_regclass('ix_idempotency_key_created_at')")
    await member.close()

    assert version == "20261123_0100"
    assert indexes is None
