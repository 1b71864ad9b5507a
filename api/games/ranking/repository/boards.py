from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from api.foundation.database.database import Database
from api.foundation.database.statements import Query
from api.games.ranking.enums import Period

ALL_CLUBS = UUID(int=0)


@dataclass(frozen=True)
class MemberPosition:
    """A member's badge and club, and totals of the season that began last, if any."""

    badge: str
    club_id: UUID
    club_name: str
    season_id: UUID | None
    season: str | None
    points: int | None
    battle_points: int | None
    answered: int | None
    season_badge: str | None
    club_members: int


READ_POSITION = Query(
    """
SELECT u.badge, c.id AS club_id, c.name AS club_name, s.id AS season_id, s.name AS season,
       m.points, m.battle_points, m.answered, m.badge AS season_badge,
       coalesce((SELECT members FROM club_size WHERE club_id = u.club_id), 0)::int
       + coalesce((SELECT sum(members) FROM club_size_change WHERE club_id = u.club_id), 0)::int
         AS club_members
  FROM user_account u
  JOIN club c ON c.id = u.club_id
  LEFT JOIN LATERAL (SELECT id, name FROM season WHERE starts_at <= $2
                      ORDER BY starts_at DESC LIMIT 1) s ON true
  LEFT JOIN member_season m ON m.user_id = u.id AND m.season_id = s.id
 WHERE u.id = $1
""",
    MemberPosition,
)
# A rank is one more than the number of members with more points, so equals share it: thousands
# above one's own thousand, hundreds above one's own hundred within it, and so on; at most nine rows
# each. Written out, because the database plans a function with such a body again at every call.
# Rounded down, also below zero: points can be taken back on a later day.
THOUSAND, HUNDRED, TEN = (f"floor(t.points / {width}.0)::int" for width in (1000, 100, 10))
COUNTED = """(SELECT sum(h.members) FROM rank_histogram h
               WHERE h.board_id = t.board_id AND h.club_id = $2"""
RANK = f"""1
  + coalesce({COUNTED} AND h.level = 1 AND h.bucket > {THOUSAND}), 0)::int
  + coalesce({COUNTED} AND h.level = 2 AND h.bucket > {HUNDRED}
                 AND h.bucket < ({THOUSAND} + 1) * 10), 0)::int
  + coalesce({COUNTED} AND h.level = 3 AND h.bucket > {TEN}
                 AND h.bucket < ({HUNDRED} + 1) * 10), 0)::int
  + coalesce({COUNTED} AND h.level = 4 AND h.bucket > t.points
                 AND h.bucket < ({TEN} + 1) * 10), 0)::int"""


@dataclass(frozen=True)
class SeasonPositionRow:
    """A member's season that began last, if any; records of ``sources`` unpack like tuples."""

    badge: str
    points: int | None
    battle_points: int | None
    ranks: list[str] | None
    thresholds: list[int] | None
    club_members: int
    club_rank: int | None
    sources: list[tuple[str, int]]
    promotions: list[tuple[UUID, str]]


# A member's season in one row. Ids are ordered by time: awards of other seasons are not read.
READ_SEASON_POSITION = Query(
    f"""
SELECT u.badge, m.points, m.battle_points, ladder.ranks, ladder.thresholds,
       coalesce((SELECT members FROM club_size WHERE club_id = $2), 0)::int
       + coalesce((SELECT sum(members) FROM club_size_change WHERE club_id = $2), 0)::int
         AS club_members,
       (SELECT {RANK} FROM board b JOIN board_total t ON t.board_id = b.id
         WHERE b.period = 'season' AND b.starts_on IS NULL AND b.season_id = s.id
           AND t.user_id = $1 AND t.club_id = $2) AS club_rank,
       ARRAY(SELECT (e.source, sum(e.points)::int) FROM point_entry e
              WHERE e.user_id = $1 AND e.season_id = s.id AND e.id > (lpad(to_hex(
                (1000 * extract(epoch FROM s.starts_at - interval '1 hour'))::bigint), 12, '0')
                || '70008000000000000000')::uuid
              GROUP BY e.source ORDER BY e.source) AS sources,
       ARRAY(SELECT (p.id, p.rank) FROM rank_promotion p
              WHERE p.user_id = $1 AND p.season_id = s.id AND p.seen_at IS NULL
              ORDER BY p.promoted_at) AS promotions
  FROM user_account u
  LEFT JOIN LATERAL (SELECT id, starts_at FROM season WHERE starts_at <= $3
                      ORDER BY starts_at DESC LIMIT 1) s ON true
  LEFT JOIN member_season m ON m.user_id = u.id AND m.season_id = s.id
  LEFT JOIN LATERAL (SELECT array_agg(r.rank ORDER BY r.threshold_point) AS ranks,
                            array_agg(r.threshold_point ORDER BY r.threshold_point) AS thresholds
                       FROM battle_rank r WHERE r.season_id = s.id) ladder ON true
 WHERE u.id = $1
""",  # noqa: S608 constants only
    SeasonPositionRow,
)


@dataclass(frozen=True)
class ReachedRank:
    rank: str
    at: datetime


LIST_REACHED = Query(
    ("SELECT rank, min(promoted_at) AS at FROM rank_promotion WHERE user_id = $1 GROUP BY rank"),
    ReachedRank,
)
SEE_PROMOTION = """
UPDATE rank_promotion SET seen_at = coalesce(seen_at, $3) WHERE user_id = $1 AND id = $2
RETURNING true
"""


@dataclass(frozen=True)
class BoardSize:
    id: int
    total: int


