"""Articles that members can read, and those scheduled for today."""

import asyncio
from datetime import datetime
from uuid import UUID

from api.community.news import repository, rules
from api.community.news.repository import PublishedArticle, ReadableArticle
from api.community.news.schemas import NewsArticle, NewsRow
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.foundation.media.storage import picture_url


async def list_news(
    database: Database, club_id: UUID, now: datetime, *, before: str | None, limit: int
) -> list[NewsRow]:
    """Return published articles for all clubs and one club, newest first, older than ``before``.

    ``before`` is a slug.

    Raises:
        NotFoundError: ``before`` is not a readable article.
    """
    since = None
    if before is not None:
        row = await repository.read_published(database, before, club_id, now)
        if row is None:
            raise NotFoundError
        since = (row.publish_at, row.id)
    rows = await repository.list_published(database, club_id, now, since, limit)
    return [_row(row) for row in rows]


async def read_news(database: Database, slug: str, club_id: UUID, now: datetime) -> NewsArticle:
    """Return a published article for all clubs or this one."""
    return await _article(await repository.read_published(database, slug, club_id, now))


async def _article(row: ReadableArticle | None) -> NewsArticle:
    if row is None:
        raise NotFoundError
    shown = await asyncio.to_thread(rules.render, row.body)
    return NewsArticle(**dict(_row(row)), html=shown)


async def list_public(
    database: Database, club_id: UUID | None, now: datetime, *, limit: int
) -> list[NewsRow]:
    """Return the newest articles for all clubs, and for one club if it is given."""
    return [
        _row(row) for row in await repository.list_published(database, club_id, now, None, limit)
    ]


async def read_public(database: Database, slug: str, now: datetime) -> NewsArticle:
    """Return a published article of any club that is not hidden.

    Raises:
        NotFoundError: there is none with this slug.
    """
    return await _article(await repository.read_public(database, slug, now))


async def count_due_today(database: Database) -> int:
    """Count the articles that are published later today, in Lagos."""
    now = clock.now()
    return await repository.count_due(database, now, clock.next_midnight(now))


def _row(row: PublishedArticle) -> NewsRow:
    return NewsRow(
        slug=row.slug,
        title=row.title,
        summary=row.summary,
        picture=picture_url(row.picture),
        club=row.club,
        published_at=row.publish_at,
    )
