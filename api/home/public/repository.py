from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert

from api.foundation.database.database import Database, Transaction
from api.foundation.database.statements import Query
from api.home.public.models import UsedClaim


@dataclass(frozen=True)
class VisitorQuestion:
    id: UUID
    question: str
    options: list[str]
    right_option: int
    explanation: str


QUESTION = """
SELECT id, question, options, right_option, explanation FROM question
 WHERE kind = 'visitor' AND retired_at IS NULL
"""
# All visitors of a day are asked the same one, so that the page can be cached.
READ_OF_DAY = Query(
    f"{QUESTION} AND club_id IS NULL ORDER BY md5(slug || $1::date), id LIMIT 1",
    VisitorQuestion,
)
READ_QUESTION = Query(f"{QUESTION} AND id = $1", VisitorQuestion)
COUNT_MEMBERS = """
SELECT coalesce((SELECT sum(members) FROM club_size WHERE $1::uuid IS NULL OR club_id = $1), 0)::int
     + coalesce((SELECT sum(members) FROM club_size_change
                  WHERE $1::uuid IS NULL OR club_id = $1), 0)::int
"""
# The club of the next match, home before away; without matches, the first by name.
CHOOSE_CLUB = """
SELECT c.id FROM club c
  LEFT JOIN LATERAL (
    SELECT f.kick_off_at, t.id = f.home_id AS is_home FROM team t
      JOIN fixture f ON t.id IN (f.home_id, f.away_id)
     WHERE t.club_id = c.id AND (f.state IN ('live', 'half_time')
           OR f.state = 'scheduled' AND f.kick_off_at > $1)
     ORDER BY f.kick_off_at, f.id LIMIT 1) coming ON true
 WHERE NOT c.hidden
 ORDER BY coming.kick_off_at NULLS LAST, coming.is_home DESC NULLS LAST, c.name, c.id LIMIT 1
"""


@dataclass(frozen=True)
class SiteEntry:
    path: str
    changed_at: datetime | None


# Newest first within a kind; the protocol allows 50,000 addresses in a file.
LIST_SITE = Query(
    """
(SELECT '/c/' || id AS path, NULL::timestamptz AS changed_at FROM club WHERE NOT hidden
  ORDER BY name LIMIT 1000)
UNION ALL
(SELECT '/m/' || f.id, f.updated_at FROM fixture f
   JOIN (SELECT DISTINCT ON (name) id FROM competition ORDER BY name, season DESC) c
     ON c.id = f.competition_id
  WHERE f.state <> 'cancelled' ORDER BY f.kick_off_at DESC LIMIT 20000)
UNION ALL
(SELECT '/n/' || a.slug, a.publish_at FROM article a LEFT JOIN club c ON c.id = a.club_id
  WHERE a.stage = 'published' AND a.publish_at <= $1 AND c.hidden IS NOT TRUE
  ORDER BY a.publish_at DESC LIMIT 20000)
UNION ALL
(SELECT '/s/' || id, NULL FROM product WHERE NOT hidden ORDER BY position, id LIMIT 5000)
""",
    SiteEntry,
)


async def read_question_of_day(database: Database, day: date) -> VisitorQuestion | None:
    """Return the question that visitors are asked on a day, or None without any."""
    return await database.fetch_row(READ_OF_DAY, day)


async def read_question(database: Database, question_id: UUID) -> VisitorQuestion | None:
    """Return one of the questions for visitors, or None."""
    return await database.fetch_row(READ_QUESTION, question_id)


async def count_members(database: Database, club_id: UUID | None) -> int:
    """Return the number of members of a club, or of all clubs."""
    return int(await database.fetch_value(COUNT_MEMBERS, club_id))


async def choose_club(database: Database, now: datetime) -> UUID | None:
    """Return the club that plays next, or None without any club."""
    found: UUID | None = await database.fetch_value(CHOOSE_CLUB, now)
    return found


async def list_site(database: Database, now: datetime) -> list[SiteEntry]:
    """Return the public pages of clubs, this season's matches, articles and products."""
    return list(await database.fetch_rows(LIST_SITE, now))


async def use_claim(tx: Transaction, claim_id: UUID, expires_at: datetime) -> bool:
    """Record that a claim is used; return False if it was.

    Of two callers with one claim, the second waits for the first.
    """
    statement = insert(UsedClaim).values(id=claim_id, expires_at=expires_at)
    used = statement.on_conflict_do_nothing().returning(UsedClaim.id)
    return await tx.fetch_value(used) is not None
