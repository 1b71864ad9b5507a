import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.foundation.database.locks import AdvisoryLock
from api.foundation.database.statements import Query
from api.games.matches.enums import FixtureSource
from api.games.matches.models import Fixture
from api.games.matches.repository.queries import CompetitionRow
from api.games.matches.rules.rows import MatchRow

ADVANCE_FEED = """
INSERT INTO feed_progress AS f (feed, sequence, taken_at) VALUES ($1, $2, $3)
ON CONFLICT (feed) DO UPDATE SET sequence = excluded.sequence, taken_at = excluded.taken_at
 WHERE f.sequence < excluded.sequence
RETURNING sequence
"""
LOCK_WRITING = "SELECT pg_advisory_xact_lock($1)"
ADD_COMPETITION = """
INSERT INTO competition (id, name, season) VALUES ($1, $2, $3)
"""
# The competition with that name now, else the one that last had it.
FIND_COMPETITION = """
SELECT id FROM (
  SELECT id, 'infinity' AS named_until FROM competition
   WHERE lower(name) = lower($1) AND lower(season) = lower($2)
  UNION ALL
  SELECT competition_id, renamed_at FROM former_competition_name
   WHERE lower(name) = lower($1) AND lower(season) = lower($2)
) named ORDER BY named_until DESC LIMIT 1
"""
# Among the competitions with that name now, else those that had it: the one the match is already
# in, else the newest season with matches.
FIND_SEASON = """
SELECT c.id FROM (
  SELECT id, true AS is_now FROM competition WHERE lower(name) = lower($1)
  UNION ALL
  SELECT competition_id, false FROM former_competition_name WHERE lower(name) = lower($1)
) named JOIN competition c ON c.id = named.id
 WHERE c.id = $2 OR NOT c.demo
 ORDER BY named.is_now DESC, (c.id = $2) IS TRUE DESC, c.id DESC LIMIT 1
"""
FIND_SAME_COMPETITION = """
SELECT id FROM competition
 WHERE lower(name) = lower($1) AND lower(season) = lower($2) AND id <> $3
"""
LOCK_COMPETITION = Query(
    """
SELECT id, name, season, demo, has_table, version FROM competition
 WHERE id = $1 FOR NO KEY UPDATE
""",
    CompetitionRow,
)
KEEP_NAME = """
INSERT INTO former_competition_name (competition_id, name, season, renamed_at)
SELECT id, name, season, $4 FROM competition WHERE id = $1 AND (name, season) <> ($2, $3)
ON CONFLICT (competition_id, name, season) DO UPDATE SET renamed_at = excluded.renamed_at
"""
CHANGE_COMPETITION = Query(
    """
UPDATE competition SET name = $2, season = $3, has_table = $4, version = version + 1
 WHERE id = $1 RETURNING id, name, season, demo, has_table, version
""",
    CompetitionRow,
)
ADD_CLUB_TEAM = "INSERT INTO team (id, club_id) VALUES ($1, $2)"
FIND_CLUB_TEAM = "SELECT id FROM team WHERE club_id = $1"
ADD_TEAM = "INSERT INTO team (id, name) VALUES ($1, $2)"
FIND_TEAM = "SELECT id FROM team WHERE lower(name) = lower($1)"
FIXTURE = """
SELECT id, competition_id, round, home_id, away_id, kick_off_at, venue, state, phase_started_at,
       half, home_goals, away_goals, scored, source, ref, locked, version, updated_at
  FROM fixture
"""
LOCK_FIXTURE = Query(FIXTURE + " WHERE id = $1 FOR UPDATE", MatchRow)
FIND_FIXTURE = Query(FIXTURE + " WHERE source = $1 AND ref = $2", MatchRow)
FIND_SAME = Query(
    FIXTURE
    + " WHERE home_id = $1 AND away_id = $2 AND kick_off_at = $3 AND id IS DISTINCT FROM $4",
    MatchRow,
)
CHANGED = (
    *("competition_id", "round", "home_id", "away_id", "kick_off_at", "venue", "state"),
    *("phase_started_at", "half", "home_goals", "away_goals", "scored", "updated_at", "locked"),
)
CHANGE_FIXTURE = """
UPDATE fixture
   SET version = version + 1, competition_id = $2, round = $3, home_id = $4, away_id = $5,
       kick_off_at = $6, venue = $7, state = $8, phase_started_at = $9, half = $10,
       home_goals = $11, away_goals = $12, scored = $13, updated_at = $14,
       locked = coalesce($15, locked)
 WHERE id = $1
"""
ANNOUNCE = "SELECT pg_notify($1, $2)"


async def lock_writing(tx: Transaction) -> None:
    """Lock the writing of matches until commit: one writer at a time.

    Acquired before any other lock of the matches.
    """
    await tx.execute(LOCK_WRITING, AdvisoryLock.MATCH_WRITING)


