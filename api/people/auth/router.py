"""HTTP routes of signing up and in."""

import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request, Response, status

from api.foundation.core.config import Settings
from api.foundation.http.admission import LoadClass
from api.foundation.http.dependencies import (
    AddressDep,
    CurrentMember,
    LimiterDep,
    SettingsDep,
    limit_lookups,
    limit_refusals,
    provided,
)
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.security import base64url
from api.foundation.security.events import SecurityEvent
from api.foundation.wire.schemas import Envelope, ExistingId, created, ok
from api.people.auth import rules
from api.people.auth.enums import CodeChannel
from api.people.auth.errors import InvalidReportError
from api.people.auth.live import ResetRequests
from api.people.auth.schemas import (
    ActivationAnswer,
    CodeInput,
    EmailInput,
    ForgotAnswer,
    ForgotInput,
    PendingSignUp,
    ResendInput,
    ResetInput,
    RetryAnswer,
    RevokeAnswer,
    RevokeInput,
    SessionAnswer,
    SignInAnswer,
    SignInInput,
    SignUpAnswer,
    SignUpInput,
    SignUpOptions,
    UserCodeInput,
)
from api.people.auth.service import passwords, sessions, signing_in, signing_up, texts
from api.people.auth.service.context import AuthContext, Caller

# Not a credential: it only links accounts that were used on the same device.
DEVICE_BYTES = 16
DEVICE_LIFE = timedelta(days=400)  # the maximum in browsers


async def _caller(request: Request, address: AddressDep, settings: SettingsDep) -> Caller:
    held = request.headers.get("authorization", "").removeprefix("Bearer ")
    device = _read_device(request.cookies.get(_device_cookie(settings), ""))
    return Caller(address, request.headers.get("user-agent", ""), held, device)


def _device_cookie(settings: Settings) -> str:
    """Return the cookie's name; browsers accept this prefix only from one host over TLS."""
    return "__Host-device" if settings.is_production else "device"


def _read_device(given: str) -> str:
    """Return the device id in the cookie, or a new one."""
    with suppress(ValueError):
        if len(base64url.decode(given)) == DEVICE_BYTES:
            return given
    return base64url.encode(secrets.token_bytes(DEVICE_BYTES))


async def _challenged(
    caller: Annotated[Caller, Depends(_caller)],
    solution: Annotated[
        str,
        Header(alias="X-Challenge", description="A solution of the challenge of a 428, in base64"),
    ] = "",
) -> Caller:
    """Return the caller with the solution they sent."""
    return replace(caller, solution=solution)


async def _limit_reset_mails(limiter: LimiterDep, address: AddressDep) -> None:
    """Count calls for forgotten passwords separately, so that sign-ins cannot block them."""
    await limiter.hit_address(rules.RESET_MAILS, address)


AuthContextDep = Annotated[AuthContext, Depends(provided(AuthContext))]
ResetsDep = Annotated[ResetRequests, Depends(provided(ResetRequests))]
CallerDep = Annotated[Caller, Depends(_caller)]
ChallengedDep = Annotated[Caller, Depends(_challenged)]


async def _keep_device(response: Response, caller: CallerDep, settings: SettingsDep) -> None:
    """Set the device cookie, inaccessible to scripts."""
    response.set_cookie(
        _device_cookie(settings),
        caller.device,
        max_age=int(DEVICE_LIFE.total_seconds()),
        secure=settings.is_production,
        httponly=True,
        samesite="lax",
    )


# These hash passwords or codes.
LOAD_CLASSES = dict.fromkeys(
    ("/api/v1/sign-in/", "/api/v1/signup", "/api/v1/password/"), LoadClass.COSTLY
)

router = APIRouter(tags=["auth"], route_class=StrictRoute)
activating = [Depends(limit_refusals(rules.REFUSED_ACTIVATIONS))]
keeps_device = Depends(_keep_device)


@router.post(
    "/api/v1/sign-in/username-password",
    responses=documented(409, 428, 429),
    dependencies=[keeps_device],
)
async def sign_in(
    context: AuthContextDep, caller: ChallengedDep, form: SignInInput
) -> Envelope[SignInAnswer]:
    """Sign in with email and password."""
    answer = await signing_in.sign_in(context, form.username, form.password, caller)
    return ok(answer, f"Welcome back, {answer.user.first_name}.")


@router.post(
    "/api/v1/signup",
    status_code=status.HTTP_201_CREATED,
    responses=documented(409, 428),
    dependencies=[keeps_device],
)
async def sign_up(
    context: AuthContextDep, caller: ChallengedDep, form: SignUpInput
) -> Envelope[SignUpAnswer]:
    """Sign up; a six-digit code is sent, unless another was just sent to this email or phone."""
    answer = await signing_up.sign_up(context, form, caller)
    place = "phone" if form.channel is CodeChannel.SMS else "email"
    if answer.retry_after == 0:
        return created(answer, f"We have sent a code to your {place}.")
    return created(
        answer,
        f"We have not sent your code yet: this {place} has just been sent another. "
        f"You can ask for yours in {rules.describe_wait(answer.retry_after)}.",
    )


@router.post(
    "/api/v1/signup/validate-token", responses=documented(404, 409, 429), dependencies=activating
)
async def validate_code(
    context: AuthContextDep, caller: CallerDep, form: UserCodeInput
) -> Envelope[ActivationAnswer]:
    """Activate a sign-up with the code mailed for it; no token needed."""
    return await _activate(context, caller, form.user_id, form.code)


