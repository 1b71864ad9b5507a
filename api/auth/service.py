"""Signing up, activating, signing in and out, and the forgotten password."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog

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
from api.auth.jobs import MAIL_CODE, CodeMail
from api.auth.repository import Asking, Code, NewSession
from api.auth.schemas import SessionAnswer, SignInAnswer, SignUpAnswer, SignUpInput
from api.clubs import service as clubs
from api.core import clock
from api.core.errors import (
    DatabaseUnavailableError,
    InvalidFieldError,
    NotFoundError,
    TokenError,
    TooManyRequestsError,
)
from api.core.ids import new_id
from api.database.database import Database, Transaction
from api.database.rate_limit import FAILED_SIGN_INS, SIGN_UPS, UNAUTHENTICATED, RateLimiter
from api.database.statements import Row
from api.jobs.queue import JobQueue
from api.security.digests import keyed_digest, keyed_salt
from api.security.events import SecurityEvent, SecurityLog
from api.security.members import Member, SessionRecord, SessionRevoked
from api.security.network import site_of
from api.security.passwords import (
    EASY_TO_GUESS,
    HashingTurn,
    LaneName,
    PasswordHasher,
    is_easy_to_guess,
)
from api.security.tokens import TOKEN_LIFE, TokenCodec
from api.users import service as users

log = structlog.get_logger(__name__)

GUARD = repository.Guard(
    memory=rules.ATTEMPT_MEMORY,
    free_attempts=rules.FREE_ATTEMPTS,
    first_delay=rules.FIRST_DELAY,
    longest_delay=rules.LONGEST_DELAY,
)
NOBODY = UUID(int=0)


@dataclass(frozen=True)
class AuthContext:
    """What signing up and in works with, made once per process."""

    database: Database
    hasher: PasswordHasher
    codec: TokenCodec
    code_key: str
    limiter: RateLimiter
    security: SecurityLog
    queue: JobQueue
    session_idle: timedelta

    def digest(self, *parts: str) -> str:
        """Return the keyed digest that stands for ``parts`` in the database."""
        return keyed_digest(self.code_key, *parts)

    def code(self, subject_id: UUID, purpose: CodePurpose, digits: str) -> Code:
        """Return a code as the database knows it: good for one subject and purpose."""
        return Code(subject_id, purpose, self.digest(str(subject_id), purpose, digits))

    def address(self, email: str) -> str:
        """Return what stands for an e-mail, in any case of letters."""
        return self.digest("address", email.lower())

    def salt(self, email: str) -> bytes:
        """Return the salt of all sign-ups with an e-mail: one hash is compared with each."""
        return keyed_salt(self.code_key, "sign-up", email.lower())

    def handle(self, email: str) -> UUID:
        """Return what a forgotten password is reset with, whether anybody has the e-mail or not."""
        return UUID(hex=self.digest("reset", email.lower())[:32], version=4)


@dataclass(frozen=True)
class Caller:
    """Who signs up or in: where from, with what browser, and with what token it still holds."""

    address: str
    user_agent: str = ""
    token: str = ""

    def turn(self, lane: LaneName) -> HashingTurn:
        """Return the caller's turn to have a password hashed; a site has one at a time."""
        return HashingTurn(lane, site_of(self.address))


@dataclass(frozen=True)
class Judged:
    """A member, and the hash of theirs that a password was found to fit."""

    user: Row
    password_hash: str


class _OfSignUp(Exception):  # noqa: N818 it is what was found, not what failed
    """A password is that of a sign-up that waits for its code."""

    def __init__(self, attempt_id: UUID) -> None:
        self.attempt_id = attempt_id


