from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.people.auth.enums import CodePurpose
from api.people.auth.models import MailedCode

END_CODES = """
UPDATE mailed_code SET closed_at = $2
 WHERE address = $1 AND purpose = 'activation' AND closed_at IS NULL
"""


@dataclass(frozen=True)
class CodeTry:
    """Whether a code fits, and its member, if it is of one."""

    fits: bool
    user_id: UUID | None


# A right code is closed, except by a peek; a wrong one counts as a try. Networks known for the
# member have their own tries, so that other networks cannot use them up.
TRY_CODE = Query(
    """
WITH tried AS (
UPDATE mailed_code c SET
  tries = c.tries + (c.digest <> $3 AND NOT caller.is_known)::int,
  known_tries = c.known_tries + (c.digest <> $3 AND caller.is_known)::int,
  closed_at = CASE WHEN c.digest = $3 AND $6 THEN $4::timestamptz END
FROM (SELECT m.id, k.origin IS NOT NULL AS is_known
        FROM mailed_code m LEFT JOIN known_origin k ON k.user_id = m.user_id AND k.origin = $7
       WHERE m.subject_id = $1 AND m.purpose = $2 AND m.closed_at IS NULL) caller
WHERE c.id = caller.id AND c.closed_at IS NULL AND c.expires_at > $4::timestamptz
  AND CASE WHEN caller.is_known THEN c.known_tries ELSE c.tries END < $5
RETURNING c.digest = $3 AS fits, c.user_id)
SELECT fits, user_id FROM tried ORDER BY fits DESC LIMIT 1
""",
    CodeTry,
)


@dataclass(frozen=True)
class SentCode:
    """When a code was sent, and whether for a sign-up from a given network."""

    created_at: datetime
    is_from_here: bool


# The network of a sign-up that has ended is unknown.
LIST_SENT = Query(
    """
SELECT c.created_at, (a.origin = $3) IS TRUE AS is_from_here
  FROM mailed_code c LEFT JOIN sign_up_attempt a ON a.id = c.subject_id
 WHERE c.address = $1 AND c.purpose = 'activation' AND c.created_at > $2
 ORDER BY c.created_at DESC LIMIT 100
""",
    SentCode,
)


@dataclass(frozen=True)
class Code:
    subject_id: UUID
    purpose: CodePurpose
    digest: str


@dataclass(frozen=True)
class CodeRequest:
    """A request for a code: the address, the purpose, and whether the network is known."""

    address: str
    purpose: CodePurpose
    is_from_known: bool = False


async def list_sent(
    tx: Transaction, address: str, since: datetime, origin: str
) -> Sequence[SentCode]:
    """Return the activation codes of an address since ``since``, newest first."""
    return await tx.fetch_rows(LIST_SENT, address, since, origin)


async def list_codes_of(tx: Transaction, subject_id: UUID, since: datetime) -> list[datetime]:
    """Return when codes were sent for a subject since ``since``, to any address, newest first."""
    statement = (
        select(MailedCode.created_at)
        .where(MailedCode.subject_id == subject_id, MailedCode.created_at > since)
        .order_by(MailedCode.created_at.desc())
        .limit(100)
    )
    return await tx.fetch_column(statement)


async def replace_code(
    tx: Transaction,
    code: Code,
    request: CodeRequest,
    *,
    user_id: UUID | None,
    now: datetime,
    life: timedelta,
) -> None:
    """Void the subject's open code of this kind and insert a new one."""
    await tx.execute(
        update(MailedCode)
        .where(
            MailedCode.subject_id == code.subject_id,
            MailedCode.purpose == code.purpose,
            MailedCode.is_from_known == request.is_from_known,
            MailedCode.closed_at.is_(None),
        )
        .values(closed_at=now)
    )
    await tx.execute(
        insert(MailedCode).values(
            id=new_id(),
            subject_id=code.subject_id,
            user_id=user_id,
            address=request.address,
            is_from_known=request.is_from_known,
            purpose=code.purpose,
            digest=code.digest,
            created_at=now,
            expires_at=now + life,
        )
    )


async def peek_code(
    database: Database, code: Code, origin: str, now: datetime, tries: int
) -> CodeTry | None:
    """Return the open code's row if ``code`` fits, without closing it, else None.

    A wrong try is counted. After ``tries`` from unknown networks, unknown networks are refused;
    after as many from known networks, those are.
    """
    return await _try_code(database, code, origin, now, tries, closes=False)


async def use_code(
    tx: Transaction, code: Code, origin: str, now: datetime, tries: int
) -> CodeTry | None:
    """Same as ``peek_code``, but closes the right code; the caller commits either way."""
    return await _try_code(tx, code, origin, now, tries, closes=True)


async def _try_code(
    runner: Runner, code: Code, origin: str, now: datetime, tries: int, *, closes: bool
) -> CodeTry | None:
    row = await runner.fetch_row(
        TRY_CODE, code.subject_id, code.purpose, code.digest, now, tries, closes, origin
    )
    return row if row is not None and row.fits else None


async def end_codes(tx: Transaction, code: Code, now: datetime) -> None:
    await tx.execute(
        update(MailedCode)
        .where(
            MailedCode.subject_id == code.subject_id,
            MailedCode.purpose == code.purpose,
            MailedCode.closed_at.is_(None),
        )
        .values(closed_at=now)
    )
