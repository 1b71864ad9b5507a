"""The environment of the test: a database and an application on it."""

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core import clock
from api.foundation.core.config import Environment, Settings
from api.foundation.database import lanes
from api.main import create_app
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import create_async_engine

from tests.databases import migrated_cluster
from tests.endurance.credits.matrix import Cell, check_all
from tests.endurance.credits.playing import Place, play_all
from tests.waiting import DEADLINE_SECONDS

AHEAD = timedelta(days=30)  # PostgreSQL's own clock is never within these days


@contextmanager
def quick_postgres() -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """Run a migrated server without durability; yield it and its folder."""
    with tempfile.TemporaryDirectory(prefix="kof-credits-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        place, template = folder / "postgres", migrated_cluster()
        with EmbeddedPostgres(place, throwaway=True, template=template) as server:
            yield server, folder


def make_app(url: str, folder: Path) -> FastAPI:
    """Return the application on a database, without background jobs."""
    settings = Settings(
        app_env=Environment.TEST,
        database_url=url,
        var_dir=folder,
        web_dist=folder / "dist",
        log_level="ERROR",
    )
    return create_app(settings)


@asynccontextmanager
async def opened(app: FastAPI, url: str) -> AsyncIterator[Place]:
    """Yield an application environment that queues twenty calls instead of refusing any."""
    first_day = clock.midnight(clock.lagos_day(clock.now())) + AHEAD
    place = Place(app, create_async_engine(url), first_day)
    try:
        with patch.object(lanes, "MAX_WAIT_SECONDS", DEADLINE_SECONDS):
            yield place
    finally:
        await app.state.services.database.close()
        await place.owner.dispose()


async def prove(
    app: FastAPI, url: str, matrix: Sequence[Cell], sequences: int, seed: int, first: int = 0
) -> Place:
    """Check cells of the matrix, then play sequences from number ``first`` on.

    Raises:
        AssertionError: product and model disagree, or too little happened.
    """
    async with opened(app, url) as place:
        await check_all(place, matrix)
        await play_all(place, sequences, seed, first)
    return place