async def sign_up(context: AuthContext, form: SignUpInput, caller: Caller) -> SignUpAnswer:
    """Keep a sign-up, and mail its code unless its e-mail was sent one a moment ago.

    Every sign-up is an attempt of its own: with its own id, data, password and code. It becomes an
    account when the code that was mailed for it is entered with its id, and with no other.

    Raises:
        InvalidFieldError: there is no such club, or the password is easy to guess.
        AccountExistsError: a member has the e-mail or phone.
        TooManyRequestsError: too many sign-ups from one network.
        UnavailableError: too many passwords wait to be hashed.
    """
    async with context.limiter.counted(SIGN_UPS, caller.address):
        await _require_fit(context, form)
        async with context.database.transaction() as tx:
            await users.require_free(tx, form.email, form.phone)
        password_hash = await context.hasher.hash(
            form.password, caller.turn(LaneName.SIGN_UP), salt=context.salt(form.email)
        )
        now = clock.now()
        attempt_id = new_id()
        attempt = {
            "id": attempt_id,
            "address": context.address(form.email),
            "origin": context.limiter.origin(caller.address),
            "club_id": form.club,
            "first_name": form.first_name,
            "last_name": form.last_name,
            "email": form.email,
            "phone": form.phone,
            "password_hash": password_hash,
            "created_at": now,
            "expires_at": now + rules.ATTEMPT_LIFE,
        }
        async with context.database.transaction() as tx:
            await repository.lock_address(tx, context.address(form.email))
            await users.require_free(tx, form.email, form.phone)
            await repository.insert_attempt(tx, attempt, rules.ATTEMPTS_PER_ADDRESS)
            seconds = await _send_activation_code(context, tx, attempt)
    _record(context, SecurityEvent.SIGNED_UP, caller, user_id=attempt_id)
    if seconds == 0:
        _record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return SignUpAnswer(id=attempt_id, retry_after=seconds)


async def resend_code(context: AuthContext, attempt_id: UUID) -> int:
    """Mail a sign-up's code anew; return the seconds until the next may be asked for.

    Raises:
        NotFoundError: there is no such sign-up, or it has ended.
        CodeTooSoonError: too early for the e-mail, or too many today.
    """
    seconds = await _resend(context, attempt_id)
    if seconds > 0:
        raise CodeTooSoonError(
            f"You can ask for another code in {rules.describe_wait(seconds)}.",
            content={"retryAfter": seconds},
            retry_after_seconds=seconds,
        )
    return int(rules.CODE_PAUSE.total_seconds())


async def activate(context: AuthContext, attempt_id: UUID, code: str, caller: Caller) -> UUID:
    """Make the sign-up an account of the same id; the same code again answers the same.

    All other sign-ups with the e-mail end.

    Raises:
        WrongCodeError: the code is wrong, expired, void, or another sign-up's.
        PhoneTakenError: another member activated this phone in the meantime.
    """
    entered = context.code(attempt_id, CodePurpose.ACTIVATION, code)
    waiting = await repository.read_attempt(context.database, attempt_id, clock.now())
    if waiting is not None and await _open_account(context, waiting, entered, caller):
        _record(context, SecurityEvent.ACTIVATED, caller, user_id=attempt_id)
        return attempt_id
    if await repository.was_activated_with(
        context.database, attempt_id, entered.digest, clock.now()
    ):
        return attempt_id
    _refuse_code(context, entered, caller)
    raise WrongCodeError


async def _open_account(context: AuthContext, waiting: Row, entered: Code, caller: Caller) -> bool:
    """Make a sign-up an account if the code fits; say whether it did."""
    now, attempt_id = clock.now(), waiting["id"]
    origin = context.limiter.origin(caller.address)
    async with context.database.transaction() as tx:
        await repository.lock_address(tx, waiting["address"])
        attempt = await repository.lock_attempt(tx, attempt_id, now)
        if attempt is None:
            return False
        if await repository.use_code(tx, entered, origin, now, rules.TRIES_PER_CODE) is None:
            return False
        user = users.NewUser(
            attempt_id,
            attempt["first_name"],
            attempt["last_name"],
            attempt["email"],
            attempt["phone"],
            attempt["club_id"],
            attempt["created_at"],
        )
        await users.open_account(tx, user, now)
        await repository.change_password(tx, attempt_id, attempt["password_hash"], now)
        await repository.end_attempts(tx, attempt["address"], now)
        await repository.change_code_used(tx, attempt_id, entered.digest)
        await repository.keep_origin(tx, attempt_id, origin, now)
    return True


