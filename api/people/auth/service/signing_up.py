"""Signing up, correcting the email, and activating."""

from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import (
    InvalidFieldError,
    NotFoundError,
)
from api.foundation.core.ids import new_id
from api.foundation.database.rate_limit import SIGN_UPS
from api.foundation.security.events import SecurityEvent
from api.foundation.security.passwords import (
    LaneName,
)
from api.people.auth import rules
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.errors import EmailContestedError, WrongCodeError
from api.people.auth.repository import codes, passwords, sign_ups
from api.people.auth.repository.codes import Code
from api.people.auth.repository.sign_ups import SignUpRow
from api.people.auth.schemas import ActivationAnswer, PendingSignUp, SignUpAnswer, SignUpInput
from api.people.auth.service.attempts import locked_attempt
from api.people.auth.service.codes import (
    code_too_soon,
    record_code_refused,
    record_code_sent,
    resend,
    seconds_to_correct,
    send_activation_code,
    text_activation_code,
)
from api.people.auth.service.context import AuthContext, Caller, record
from api.people.auth.service.passwords import require_hard_password
from api.people.clubs.service import queries as clubs_queries
from api.people.legal import service as legal
from api.people.users.service import account as users_account


async def sign_up(context: AuthContext, form: SignUpInput, caller: Caller) -> SignUpAnswer:
    """Store a sign-up, and send its code unless one was just sent to its email or phone.

    Each sign-up is independent: it has its own id, data, password and code. It becomes an account
    only when the code mailed for it is entered with its id.

    Raises:
        InvalidFieldError: there is no such club or channel, or the password is easy to guess.
        AccountExistsError: a member has the email or phone.
        ChallengeRequiredError: its network has no free sign-up left.
        UnavailableError: too many passwords wait to be hashed.
    """
    channel = form.channel or CodeChannel.EMAIL
    require_channel(context, channel)
    await _require_fit(context, form)
    async with context.challenges.counted(SIGN_UPS, caller.address, caller.solution):
        async with context.database.transaction() as tx:
            await users_account.require_free(tx, form.email, form.phone)
        password_hash = await context.hasher.hash(
            form.password, caller.turn(LaneName.SIGN_UP), salt=context.salt(form.email)
        )
        now = clock.now()
        attempt_id = new_id()
        attempt = SignUpRow(
            id=attempt_id,
            address=context.address(form.email),
            origin=context.limiter.origin(caller.address),
            club_id=form.club,
            first_name=form.first_name,
            last_name=form.last_name,
            email=form.email,
            phone=form.phone,
            password_hash=password_hash,
            created_at=now,
            expires_at=now + rules.ATTEMPT_LIFE,
            invite=form.invite,
            claim=form.claim,
            browser=context.browser(caller),
            terms_version=legal.current_version(),
            channel=channel,
        )
        async with context.database.transaction() as tx:
            await sign_ups.lock_address(tx, context.address(form.email))
            await users_account.require_free(tx, form.email, form.phone)
            await sign_ups.insert_attempt(tx, attempt, rules.ATTEMPTS_PER_ADDRESS)
            seconds = await send_activation_code(context, tx, attempt)
    record(context, SecurityEvent.SIGNED_UP, caller, user_id=attempt_id)
    if seconds == 0:
        record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return SignUpAnswer(id=attempt_id, retry_after=seconds)


async def resend_code(
    context: AuthContext,
    attempt_id: UUID,
    channel: CodeChannel,
    caller: Caller,
    phone: str | None = None,
) -> int:
    """Send a sign-up's code again; return the seconds until the next may be requested.

    ``phone`` corrects the sign-up's number, see ``correct_phone``.

    Raises:
        InvalidFieldError: the channel is not enabled, or is not that of the corrected phone.
        ChallengeRequiredError: the network has no free sign-up left.
        NotFoundError: there is no such sign-up, or it has ended.
        CodeTooSoonError: too early for the email or the phone, or too many today.
        PhoneTakenError: another member activated its phone meanwhile.
    """
    require_channel(context, channel)
    if phone is not None:
        if channel is not CodeChannel.SMS:
            raise InvalidFieldError.of("phone", "A corrected phone gets its code by SMS")
        return await correct_phone(context, attempt_id, phone, caller)
    async with context.challenges.required(SIGN_UPS, caller.address, caller.solution):
        seconds = await resend(context, attempt_id, channel)
    if seconds > 0:
        raise code_too_soon(seconds)
    return int(rules.CODE_PAUSE.total_seconds())


async def read_pending(context: AuthContext, attempt_id: UUID) -> PendingSignUp:
    """Return what the activation page shows of a sign-up.

    Raises:
        NotFoundError: there is no such sign-up, or it has ended.
    """
    attempt = await sign_ups.read_attempt(context.database, attempt_id, clock.now())
    if attempt is None:
        raise NotFoundError
    return PendingSignUp(
        email=attempt.email,
        phone=rules.mask_phone(attempt.phone),
        channel=attempt.channel,
        channels=list(context.channels),
        club=await clubs_queries.show(context.database, attempt.club_id),
    )


def require_channel(context: AuthContext, channel: CodeChannel) -> None:
    """Reject a channel that is not enabled.

    Raises:
        InvalidFieldError: it is not.
    """
    if channel not in context.channels:
        raise InvalidFieldError.of("channel", "Codes cannot be sent by SMS")