async def advance_feed(tx: Transaction, feed: str, sequence: int, now: datetime) -> bool:
    """Store a feed's sequence; return False, unchanged, if it is not higher. Locks the feed."""
    return await tx.fetch_value(ADVANCE_FEED, feed, sequence, now) is not None


async def lock_fixture(tx: Transaction, fixture_id: UUID) -> MatchRow | None:
    return await tx.fetch_row(LOCK_FIXTURE, fixture_id)


async def find_fixture(tx: Transaction, source: FixtureSource, ref: str) -> MatchRow | None:
    return await tx.fetch_row(FIND_FIXTURE, source, ref)


async def find_same_match(
    tx: Transaction, values: Mapping[str, Any], but: UUID | None
) -> MatchRow | None:
    """Return another match of the two teams at the same time."""
    teams = values["home_id"], values["away_id"]
    return await tx.fetch_row(FIND_SAME, *teams, values["kick_off_at"], but)


async def insert_fixture(tx: Transaction, values: Mapping[str, Any]) -> None:
    await tx.execute(insert(Fixture).values(**values))


async def change_fixture(tx: Transaction, fixture_id: UUID, values: Mapping[str, Any]) -> None:
    """Update a match and raise its version; ``locked`` is kept unless given."""
    written = {"locked": None, **values, "scored": json.dumps(values["scored"])}
    await tx.execute(CHANGE_FIXTURE, fixture_id, *(written[name] for name in CHANGED))


async def announce(tx: Transaction, channel: str, payload: str) -> None:
    """Notify all processes, on commit and in commit order."""
    await tx.execute(ANNOUNCE, channel, payload)


async def find_season(tx: Transaction, name: str, held: UUID | None) -> UUID | None:
    """Return the competition with a name, ignoring case: ``held``, else its newest season.

    If no competition has the name any more, former names are searched.
    """
    found: UUID | None = await tx.fetch_value(FIND_SEASON, name, held)
    return found


async def begin_row(tx: Transaction) -> None:
    """Set a savepoint, so that one row of a feed can be rolled back."""
    await tx.execute("SAVEPOINT feed_row")


async def roll_back_row(tx: Transaction) -> None:
    """Roll back everything the last row has written, such as a new competition."""
    await tx.execute("ROLLBACK TO SAVEPOINT feed_row")


async def find_competition(tx: Transaction, name: str, season: str) -> UUID | None:
    """Return the competition with that name, else the last that had it, ignoring case."""
    found: UUID | None = await tx.fetch_value(FIND_COMPETITION, name, season)
    return found


async def find_same_competition(tx: Transaction, name: str, season: str, but: UUID) -> UUID | None:
    """Return another competition that has that name now, ignoring case, or None."""
    found: UUID | None = await tx.fetch_value(FIND_SAME_COMPETITION, name, season, but)
    return found


async def add_competition(tx: Transaction, name: str, season: str) -> UUID:
    """Return the competition with a name and season, inserting it without a table if it is new."""
    found = await find_competition(tx, name, season)
    if found is None:
        found = new_id()
        await tx.execute(ADD_COMPETITION, found, name, season)
    return found


async def lock_competition(tx: Transaction, competition_id: UUID) -> CompetitionRow | None:
    return await tx.fetch_row(LOCK_COMPETITION, competition_id)


async def change_competition(
    tx: Transaction,
    competition_id: UUID,
    name: str,
    season: str,
    now: datetime,
    *,
    has_table: bool,
) -> CompetitionRow:
    """Update a competition, raise its version, store a former name, and return it."""
    await tx.execute(KEEP_NAME, competition_id, name, season, now)
    row = await tx.fetch_row(CHANGE_COMPETITION, competition_id, name, season, has_table)
    if row is None:
        raise RuntimeError("A competition that is held is there")
    return row


async def find_club_team(tx: Transaction, club_id: UUID) -> UUID | None:
    """Return a club's team; None before its first match."""
    found: UUID | None = await tx.fetch_value(FIND_CLUB_TEAM, club_id)
    return found


async def add_club_team(tx: Transaction, club_id: UUID) -> UUID:
    """Return a club's team, inserting it at its first match."""
    found = await find_club_team(tx, club_id)
    if found is None:
        found = new_id()
        await tx.execute(ADD_CLUB_TEAM, found, club_id)
    return found


async def find_known_team(tx: Transaction, name: str) -> UUID | None:
    """Return the team with that name, ignoring case, that is not a club's, or None."""
    found: UUID | None = await tx.fetch_value(FIND_TEAM, name)
    return found


async def find_team(tx: Transaction, name: str) -> UUID:
    """Return the team with that name, ignoring case, that is not a club's, inserting it if new."""
    found: UUID | None = await tx.fetch_value(FIND_TEAM, name)
    if found is None:
        found = new_id()
        await tx.execute(ADD_TEAM, found, name)
    return found