async def sign_in(
    context: AuthContext, username: str, password: str, caller: Caller
) -> SignInAnswer:
    """Open a session and return its token; the browser's name tells the member's devices apart.

    An unknown e-mail costs the same time and gives the same answer as a wrong password. Only wrong
    passwords count against a network. Where there were too many, members who have come from it
    before may still sign in, and nobody else. What strangers try elsewhere keeps nobody out who
    comes from where they came from before: neither the guesses at their e-mail nor any queue.

    Raises:
        WrongCredentialsError: the two do not belong together.
        TooManyRequestsError: too many wrong passwords for this e-mail, or from this network.
        NotActivatedError: a sign-up with this password waits for its code.
        SuspendedError: operators have suspended the account.
    """
    calls_full_for, failures_full_for = await asyncio.gather(
        context.limiter.count(UNAUTHENTICATED, caller.address),
        context.limiter.count(FAILED_SIGN_INS, caller.address),
    )
    refused_for = failures_full_for or calls_full_for
    try:
        judged = await _judge(context, username, password, caller, refused_for)
    except _OfSignUp as found:
        await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
        raise await _not_activated(context, found.attempt_id) from None
    except WrongCredentialsError:
        _record(context, SecurityEvent.SIGN_IN_REFUSED, caller, reason="wrong credentials")
        if refused_for is not None:
            raise TooManyRequestsError(retry_after_seconds=refused_for) from None
        raise
    except Exception:  # whatever else it was, the password was not judged wrong
        await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
        raise
    await context.limiter.give_back(FAILED_SIGN_INS, caller.address)
    user = judged.user
    if user["suspended_at"] is not None:
        _record(
            context, SecurityEvent.SIGN_IN_REFUSED, caller, user_id=user["id"], reason="suspended"
        )
        raise SuspendedError
    answer = await _open_session(context, judged, caller)
    await _end_held_session(context, caller.token)
    return answer


async def _end_held_session(context: AuthContext, token: str) -> None:
    """End the session that the browser held until now: nobody could end it any more."""
    try:
        _, session_id = context.codec.read(token)
    except TokenError:
        return
    async with context.database.transaction() as tx:
        for ended in await repository.change_revoked(tx, clock.now(), session_id=session_id):
            tx.record(SessionRevoked(ended))


async def _judge(
    context: AuthContext, username: str, password: str, caller: Caller, refused_for: int | None
) -> Judged:
    """Return the member the password is of.

    ``refused_for`` is not None when the network has failed too often.

    Raises:
        _OfSignUp: it is the password of a sign-up that waits for its code.
        WrongCredentialsError: it is nobody's.
        TooManyRequestsError: too many wrong ones.
    """
    user = await users.find_by_email(context.database, username)
    is_known = await _is_known(context, user, caller)
    if refused_for is not None and not is_known:
        raise TooManyRequestsError(retry_after_seconds=refused_for)
    turn = caller.turn(LaneName.RETURNING if is_known else LaneName.SIGN_IN)
    async with _attempt(context, username, caller, is_known=is_known):
        if user is not None:
            hashed = await repository.read_password_hash(context.database, user["id"])
            fits = await context.hasher.verify(password, hashed, turn)
            if hashed is None or not fits:
                raise WrongCredentialsError
            if context.hasher.is_outdated(hashed):
                renewed = await context.hasher.hash(password, turn)
                await repository.renew_hash(context.database, user["id"], hashed, renewed)
                hashed = renewed
            return Judged(user, hashed)
        attempts = await repository.list_attempts(
            context.database, context.address(username), clock.now(), rules.ATTEMPTS_PER_ADDRESS
        )
        hashes = [row["password_hash"] for row in attempts]
        place = await context.hasher.find(password, hashes, turn, salt=context.salt(username))
        if place is None:
            raise WrongCredentialsError
        raise _OfSignUp(attempts[place]["id"])


async def _is_known(context: AuthContext, user: Row | None, caller: Caller) -> bool:
    """Say whether the member has come from this network before; the same work for nobody."""
    origin = context.limiter.origin(caller.address)
    user_id = NOBODY if user is None else user["id"]
    return await repository.is_origin_known(context.database, user_id, origin)


def _guard(context: AuthContext, username: str, caller: Caller | None) -> str:
    """Return what wrong passwords for an e-mail are counted under: a caller's network, or all."""
    if caller is None:
        return context.digest("sign-in", username.lower())
    return context.digest("sign-in", username.lower(), context.limiter.origin(caller.address))


async def _not_activated(context: AuthContext, attempt_id: UUID) -> NotActivatedError:
    """Mail the sign-up's code if its e-mail may be sent one; return what to say."""
    try:
        seconds = await _resend(context, attempt_id)
    except NotFoundError:  # it was activated a moment ago, by its own code or another's
        raise WrongCredentialsError from None
    content = {"id": str(attempt_id), "retryAfter": seconds}
    if seconds > 0:
        return NotActivatedError(NotActivatedError.message_without_code, content=content)
    return NotActivatedError(content=content)


