"""SQL of awards. Only ``award_points`` and ``fold_points`` write points."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.games.ranking.enums import PointSource

FOLD = "SELECT fold_points($1) AS folded"
EARNS = "SELECT earns_from_games($1)"


@dataclass(frozen=True)
class PointEntryRow:
    id: UUID
    source: str
    points: int
    detail: dict[str, Any]
    day: date
    earned_at: datetime
    question: str | None


LIST_ENTRIES = Query(
    """
SELECT e.id, e.source, e.points, e.detail, e.day, e.earned_at, q.question
  FROM point_entry e LEFT JOIN question q ON q.id = e.question_id
 WHERE e.user_id = $1
   AND ($2::uuid IS NULL
        OR (e.earned_at, e.id) < (SELECT earned_at, id FROM point_entry
                                   WHERE id = $2 AND user_id = $1))
 ORDER BY e.earned_at DESC, e.id DESC LIMIT $3
""",
    PointEntryRow,
)


@dataclass(frozen=True)
class AwardTotals:
    """A member's totals after an award; all None outside a season."""

    points: int | None
    battle_points: int | None
    badge: str | None
    promoted_to: str | None


AWARD = Query(
    """
SELECT points, battle_points, badge, promoted_to
  FROM award_points($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
""",
    AwardTotals,
)
# In the order of members, so that two such statements never wait for each other.
AWARD_MANY = """
SELECT award_points(a.id, a.user_id, a.club_id, a.season_id, a.source, a.source_id, a.question_id,
                    a.points, a.answered, a."right", a.elapsed_ms, a.detail, a.day, a.now)
  FROM (SELECT * FROM jsonb_to_recordset($1) AS one (
          id uuid, user_id uuid, club_id uuid, season_id uuid, source text, source_id uuid,
          question_id uuid, points int, answered int, "right" int, elapsed_ms int, detail jsonb,
          day date, now timestamptz) ORDER BY user_id) a
"""


@dataclass(frozen=True)
class Award:
    """The result of one quiz; ``points`` may be 0, ``answered`` and ``right`` count questions."""

    id: UUID
    user_id: UUID
    club_id: UUID
    season_id: UUID | None
    source: PointSource
    source_id: UUID
    question_id: UUID | None
    points: int
    answered: int
    right: int
    elapsed_ms: int
    detail: dict[str, Any]
    day: date
    now: datetime


async def award_points(tx: Transaction, award: Award) -> AwardTotals:
    """Insert an award in the caller's transaction; return the member's new totals."""
    values = vars(award) | {"detail": json.dumps(award.detail)}
    row = await tx.fetch_row(AWARD, *values.values())
    assert row is not None  # noqa: S101 a function without a set returns a row
    return row


async def earns(tx: Transaction, user_id: UUID) -> bool:
    return bool(await tx.fetch_value(EARNS, user_id))


async def award_many(tx: Transaction, awards: Sequence[Award]) -> None:
    await tx.execute(AWARD_MANY, json.dumps([vars(award) for award in awards], default=str))


async def fold_points(database: Database, limit: int) -> int | None:
    """Fold up to ``limit`` awards into the boards; return how many, None if another worker folds.

    Never waits for the lock.
    """
    return cast("int | None", await database.fetch_value(FOLD, limit))


async def list_entries(
    database: Database, user_id: UUID, before: UUID | None, limit: int
) -> Sequence[PointEntryRow]:
    """Return up to ``limit`` of a member's awards older than ``before``, newest first."""
    return await database.fetch_rows(LIST_ENTRIES, user_id, before, limit)
