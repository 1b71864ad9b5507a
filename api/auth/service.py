"""Signing up, activating, signing in and out, and the forgotten password."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.auth import repository, rules
from api.auth.enums import CodePurpose
from api.auth.errors import (
    CodeTooSoonError,
    NotActivatedError,
    SuspendedError,
    WrongCodeError,
    WrongCredentialsError,
    WrongPasswordError,
)
from api.auth.events import CodeIssued
from api.auth.schemas import SessionAnswer, SignInAnswer, SignUpInput
from api.clubs import service as clubs
from api.core import clock
from api.core.database import Database, Row, UnitOfWork
from api.core.errors import InvalidFieldError, NotFoundError, TooManyRequestsError
from api.core.identity import (
    TOKEN_LIFE,
    Member,
    PasswordHasher,
    SessionRecord,
    SessionRevoked,
    TokenCodec,
    keyed_digest,
)
from api.core.ids import new_id, parse_id
from api.users import service as users

GUARD = repository.Guard(
    memory=rules.ATTEMPT_MEMORY,
    free_attempts=rules.FREE_ATTEMPTS,
    first_delay=rules.FIRST_DELAY,
    longest_delay=rules.LONGEST_DELAY,
)


@dataclass(frozen=True)
class AuthDesk:
    """What signing up and in works with, made once per process."""

    database: Database
    hasher: PasswordHasher
    codec: TokenCodec
    code_key: str

    def digest(self, *parts: str) -> str:
        """Return the keyed digest that stands for ``parts`` in the database."""
        return keyed_digest(self.code_key, *parts)


def parse_user_id(user_id: str) -> UUID:
    """Return the id that a form or route names.

    Raises:
        NotFoundError: it is no id of ours.
    """
    found = parse_id(user_id)
    if found is None:
        raise NotFoundError
    return found


async def sign_up(desk: AuthDesk, form: SignUpInput) -> UUID:
    """Keep a sign-up and mail its code; return the account's id.

    A repeated sign-up of an account that was never activated replaces it. When a code was sent
    less than a minute ago that one stays good and no second one is sent.

    Raises:
        InvalidFieldError: there is no such club.
        AccountExistsError: an activated member has the e-mail or phone.
    """
    if not await clubs.exists(desk.database, form.club):
        raise InvalidFieldError.of("club", "Club is required")
    password_hash = await desk.hasher.hash(form.password)
    async with desk.database.unit_of_work() as unit:
        user_id = await users.register(
            unit,
            first_name=form.first_name,
            last_name=form.last_name,
            email=form.email,
            phone=form.phone,
            club_id=form.club,
        )
        await repository.change_password(unit, user_id, password_hash)
        if await _seconds_to_wait(unit, user_id, CodePurpose.ACTIVATION) == 0:
            await _issue_code(
                desk, unit, user_id, form.email, form.first_name, CodePurpose.ACTIVATION
            )
    return user_id


async def resend_code(desk: AuthDesk, user_id: UUID) -> int:
    """Mail a new activation code; return the seconds until the next may be asked for.

    Raises:
        NotFoundError: there is no such account, or it is activated.
        CodeTooSoonError: too early, or too many today.
    """
    user = await users.find(desk.database, user_id)
    if user is None or user["activated_at"] is not None:
        raise NotFoundError
    if not await _send_code(desk, user, CodePurpose.ACTIVATION):
        async with desk.database.unit_of_work() as unit:
            seconds = await _seconds_to_wait(unit, user_id, CodePurpose.ACTIVATION)
        raise CodeTooSoonError(content={"retryAfter": seconds}, retry_after_seconds=seconds)
    return int(rules.CODE_PAUSE.total_seconds())


async def activate(desk: AuthDesk, user_id: UUID, code: str) -> UUID:
    """Make the account a member's; the same code again answers the same.

    Raises:
        WrongCodeError: the code is wrong, expired or void.
        PhoneTakenError: another member activated this phone in the meantime.
    """
    digest = desk.digest(str(user_id), CodePurpose.ACTIVATION, _digits(code))
    async with desk.database.unit_of_work() as unit:
        fits = await repository.try_code(
            unit, user_id, CodePurpose.ACTIVATION, digest, rules.TRIES_PER_CODE
        )
        if fits:
            await users.activate(unit, user_id)
        else:
            fits = await _was_activated_with(unit, desk, user_id, digest)
    if not fits:
        raise WrongCodeError
    return user_id


async def sign_in(
    desk: AuthDesk, username: str, password: str, user_agent: str = ""
) -> SignInAnswer:
    """Open a session and return its token; ``user_agent`` tells the member's devices apart.

    An unknown e-mail costs the same time and gives the same answer as a wrong password.

    Raises:
        WrongCredentialsError: the two do not belong together.
        TooManyRequestsError: too many wrong passwords for this e-mail.
        NotActivatedError: the account waits for its code; a fresh one is mailed.
        SuspendedError: operators have suspended the account.
    """
    digest = desk.digest("sign-in", username.lower())
    await _admit(desk, digest)
    user = await users.find_by_email(desk.database, username)
    hashed = await repository.read_password_hash(desk.database, user["id"]) if user else None
    if not await desk.hasher.verify(password, hashed) or user is None:
        raise WrongCredentialsError
    await repository.clear_guard(desk.database, digest)
    if user["activated_at"] is None:
        await _send_code(desk, user, CodePurpose.ACTIVATION)
        raise NotActivatedError(content={"id": str(user["id"])})
    if user["suspended_at"] is not None:
        raise SuspendedError
    session_id = new_id()
    async with desk.database.unit_of_work() as unit:
        await repository.insert_session(
            unit,
            session_id,
            user["id"],
            TOKEN_LIFE,
            rules.SESSIONS_PER_MEMBER,
            rules.describe_device(user_agent),
        )
    token = desk.codec.issue(user["id"], session_id, clock.now())
    return SignInAnswer(user=users.describe(user), access_token=token)


async def sign_out(desk: AuthDesk, member: Member) -> None:
    """End the member's session; its token is dead from now on."""
    async with desk.database.unit_of_work() as unit:
        for session_id in await repository.change_revoked(unit, session_id=member.session_id):
            unit.record(SessionRevoked(session_id))