async def _open_session(context: AuthContext, judged: Judged, caller: Caller) -> SignInAnswer:
    user, session_id, now = judged.user, new_id(), clock.now()
    session = NewSession(
        session_id,
        user["id"],
        TOKEN_LIFE,
        rules.describe_device(caller.user_agent),
        context.limiter.origin(caller.address),
        judged.password_hash,
    )
    if not await repository.open_session(context.database, session, now, rules.SESSIONS_PER_MEMBER):
        raise WrongCredentialsError  # it was changed a moment ago, or they have left
    _record(
        context, SecurityEvent.SIGNED_IN, caller, user_id=user["id"], session_id=str(session_id)
    )
    token = context.codec.issue(user["id"], session_id, now)
    return SignInAnswer(user=users.describe(user), access_token=token)


async def sign_out(context: AuthContext, member: Member) -> None:
    """End the member's session; its token is dead from now on."""
    async with context.database.transaction() as tx:
        for session_id in await repository.change_revoked(
            tx, clock.now(), session_id=member.session_id
        ):
            tx.record(SessionRevoked(session_id))
    context.security.record(
        SecurityEvent.SIGNED_OUT, user_id=member.user_id, session_id=str(member.session_id)
    )


async def list_sessions(context: AuthContext, member: Member) -> list[SessionAnswer]:
    """Return the member's live sessions, last used first."""
    now = clock.now()
    rows = await repository.list_sessions(
        context.database, member.user_id, now - context.session_idle, now
    )
    return [
        SessionAnswer(
            id=row["id"],
            device=row["device"] or rules.UNKNOWN_DEVICE,
            started_at=row["created_at"],
            last_seen_at=row["last_seen_at"],
            current=row["id"] == member.session_id,
        )
        for row in rows
    ]


async def revoke_others(context: AuthContext, member: Member) -> int:
    """End every other session of the member; return how many there were."""
    async with context.database.transaction() as tx:
        ended = await repository.change_others_revoked(
            tx, member.user_id, member.session_id, clock.now()
        )
        for session_id in ended:
            tx.record(SessionRevoked(session_id))
    context.security.record(
        SecurityEvent.SESSIONS_REVOKED, user_id=member.user_id, sessions=len(ended)
    )
    return len(ended)


async def check_password(context: AuthContext, member: Member, password: str) -> None:
    """Make sure that it is the member who asks, as often as they may try to sign in.

    Raises:
        WrongPasswordError: the password is not the member's.
        TooManyRequestsError: too many wrong ones.
    """
    user = await users.find(context.database, member.user_id)
    if user is None:
        raise NotFoundError
    guard = context.digest("password", str(member.user_id))
    async with _guarded(context, guard, None):
        hashed = await repository.read_password_hash(context.database, member.user_id)
        turn = HashingTurn(LaneName.CONFIRM, str(member.user_id))
        if not await context.hasher.verify(password, hashed, turn):
            context.security.record(
                SecurityEvent.SIGN_IN_REFUSED, user_id=member.user_id, reason="wrong password"
            )
            raise WrongPasswordError


async def revoke_all(tx: Transaction, user_id: UUID) -> None:
    """End every session of a member."""
    for session_id in await repository.change_revoked(tx, clock.now(), user_id=user_id):
        tx.record(SessionRevoked(session_id))


async def send_reset_code(context: AuthContext, email: str, caller: Caller) -> None:
    """Mail a reset code if a member has the e-mail and may be sent one.

    It is done after the answer has left, so that neither the answer nor its time tells anything.
    Unless a code is sent it is the same work for every e-mail: the next answer tells nothing, too.
    What strangers ask for does not use up what is sent where the member has come from before.
    """
    user = await users.find_by_email(context.database, email)
    is_known = await _is_known(context, user, caller)
    asking = Asking(context.address(email), CodePurpose.PASSWORD_RESET, is_known)
    async with context.database.transaction() as tx:
        await repository.lock_address(tx, asking.address)
        seconds = await _seconds_to_wait(tx, asking)
        if user is None or seconds > 0:
            return
        await _issue_code(context, tx, asking, user, subject_id=context.handle(email))
    _record_code_sent(context, user["id"], asking.purpose)