async def correct_email(context: AuthContext, attempt_id: UUID, email: str, caller: Caller) -> int:
    """Change a sign-up's email and mail it a new code; the old code is void.

    Returns the seconds until the next code may be requested. Counts like a sign-up of the network,
    because it mails an address of the caller's choice. If it raises, nothing has changed.

    Raises:
        ChallengeRequiredError: the network has no free sign-up left.
        NotFoundError: there is no such sign-up, or it has ended.
        AccountExistsError: a member has the email, or the sign-up's phone.
        CodeTooSoonError: too early for the new address, or too many today for it or the sign-up.
    """
    address = context.address(email)
    async with (
        context.challenges.counted(SIGN_UPS, caller.address, caller.solution),
        locked_attempt(context, attempt_id, address) as (tx, attempt),
    ):
        is_other = address != attempt.address
        seconds = await seconds_to_correct(tx, attempt_id) if is_other else 0
        corrected = replace(attempt, email=email, address=address, channel=CodeChannel.EMAIL)
        seconds = seconds or await send_activation_code(context, tx, corrected)
        if seconds > 0:
            raise code_too_soon(seconds)
        # After the limits, so that nobody can try many addresses for those of members.
        await users_account.require_free(tx, email, attempt.phone)
        await sign_ups.change_email(tx, corrected, clock.now(), rules.ATTEMPTS_PER_ADDRESS)
    record(context, SecurityEvent.EMAIL_CORRECTED, caller, user_id=attempt_id)
    record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return int(rules.CODE_PAUSE.total_seconds())


async def correct_phone(context: AuthContext, attempt_id: UUID, phone: str, caller: Caller) -> int:
    """Change a sign-up's phone and send it a new code by SMS; the old code is void.

    Returns the seconds until the next code may be requested. Counts and fails like
    ``correct_email``; the new number has its own SMS of the day, and if it raises, nothing has
    changed.

    Raises:
        InvalidFieldError: the day's SMS for all numbers are used up.
    """
    async with (
        context.challenges.counted(SIGN_UPS, caller.address, caller.solution),
        locked_attempt(context, attempt_id) as (tx, attempt),
    ):
        corrected = replace(attempt, phone=phone, channel=CodeChannel.SMS)
        if phone == attempt.phone:
            seconds = await send_activation_code(context, tx, corrected)
        else:  # another number has its own pause, as another address has
            seconds = await seconds_to_correct(tx, attempt_id)
            seconds = seconds or await text_activation_code(context, tx, corrected)
        if seconds > 0:
            raise code_too_soon(seconds)
        # After the limits, so that nobody can try many numbers for those of members.
        await users_account.require_free(tx, attempt.email, phone)
        await sign_ups.change_phone(tx, corrected)
    record(context, SecurityEvent.PHONE_CORRECTED, caller, user_id=attempt_id)
    record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return int(rules.CODE_PAUSE.total_seconds())


async def activate(
    context: AuthContext, attempt_id: UUID, code: str, caller: Caller
) -> ActivationAnswer:
    """Turn the sign-up into an account with the same id; idempotent for the same code.

    All other sign-ups with the email end. A repetition reports no points: its first call did.

    Raises:
        EmailContestedError: it came by SMS, and a code was mailed to another person.
        WrongCodeError: the code is wrong, expired, void, or another sign-up's.
        PhoneTakenError: another member activated this phone in the meantime.
    """
    entered = context.code(attempt_id, CodePurpose.ACTIVATION, code)
    with suppress(NotFoundError):
        points = await _open_account(context, entered, caller)
        if points is not None:
            record(context, SecurityEvent.ACTIVATED, caller, user_id=attempt_id)
            return ActivationAnswer(id=attempt_id, points=points)
    if await sign_ups.was_activated_with(context.database, attempt_id, entered.digest, clock.now()):
        return ActivationAnswer(id=attempt_id, points=0)
    record_code_refused(context, entered, caller)
    raise WrongCodeError


async def _open_account(context: AuthContext, entered: Code, caller: Caller) -> int | None:
    """Return the points that the new account begins with, or None for a wrong code."""
    now, attempt_id = clock.now(), entered.subject_id
    origin = context.limiter.origin(caller.address)
    async with locked_attempt(context, attempt_id) as (tx, attempt):
        if await codes.use_code(tx, entered, origin, now, rules.TRIES_PER_CODE) is None:
            return None
        if attempt.channel is CodeChannel.SMS and await sign_ups.is_contested(tx, attempt, now):
            raise EmailContestedError
        user = users_account.NewUser(
            attempt_id,
            attempt.first_name,
            attempt.last_name,
            attempt.email,
            attempt.phone,
            attempt.club_id,
            attempt.created_at,
            is_email_proved=attempt.channel is CodeChannel.EMAIL,
        )
        await users_account.open_account(tx, user, now)
        if attempt.terms_version is not None:
            await legal.record(tx, attempt_id, attempt.terms_version, attempt.created_at)
        await passwords.change_password(tx, attempt_id, attempt.password_hash, now)
        await sign_ups.end_attempts(tx, attempt.address, now)
        await sign_ups.change_code_used(tx, attempt_id, entered.digest)
        await passwords.store_origin(tx, attempt_id, origin, now)
        is_new_browser = True
        if attempt.browser is not None:
            is_new_browser = not await passwords.is_known_browser(tx, attempt.browser)
            await passwords.store_browser(tx, attempt_id, attempt.browser, now)
        if attempt.invite is not None:
            await context.invitations.accept(tx, attempt_id, attempt.invite, now)
        points = 0
        if attempt.claim is not None and is_new_browser:
            points = await context.claims.redeem(
                tx, attempt_id, attempt.club_id, attempt.claim, now
            )
    return points


async def _require_fit(context: AuthContext, form: SignUpInput) -> None:
    """Reject an unknown club and a password that is easy to guess."""
    if not await clubs_queries.takes_members(context.database, form.club):
        raise InvalidFieldError.of("club", "Club is required")
    words = (form.first_name, form.last_name, form.email, form.phone)
    await require_hard_password(context, form.password, *words)
