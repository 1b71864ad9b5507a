"""HTTP door of signing up and in."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, status

from api.auth import service
from api.auth.schemas import (
    CodeInput,
    ForgotAnswer,
    ForgotInput,
    ResetInput,
    RetryAnswer,
    RevokeAnswer,
    RevokeInput,
    SessionAnswer,
    SignInAnswer,
    SignInInput,
    SignUpAnswer,
    SignUpInput,
    UserCodeInput,
    UserInput,
)
from api.auth.service import AuthDesk
from api.core.doors import AddressDep, DatabaseDep, LimiterDep, documented, limit_anonymous
from api.core.http import StrictRoute
from api.core.identity import CurrentMember
from api.core.rate_limit import SIGN_INS, SIGN_UPS
from api.core.wire import Envelope, OpaqueId, created, ok


async def _desk(request: Request) -> AuthDesk:
    desk: AuthDesk = request.app.state.auth
    return desk


DeskDep = Annotated[AuthDesk, Depends(_desk)]

router = APIRouter(tags=["auth"], route_class=StrictRoute)
anonymous = [Depends(limit_anonymous)]


@router.post(
    "/api/v1/sign-in/username-password", responses=documented(409, 429), dependencies=anonymous
)
async def sign_in(
    request: Request,
    desk: DeskDep,
    limiter: LimiterDep,
    address: AddressDep,
    form: SignInInput,
) -> Envelope[SignInAnswer]:
    """Sign in with e-mail and password."""
    await limiter.hit_address(SIGN_INS, address)
    user_agent = request.headers.get("user-agent", "")
    answer = await service.sign_in(desk, form.username, form.password, user_agent)
    return ok(answer, f"Welcome back, {answer.user.first_name}.")


@router.post(
    "/api/v1/signup",
    status_code=status.HTTP_201_CREATED,
    responses=documented(409, 429),
    dependencies=anonymous,
)
async def sign_up(
    desk: DeskDep, limiter: LimiterDep, address: AddressDep, form: SignUpInput
) -> Envelope[SignUpAnswer]:
    """Sign up; a six-digit code goes out by mail."""
    await limiter.hit_address(SIGN_UPS, address)
    user_id = await service.sign_up(desk, form)
    return created(SignUpAnswer(id=user_id), "We have sent a code to your email.")


@router.post(
    "/api/v1/signup/validate-token", responses=documented(404, 409, 429), dependencies=anonymous
)
async def validate_code(desk: DeskDep, form: UserCodeInput) -> Envelope[SignUpAnswer]:
    """Activate an account with the code that was mailed; no token needed."""
    return await _activate(desk, form.user_id, form.code)


@router.post(
    "/api/v1/signup/activate/{user_id}", responses=documented(404, 409, 429), dependencies=anonymous
)
async def activate(desk: DeskDep, user_id: OpaqueId, form: CodeInput) -> Envelope[SignUpAnswer]:
    """Do what ``validate-token`` does, with the account in the path (contract B-9)."""
    return await _activate(desk, user_id, form.code)


async def _activate(desk: AuthDesk, user_id: str, code: str) -> Envelope[SignUpAnswer]:
    activated = await service.activate(desk, service.parse_user_id(user_id), code)
    return ok(SignUpAnswer(id=activated), "Your account is active. You can sign in now.")


@router.post("/api/v1/signup/resend-code", responses=documented(404, 429), dependencies=anonymous)
async def resend_code(desk: DeskDep, form: UserInput) -> Envelope[RetryAnswer]:
    """Mail a new activation code; the old one is void."""
    seconds = await service.resend_code(desk, service.parse_user_id(form.user_id))
    return ok(RetryAnswer(retry_after=seconds), "We have sent you a new code.")


@router.post("/api/v1/password/forgot", responses=documented(429), dependencies=anonymous)
async def forgot_password(desk: DeskDep, form: ForgotInput) -> Envelope[ForgotAnswer]:
    """Mail a reset code, if somebody has this e-mail; the answer is the same if nobody has."""
    user_id = await service.forgot_password(desk, form.email)
    return ok(ForgotAnswer(user_id=user_id), "If this email has an account, a code is on its way.")


@router.post("/api/v1/password/reset", responses=documented(404, 429), dependencies=anonymous)
async def reset_password(desk: DeskDep, form: ResetInput) -> Envelope[None]:
    """Change the password with the mailed code; every session ends."""
    user_id = service.parse_user_id(form.user_id)
    await service.reset_password(desk, user_id, form.code, form.password)
    return ok(None, "Your password has been changed. You can sign in now.")


@router.post("/api/v1/sign-out", responses=documented(401))
async def sign_out(desk: DeskDep, member: CurrentMember) -> Envelope[None]:
    """End this session; the token is dead from now on."""
    await service.sign_out(desk, member)
    return ok(None, "You have signed out.")


@router.get("/api/v1/sessions/{user_id}", responses=documented(401, 404))
async def list_sessions(
    member: CurrentMember, database: DatabaseDep, user_id: OpaqueId
) -> Envelope[list[SessionAnswer]]:
    """List where the member is signed in, last used first."""
    member.require_self(user_id)
    return ok(await service.list_sessions(database, member))


@router.post("/api/v1/sessions/revoke-others", responses=documented(401, 404))
async def revoke_other_sessions(
    desk: DeskDep, member: CurrentMember, form: RevokeInput | None = None
) -> Envelope[RevokeAnswer]:
    """Sign out everywhere else; this session stays."""
    if form is not None and form.user_id is not None:
        member.require_self(form.user_id)
    revoked = await service.revoke_others(desk, member)
    return ok(RevokeAnswer(revoked=revoked), "You have signed out everywhere else.")
