from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.operators import IS_WORKING
from api.foundation.wire.results import OperatorName
from api.people.operators.models import OperatorRow

NAME = "u.first_name || ' ' || u.last_name AS name"
SHOWN = f"""
SELECT o.id, o.user_id, o.roles, o.version, o.created_at, o.disabled_at, u.email, {NAME},
       {IS_WORKING} AS can_sign_in
  FROM operator o JOIN user_account u ON u.id = o.user_id
"""  # noqa: S608 our own words
LOCKED = "SELECT id, roles, totp_secret, version, disabled_at FROM operator"
CHANGE_ROLES = "UPDATE operator SET roles = $2, version = version + 1 WHERE id = $1"
# Disabling deletes the TOTP secret: an operator who is enabled again sets up a new one.
CHANGE_DISABLED = """
UPDATE operator SET disabled_at = $2, totp_secret = NULL, last_code_step = NULL,
       version = version + 1
 WHERE id = $1
"""
CHANGE_PHONE = """
UPDATE operator SET totp_secret = $2, last_code_step = NULL, version = version + 1 WHERE id = $1
"""
CHANGE_SEAL = "UPDATE operator SET totp_secret = $2 WHERE id = $1"


@dataclass(frozen=True)
class OperatorDetails:
    id: UUID
    user_id: UUID
    roles: list[str]
    version: int
    created_at: datetime
    disabled_at: datetime | None
    email: str
    name: str
    can_sign_in: bool


@dataclass(frozen=True)
class LockedOperator:
    id: UUID
    roles: list[str]
    totp_secret: bytes | None
    version: int
    disabled_at: datetime | None


@dataclass(frozen=True)
class LockedOwner:
    id: UUID
    is_working: bool


@dataclass(frozen=True)
class OperatorCandidate:
    id: UUID
    email: str
    is_email_proved: bool
    name: str


LIST_OPERATORS = Query(
    SHOWN + " WHERE $1::uuid IS NULL OR o.id < $1 ORDER BY o.id DESC LIMIT $2", OperatorDetails
)
LIST_OPERATOR_NAMES = Query(
    f"""
SELECT o.id, {NAME} FROM operator o JOIN user_account u ON u.id = o.user_id
 WHERE ($1::uuid IS NULL OR o.id = $1) AND ($2::uuid IS NULL OR o.id < $2)
 ORDER BY o.id DESC LIMIT $3
""",  # noqa: S608 our own words
    OperatorName,
)
READ_OPERATOR = Query(SHOWN + " WHERE o.id = $1", OperatorDetails)
READ_OPERATOR_OF = Query(SHOWN + " WHERE o.user_id = $1", OperatorDetails)
LOCK_OPERATOR = Query(LOCKED + " WHERE id = $1 FOR UPDATE", LockedOperator)
LOCK_OPERATOR_OF = Query(LOCKED + " WHERE user_id = $1 FOR UPDATE", LockedOperator)
LOCK_OWNERS = Query(
    f"""
SELECT o.id, {IS_WORKING} AS is_working FROM operator o JOIN user_account u ON u.id = o.user_id
 WHERE 'owner' = ANY (o.roles) ORDER BY o.id FOR UPDATE OF o
""",  # noqa: S608 our own words
    LockedOwner,
)
FIND_MEMBER = Query(
    f"""
SELECT u.id, u.email, u.is_email_proved, {NAME} FROM user_account u
 WHERE u.email = $1 AND u.erased_at IS NULL FOR KEY SHARE
""",  # noqa: S608 our own words
    OperatorCandidate,
)
LIST_OTHERWISE_SEALED = """
SELECT id FROM operator WHERE totp_secret IS NOT NULL AND substring(totp_secret FOR $1) <> $2
 ORDER BY id
"""


async def list_operators(
    database: Database, before: UUID | None, limit: int
) -> Sequence[OperatorDetails]:
    """Return operators, newest first."""
    return await database.fetch_rows(LIST_OPERATORS, before, limit)


async def list_operator_names(
    database: Database, only: UUID | None, before: UUID | None, limit: int
) -> Sequence[OperatorName]:
    """Return the names of all operators, or of one, newest first."""
    return await database.fetch_rows(LIST_OPERATOR_NAMES, only, before, limit)


async def read_operator(runner: Runner, operator_id: UUID) -> OperatorDetails | None:
    return await runner.fetch_row(READ_OPERATOR, operator_id)


async def read_operator_of(runner: Runner, user_id: UUID) -> OperatorDetails | None:
    return await runner.fetch_row(READ_OPERATOR_OF, user_id)


async def lock_operator(tx: Transaction, operator_id: UUID) -> LockedOperator | None:
    return await tx.fetch_row(LOCK_OPERATOR, operator_id)


async def lock_operator_of(tx: Transaction, user_id: UUID) -> LockedOperator | None:
    return await tx.fetch_row(LOCK_OPERATOR_OF, user_id)


async def lock_owners(tx: Transaction) -> set[UUID]:
    """Lock the owners, and return those who can sign in."""
    return {row.id for row in await tx.fetch_rows(LOCK_OWNERS) if row.is_working}


async def find_member(tx: Transaction, email: str) -> OperatorCandidate | None:
    """Return the member with an email, locked until the transaction ends, or None."""
    return await tx.fetch_row(FIND_MEMBER, email)


async def insert_operator(tx: Transaction, values: dict[str, Any]) -> None:
    await tx.execute(insert(OperatorRow).values(**values))


async def change_roles(tx: Transaction, operator_id: UUID, roles: Sequence[str]) -> None:
    await tx.execute(CHANGE_ROLES, operator_id, list(roles))


async def change_disabled(tx: Transaction, operator_id: UUID, at: datetime | None) -> None:
    """Disable or enable an operator; both delete the TOTP secret."""
    await tx.execute(CHANGE_DISABLED, operator_id, at)


async def change_secret(tx: Transaction, operator_id: UUID, sealed: bytes) -> None:
    await tx.execute(CHANGE_PHONE, operator_id, sealed)


async def change_seal(tx: Transaction, operator_id: UUID, sealed: bytes) -> None:
    """Store the same secret sealed with another key."""
    await tx.execute(CHANGE_SEAL, operator_id, sealed)


async def list_otherwise_sealed(database: Database, header: bytes) -> list[UUID]:
    """Return the operators whose secrets do not begin with ``header``: another key sealed them."""
    return await database.fetch_column(LIST_OTHERWISE_SEALED, len(header), header)