async def list_sessions(database: Database, member: Member) -> list[SessionAnswer]:
    """Return the member's live sessions, last used first."""
    return [
        SessionAnswer(
            id=row["id"],
            device=row["device"] or rules.UNKNOWN_DEVICE,
            started_at=row["created_at"],
            last_seen_at=row["last_seen_at"],
            current=row["id"] == member.session_id,
        )
        for row in await repository.list_sessions(database, member.user_id)
    ]


async def revoke_others(desk: AuthDesk, member: Member) -> int:
    """End every other session of the member; return how many there were."""
    async with desk.database.unit_of_work() as unit:
        ended = await repository.change_others_revoked(unit, member.user_id, member.session_id)
        for session_id in ended:
            unit.record(SessionRevoked(session_id))
    return len(ended)


async def check_password(desk: AuthDesk, member: Member, password: str) -> None:
    """Make sure that it is the member who asks, under the limits of signing in.

    Raises:
        WrongPasswordError: the password is not the member's.
        TooManyRequestsError: too many wrong ones.
    """
    user = await users.find(desk.database, member.user_id)
    if user is None:
        raise NotFoundError
    digest = desk.digest("sign-in", user["email"].lower())
    await _admit(desk, digest)
    hashed = await repository.read_password_hash(desk.database, member.user_id)
    if not await desk.hasher.verify(password, hashed):
        raise WrongPasswordError
    await repository.clear_guard(desk.database, digest)


async def revoke_all(unit: UnitOfWork, user_id: UUID) -> None:
    """End every session of a member."""
    for session_id in await repository.change_revoked(unit, user_id=user_id):
        unit.record(SessionRevoked(session_id))


