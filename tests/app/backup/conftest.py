"""A used database with media, and a backup of it that tests copy and damage."""

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from api.app.adapters.media_local import LocalMedia
from api.app.backup.folder import StoredBackup
from api.app.backup.sealing import Seal
from api.app.backup.taking import take_backup
from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Settings
from api.foundation.database import lanes
from api.foundation.media.storage import new_key
from api.people.clubs.service.queries import fold_sizes
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp, empty_tables, open_running_app
from tests.waiting import DEADLINE_SECONDS

SECRET = "a key of a backup, thirty-two bytes"
PERSON = "Adaeze-of-the-north-stand"
TARGET = "restored"


@pytest.fixture
async def used(app: RunningApp, tmp_path: Path) -> tuple[RunningApp, LocalMedia]:
    """An application with a member, money, a product, and two media."""
    return await use(app, tmp_path)


async def use(app: RunningApp, place: Path) -> tuple[RunningApp, LocalMedia]:
    member = await app.member("ada")
    await app.give(member, 500)
    await app.stock_product()
    async with app.database.transaction() as tx:
        await tx.execute("UPDATE user_account SET last_name = $1", PERSON)
    while not await fold_sizes(app.database):  # otherwise it happens while a test compares
        pass
    store = LocalMedia(place / "media")
    for folder, content in (("avatars", PERSON.encode()), ("shop", b"a scarf" * 100_000)):
        await store.put(new_key(folder, "webp"), io.BytesIO(content))
    return app, store


async def backed_up(
    used: tuple[RunningApp, LocalMedia],
    place: Path,
    secret: str | None = None,
    *,
    copies: bool = True,
) -> StoredBackup:
    app, store = used
    url = app.settings.database_url
    return await take_backup(url, store, place, Seal(secret), copies_media=copies)


@pytest.fixture(scope="session")
async def originals(
    settings: Settings, owner: AsyncEngine, tmp_path_factory: pytest.TempPathFactory
) -> dict[str | None, Path]:
    """Backups of an application with data, by secret; tests must not change them."""
    folder = tmp_path_factory.mktemp("originals")
    places = {None: folder / "plain", SECRET: folder / "encrypted"}
    await empty_tables(owner)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lanes, "MAX_WAIT_SECONDS", DEADLINE_SECONDS)  # as in every test
        async with open_running_app(settings) as app:
            used = await use(app, folder)
            for secret, place in places.items():
                await backed_up(used, place, secret)
    return places


@pytest.fixture
def copy_of(originals: dict[str | None, Path], tmp_path: Path) -> Callable[[str | None], Path]:
    """Copy the backup with a secret to ``b``, for a test that damages it."""
    return lambda secret: shutil.copytree(originals[secret], tmp_path / "b")


@pytest.fixture
def target(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The address of an empty database."""
    postgres.run_sql(f"DROP DATABASE IF EXISTS {TARGET} WITH (FORCE)")
    postgres.ensure_database(TARGET)
    yield postgres.url(TARGET)
    postgres.run_sql(f"DROP DATABASE IF EXISTS {TARGET} WITH (FORCE)")


def endless_dump(folder: Path) -> Path:
    """Return a folder for PATH with a ``pg_dump`` that never ends."""
    program = folder / "bin" / "pg_dump"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 18.0" && exit\n'
        "echo half; exec sleep 600\n"
    )
    program.chmod(0o755)
    return program.parent