async def reset_password(
    context: AuthContext, handle: UUID, code: str, password: str, caller: Caller
) -> None:
    """Change the password against a mailed code, and end every session.

    The code is tried first, and the password hashed only when it fits. A code that fitted is still
    good when the password is refused or cannot be hashed now.

    Raises:
        InvalidFieldError: the password is easy to guess.
        WrongCodeError: the code is wrong, expired, used or void.
        UnavailableError: too many passwords wait to be hashed.
    """
    entered = context.code(handle, CodePurpose.PASSWORD_RESET, code)
    origin, tries = context.limiter.origin(caller.address), rules.TRIES_PER_CODE
    found = await repository.look_at_code(context.database, entered, origin, clock.now(), tries)
    if found is None:
        _refuse_code(context, entered, caller)
        raise WrongCodeError
    user = await users.find(context.database, found["user_id"])
    if user is None:
        raise WrongCodeError
    words = (user["first_name"], user["last_name"], user["email"], user["phone"])
    await _require_hard_password(context, password, *words)
    password_hash = await context.hasher.hash(password, caller.turn(LaneName.RECOVERY))
    now = clock.now()
    async with context.database.transaction() as tx:
        # The member's record first, as whoever leaves does: else the two wait for each other.
        if not await users.hold(tx, user["id"]):
            raise WrongCodeError
        if await repository.use_code(tx, entered, origin, now, tries) is None:
            raise WrongCodeError
        await repository.change_password(tx, user["id"], password_hash, now)
        await revoke_all(tx, user["id"])
        await repository.end_codes(tx, entered, now)
        # Whoever reads the mail is let in past what strangers guess and use up.
        await repository.keep_origin(tx, user["id"], origin, now)
    for guard in (_guard(context, user["email"], None), _guard(context, user["email"], caller)):
        await repository.clear_guard(context.database, guard)
    _record(context, SecurityEvent.PASSWORD_CHANGED, caller, user_id=user["id"])


async def read_session(
    database: Database,
    session_id: UUID,
    *,
    idle: timedelta,
    notice: Callable[[UUID], None] | None = None,
) -> SessionRecord | None:
    """Return what the database says of a live session, None when it has ended or lay unused.

    A read writes nothing: ``notice`` is told of a member who was not seen for five minutes.
    """
    row = await repository.read_session(database, session_id, clock.now() - idle)
    if row is None:
        return None
    if notice is not None and row["last_seen_at"] < clock.now() - rules.SEEN_EVERY:
        notice(session_id)
    return SessionRecord(
        user_id=row["user_id"],
        club_id=row["club_id"],
        club_name=row["club_name"],
        is_operator=row["is_operator"],
        expires_at=row["expires_at"],
    )


async def note_seen(database: Database, session_ids: Sequence[UUID], now: datetime) -> None:
    """Write down that the members of these sessions were here."""
    await repository.change_seen(database, session_ids, now)


async def _require_fit(context: AuthContext, form: SignUpInput) -> None:
    """Refuse a form whose club does not exist or whose password is easy to guess."""
    if not await clubs.exists(context.database, form.club):
        raise InvalidFieldError.of("club", "Club is required")
    words = (form.first_name, form.last_name, form.email, form.phone)
    await _require_hard_password(context, form.password, *words)


async def _require_hard_password(context: AuthContext, password: str, *words: str) -> None:
    club_names = [club.name for club in await clubs.list_clubs(context.database)]
    # A phone is written with and without its country's prefix.
    phones = [word.removeprefix("+234") for word in words if word.startswith("+234")]
    if is_easy_to_guess(password, (*words, *phones, *club_names)):
        raise InvalidFieldError.of("password", EASY_TO_GUESS)


@asynccontextmanager
async def _attempt(
    context: AuthContext, username: str, caller: Caller, *, is_known: bool
) -> AsyncIterator[None]:
    """Count a try at an e-mail's password, for the network and for all.

    Where the member has come from before only a wrong one counts for all, and what all have tried
    does not keep the right one out. A wrong one is answered as anybody's, after as much work:
    nobody is told where somebody signs in.
    """
    for_all = _guard(context, username, None)
    try:
        async with _guarded(context, _guard(context, username, caller), caller):
            if is_known:
                yield
            else:
                async with _guarded(context, for_all, caller):
                    yield
    except WrongCredentialsError:
        locked_until = None
        if is_known:
            locked_until = await repository.admit_attempt(
                context.database, for_all, GUARD, clock.now()
            )
        if locked_until is not None:
            raise _locked(context, caller, locked_until) from None
        raise


def _locked(context: AuthContext, caller: Caller | None, until: datetime) -> TooManyRequestsError:
    _record(context, SecurityEvent.SIGN_IN_LOCKED, caller, reason="account")
    return TooManyRequestsError(retry_after_seconds=_seconds_until(until))


