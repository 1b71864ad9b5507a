"""Serializes rows: matches, teams, competitions, and updates for screens."""

from uuid import UUID

from api.games.matches.enums import FixtureNews, FixtureState
from api.games.matches.ports import MatchPredictions
from api.games.matches.repository.queries import CompetitionRow
from api.games.matches.rules.rows import MatchRow, NamedMatchRow
from api.games.matches.schemas.admin import AdminCompetition, AdminFixture
from api.games.matches.schemas.common import ScoredGoal, TeamAnswer
from api.games.matches.schemas.members import (
    CompetitionAnswer,
    FixtureAnswer,
    FixtureHeadline,
    GoalsAnswer,
)
from api.people.clubs.service import queries as clubs_queries


def for_operators(row: NamedMatchRow) -> AdminFixture:
    """Return a match as the back office sees it."""
    return AdminFixture(
        id=row.id,
        competition=row.competition,
        round=row.round,
        home=home_of(row),
        away=away_of(row),
        kick_off_at=row.kick_off_at,
        venue=row.venue,
        state=FixtureState(row.state),
        phase_started_at=row.phase_started_at,
        home_goals=row.home_goals,
        away_goals=row.away_goals,
        version=row.version,
        updated_at=row.updated_at,
    )


def competition_for_operators(row: CompetitionRow) -> AdminCompetition:
    """Return a competition as the back office sees it."""
    return AdminCompetition(
        id=row.id,
        name=row.name,
        season=row.season,
        demo=row.demo,
        table=row.has_table,
        version=row.version,
    )


def shown(row: NamedMatchRow, predicted: MatchPredictions) -> FixtureAnswer:
    """Return a match as a member sees it, with its predictions."""
    state = FixtureState(row.state)
    return FixtureAnswer(
        id=row.id,
        competition=CompetitionAnswer(
            id=row.competition_id,
            name=row.competition,
            season=row.season,
            demo=row.demo,
            table=row.has_table,
        ),
        round=row.round or "",
        home=home_of(row),
        away=away_of(row),
        kick_off_at=row.kick_off_at,
        venue=row.venue,
        state=state,
        phase_started_at=row.phase_started_at,
        half=row.half,
        goals=goals_of(row),
        scored=[ScoredGoal(**one) for one in row.scored],
        version=row.version,
        updated_at=row.updated_at,
        closes_at=row.kick_off_at if state is FixtureState.SCHEDULED else None,
        prediction=predicted.own,
        crowd=predicted.crowd,
    )


def headline(row: MatchRow, what: FixtureNews) -> FixtureHeadline:
    """Return the update of a match for screens."""
    return FixtureHeadline(
        id=row.id,
        version=row.version,
        what=what,
        state=FixtureState(row.state),
        phase_started_at=row.phase_started_at,
        half=row.half,
        goals=goals_of(row),
        kick_off_at=row.kick_off_at,
    )


def goals_of(row: MatchRow) -> GoalsAnswer | None:
    """Return the goals of both teams, or None."""
    goals = row.goals()
    return None if goals is None else GoalsAnswer(home=goals[0], away=goals[1])


def clubs_of(row: NamedMatchRow) -> set[UUID]:
    """Return the ids of the clubs that play, none to two."""
    return {club_id for club_id in (row.home_club_id, row.away_club_id) if club_id is not None}


def home_of(row: NamedMatchRow) -> TeamAnswer:
    """Return the home team of a match."""
    return team_shown(row.home_id, row.home_club_id, row.home_name)


def away_of(row: NamedMatchRow) -> TeamAnswer:
    """Return the away team of a match."""
    return team_shown(row.away_id, row.away_club_id, row.away_name)


def team_shown(team_id: UUID, club_id: UUID | None, name: str) -> TeamAnswer:
    """Return a team; one that is not a club's has no emblem."""
    emblem = None if club_id is None else clubs_queries.emblem_of(club_id)
    return TeamAnswer(team_id=team_id, club_id=club_id, name=name, emblem=emblem)
