from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, insert, select, update

from api.community.news.enums import ArticleStage, ArticleState
from api.community.news.models import Article
from api.community.news.rules import ArticleRow
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query, columns, literal_pattern
from api.people.clubs.models import Club

LOCK_SLUGS = "SELECT pg_advisory_xact_lock($1)"
# Articles of all clubs and those of the member's own are merged, each read along its index.
PUBLISHED = """
SELECT a.id, a.slug, a.title, a.summary, a.picture, a.publish_at, {club} AS club
  FROM article a {join}
 WHERE a.stage = 'published' AND a.club_id {whose} AND a.publish_at <= $2
   AND ($3::timestamptz IS NULL OR (a.publish_at, a.id) < ($3, $4::uuid))
 ORDER BY a.publish_at DESC, a.id DESC LIMIT $5
"""
COUNT_DUE = """
SELECT count(*) FROM article WHERE stage = 'published' AND publish_at > $1 AND publish_at < $2
"""


@dataclass(frozen=True)
class PublishedArticle:
    id: UUID
    slug: str
    title: str
    summary: str
    picture: str | None
    publish_at: datetime
    club: str | None


@dataclass(frozen=True)
class ReadableArticle(PublishedArticle):
    body: str


@dataclass(frozen=True)
class ClubArticle(ArticleRow):
    club: str | None


LIST_SLUGS = "SELECT slug FROM article WHERE (slug = $1 OR slug LIKE $2) AND id <> $3"
LOCK_ARTICLE = Query(
    f"SELECT {columns(ArticleRow, 'a')} FROM article a WHERE a.id = $1 FOR UPDATE",  # noqa: S608 constants only
    ArticleRow,
)
LIST_PUBLISHED = Query(
    f"""
SELECT * FROM (
  ({PUBLISHED.format(club="NULL", join="", whose="IS NULL")})
  UNION ALL
  ({PUBLISHED.format(club="c.name", join="JOIN club c ON c.id = a.club_id", whose="= $1")})
) news ORDER BY publish_at DESC, id DESC LIMIT $5
""",  # noqa: S608 constants only
    PublishedArticle,
)
READ_PUBLISHED = Query(
    """
SELECT a.id, a.slug, a.title, a.body, a.summary, a.picture, a.publish_at, c.name AS club
  FROM article a LEFT JOIN club c ON c.id = a.club_id
 WHERE a.slug = $1 AND a.stage = 'published' AND a.publish_at <= $3
   AND (a.club_id IS NULL OR a.club_id = $2)
""",
    ReadableArticle,
)
READ_PUBLIC = Query(
    """
SELECT a.id, a.slug, a.title, a.body, a.summary, a.picture, a.publish_at, c.name AS club
  FROM article a LEFT JOIN club c ON c.id = a.club_id
 WHERE a.slug = $1 AND a.stage = 'published' AND a.publish_at <= $2 AND c.hidden IS NOT TRUE
""",
    ReadableArticle,
)
LIST_NAMED_KEYS = "SELECT picture FROM article WHERE picture = ANY ($1::text[])"


def _articles() -> Select[Any]:
    return select(Article.__table__, Club.name.label("club")).outerjoin(
        Club, Club.id == Article.club_id
    )


async def list_articles(
    database: Database, state: ArticleState | None, before: UUID | None, now: datetime, limit: int
) -> Sequence[ClubArticle]:
    """Return articles, newest first; ``state`` None matches any."""
    query = _articles().order_by(Article.id.desc()).limit(limit)
    if state is ArticleState.SCHEDULED:
        query = query.where(Article.stage == ArticleStage.PUBLISHED, Article.publish_at > now)
    elif state is ArticleState.PUBLISHED:
        query = query.where(Article.stage == ArticleStage.PUBLISHED, Article.publish_at <= now)
    elif state is not None:
        query = query.where(Article.stage == ArticleStage(state))
    if before is not None:
        query = query.where(Article.id < before)
    return await database.fetch_rows(Query(query, ClubArticle))


async def read_article(runner: Runner, article_id: UUID) -> ClubArticle | None:
    return await runner.fetch_row(Query(_articles().where(Article.id == article_id), ClubArticle))


async def lock_article(tx: Transaction, article_id: UUID) -> ArticleRow | None:
    return await tx.fetch_row(LOCK_ARTICLE, article_id)


async def lock_slugs(tx: Transaction) -> None:
    """Lock the choice of slugs until commit."""
    await tx.execute(LOCK_SLUGS, AdvisoryLock.ARTICLE_SLUGS)


async def list_slugs(tx: Transaction, slug: str, article_id: UUID) -> set[str]:
    """Return other articles' slugs that are ``slug``, or begin with ``slug`` and a hyphen."""
    pattern = f"{literal_pattern(slug)}-%"
    return set(await tx.fetch_column(LIST_SLUGS, slug, pattern, article_id))


async def insert_article(tx: Transaction, values: Mapping[str, Any]) -> None:
    await tx.execute(insert(Article).values(**values))


async def change_article(tx: Transaction, article_id: UUID, values: Mapping[str, Any]) -> None:
    """Update the changed columns of an article, and increment its version."""
    statement = update(Article).where(Article.id == article_id)
    await tx.execute(statement.values(version=Article.version + 1, **values))


async def list_published(
    database: Database,
    club_id: UUID | None,
    now: datetime,
    before: tuple[datetime, UUID] | None,
    limit: int,
) -> Sequence[PublishedArticle]:
    """Return published articles older than ``before``, newest first: for all clubs, and one's."""
    moment, article_id = before or (None, None)
    return await database.fetch_rows(LIST_PUBLISHED, club_id, now, moment, article_id, limit)


async def read_published(
    database: Database, slug: str, club_id: UUID, now: datetime
) -> ReadableArticle | None:
    return await database.fetch_row(READ_PUBLISHED, slug, club_id, now)


async def read_public(database: Database, slug: str, now: datetime) -> ReadableArticle | None:
    """Return a published article, unless it is a hidden club's."""
    return await database.fetch_row(READ_PUBLIC, slug, now)


async def list_named_keys(database: Database, keys: Sequence[str]) -> set[str]:
    """Return which of ``keys`` an article refers to."""
    return set(await database.fetch_column(LIST_NAMED_KEYS, list(keys)))


async def count_due(database: Database, now: datetime, until: datetime) -> int:
    """Count the articles published between two instants."""
    return int(await database.fetch_value(COUNT_DUE, now, until))
