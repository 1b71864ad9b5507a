"""Codes by SMS: few a day for each number, and what became of each message."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError, UnavailableError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Transaction
from api.foundation.jobs.kinds import ObsoleteError, PermanentFailureError
from api.foundation.security.events import SecurityEvent
from api.people.auth import rules
from api.people.auth.enums import CodePurpose, SmsState
from api.people.auth.jobs import TEXT_CODE, CodeText
from api.people.auth.ports import (
    CodeRefusedError,
    CodeSender,
    OutgoingCode,
    UncertainDeliveryError,
)
from api.people.auth.repository import messages, sign_ups
from api.people.auth.repository.sign_ups import SignUpRow
from api.people.auth.service.context import AuthContext, record, seconds_until

NO_MORE_TODAY = "No more codes can be sent by SMS today. Please choose email."


@dataclass(frozen=True)
class NewCode:
    """A code that was just stored: its digits, its stored form, and when it expires."""

    digits: str
    digest: str
    expires_at: datetime


async def next_place(context: AuthContext, tx: Transaction, phone: str) -> tuple[int, int]:
    """Return the seconds until a number may be sent an SMS, 0 for now, and its place in the day.

    Locks the number until commit, after the addresses of sign-ups.

    Raises:
        InvalidFieldError: the day's SMS for all numbers are used up.
    """
    number, now = context.number(phone), clock.now()
    await sign_ups.lock_address(tx, number)
    sent = await messages.list_sent(tx, number, clock.lagos_day(now))
    if len(sent) >= rules.SMS_PER_DAY:
        return seconds_until(clock.next_midnight(now)), 0
    if await messages.count_since(tx, clock.midnight(clock.lagos_day(now))) >= context.sms_per_day:
        record(context, SecurityEvent.LIMIT_REACHED, None, limit="sms")
        raise InvalidFieldError.of("channel", NO_MORE_TODAY)
    wait = seconds_until(sent[0] + rules.CODE_PAUSE) if sent else 0
    return wait, len(sent) + 1


async def queue_text(
    context: AuthContext, tx: Transaction, attempt: SignUpRow, code: NewCode, place: int
) -> None:
    """Queue the SMS with a sign-up's code at its place in the day."""
    message_id, number = new_id(), context.number(attempt.phone)
    await messages.insert_message(
        tx, message_id, number, place, subject_id=attempt.id, now=clock.now()
    )
    text = CodeText(
        message_id=message_id,
        phone=attempt.phone,
        first_name=attempt.first_name,
        purpose=CodePurpose.ACTIVATION,
        code=code.digits,
        expires_at=code.expires_at,
    )
    await context.queue.enqueue(tx, TEXT_CODE, text, key=code.digest)


async def send_text(database: Database, sender: CodeSender, text: CodeText) -> None:
    """Send a code by SMS, at most once.

    The message is marked before the provider is called. If this process dies meanwhile, or the
    response is lost, it may have been sent, and is not sent again: its person can ask for another.

    Raises:
        ObsoleteError: the code has expired, or the message was sent before.
        UnavailableError: the provider did not receive it; it may be tried again.
        PermanentFailureError: the provider refused it, or it is unknown whether it was sent.
    """
    if text.expires_at <= clock.now():
        await _change(database, text, SmsState.QUEUED, SmsState.FAILED)
        raise ObsoleteError
    if not await _change(database, text, SmsState.QUEUED, SmsState.SENDING):
        await _change(database, text, SmsState.SENDING, SmsState.UNKNOWN)
        raise ObsoleteError
    outgoing = OutgoingCode(text.phone, text.first_name, text.purpose, text.code)
    try:
        provider_id = await sender.send(outgoing)
    except UnavailableError:
        await _change(database, text, SmsState.SENDING, SmsState.QUEUED)
        raise
    except CodeRefusedError as error:
        await _change(database, text, SmsState.SENDING, SmsState.FAILED)
        raise PermanentFailureError from error
    except UncertainDeliveryError as error:
        await _change(database, text, SmsState.SENDING, SmsState.UNKNOWN)
        raise PermanentFailureError from error
    now = clock.now()
    await messages.change_state(
        database,
        text.message_id,
        SmsState.SENDING,
        SmsState.SENT,
        now,
        provider_id=provider_id,
    )


async def give_up_text(database: Database, text: CodeText) -> None:
    """Mark a message whose last attempt failed."""
    await _change(database, text, SmsState.QUEUED, SmsState.FAILED)


async def _change(database: Database, text: CodeText, before: SmsState, after: SmsState) -> bool:
    return await messages.change_state(database, text.message_id, before, after, clock.now())


async def receive_report(context: AuthContext, raw: bytes, headers: Mapping[str, str]) -> None:
    """Store a delivery report; repeated ones and those of unknown messages change nothing.

    Raises:
        NotFoundError: codes by SMS are not enabled.
        InvalidReportError: the provider has not signed it.
    """
    if context.reports is None:
        raise NotFoundError
    report = context.reports.read(raw, headers)
    if report is not None:
        await messages.record_report(context.database, report, clock.now())
