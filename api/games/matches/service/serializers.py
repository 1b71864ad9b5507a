"""Serializes rows: matches, teams, competitions, and updates for screens."""

from uuid import UUID

from api.foundation.database.statements import Row
from api.games.matches.enums import FixtureNews, FixtureState
from api.games.matches.ports import MatchPredictions
from api.games.matches.schemas.admin import AdminCompetition, AdminFixture
from api.games.matches.schemas.common import ScoredGoal, TeamAnswer
from api.games.matches.schemas.members import (
    CompetitionAnswer,
    FixtureAnswer,
    FixtureHeadline,
    GoalsAnswer,
)
from api.people.clubs.service import queries as clubs_queries


def for_operators(row: Row) -> AdminFixture:
    """Return a match as the back office sees it."""
    return AdminFixture(
        id=row["id"],
        competition=row["competition"],
        round=row["round"],
        home=side_of(row, "home"),
        away=side_of(row, "away"),
        kick_off_at=row["kick_off_at"],
        venue=row["venue"],
        state=row["state"],
        phase_started_at=row["phase_started_at"],
        home_goals=row["home_goals"],
        away_goals=row["away_goals"],
        version=row["version"],
        updated_at=row["updated_at"],
    )


def competition_for_operators(row: Row) -> AdminCompetition:
    """Return a competition as the back office sees it."""
    return AdminCompetition(
        id=row["id"],
        name=row["name"],
        season=row["season"],
        demo=row["demo"],
        table=row["has_table"],
        version=row["version"],
    )


def shown(row: Row, predicted: MatchPredictions) -> FixtureAnswer:
    """Return a match as a member sees it, with its predictions."""
    state = FixtureState(row["state"])
    return FixtureAnswer(
        id=row["id"],
        competition=CompetitionAnswer(
            id=row["competition_id"],
            name=row["competition"],
            season=row["season"],
            demo=row["demo"],
            table=row["has_table"],
        ),
        round=row["round"] or "",
        home=side_of(row, "home"),
        away=side_of(row, "away"),
        kick_off_at=row["kick_off_at"],
        venue=row["venue"],
        state=state,
        phase_started_at=row["phase_started_at"],
        half=row["half"],
        goals=goals_of(row),
        scored=[ScoredGoal(**one) for one in row["scored"]],
        version=row["version"],
        updated_at=row["updated_at"],
        closes_at=row["kick_off_at"] if state is FixtureState.SCHEDULED else None,
        prediction=predicted.own,
        crowd=predicted.crowd,
    )


def headline(row: Row, what: FixtureNews) -> FixtureHeadline:
    """Return the update of a match for screens."""
    return FixtureHeadline(
        id=row["id"],
        version=row["version"],
        what=what,
        state=row["state"],
        phase_started_at=row["phase_started_at"],
        half=row["half"],
        goals=goals_of(row),
        kick_off_at=row["kick_off_at"],
    )


def goals_of(row: Row) -> GoalsAnswer | None:
    """Return the goals of both teams, or None."""
    if row["home_goals"] is None:
        return None
    return GoalsAnswer(home=row["home_goals"], away=row["away_goals"])


def clubs_of(row: Row) -> set[UUID]:
    """Return the ids of the clubs that play, none to two."""
    return {row["home_club_id"], row["away_club_id"]} - {None}


def side_of(row: Row, side: str) -> TeamAnswer:
    """Return one of a match's teams."""
    return team_shown(row[f"{side}_id"], row[f"{side}_club_id"], row[f"{side}_name"])


def team_shown(team_id: UUID, club_id: UUID | None, name: str) -> TeamAnswer:
    """Return a team; one that is not a club's has no emblem."""
    emblem = None if club_id is None else clubs_queries.emblem_of(club_id)
    return TeamAnswer(team_id=team_id, club_id=club_id, name=name, emblem=emblem)
