"""Issues and sends codes, within limits."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.database import Transaction
from api.foundation.security.events import SecurityEvent
from api.people.auth import rules
from api.people.auth.enums import CodeChannel, CodePurpose
from api.people.auth.errors import CodeTooSoonError
from api.people.auth.jobs import MAIL_CODE, CodeMail
from api.people.auth.repository import codes, sign_ups
from api.people.auth.repository.codes import Code, CodeRequest
from api.people.auth.repository.sign_ups import SignUpRow
from api.people.auth.service import texts
from api.people.auth.service.attempts import locked_attempt
from api.people.auth.service.context import AuthContext, Caller, record, seconds_until
from api.people.auth.service.texts import NewCode
from api.people.clubs.service import queries as clubs_queries
from api.people.users.repository import UserRecord
from api.people.users.service import account as users_account


async def resend(context: AuthContext, attempt_id: UUID, channel: CodeChannel | None = None) -> int:
    """Send a sign-up's code; return 0 if it was sent, else the seconds until it can be.

    ``channel`` is by default the one it was sent through before.

    Raises:
        NotFoundError: there is no such sign-up, or it has ended.
        PhoneTakenError: another member activated its phone meanwhile, so a code would be useless.
    """
    async with locked_attempt(context, attempt_id) as (tx, attempt):
        await users_account.require_free_phone(tx, attempt.phone)
        chosen = replace(attempt, channel=_offered(context, channel or attempt.channel))
        seconds = await send_activation_code(context, tx, chosen)
        if seconds == 0 and chosen.channel is not attempt.channel:
            await sign_ups.change_channel(tx, attempt_id, chosen.channel)
    if seconds == 0:
        record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return seconds


def _offered(context: AuthContext, channel: CodeChannel) -> CodeChannel:
    """Return ``channel``, or email if the deployment offers it no longer."""
    return channel if channel in context.channels else CodeChannel.EMAIL


async def send_activation_code(context: AuthContext, tx: Transaction, attempt: SignUpRow) -> int:
    """Send a sign-up's code through its channel unless it is too early.

    Returns the seconds to wait, 0 if it was sent. The caller holds the address's lock.
    """
    seconds = await seconds_to_wait(tx, attempt)
    if seconds > 0:
        return seconds
    if attempt.channel is CodeChannel.EMAIL:
        request = CodeRequest(attempt.address, CodePurpose.ACTIVATION)
        await issue_code(context, tx, request, attempt, subject_id=attempt.id)
        return 0
    return await text_activation_code(context, tx, attempt)


async def text_activation_code(context: AuthContext, tx: Transaction, attempt: SignUpRow) -> int:
    """Send a sign-up's code by SMS unless it is too early for its number.

    Returns the seconds to wait, 0 if it was sent. The caller holds the address's lock.
    """
    request = CodeRequest(attempt.address, CodePurpose.ACTIVATION)
    seconds, place = await texts.next_place(context, tx, attempt.phone)
    if seconds == 0:
        code = await store_code(context, tx, request, subject_id=attempt.id)
        await texts.queue_text(context, tx, attempt, code, place)
    return seconds


async def issue_code(
    context: AuthContext,
    tx: Transaction,
    request: CodeRequest,
    person: UserRecord | SignUpRow,
    *,
    subject_id: UUID,
) -> None:
    """Mail a code to a member or a sign-up; voids the subject's open code."""
    is_member = request.purpose is CodePurpose.PASSWORD_RESET
    user_id = person.id if is_member else None
    code = await store_code(context, tx, request, subject_id=subject_id, user_id=user_id)
    mail = CodeMail(
        subject_id=subject_id,
        email=person.email,
        first_name=person.first_name if is_member else None,
        purpose=request.purpose,
        code=code.digits,
        expires_at=code.expires_at,
        colours=await _colours_of(tx, person.club_id),
    )
    await context.queue.enqueue(tx, MAIL_CODE, mail, key=code.digest)


async def _colours_of(tx: Transaction, club_id: UUID) -> tuple[str, str] | None:
    club = await clubs_queries.find(tx, club_id)
    return None if club is None else (club.colour_a, club.colour_b)


async def store_code(
    context: AuthContext,
    tx: Transaction,
    request: CodeRequest,
    *,
    subject_id: UUID,
    user_id: UUID | None = None,
) -> NewCode:
    """Store a new code for a subject; voids its open one."""
    digits, now = rules.draw_code(), clock.now()
    code = context.code(subject_id, request.purpose, digits)
    await codes.replace_code(tx, code, request, user_id=user_id, now=now, life=rules.CODE_LIFE)
    return NewCode(digits, code.digest, now + rules.CODE_LIFE)


async def seconds_to_wait(tx: Transaction, attempt: SignUpRow) -> int:
    """Return 0 if a sign-up's code may be sent now, else the seconds until it may.

    An email waits a minute between codes. Each network has its own mails of a day, so that
    strangers cannot use up those of an email's owner; beyond the mails for all networks together,
    one that has sent none may still send one. SMS are counted by their number instead.
    """
    day = timedelta(days=1)
    sent = await codes.list_sent(tx, attempt.address, clock.now() - day, attempt.origin)
    if not sent:
        return 0
    if attempt.channel is CodeChannel.EMAIL:
        here = [code for code in sent if code.is_from_here]
        if len(here) >= rules.CODES_PER_DAY:
            return seconds_until(here[rules.CODES_PER_DAY - 1].created_at + day)
        if here and len(sent) >= rules.CODES_PER_EMAIL:
            return seconds_until(sent[rules.CODES_PER_EMAIL - 1].created_at + day)
    return max(0, seconds_until(sent[0].created_at + rules.CODE_PAUSE))


async def seconds_to_correct(tx: Transaction, attempt_id: UUID) -> int:
    """Return 0 if a sign-up may send its code to another address, else the seconds until it may.

    Each address has its own limits, so this one bounds how many strangers one sign-up can mail.
    """
    day = timedelta(days=1)
    sent = await codes.list_codes_of(tx, attempt_id, clock.now() - day)
    if len(sent) < rules.CODES_PER_DAY:
        return 0
    return seconds_until(sent[rules.CODES_PER_DAY - 1] + day)


def code_too_soon(seconds: int) -> CodeTooSoonError:
    """Return the error with the time of the next possible code."""
    return CodeTooSoonError(
        f"You can ask for another code in {rules.describe_wait(seconds)}.",
        content={"retryAfter": seconds},
        retry_after_seconds=seconds,
    )


def record_code_sent(context: AuthContext, user_id: UUID, purpose: CodePurpose) -> None:
    """Record in the security log that a code was sent."""
    context.security.record(SecurityEvent.CODE_SENT, user_id=user_id, purpose=purpose.value)


def record_code_refused(context: AuthContext, entered: Code, caller: Caller) -> None:
    """Record in the security log that a code was wrong."""
    record(
        context,
        SecurityEvent.CODE_REFUSED,
        caller,
        subject_id=str(entered.subject_id),
        purpose=entered.purpose.value,
    )
