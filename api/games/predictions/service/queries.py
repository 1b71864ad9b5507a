"""Reads predictions: the member's own, the number of open matches, and the board."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.database.database import Database
from api.foundation.media.storage import picture_url
from api.foundation.security.members import Member
from api.games.matches.service import queries as matches_queries
from api.games.predictions import rules
from api.games.predictions.enums import (
    PredictionOutcome,
    PredictionPeriod,
    PredictionState,
    PredictState,
)
from api.games.predictions.ports import ToPredict
from api.games.predictions.repository import boards, predictions
from api.games.predictions.repository.boards import BoardPage, PredictionTotalRow
from api.games.predictions.schemas import PredictionRow, PredictorBoard, PredictorRow
from api.games.predictions.service.context import PredictionContext
from api.games.ranking.enums import Scope
from api.games.ranking.service import seasons

PAGE_SIZE = 50


class OpenMatches:
    """The member's open matches, for the home screen (``api.home.today.ports.Predictor``)."""

    async def to_predict(self, database: Database, member: Member, now: datetime) -> ToPredict:
        """Return how many open matches the member has not predicted yet."""
        counted = await predictions.count_open(database, member.user_id, now, rules.AHEAD)
        if counted is not None and counted.left_open:
            return ToPredict(PredictState.OPEN, counted.left_open, counted.closes_at)
        is_done = counted is not None and counted.predicted > 0
        return ToPredict(PredictState.DONE if is_done else PredictState.NONE)


async def list_predictions(
    context: PredictionContext,
    user_id: UUID,
    state: PredictionState,
    *,
    before: UUID | None,
    limit: int,
) -> list[PredictionRow]:
    """Return open matches, the next kick-off first, or the member's other predictions."""
    rows = await predictions.list_rows(
        context.database,
        user_id,
        is_open=state is PredictionState.OPEN,
        now=clock.now(),
        ahead=rules.AHEAD,
        before=before,
        limit=limit,
    )
    ids = [row.id for row in rows]
    shown = {
        match.id: match
        for match in await matches_queries.find_matches(context.fixtures, user_id, ids)
    }
    return [
        PredictionRow(
            fixture=shown[row.id],
            home=row.home,
            away=row.away,
            points=row.points,
            outcome=PredictionOutcome(row.outcome or PredictionOutcome.PENDING),
        )
        for row in rows
        if row.id in shown
    ]


async def read_board(
    database: Database,
    member: Member,
    scope: Scope,
    period: PredictionPeriod,
    *,
    page: int,
    now: datetime,
) -> PredictorBoard:
    """Return a page of a board: by points, then exact scores; equal rows share a rank."""
    name = await _board(database, member, period, now)
    if name is None:
        return PredictorBoard(rows=[], me=None)
    club_id = member.club_id if scope is Scope.CLUB else None
    wanted = BoardPage(name, club_id, (page - 1) * PAGE_SIZE, PAGE_SIZE)
    rows = await boards.list_board(database, wanted)
    own = await boards.read_total(database, wanted, member.user_id)
    me = None
    if own is not None:
        me = _listed(own, 1 + await boards.count_better(database, wanted, own), member)
    return PredictorBoard(rows=await _ranked(database, wanted, rows, member), me=me)


async def _ranked(
    database: Database, page: BoardPage, rows: Sequence[PredictionTotalRow], member: Member
) -> list[PredictorRow]:
    listed: list[PredictorRow] = []
    rank, last = 0, None
    for place, row in enumerate(rows, start=page.offset + 1):
        score = (row.points, row.exact)
        if last is None and page.offset:
            rank = 1 + await boards.count_better(database, page, row)
        elif score != last:
            rank = place
        last = score
        listed.append(_listed(row, rank, member))
    return listed


async def _board(
    database: Database, member: Member, period: PredictionPeriod, now: datetime
) -> str | None:
    """Return the name of the current board of a period, or None."""
    if period is PredictionPeriod.MONTH:
        return rules.board_of(period, clock.lagos_day(now).replace(day=1))
    if period is PredictionPeriod.SEASON:
        season = await seasons.played_season(database, now)
        return None if season is None else rules.board_of(period, season.id)
    last = await boards.read_last_round(database, member.club_id, now)
    return None if last is None else rules.board_of(period, last.competition_id, last.round)


def _listed(row: PredictionTotalRow, rank: int, member: Member) -> PredictorRow:
    return PredictorRow(
        rank=rank,
        firstname=row.first_name,
        lastname=row.last_name,
        avatar=picture_url(row.avatar),
        points=row.points,
        exact=row.exact,
        results=row.results,
        me=row.user_id == member.user_id,
    )