READ_BOARD = Query(
    """
SELECT b.id,
       coalesce((SELECT sum(h.members) FROM rank_histogram h
                  WHERE h.board_id = b.id AND h.club_id = $4 AND h.level = 1), 0)::int AS total
  FROM board b
 WHERE b.period = $1 AND b.starts_on IS NOT DISTINCT FROM $2::date
   AND b.season_id IS NOT DISTINCT FROM $3::uuid
""",
    BoardSize,
)


@dataclass(frozen=True)
class BoardRank:
    points: int
    rank: int


READ_OWN = Query(
    f"""
SELECT t.points, {RANK} AS rank
  FROM board_total t
 WHERE t.board_id = $1 AND t.user_id = $3
   AND ($2 = '00000000-0000-0000-0000-000000000000'::uuid OR t.club_id = $2)
""",  # noqa: S608 constants only
    BoardRank,
)
IS_OFF_BOARDS = "SELECT is_off_boards($1)"


@dataclass(frozen=True)
class BoardMember:
    """A member on a page of a board; only the first row has its ``rank``."""

    user_id: UUID
    points: int
    rank: int | None
    first_name: str
    last_name: str
    avatar: str | None
    club_id: UUID
    club_name: str


ROWS = """
SELECT page.user_id, page.points, page.rank, u.first_name, u.last_name, u.avatar, page.club_id,
       c.name AS club_name
  FROM (SELECT t.*, CASE WHEN row_number() OVER (
                           ORDER BY points DESC, elapsed_ms, reached_at, user_id) = 1
                         THEN {rank} END AS rank
          FROM (SELECT * FROM board_total WHERE {whose}
                 ORDER BY points DESC, elapsed_ms, reached_at, user_id
                OFFSET $3 LIMIT $4) t) page
  JOIN user_account u ON u.id = page.user_id
  JOIN club c ON c.id = page.club_id
 ORDER BY page.points DESC, page.elapsed_ms, page.reached_at, page.user_id
"""
LIST_CLUB_ROWS = Query(
    ROWS.format(rank=RANK, whose="board_id = $1 AND club_id = $2"),
    BoardMember,
)
LIST_ALL_ROWS = Query(
    ROWS.format(rank=RANK, whose="board_id = $1"),
    BoardMember,
)


@dataclass(frozen=True)
class MemberPoints:
    user_id: UUID
    points: int


LIST_TOTALS = Query(
    "SELECT user_id, points FROM board_total WHERE board_id = $1 AND user_id = ANY($2)",
    MemberPoints,
)


@dataclass(frozen=True)
class PointCount:
    points: int
    members: int


LIST_HISTOGRAM = Query(
    """
SELECT bucket AS points, members FROM rank_histogram
 WHERE board_id = $1 AND club_id = $2 AND level = 4 AND members > 0 ORDER BY bucket DESC
""",
    PointCount,
)


@dataclass(frozen=True)
class BoardKey:
    """The key of a board: ``starts_on`` for days, weeks and months, ``season_id`` for a season."""

    period: Period
    starts_on: date | None
    season_id: UUID | None


async def read_position(database: Database, user_id: UUID, now: datetime) -> MemberPosition | None:
    return await database.fetch_row(READ_POSITION, user_id, now)


async def read_season_position(
    database: Database, user_id: UUID, club_id: UUID, now: datetime
) -> SeasonPositionRow | None:
    """Return a member's season that began last: totals, ladder, place, sources, promotions."""
    return await database.fetch_row(READ_SEASON_POSITION, user_id, club_id, now)


async def list_reached(database: Database, user_id: UUID) -> dict[str, datetime]:
    """Return the ranks a member was ever promoted to, each with its first time."""
    return {row.rank: row.at for row in await database.fetch_rows(LIST_REACHED, user_id)}


async def change_seen(database: Database, user_id: UUID, promotion_id: UUID, now: datetime) -> bool:
    """Record that a member has seen a promotion; return False if it is not the member's."""
    return bool(await database.fetch_value(SEE_PROMOTION, user_id, promotion_id, now))


async def read_board(database: Database, key: BoardKey, club_id: UUID) -> BoardSize | None:
    """Return a board's id and its number of rows; None before its first points."""
    return await database.fetch_row(
        READ_BOARD, key.period.value, key.starts_on, key.season_id, club_id
    )


async def read_own(
    database: Database, board_id: int, club_id: UUID, user_id: UUID
) -> BoardRank | None:
    """Return a member's points and rank on a board; None without points."""
    return await database.fetch_row(READ_OWN, board_id, club_id, user_id)


async def is_off_boards(database: Database, user_id: UUID) -> bool:
    """Return whether a member is excluded from boards, regardless of points."""
    return bool(await database.fetch_value(IS_OFF_BOARDS, user_id))


async def list_rows(
    database: Database, board_id: int, club_id: UUID, *, offset: int, limit: int
) -> Sequence[BoardMember]:
    """Return a page of a board in order; only the first row has its rank."""
    query = LIST_ALL_ROWS if club_id == ALL_CLUBS else LIST_CLUB_ROWS
    return await database.fetch_rows(query, board_id, club_id, offset, limit)


async def list_totals(
    database: Database, board_id: int, user_ids: Sequence[UUID]
) -> dict[UUID, int]:
    """Return the points of these members on a board; members without any are missing."""
    rows = await database.fetch_rows(LIST_TOTALS, board_id, user_ids)
    return {row.user_id: row.points for row in rows}


async def list_histogram(database: Database, board_id: int, club_id: UUID) -> Sequence[PointCount]:
    """Return how many members have how many points on a board, most points first."""
    return await database.fetch_rows(LIST_HISTOGRAM, board_id, club_id)
