"""HTTP routes of invites, and the page behind an invite link."""

import functools
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, status
from fastapi.responses import HTMLResponse

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.rate_limit import REFUSED_CALLS
from api.foundation.http.dependencies import (
    AddressDep,
    CurrentMember,
    LimiterDep,
    count_refusal,
    limit_lookups,
    provided,
)
from api.foundation.http.pages import StyledPage
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, ok
from api.games.invites import rules, service
from api.games.invites.schemas import InviteAnswer, InviterAnswer
from api.games.invites.service import InviteContext

PICTURE = "/icons/512.png"  # messengers do not render SVG, the format of the crests
ContextDep = Annotated[InviteContext, Depends(provided(InviteContext))]

router = APIRouter(tags=["invites"], route_class=StrictRoute)
anonymous = [Depends(limit_lookups)]


@router.get("/api/v1/invites/{user_id}", responses=documented(401, 404))
async def read_invite(
    member: CurrentMember, context: ContextDep, user_id: ExistingId
) -> Envelope[InviteAnswer]:
    """Read the member's own invite and its results."""
    member.require_self(user_id)
    return ok(await service.read_invite(context, user_id, clock.now()))


@router.get("/api/v1/invites/code/{name}", responses=documented(404, 429), dependencies=anonymous)
async def read_inviter(context: ContextDep, name: str) -> Envelope[InviterAnswer]:
    """Read the inviter and the club of a code; no token needed."""
    return ok(await service.read_inviter(context, name))


@router.get(
    "/i/{name}",
    response_class=HTMLResponse,
    dependencies=anonymous,
    include_in_schema=False,  # an HTML page
)
async def show_invite(
    context: ContextDep, limiter: LimiterDep, address: AddressDep, name: str
) -> HTMLResponse:
    """Show the page of an invite link: a preview for messengers, and a way to the sign-up."""
    try:
        inviter = await service.read_inviter(context, name)
    except NotFoundError:
        await count_refusal(limiter, REFUSED_CALLS, address)
        answer = _page(context, "This invite has ended", "You can still join.", "/signup")
        answer.status_code = status.HTTP_404_NOT_FOUND
        return answer
    title = f"{inviter.first_name} invites you to {inviter.club_name}"
    words = "Get Connected Get Rewarded: quests, battles and predictions with your club."
    return _page(context, title, words, f"/signup?invite={rules.read_code(name)}")


def _page(context: InviteContext, title: str, words: str, onward: str) -> HTMLResponse:
    return _invite_page().answer(
        title=escape(title),
        words=escape(words),
        onward=escape(onward),
        picture=escape(context.public_url + PICTURE),
    )


@functools.cache
def _invite_page() -> StyledPage:
    """Return the invite page."""
    return StyledPage(Path(__file__).with_name("invite_page.html"))
