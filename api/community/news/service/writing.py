"""The back office's side of articles: drafts, publishing, and withdrawing."""

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID

from api.community.news import repository, rules
from api.community.news.enums import ArticleStage, ArticleState
from api.community.news.errors import ArticleStateError
from api.community.news.repository import ClubArticle
from api.community.news.rules import ArticleRow
from api.community.news.schemas import (
    AdminArticle,
    AdminArticleRow,
    ArticleChange,
    ArticleInput,
    ArticlePreview,
    PublishArticle,
)
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.media.storage import picture_url
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.people.clubs.service import queries as clubs_queries

NO_CLUB = "There is no such club."
TOO_MUCH = "The text or a table in it is too large. Please shorten it."
NO_TIME = "A scheduled article needs a time in the future. Withdraw it instead."


async def list_articles(
    database: Database,
    state: ArticleState | None,
    now: datetime,
    *,
    before: UUID | None,
    limit: int,
) -> Page[AdminArticleRow]:
    """Return the articles, newest first."""
    rows = await repository.list_articles(database, state, before, now, limit + 1)
    return Page.of(rows, limit, lambda row: AdminArticleRow(**_facts(row, now)))


async def read_article(database: Database, article_id: UUID, now: datetime) -> AdminArticle:
    """Return one article."""
    return await read_shown(database, article_id, now)


async def preview(body: str) -> ArticlePreview:
    """Return Markdown rendered as members would see it.

    Raises:
        InvalidFieldError: it is too long.
    """
    await _require_fitting(body)
    return ArticlePreview(html=await asyncio.to_thread(rules.render, body))


async def create_article(
    database: Database, admin: AdminRequest, form: ArticleInput, now: datetime
) -> AdminResult:
    """Create an article as a draft.

    Raises:
        InvalidFieldError: there is no such club, or the text is too long.
    """
    await _require_fitting(form.body)
    article_id = new_id()

    async def work(tx: Transaction) -> AdminResult:
        values = await _columns(tx, form.model_dump(by_alias=False))
        slug = await _name(tx, article_id, form.title)
        await repository.insert_article(
            tx, {"id": article_id, "slug": slug, "stage": ArticleStage.DRAFT, **values}
        )
        shown = await read_shown(tx, article_id, now)
        await audit.audited(tx, admin, _audit_record("create", shown, after=shown))
        return AdminResult.of(shown, status=201, message="The article has been saved.")

    return await audit.perform(database, admin, form, work)


async def change_article(
    database: Database, admin: AdminRequest, article_id: UUID, form: ArticleChange, now: datetime
) -> AdminResult:
    """Change the given fields of an article; its slug follows the title until it is first out.

    Raises:
        InvalidFieldError: there is no such club, the time of a scheduled one is in the past, or the
            text is too long.
        ArticleStateError: it is out, so its time cannot be changed.
    """
    named = form.model_dump(exclude_unset=True, exclude={"version"}, by_alias=False)
    await _require_fitting(form.body)

    async def work(tx: Transaction) -> AdminResult:
        row = await hold(tx, article_id)
        if row.version != form.version:
            raise StaleVersionError
        before = await read_shown(tx, article_id, now)
        if "publish_at" in named and named["publish_at"] != row.publish_at:
            _require_open_time(rules.state_of(row, now), named["publish_at"], now)
        values = await _columns(tx, named)
        if "title" in named and rules.out_since(row, now) is None:
            values["slug"] = await _name(tx, article_id, named["title"])
        await repository.change_article(tx, article_id, values)
        shown = await read_shown(tx, article_id, now)
        await audit.audited(tx, admin, _audit_record("change", shown, before=before, after=shown))
        return AdminResult.of(shown, message="The article has been saved.")

    return await audit.perform(database, admin, form, work)


