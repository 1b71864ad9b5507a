from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.statements import Query
from api.foundation.security.members import SUSPENDED_AT

READ_CODE = "SELECT code FROM invite WHERE user_id = $1"
# A code that is already taken inserts nothing.
INSERT_INVITE = """
INSERT INTO invite (user_id, code, created_at)
SELECT id, $2, $3 FROM user_account WHERE id = $1 AND erased_at IS NULL
ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True)
class InvitedCount:
    """How many of a member's friends wait for their reward, and were rewarded in a season."""

    pending: int
    rewarded: int


COUNT = Query(
    """
SELECT count(*) FILTER (WHERE settled_at IS NULL)::int AS pending,
       count(*) FILTER (WHERE rewarded_at IS NOT NULL
                          AND season_id IS NOT DISTINCT FROM $2)::int AS rewarded
  FROM invitation WHERE inviter_id = $1
""",
    InvitedCount,
)


@dataclass(frozen=True)
class Inviter:
    id: UUID
    first_name: str
    club_id: UUID
    club_name: str


READ_INVITER = Query(
    f"""
SELECT u.id, u.first_name, c.id AS club_id, c.name AS club_name
  FROM invite i JOIN user_account u ON u.id = i.user_id JOIN club c ON c.id = u.club_id
 WHERE i.code = $1 AND u.erased_at IS NULL AND {SUSPENDED_AT} IS NULL
""",  # noqa: S608 our own words
    Inviter,
)
ACCEPT = """
INSERT INTO invitation (invited_id, inviter_id, accepted_at)
SELECT $1, i.user_id, $3 FROM invite i WHERE i.code = $2 AND i.user_id <> $1
ON CONFLICT DO NOTHING
"""
# An account costs only a mail address, and a single quest only a minute. So the friend must have
# paid (money came into the wallet from outside) or played on $1 days, and still be active.
DUE = f"""
i.settled_at IS NULL AND EXISTS (
   SELECT FROM user_account u
    WHERE u.id = i.invited_id AND u.erased_at IS NULL AND {SUSPENDED_AT} IS NULL)
   AND (
   EXISTS (SELECT FROM ledger_account a JOIN ledger_transfer t ON t.wallet_id = a.id
            WHERE a.owner_id = i.invited_id AND t.kind = 'fund')
   OR (SELECT count(*) FROM streak_day d WHERE d.user_id = i.invited_id) >= $1)
"""  # noqa: S608 our own words


LIST_DUE = f"""
SELECT i.invited_id FROM invitation i WHERE {DUE} ORDER BY i.accepted_at, i.invited_id LIMIT $2
"""  # noqa: S608 our own words
# Locks members before their rows, in the same order as account deletion.
LOCK_BOTH = f"""
SELECT hold_member(i.invited_id), hold_member(i.inviter_id)
  FROM invitation i WHERE {DUE} AND i.invited_id = $2
"""  # noqa: S608 our own words
LOCK_DUE = f"""
SELECT i.inviter_id FROM invitation i WHERE {DUE} AND i.invited_id = $2 FOR UPDATE OF i
"""  # noqa: S608 our own words
# Serializes two friends of one inviter who play at the same moment.
LOCK_INVITE = "SELECT FROM invite WHERE user_id = $1 FOR UPDATE"


@dataclass(frozen=True)
class RewardRow:
    """What a reward depends on; ``club_id`` is the inviter's."""

    club_id: UUID
    is_inviter_here: bool
    has_operator: bool
    shares_browser: bool
    rewarded: int
    club_of_invited: UUID


READ_REWARD_FACTS = Query(
    f"""
SELECT u.club_id, hold_member(u.id) AND {SUSPENDED_AT} IS NULL AS is_inviter_here,
       EXISTS (SELECT FROM operator o WHERE o.user_id IN ($1, $2)) AS has_operator,
       EXISTS (SELECT FROM known_browser a JOIN known_browser b ON b.browser = a.browser
                WHERE a.user_id = $1 AND b.user_id = $2) AS shares_browser,
       (SELECT count(*)::int FROM invitation i
         WHERE i.inviter_id = $2 AND i.rewarded_at IS NOT NULL
           AND i.season_id IS NOT DISTINCT FROM $3) AS rewarded,
       (SELECT club_id FROM user_account WHERE id = $1) AS club_of_invited
  FROM user_account u WHERE u.id = $2
""",  # noqa: S608 our own words
    RewardRow,
)
SETTLE = """
UPDATE invitation SET settled_at = $2, rewarded_at = CASE WHEN $3 THEN $2::timestamptz END,
       season_id = $4
 WHERE invited_id = $1
"""


async def read_code(runner: Runner, user_id: UUID) -> str | None:
    found: str | None = await runner.fetch_value(READ_CODE, user_id)
    return found


async def insert_invite(database: Database, user_id: UUID, code: str, now: datetime) -> None:
    """Insert a member's code, unless they have one, their account is deleted, or it is taken."""
    await database.execute(INSERT_INVITE, user_id, code, now)


async def count(database: Database, user_id: UUID, season_id: UUID | None) -> InvitedCount:
    row = await database.fetch_row(COUNT, user_id, season_id)
    assert row is not None  # noqa: S101 counts are one row
    return row


async def read_inviter(database: Database, code: str) -> Inviter | None:
    return await database.fetch_row(READ_INVITER, code)


async def accept(tx: Transaction, invited_id: UUID, code: str, now: datetime) -> None:
    """Insert an invitation; an unknown code changes nothing."""
    await tx.execute(ACCEPT, invited_id, code, now)


async def list_due(database: Database, days: int, limit: int) -> list[UUID]:
    """Return invited members whose reward is due after paying or playing ``days`` days."""
    return await database.fetch_column(LIST_DUE, days, limit)


async def lock_due(tx: Transaction, invited_id: UUID, days: int) -> UUID | None:
    """Lock both members of an invitation; return the inviter, or None if no reward is due."""
    if await tx.fetch_value(LOCK_BOTH, days, invited_id) is None:
        return None
    found: UUID | None = await tx.fetch_value(LOCK_DUE, days, invited_id)
    return found


async def read_reward_facts(
    tx: Transaction, invited_id: UUID, inviter_id: UUID, season_id: UUID | None
) -> RewardRow:
    """Return what a reward depends on, and lock the inviter's rewards until commit."""
    await tx.execute(LOCK_INVITE, inviter_id)
    row = await tx.fetch_row(READ_REWARD_FACTS, invited_id, inviter_id, season_id)
    assert row is not None  # noqa: S101 members' records stay
    return row


async def settle(
    tx: Transaction, invited_id: UUID, now: datetime, season_id: UUID | None, *, is_rewarded: bool
) -> None:
    """Record that a reward was due, and whether the inviter received it."""
    await tx.execute(SETTLE, invited_id, now, is_rewarded, season_id)