async def forgot_password(desk: AuthDesk, email: str) -> UUID:
    """Mail a reset code; return the account's id, or a made-up one that is always the same.

    Nothing in the answer tells whether the e-mail is known.
    """
    user = await users.find_by_email(desk.database, email)
    if user is None or user["activated_at"] is None:
        return UUID(hex=desk.digest("nobody", email.lower())[:32], version=4)
    await _send_code(desk, user, CodePurpose.PASSWORD_RESET)
    return UUID(str(user["id"]))


async def reset_password(desk: AuthDesk, user_id: UUID, code: str, password: str) -> None:
    """Change the password against a mailed code, and end every session.

    Raises:
        WrongCodeError: the code is wrong, expired, used or void.
    """
    password_hash = await desk.hasher.hash(password)
    digest = desk.digest(str(user_id), CodePurpose.PASSWORD_RESET, _digits(code))
    async with desk.database.unit_of_work() as unit:
        fits = await repository.try_code(
            unit, user_id, CodePurpose.PASSWORD_RESET, digest, rules.TRIES_PER_CODE
        )
        if fits:
            await repository.change_password(unit, user_id, password_hash)
            await revoke_all(unit, user_id)
    if not fits:
        raise WrongCodeError


async def read_session(database: Database, session_id: UUID) -> SessionRecord | None:
    """Return what the database says of a live session, or None."""
    row = await repository.read_session(database, session_id)
    if row is None:
        return None
    return SessionRecord(
        user_id=row["user_id"],
        club_id=row["club_id"],
        club_name=row["club_name"],
        is_operator=row["is_operator"],
        expires_at=row["expires_at"],
    )


async def _admit(desk: AuthDesk, digest: str) -> None:
    locked_until = await repository.admit_attempt(desk.database, digest, GUARD)
    if locked_until is not None:
        raise TooManyRequestsError(retry_after_seconds=_seconds_until(locked_until))


async def _send_code(desk: AuthDesk, user: Row, purpose: CodePurpose) -> bool:
    """Mail a code unless it is too early; say whether it was sent."""
    async with desk.database.unit_of_work() as unit:
        await users.lock(unit, user["id"])
        if await _seconds_to_wait(unit, user["id"], purpose) > 0:
            return False
        await _issue_code(desk, unit, user["id"], user["email"], user["first_name"], purpose)
    return True


async def _issue_code(
    desk: AuthDesk,
    unit: UnitOfWork,
    user_id: UUID,
    email: str,
    first_name: str,
    purpose: CodePurpose,
) -> None:
    code = rules.draw_code()
    digest = desk.digest(str(user_id), purpose, code)
    await repository.replace_code(unit, user_id, purpose, digest, rules.CODE_LIFE)
    unit.record(CodeIssued(user_id, email, first_name, purpose, code))


async def _seconds_to_wait(unit: UnitOfWork, user_id: UUID, purpose: CodePurpose) -> int:
    """Return 0 when a code may be sent now, else the seconds until one may."""
    day_ago = clock.now() - timedelta(days=1)
    sent = await repository.list_recent_codes(unit, user_id, purpose, day_ago)
    if not sent:
        return 0
    if len(sent) >= rules.CODES_PER_DAY:
        return _seconds_until(sent[rules.CODES_PER_DAY - 1] + timedelta(days=1))
    return max(0, _seconds_until(sent[0] + rules.CODE_PAUSE))


def _seconds_until(instant: datetime) -> int:
    left = (instant - clock.now()).total_seconds()
    return int(left) + 1 if left > 0 else 0


async def _was_activated_with(unit: UnitOfWork, desk: AuthDesk, user_id: UUID, digest: str) -> bool:
    user = await users.find(desk.database, user_id)
    if user is None or user["activated_at"] is None:
        return False
    return await repository.was_used(unit, user_id, CodePurpose.ACTIVATION, digest)


def _digits(code: str) -> str:
    return "".join(code.split())
