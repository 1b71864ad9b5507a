"""A separate PostgreSQL for long runs, durable as in production."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.foundation.security.tokens import TokenCodec

from tests.databases import migrated_cluster

CLUB = UUID("00000000-0000-7000-8000-00000000000a")


@contextmanager
def durable_postgres() -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """Run a migrated server that flushes every commit; yield it and its folder."""
    with tempfile.TemporaryDirectory(prefix="kof-endurance-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with EmbeddedPostgres(folder / "postgres", template=migrated_cluster()) as server:
            yield server, folder


async def add_club(database: Database) -> None:
    """Insert the club of all members."""
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO club (id, name, colour_a, colour_b) "
            "VALUES ($1, 'Enyimba', '#0B4EA2', '#FFFFFF')",
            CLUB,
        )


async def add_members(database: Database, count: int, *, with_club: bool = True) -> list[UUID]:
    """Insert ``count`` activated members and return their ids."""
    ids = [new_id() for _ in range(count)]
    if with_club:
        await add_club(database)
    async with database.transaction() as tx:
        for number, one in enumerate(ids):
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'A', 'B', $3, $4, now(), now())",
                one,
                CLUB,
                f"{one}@example.com",
                f"+23480{number:08d}",
            )
    return ids


async def open_sessions(
    database: Database, members: list[UUID], *, codec: TokenCodec | None = None
) -> list[str]:
    """Sign the members in; return their tokens."""
    codec = codec or TokenCodec(Settings().token_key.get_secret_value())
    tokens = []
    async with database.transaction() as tx:
        for member in members:
            session_id = new_id()
            await tx.execute(
                "INSERT INTO session (id, user_id, expires_at) "
                "VALUES ($1, $2, now() + interval '1 day')",
                session_id,
                member,
            )
            tokens.append(codec.issue(member, session_id, clock.now()))
    return tokens
