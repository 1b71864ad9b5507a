"""A backup is restored unchanged; a damaged one is reported and not restored."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from api.app.adapters.media_local import LocalMedia
from api.app.backup.errors import BackupError
from api.app.backup.folder import StoredBackup
from api.app.backup.programs import find_program
from api.app.backup.proving import SUFFIX, prove
from api.app.backup.restoring import require_whole, restore_database, restore_media
from api.app.backup.sealing import Seal
from api.app.backup.taking import connected, contents
from api.app.schema.compare import differences_at
from api.dev.postgres.embedded import EmbeddedPostgres
from api.money.ledger_audit.repository.checks import CHECKS

from tests.app.backup.conftest import PERSON, SECRET, TARGET, backed_up, endless_dump
from tests.conftest import RunningApp
from tests.preloaded import PreloadedPopen

Used = tuple[RunningApp, LocalMedia]
CopyOf = Callable[[str | None], Path]
ROLE = "fans_runtime"
MEMBERS = "SELECT id, last_name, email FROM user_account ORDER BY id"


def flip(path: Path, place: int = -1) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


async def restore(place: Path, url: str, secret: str | None = None) -> StoredBackup:
    backup = StoredBackup(place, Seal(secret))
    require_whole(backup)
    await restore_database(backup, url, runtime_role=ROLE)
    return backup


async def is_empty(url: str) -> bool:
    async with connected(url) as connection:
        return not await connection.fetchval(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        )


@pytest.mark.parametrize("secret", [None, SECRET])
async def test_everything_comes_back_the_same(
    used: Used, target: str, tmp_path: Path, secret: str | None
) -> None:
    app, _ = used
    await backed_up(used, tmp_path / "b", secret)

    backup = await restore(tmp_path / "b", target, secret)
    elsewhere = LocalMedia(tmp_path / "elsewhere")
    sentences = await restore_media(backup, elsewhere)

    async with connected(target) as new, connected(app.settings.database_url) as old:
        assert await contents(new) == await contents(old)
        assert await new.fetch(MEMBERS) == await old.fetch(MEMBERS)
    assert await differences_at(target, ROLE) == []
    assert sentences == []
    for medium in backup.media():
        found, here = (tmp_path / name / medium.key for name in ("media", "elsewhere"))
        assert found.read_bytes() == here.read_bytes()
    assert len(backup.media()) == 2


def test_an_encrypted_backup_reveals_nothing(copy_of: CopyOf) -> None:
    place = copy_of(SECRET)

    for path in place.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert PERSON.encode() not in content
            assert b"PGDMP" not in content
    for secret, said in (
        (None, "is encrypted: set BACKUP_KEY"),
        ("another key of thirty-two bytes..", "BACKUP_KEY is not its key"),
    ):
        with pytest.raises(BackupError, match=said):
            StoredBackup(place, Seal(secret))


def test_a_key_takes_no_backup_that_is_not_encrypted(copy_of: CopyOf) -> None:
    place = copy_of(None)

    with pytest.raises(BackupError, match="is not encrypted, and BACKUP_KEY is set"):
        StoredBackup(place, Seal(SECRET))


@pytest.mark.parametrize("secret", [None, SECRET])
@pytest.mark.parametrize(
    ("name", "place"),
    [("database.dump", 200), ("database.dump", -1), ("media.json", -2), ("manifest.json", 5)],
)
async def test_a_flipped_bit_is_named_and_nothing_is_restored(
    copy_of: CopyOf, target: str, secret: str | None, name: str, place: int
) -> None:
    folder = copy_of(secret)
    flip(folder / name, place)

    with pytest.raises(BackupError, match=f"^{name} is damaged"):
        await restore(folder, target, secret)
    assert await is_empty(target)


@pytest.mark.parametrize("secret", [None, SECRET])
def test_a_manifest_that_was_rewritten_is_refused(copy_of: CopyOf, secret: str | None) -> None:
    place = copy_of(secret)
    manifest = place / "manifest.json"
    facts = json.loads(manifest.read_bytes())
    manifest.write_text(json.dumps({**facts, "held_kobo": 0}))

    with pytest.raises(BackupError, match=r"^manifest\.json is damaged"):
        StoredBackup(place, Seal(secret))


@pytest.mark.parametrize("secret", [None, SECRET])
async def test_damaged_and_missing_media_are_named_and_the_others_put_back(
    copy_of: CopyOf, tmp_path: Path, secret: str | None
) -> None:
    backup = StoredBackup(copy_of(secret), Seal(secret))
    first, second = (medium.key for medium in backup.media())
    flip(tmp_path / "b" / "media" / first)

    with_damage = await restore_media(backup, LocalMedia(tmp_path / "one"))
    (tmp_path / "b" / "media" / first).unlink()
    with_a_gap = await restore_media(backup, LocalMedia(tmp_path / "other"))

    assert [sentence.split(" is damaged")[0] for sentence in with_damage] == [f"media/{first}"]
    assert with_a_gap == [f"media/{first} is missing."]
    for folder in ("one", "other"):
        assert not (tmp_path / folder / first).exists()
        assert (tmp_path / folder / second).exists()


async def test_listed_media_are_compared_with_the_store(used: Used, tmp_path: Path) -> None:
    backup = await backed_up(used, tmp_path / "b", copies=False)
    _, store = used
    first, second = (medium.key for medium in backup.media())
    assert await restore_media(backup, store) == []
    (tmp_path / "media" / first).unlink()
    flip(tmp_path / "media" / second)

    assert await restore_media(backup, store) == [
        f"{first} is missing in the media store.",
        f"{second} is another one in the media store.",
    ]


async def test_a_database_with_anything_in_it_is_refused(
    copy_of: CopyOf, target: str, postgres: EmbeddedPostgres
) -> None:
    postgres.run_sql("CREATE SCHEMA theirs CREATE TABLE notes (note text)", TARGET)

    with pytest.raises(BackupError, match="The database is not empty"):
        await restore(copy_of(None), target)
    assert await is_empty(target)


async def test_a_backup_of_a_newer_release_is_refused(
    used: Used, target: str, tmp_path: Path
) -> None:
    app, _ = used
    async with connected(app.settings.database_url) as owner:
        head = await owner.fetchval("SELECT version_num FROM alembic_version")
        await owner.execute("UPDATE alembic_version SET version_num = '29991231_2359'")
        try:
            await backed_up(used, tmp_path / "b")
        finally:
            await owner.execute("UPDATE alembic_version SET version_num = $1", head)

    with pytest.raises(BackupError, match="does not know the migration 29991231_2359"):
        await restore(tmp_path / "b", target)
    assert await is_empty(target)


async def test_nothing_is_overwritten_and_two_at_once_are_one(used: Used, tmp_path: Path) -> None:
    await backed_up(used, tmp_path / "first")
    before = (tmp_path / "first" / "manifest.json").read_bytes()

    with pytest.raises(BackupError, match="is there already"):
        await backed_up(used, tmp_path / "first")
    outcomes = await asyncio.gather(
        backed_up(used, tmp_path / "one"), backed_up(used, tmp_path / "two"), return_exceptions=True
    )

    assert (tmp_path / "first" / "manifest.json").read_bytes() == before
    (refused,) = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refused, BackupError)
    assert "Another backup is being written" in str(refused)
    assert len([name for name in ("one", "two") if (tmp_path / name).exists()]) == 1


async def test_what_was_killed_half_way_is_no_backup_and_is_swept_by_the_next(
    used: Used, tmp_path: Path
) -> None:
    app, _ = used
    path = endless_dump(tmp_path)
    killed = PreloadedPopen(
        [sys.executable, "-m", "api.console", "backup", "--to", str(tmp_path / "b" / "half")],
        env={
            "PATH": f"{path}:{os.environ['PATH']}",
            "DATABASE_URL": app.settings.database_url,
            "VAR_DIR": str(tmp_path / "var"),
        },
        start_new_session=True,
    )
    while not list((tmp_path / "b").glob(".unfinished-*/database.dump")):
        assert killed.poll() is None
        await asyncio.sleep(0.05)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()

    assert not (tmp_path / "b" / "half").exists()
    (left,) = (tmp_path / "b").glob(".unfinished-*")
    with pytest.raises(BackupError, match="a half one: it has no manifest"):
        StoredBackup(left, Seal(None))
    await backed_up(used, tmp_path / "b" / "whole")
    assert [path.name for path in (tmp_path / "b").iterdir() if path.is_dir()] == ["whole"]


async def test_a_dump_that_fails_leaves_nothing(used: Used, tmp_path: Path) -> None:
    app, _ = used
    async with connected(app.settings.database_url) as owner:
        await owner.execute("ALTER TABLE alembic_version RENAME TO alembic_was")
        try:
            with pytest.raises(BackupError, match="no tables of ours"):
                await backed_up(used, tmp_path / "b" / "one")
        finally:
            await owner.execute("ALTER TABLE alembic_was RENAME TO alembic_version")

    assert [path.name for path in (tmp_path / "b").iterdir()] == [".lock"]


async def test_a_program_older_than_the_server_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "pg_dump"
    old.write_text('#!/bin/sh\necho "pg_dump (PostgreSQL) 14.1"\n')
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert find_program("pg_dump", 15) != str(old)
    assert find_program("pg_dump", 14) == str(old)
    with pytest.raises(BackupError, match="pg_dump is 14"):
        find_program("pg_dump", 99)


async def test_a_proof_says_what_it_found_and_leaves_no_database(
    used: Used, tmp_path: Path, postgres: EmbeddedPostgres
) -> None:
    app, _ = used
    backup = await backed_up(used, tmp_path / "b", SECRET)

    sentence = await prove(backup, app.settings.database_url)

    assert sentence.startswith("b was restored and migrated: ")
    assert f"1 transfers, {len(CHECKS)} checks of the ledger hold; 2 media are whole." in sentence
    flip(tmp_path / "b" / "database.dump", 300)
    with pytest.raises(BackupError, match=r"^database\.dump is damaged"):
        await prove(backup, app.settings.database_url)
    left = f"SELECT count(*) FROM pg_database WHERE datname LIKE '%{SUFFIX}'"
    assert postgres.run_sql(left).strip() == "0"


async def test_a_ledger_that_does_not_hold_is_no_proof(used: Used, tmp_path: Path) -> None:
    app, _ = used
    async with connected(app.settings.database_url) as owner, owner.transaction():
        await owner.execute("SET LOCAL session_replication_role = replica")
        await owner.execute(
            "UPDATE ledger_account SET balance_kobo = balance_kobo + 1 WHERE type = 'wallet'"
        )
    backup = await backed_up(used, tmp_path / "b")

    with pytest.raises(BackupError, match="fails these checks: sum_zero, wallet_cache"):
        await prove(backup, app.settings.database_url)