@router.post(
    "/api/v1/signup/activate/{user_id}",
    responses=documented(404, 409, 429),
    dependencies=activating,
)
async def activate(
    context: AuthContextDep, caller: CallerDep, user_id: ExistingId, form: CodeInput
) -> Envelope[ActivationAnswer]:
    """Same as ``validate-token``, with the sign-up in the path (contract B-9)."""
    return await _activate(context, caller, user_id, form.code)


async def _activate(
    context: AuthContext, caller: Caller, attempt_id: UUID, code: str
) -> Envelope[ActivationAnswer]:
    activated = await signing_up.activate(context, attempt_id, code, caller)
    return ok(activated, "Your account is active. You can sign in now.")


@router.post("/api/v1/signup/resend-code", responses=documented(404, 409, 428, 429))
async def resend_code(
    context: AuthContextDep, caller: ChallengedDep, form: ResendInput
) -> Envelope[RetryAnswer]:
    """Send a new code for a sign-up; the old one is void."""
    seconds = await signing_up.resend_code(
        context, form.user_id, form.channel or CodeChannel.EMAIL, caller, form.phone
    )
    return ok(RetryAnswer(retry_after=seconds), "We have sent you a new code.")


@router.get("/api/v1/signup", responses=documented())
async def read_options(context: AuthContextDep) -> Envelope[SignUpOptions]:
    """Return how codes can be sent."""
    return ok(SignUpOptions(channels=list(context.channels)))


@router.get(
    "/api/v1/signup/{user_id}",
    responses=documented(404, 429),
    dependencies=[Depends(limit_lookups)],
)
async def read_pending(context: AuthContextDep, user_id: ExistingId) -> Envelope[PendingSignUp]:
    """Return a pending sign-up's email; its id is secret, and 404 once it has ended."""
    return ok(await signing_up.read_pending(context, user_id))


@router.post("/api/v1/signup/{user_id}/email", responses=documented(404, 409, 428, 429))
async def correct_email(
    context: AuthContextDep, caller: ChallengedDep, user_id: ExistingId, form: EmailInput
) -> Envelope[RetryAnswer]:
    """Correct a pending sign-up's email and mail it a new code; the old one is void."""
    seconds = await signing_up.correct_email(context, user_id, form.email, caller)
    return ok(RetryAnswer(retry_after=seconds), "We have sent you a new code.")


@router.post(
    "/api/v1/password/forgot",
    responses=documented(429),
    dependencies=[Depends(_limit_reset_mails)],
)
async def forgot_password(
    context: AuthContextDep, resets: ResetsDep, caller: CallerDep, form: ForgotInput
) -> Envelope[ForgotAnswer]:
    """Mail a reset code if a member has this email; the response is the same otherwise.

    429 `code_too_soon` means that no code was sent; ``data.retryAfter`` is the wait in seconds.
    """
    await resets.submit(form.email, caller)
    answer = ForgotAnswer(user_id=context.handle(form.email))
    return ok(answer, "If this email has an account, a code is on its way.")


@router.post(
    "/api/v1/password/reset",
    responses=documented(404, 429),
    dependencies=[Depends(limit_refusals(rules.REFUSED_RESETS))],
)
async def reset_password(
    context: AuthContextDep, caller: CallerDep, form: ResetInput
) -> Envelope[None]:
    """Change the password with the mailed code; all sessions end."""
    await passwords.reset_password(context, form.user_id, form.code, form.password, caller)
    return ok(None, "Your password has been changed. You can sign in now.")


@router.post("/api/v1/sms/reports", responses=documented(400, 404))
async def receive_sms_report(
    context: AuthContextDep,
    limiter: LimiterDep,
    address: AddressDep,
    request: Request,
) -> Envelope[None]:
    """Receive the SMS provider's signed delivery report; for the provider only."""
    raw = await request.body()
    try:
        await texts.receive_report(context, raw, request.headers)
    except InvalidReportError:
        context.security.record(
            SecurityEvent.SIGNATURE_REFUSED, gateway="sms", origin=limiter.origin(address)
        )
        raise
    return ok(None)


@router.post("/api/v1/sign-out", responses=documented(401))
async def sign_out(context: AuthContextDep, member: CurrentMember) -> Envelope[None]:
    """End this session; its token is invalid from now on."""
    await sessions.sign_out(context, member)
    return ok(None, "You have signed out.")


@router.get("/api/v1/sessions/{user_id}", responses=documented(401, 404))
async def list_sessions(
    member: CurrentMember, context: AuthContextDep, user_id: ExistingId
) -> Envelope[list[SessionAnswer]]:
    """List the member's sessions, last used first."""
    member.require_self(user_id)
    return ok(await sessions.list_sessions(context, member))


@router.post("/api/v1/sessions/revoke-others", responses=documented(401, 404))
async def revoke_other_sessions(
    context: AuthContextDep, member: CurrentMember, form: RevokeInput | None = None
) -> Envelope[RevokeAnswer]:
    """End all other sessions of the member; this one stays open."""
    if form is not None and form.user_id is not None:
        member.require_self(form.user_id)
    revoked = await sessions.revoke_others(context, member)
    return ok(RevokeAnswer(revoked=revoked), "You have signed out everywhere else.")
