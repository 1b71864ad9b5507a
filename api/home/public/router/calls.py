"""HTTP routes of public data: no token, cached by everyone."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Body, Depends, Query, Request, Response

from api.community.news.schemas import NewsArticle
from api.foundation.core import clock
from api.foundation.http.dependencies import DatabaseDep, provided
from api.foundation.http.prebuilt import respond_encoded
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import (
    Envelope,
    Existing,
    ExistingId,
    ExistingName,
    ok,
)
from api.games.matches.schemas.members import FixtureAnswer
from api.home.public.schemas import PublicClubPage, PublicHome, VisitorAnswer, VisitorResult
from api.home.public.service import questions, reading
from api.home.public.service.reading import PublicContext
from api.home.public.service.site import Site
from api.shop.errors import ProductNotFoundError
from api.shop.schemas.products import ProductAnswer

CACHED = {"Cache-Control": "public, max-age=30, stale-while-revalidate=300"}
NOT_CHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "The answer has not changed"}}
RESPONSES = documented(404) | NOT_CHANGED


async def _public(site: Annotated[Site, Depends(provided(Site))]) -> PublicContext:
    return site.public


ContextDep = Annotated[PublicContext, Depends(_public)]

router = APIRouter(tags=["public"], route_class=StrictRoute)


@router.get("/api/v1/public/home", response_model=Envelope[PublicHome], responses=RESPONSES)
async def read_public_home(
    request: Request,
    context: ContextDep,
    club: Annotated[
        ExistingName | None, Query(description="A club's id or name; defaults to the next to play")
    ] = None,
) -> Response:
    """Read the public home page of a club; send the ETag as If-None-Match to skip the body."""
    return respond_encoded(request, CACHED, await reading.read_home(context, club))


@router.get(
    "/api/v1/public/matches/{match_id}",
    response_model=Envelope[FixtureAnswer],
    responses=RESPONSES,
)
async def read_public_match(
    request: Request, context: ContextDep, match_id: ExistingId
) -> Response:
    """Read a match, without anyone's prediction."""
    return respond_encoded(request, CACHED, await reading.read_match(context, match_id))


@router.get("/api/v1/public/news/{slug}", response_model=Envelope[NewsArticle], responses=RESPONSES)
async def read_public_article(
    request: Request, context: ContextDep, slug: ExistingName
) -> Response:
    """Read a published article of any club."""
    return respond_encoded(request, CACHED, await reading.read_article(context, slug))


@router.get(
    "/api/v1/public/products/{product_id}",
    response_model=Envelope[ProductAnswer],
    responses=RESPONSES,
)
async def read_public_product(
    request: Request,
    context: ContextDep,
    product_id: Annotated[UUID, Existing(ProductNotFoundError)],
) -> Response:
    """Read a product of the shop."""
    return respond_encoded(request, CACHED, await reading.read_product(context, product_id))


@router.get(
    "/api/v1/public/clubs/{club_id}",
    response_model=Envelope[PublicClubPage],
    responses=RESPONSES,
)
async def read_public_club(request: Request, context: ContextDep, club_id: ExistingId) -> Response:
    """Read a club's matches, table and news."""
    return respond_encoded(request, CACHED, await reading.read_club(context, club_id))


@router.post("/api/v1/public/question/{question_id}/answer", responses=documented(404))
async def answer_public_question(
    context: ContextDep,
    database: DatabaseDep,
    question_id: ExistingId,
    answer: Annotated[VisitorAnswer, Body()],
) -> Envelope[VisitorResult]:
    """Answer the question of the public home page.

    Send the `claim` of a right answer with the sign-up. If the account is activated within 24 hours
    it starts with the points; one claim is for one account and one browser.
    """
    key = context.claim_key
    return ok(await questions.answer(database, key, question_id, answer.answer, clock.now()))