async def publish(
    database: Database, admin: AdminRequest, article_id: UUID, form: PublishArticle, now: datetime
) -> AdminResult:
    """Publish an article now or at a given time; a scheduled one only at a given time.

    Raises:
        ArticleStateError: it is out, or scheduled and no time was given.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await hold(tx, article_id)
        state = rules.state_of(row, now)
        is_decided = state is ArticleState.SCHEDULED and form.publish_at is None
        if state is ArticleState.PUBLISHED or is_decided:
            raise ArticleStateError(content={"status": state.value})
        values = {
            "stage": ArticleStage.PUBLISHED,
            "publish_at": max(form.publish_at or row.publish_at or now, now),
        }
        return await _move(tx, admin, "publish", row, values, now)

    return await audit.perform(database, admin, form, work)


async def withdraw(
    database: Database, admin: AdminRequest, article_id: UUID, now: datetime
) -> AdminResult:
    """Withdraw an article; members cannot read it any more.

    Raises:
        ArticleStateError: it is neither out nor scheduled.
    """

    async def work(tx: Transaction) -> AdminResult:
        row = await hold(tx, article_id)
        if row.stage != ArticleStage.PUBLISHED:
            raise ArticleStateError(content={"status": row.stage})
        values = {
            "stage": ArticleStage.WITHDRAWN,
            "publish_at": None,
            "first_published_at": rules.out_since(row, now),
        }
        return await _move(tx, admin, "withdraw", row, values, now)

    return await audit.perform(database, admin, {}, work)


async def hold(tx: Transaction, article_id: UUID) -> ArticleRow:
    """Lock and return an article."""
    row = await repository.lock_article(tx, article_id)
    if row is None:
        raise NotFoundError
    return row


async def read_shown(runner: Runner, article_id: UUID, now: datetime) -> AdminArticle:
    """Return an article as the back office shows it."""
    row = await repository.read_article(runner, article_id)
    if row is None:
        raise NotFoundError
    shown = await asyncio.to_thread(rules.render, row.body)
    return AdminArticle(**_facts(row, now), body=row.body, html=shown)


async def _move(
    tx: Transaction,
    admin: AdminRequest,
    action: str,
    row: ArticleRow,
    values: dict[str, Any],
    now: datetime,
) -> AdminResult:
    before = rules.state_of(row, now)
    await repository.change_article(tx, row.id, values)
    shown = await read_shown(tx, row.id, now)
    record = AuditRecord(
        action,
        "article",
        row.id,
        before={"state": before.value},
        after={"state": shown.state.value, "publish_at": shown.publish_at},
    )
    await audit.audited(tx, admin, record)
    return AdminResult.of(shown)


async def _require_fitting(body: str) -> None:
    """Render a text before the transaction, which then finds it cached."""
    if not await asyncio.to_thread(rules.fits, body):
        raise InvalidFieldError.of("body", TOO_MUCH)


def _require_open_time(state: ArticleState, publish_at: datetime | None, now: datetime) -> None:
    if state is ArticleState.PUBLISHED:
        raise ArticleStateError(content={"status": state.value})
    if state is ArticleState.SCHEDULED and (publish_at is None or publish_at <= now):
        raise InvalidFieldError.of("publishAt", NO_TIME)


async def _columns(tx: Transaction, named: dict[str, Any]) -> dict[str, Any]:
    values = {name: value for name, value in named.items() if name != "club"}
    if "club" in named:
        club = named["club"]
        values["club_id"] = None if club is None else await clubs_queries.find_id(tx, club)
        if club is not None and values["club_id"] is None:
            raise InvalidFieldError.of("club", NO_CLUB)
    if "body" in named:
        values["summary"] = await asyncio.to_thread(rules.summarise, named["body"])
    return values


async def _name(tx: Transaction, article_id: UUID, title: str) -> str:
    """Return the slug of a title, reserved until commit."""
    wanted = rules.slug_of(title)
    await repository.lock_slugs(tx)
    return rules.free_slug(wanted, await repository.list_slugs(tx, wanted, article_id))


def _audit_record(
    action: str, of: AdminArticle, *, before: AdminArticle | None = None, after: AdminArticle
) -> AuditRecord:
    def written(article: AdminArticle | None) -> Content | None:
        if article is None:
            return None
        return article.model_dump(mode="json", exclude={"html", "summary"})

    return AuditRecord(action, "article", of.id, written(before), written(after))


def _facts(row: ClubArticle, now: datetime) -> dict[str, Any]:
    return {
        "id": row.id,
        "slug": row.slug,
        "title": row.title,
        "summary": row.summary,
        "club": row.club,
        "club_id": row.club_id,
        "picture": picture_url(row.picture),
        "state": rules.state_of(row, now),
        "publish_at": row.publish_at,
        "version": row.version,
        "created_at": row.created_at,
    }
