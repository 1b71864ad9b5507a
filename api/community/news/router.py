"""HTTP routes of the news."""

from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query, Request, status

from api.community.news.enums import ArticleState
from api.community.news.schemas import (
    PICTURE_FORM,
    AdminArticle,
    AdminArticleRow,
    ArticleChange,
    ArticleInput,
    ArticlePreview,
    NewsArticle,
    NewsRow,
    PreviewInput,
    PublishArticle,
)
from api.community.news.service import pictures, reading, writing
from api.foundation.core import clock
from api.foundation.http.admin_calls import (
    admin_router,
    documented_admin,
    may_read,
    may_write,
    to_response,
)
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import CurrentMember, DatabaseDep, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.http.uploads import UploadGate
from api.foundation.media.uploading import UploadContext
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.foundation.wire.schemas import Envelope, ExistingId, ExistingName, ok

ARTICLES = "/api/v1/admin/articles"
PICTURE_PATH = f"{ARTICLES}/{{article_id}}/picture"
BODY_LIMITS = {PICTURE_PATH: BodyLimit(pictures.FORM.body_bytes, pictures.TOO_LARGE)}
Reader = Annotated[AdminRequest, may_read(Right.NEWS_WRITE)]
Writer = Annotated[AdminRequest, may_write(Right.NEWS_WRITE)]
Limit = Annotated[int, Query(ge=1, le=100)]

router = APIRouter(tags=["news"], route_class=StrictRoute)
back_office = admin_router()


@router.get("/api/v1/news", responses=documented(401, 404))
async def list_news(
    member: CurrentMember,
    database: DatabaseDep,
    before: Annotated[
        ExistingName | None, Query(description="Articles older than the one with this slug")
    ] = None,
    limit: Limit = 50,
) -> Envelope[list[NewsRow]]:
    """List the articles for all clubs and for the member's own, newest first."""
    now = clock.now()
    return ok(await reading.list_news(database, member.club_id, now, before=before, limit=limit))


@router.get("/api/v1/news/{slug}", responses=documented(401, 404))
async def read_news(
    member: CurrentMember, database: DatabaseDep, slug: ExistingName
) -> Envelope[NewsArticle]:
    """Read an article."""
    return ok(await reading.read_news(database, slug, member.club_id, clock.now()))


@back_office.get(ARTICLES, responses=documented_admin())
async def list_articles(
    _admin: Reader,
    database: DatabaseDep,
    state: ArticleState | None = None,
    before: ExistingId | None = None,
    limit: Limit = 50,
) -> Envelope[Page[AdminArticleRow]]:
    """List the articles, newest first."""
    now = clock.now()
    return ok(await writing.list_articles(database, state, now, before=before, limit=limit))


@back_office.post(ARTICLES, status_code=status.HTTP_201_CREATED, responses=documented_admin(409))
async def create_article(
    admin: Writer, database: DatabaseDep, form: ArticleInput
) -> Envelope[AdminArticle]:
    """Create an article as a draft."""
    return to_response(await writing.create_article(database, admin, form, clock.now()))


@back_office.post(f"{ARTICLES}/preview", responses=documented_admin())
async def preview_article(_admin: Reader, form: PreviewInput) -> Envelope[ArticlePreview]:
    """Render Markdown as members would see it; nothing is stored."""
    return ok(await writing.preview(form.body))


@back_office.get(f"{ARTICLES}/{{article_id}}", responses=documented_admin())
async def read_article(
    _admin: Reader, database: DatabaseDep, article_id: ExistingId
) -> Envelope[AdminArticle]:
    """Read an article."""
    return ok(await writing.read_article(database, article_id, clock.now()))


@back_office.patch(f"{ARTICLES}/{{article_id}}", responses=documented_admin(409))
async def change_article(
    admin: Writer, database: DatabaseDep, article_id: ExistingId, form: ArticleChange
) -> Envelope[AdminArticle]:
    """Update an article."""
    return to_response(await writing.change_article(database, admin, article_id, form, clock.now()))


@back_office.post(f"{ARTICLES}/{{article_id}}/publish", responses=documented_admin(409))
async def publish_article(
    admin: Writer,
    database: DatabaseDep,
    article_id: ExistingId,
    form: Annotated[PublishArticle, Body(default_factory=PublishArticle)],
) -> Envelope[AdminArticle]:
    """Publish an article, now or at a later time."""
    return to_response(await writing.publish(database, admin, article_id, form, clock.now()))


@back_office.post(f"{ARTICLES}/{{article_id}}/withdraw", responses=documented_admin(409))
async def withdraw_article(
    admin: Writer, database: DatabaseDep, article_id: ExistingId
) -> Envelope[AdminArticle]:
    """Withdraw a published or scheduled article."""
    return to_response(await writing.withdraw(database, admin, article_id, clock.now()))


@back_office.post(
    PICTURE_PATH,
    status_code=status.HTTP_201_CREATED,
    responses=documented_admin(409, 413, 415),
    openapi_extra=PICTURE_FORM,
)
async def set_article_picture(
    request: Request,
    admin: Writer,
    context: Annotated[UploadContext, Depends(provided(UploadContext))],
    gate: Annotated[UploadGate, Depends(provided(UploadGate))],
    article_id: ExistingId,
) -> Envelope[AdminArticle]:
    """Set an article's picture: a JPEG, PNG or WebP of at most 2,097,152 bytes."""
    async with gate.received_form(
        request, pictures.FORM, context.uploads, admin.operator.user_id
    ) as form:
        return to_response(await pictures.set_picture(context, admin, article_id, form))


router.routes.extend(back_office.routes)
