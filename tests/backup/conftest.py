"""A used database with media, and one backup of it that tests copy and damage."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from api.adapters.media_local import LocalMedia
from api.backup.folder import StoredBackup
from api.backup.sealing import Seal
from api.backup.taking import take_backup
from api.clubs.service import fold_sizes
from api.dev.postgres import EmbeddedPostgres
from api.media.storage import new_key

from tests.conftest import House

SECRET = "a key of a backup, thirty-two bytes"
PERSON = "Adaeze-of-the-north-stand"
TARGET = "restored"


@pytest.fixture
async def used(house: House, tmp_path: Path) -> tuple[House, LocalMedia]:
    """A house with a member, money, a product, and two media."""
    member = await house.member("ada")
    await house.give(member, 500)
    await house.stock_product()
    async with house.database.transaction() as tx:
        await tx.execute("UPDATE user_account SET last_name = $1", PERSON)
    while not await fold_sizes(house.database):  # or it happens while a test compares
        pass
    store = LocalMedia(tmp_path / "media")
    for folder, content in (("avatars", PERSON.encode()), ("shop", b"a scarf" * 100_000)):
        await store.put(new_key(folder, "webp"), io.BytesIO(content))
    return house, store


async def backed_up(
    used: tuple[House, LocalMedia], place: Path, secret: str | None = None, *, copies: bool = True
) -> StoredBackup:
    house, store = used
    url = house.settings.database_url
    return await take_backup(url, store, place, Seal(secret), copies_media=copies)


@pytest.fixture
def target(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The address of an empty database."""
    postgres.run_sql(f"DROP DATABASE IF EXISTS {TARGET} WITH (FORCE)")
    postgres.ensure_database(TARGET)
    yield postgres.url(TARGET)
    postgres.run_sql(f"DROP DATABASE IF EXISTS {TARGET} WITH (FORCE)")


def endless_dump(folder: Path) -> Path:
    """Return a folder for PATH with a ``pg_dump`` that begins and never ends."""
    program = folder / "bin" / "pg_dump"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 18.0" && exit\n'
        "echo half; exec sleep 600\n"
    )
    program.chmod(0o755)
    return program.parent
