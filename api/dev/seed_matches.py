"""Writes the demo's matches."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from api.dev.demo import matches
from api.dev.demo.clubs import CLUBS
from api.dev.demo.ids import demo_id
from api.dev.demo.matches import DemoMatch
from api.foundation.core import clock
from api.foundation.database.database import Transaction
from api.games.matches.enums import FixtureSource, FixtureState, TeamSide
from api.games.matches.models import Competition, Fixture, Team

TOWNS = {club.slug: club.town for club in CLUBS}


async def write_matches(tx: Transaction) -> None:
    """Write teams, competitions and matches; clubs without a league have none."""
    await tx.execute_many(
        insert(Team),
        [
            {"id": demo_id("team", club.slug), "club_id": demo_id("club", club.slug)}
            for club in CLUBS
            if club.competition
        ],
    )
    await tx.execute_many(
        insert(Competition),
        [
            {
                "id": demo_id("competition", league),
                "name": league,
                "season": matches.SEASON,
                "demo": True,
                "has_table": True,
            }
            for league in matches.leagues()
        ],
    )
    await tx.execute_many(insert(Fixture), [_row(match) for match in matches.matches()])


def fixture_id(match: DemoMatch) -> UUID:
    """Return the id of a demo match."""
    return demo_id("fixture", f"{match.league}:{match.home}:{match.away}")


def kick_off_of(match: DemoMatch, now: datetime) -> datetime:
    """Return the kick-off of a demo match relative to ``now``, rounded to a full hour."""
    return now.replace(minute=0, second=0, microsecond=0) + match.after


def _row(match: DemoMatch) -> dict[str, Any]:
    now = clock.now()
    goals = match.scored and [
        {"side": side.value, "minute": minute}
        for side, minutes in zip(TeamSide, match.scored, strict=True)
        for minute in minutes
    ]
    return {
        "id": fixture_id(match),
        "competition_id": demo_id("competition", match.league),
        "round": f"Round {match.round}",
        "home_id": demo_id("team", match.home),
        "away_id": demo_id("team", match.away),
        "kick_off_at": kick_off_of(match, now),
        "venue": TOWNS[match.home],
        "state": FixtureState.FINISHED if match.scored else FixtureState.SCHEDULED,
        "home_goals": match.scored and len(match.scored[0]),
        "away_goals": match.scored and len(match.scored[1]),
        "scored": sorted(goals or [], key=lambda goal: goal["minute"]),
        "source": FixtureSource.MANUAL,
        "updated_at": now,
    }