@asynccontextmanager
async def _guarded(context: AuthContext, guard: str, caller: Caller | None) -> AsyncIterator[None]:
    """Count a try at a password under ``guard``; one that was not judged is given back.

    Only the right password of a member ends the count: anybody can sign up with an e-mail and
    enter what they chose themselves.

    Raises:
        TooManyRequestsError: the last wrong ones are too fresh.
    """
    locked_until = await repository.admit_attempt(context.database, guard, GUARD, clock.now())
    if locked_until is not None:
        raise _locked(context, caller, locked_until)
    try:
        yield
        await repository.clear_guard(context.database, guard)
    except (WrongCredentialsError, WrongPasswordError):
        raise
    except Exception:  # whatever else it was, the password was not judged wrong
        with suppress(DatabaseUnavailableError):
            await repository.give_back_attempt(context.database, guard)
        raise


async def _resend(context: AuthContext, attempt_id: UUID) -> int:
    """Mail a sign-up's code; return 0 when it was sent, else the seconds until it can be.

    Raises:
        NotFoundError: there is no such sign-up, or it has ended.
    """
    waiting = await repository.read_attempt(context.database, attempt_id, clock.now())
    if waiting is None:
        raise NotFoundError
    async with context.database.transaction() as tx:
        await repository.lock_address(tx, waiting["address"])
        attempt = await repository.lock_attempt(tx, attempt_id, clock.now())
        if attempt is None:
            raise NotFoundError
        seconds = await _send_activation_code(context, tx, attempt)
    if seconds == 0:
        _record_code_sent(context, attempt_id, CodePurpose.ACTIVATION)
    return seconds


async def _send_activation_code(context: AuthContext, tx: Transaction, attempt: Row) -> int:
    """Mail a sign-up's code unless it is too early; return the seconds to wait, 0 when sent.

    The caller holds the address's lock.
    """
    asking = Asking(attempt["address"], CodePurpose.ACTIVATION)
    seconds = await _seconds_to_wait(tx, asking)
    if seconds == 0:
        await _issue_code(context, tx, asking, attempt, subject_id=attempt["id"])
    return seconds


async def _issue_code(
    context: AuthContext, tx: Transaction, asking: Asking, person: Row, *, subject_id: UUID
) -> None:
    """Mail a code to a member or a sign-up; what was open for the subject is void."""
    digits, purpose, now = rules.draw_code(), asking.purpose, clock.now()
    code = context.code(subject_id, purpose, digits)
    await repository.replace_code(
        tx,
        code,
        asking,
        user_id=person["id"] if purpose is CodePurpose.PASSWORD_RESET else None,
        now=now,
        life=rules.CODE_LIFE,
    )
    mail = CodeMail(
        subject_id=subject_id,
        email=person["email"],
        first_name=person["first_name"],
        purpose=purpose,
        code=digits,
        expires_at=now + rules.CODE_LIFE,
    )
    await context.queue.enqueue(tx, MAIL_CODE, mail, key=code.digest)


async def _seconds_to_wait(tx: Transaction, asking: Asking) -> int:
    """Return 0 when what is asked for may be sent now, else the seconds until it may."""
    day_ago = clock.now() - timedelta(days=1)
    sent = await repository.list_recent_codes(tx, asking, day_ago)
    if not sent:
        return 0
    if len(sent) >= rules.CODES_PER_DAY:
        return _seconds_until(sent[rules.CODES_PER_DAY - 1] + timedelta(days=1))
    return max(0, _seconds_until(sent[0] + rules.CODE_PAUSE))


def _seconds_until(instant: datetime) -> int:
    left = (instant - clock.now()).total_seconds()
    return int(left) + 1 if left > 0 else 0


def _record(
    context: AuthContext,
    event: SecurityEvent,
    caller: Caller | None,
    *,
    user_id: UUID | None = None,
    **details: str,
) -> None:
    if caller is not None:
        details["origin"] = context.limiter.origin(caller.address)
    context.security.record(event, user_id=user_id, **details)


def _record_code_sent(context: AuthContext, user_id: UUID, purpose: CodePurpose) -> None:
    context.security.record(SecurityEvent.CODE_SENT, user_id=user_id, purpose=purpose.value)


def _refuse_code(context: AuthContext, entered: Code, caller: Caller) -> None:
    _record(
        context,
        SecurityEvent.CODE_REFUSED,
        caller,
        subject_id=str(entered.subject_id),
        purpose=entered.purpose.value,
    )
