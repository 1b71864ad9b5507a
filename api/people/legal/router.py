"""The legal pages, and the call that accepts them."""

import functools
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request, Response, status
from fastapi.responses import RedirectResponse

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.http.dependencies import DatabaseDep, SettingsDep, WritingMember
from api.foundation.http.pages import StyledPage, built_fonts
from api.foundation.http.prebuilt import Prebuilt
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.previews import PREVIEW
from api.foundation.wire.schemas import Envelope, ok
from api.people.legal import rules, service
from api.people.legal.enums import LegalPage
from api.people.legal.schemas import AcceptInput, LegalState

PATH = "/legal/"
PRODUCT = "King of Fans"
FORMER_ENDING = ".html"  # of the pages before these, in the pages of phones that are not updated
CACHED = "public, max-age=300, stale-while-revalidate=86400"
KEPT_HEADERS = ("Content-Type", "Content-Security-Policy", "X-Frame-Options", "Cache-Control")
ACCEPTED = "Thank you. You have accepted the terms."

router = APIRouter(tags=["legal"], route_class=StrictRoute)


@router.post("/api/v1/legal/accept", responses=documented(401, 404, 409, 429))
async def accept_terms(
    member: WritingMember, database: DatabaseDep, form: AcceptInput
) -> Envelope[LegalState]:
    """Accept the current version of the terms; accepting it again changes nothing."""
    state = await service.accept(database, member.user_id, form.version, clock.now())
    return ok(state, ACCEPTED)


@router.api_route(
    PATH + "{name}",
    methods=["GET", "HEAD"],
    include_in_schema=False,  # an HTML page
)
async def show_legal_page(
    request: Request, database: DatabaseDep, settings: SettingsDep, name: str
) -> Response:
    """Show a legal page; it needs no account and no script."""
    try:
        page = LegalPage(name.removesuffix(FORMER_ENDING))
    except ValueError:
        return _not_found(settings)
    if name.endswith(FORMER_ENDING):
        return RedirectResponse(PATH + page, status.HTTP_308_PERMANENT_REDIRECT)
    text = await service.read_text(database, settings, page)
    day = text.effective_on
    version = f"Version {text.version} · In effect since {day.day} {day:%B %Y}"
    answer = _legal_page(settings.web_dist).answer(
        cache_control=CACHED,
        title=escape(text.title),
        shared_title=escape(text.title),
        origin=escape(settings.public_url),
        preview=PREVIEW,
        description=escape(text.description),
        address=escape(f"{settings.public_url}{PATH}{page}"),
        pages=_links(page),
        version=f'<p class="dim">{escape(version)}</p>',
        body=text.body,
        publisher=escape(text.publisher),
    )
    headers = {name: answer.headers[name] for name in KEPT_HEADERS}
    return _compressed(bytes(answer.body)).answer(request, headers)


@functools.lru_cache(maxsize=2 * len(LegalPage))
def _compressed(page: bytes) -> Prebuilt:
    """Return a page, compressed once for all requests."""
    return Prebuilt.of(page)


def _not_found(settings: Settings) -> Response:
    answer = _legal_page(settings.web_dist).answer(
        title="URL not found!",
        shared_title=PRODUCT,
        description="This page does not exist.",
        origin=escape(settings.public_url),
        preview=PREVIEW,
        address=escape(f"{settings.public_url}{PATH}{LegalPage.TERMS}"),
        pages=_links(None),
        version="",
        body="<p>This page does not exist. Please choose one of those above.</p>",
        publisher=PRODUCT,
    )
    answer.status_code = status.HTTP_404_NOT_FOUND
    return answer


def _links(current: LegalPage | None) -> str:
    return "".join(
        f'<li><a href="{PATH}{page}"{" aria-current=page" if page is current else ""}>'
        f"{escape(rules.TITLES[page])}</a></li>"
        for page in LegalPage
    )


@functools.cache
def _legal_page(built: Path) -> StyledPage:
    """Return the frame of the legal pages, with the fonts of the app ``built`` there."""
    page = Path(__file__).with_name("legal_page.html")
    return StyledPage(page, has_icon=True, fonts=built_fonts(built))
