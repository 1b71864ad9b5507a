"""Awards, boards, and members' places."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import picture_url
from api.games.ranking import rules
from api.games.ranking.enums import Period, PointSource, Scope
from api.games.ranking.events import PointsAwarded
from api.games.ranking.repository import awards, boards, seasons
from api.games.ranking.repository.awards import (
    Award,  # argument type of ``award``
    AwardTotals,
)
from api.games.ranking.repository.boards import (
    ALL_CLUBS,
    BoardKey,
    BoardMember,
)
from api.games.ranking.schemas import (
    BoardPlace,
    BoardStanding,
    ChallengerRow,
    LeaderBoard,
    LeaderBoardRow,
    PointRow,
    Ranking,
    Statistics,
)
from api.games.ranking.service.seasons import played_season
from api.people.clubs.service import queries as clubs_queries

BOARD_SIZE = 10
PAGE_SIZE = 50
FOLD_BATCH = 5000


async def award(tx: Transaction, award: Award) -> AwardTotals:
    """Insert the award of a quiz in the caller's transaction; return the new totals.

    The caller holds the lock on the attempt: a source awards once.
    """
    totals = await awards.award_points(tx, award)
    if award.points > 0:
        tx.record(PointsAwarded())
    return totals


async def earns(tx: Transaction, user_id: UUID) -> bool:
    """Return whether a member can earn points (contract T-11)."""
    return await awards.earns(tx, user_id)


async def award_many(tx: Transaction, given: Sequence[Award]) -> None:
    """Insert members' awards, positive or negative, in the caller's transaction.

    The caller holds the locks on the sources: a source awards once.
    """
    if given:
        await awards.award_many(tx, given)
        tx.record(PointsAwarded())


async def statistics(database: Database, user_id: UUID, now: datetime) -> Statistics:
    """Return the statistics of a member's club and rank for the dashboard.

    The member's own points are exact; places are those of the last fold.
    """
    row = await boards.read_position(database, user_id, now)
    if row is None:
        raise NotFoundError
    season_id = row.season_id
    ladder = [] if season_id is None else await seasons.list_ranks(database, season_id)
    place = rules.place_on(
        [rules.LadderRank(rank.rank, rank.threshold_point) for rank in ladder],
        row.battle_points or 0,
    )
    board = await _read_page(database, _season_key(season_id), row.club_id, user_id, 1, BOARD_SIZE)
    ranking = Ranking(
        club_name=row.club_name,
        emblem=clubs_queries.emblem_of(row.club_id),
        badge=place.rank if ladder else row.badge,
        points=row.points or 0,
        cnt=row.answered or 0,
        club_rank=board.me.rank,
        club_members=row.club_members,
        battle_points=row.battle_points or 0,
        next_rank=place.next_rank if ladder else None,
        points_to_next=place.points_to_next if ladder else None,
        season=row.season,
    )
    leaderboard = [
        LeaderBoardRow(
            rank=entry.rank,
            firstname=entry.firstname,
            lastname=entry.lastname,
            points=entry.points,
            me=entry.me,
            avatar=entry.avatar,
        )
        for entry in board.rows
    ]
    return Statistics(ranking=ranking, leaderboard=leaderboard, me=board.me)


async def leaderboard(
    database: Database,
    *,
    user_id: UUID,
    club_id: UUID,
    scope: Scope,
    period: Period,
    page: int,
    now: datetime,
) -> LeaderBoard:
    """Return one page of a board, and the member's own place on it."""
    starts_at = ends_at = None
    if period is Period.SEASON:
        season = await played_season(database, now)
        key = _season_key(None if season is None else season.id)
        if season is not None:
            starts_at, ends_at = season.starts_at, season.ends_at
    else:
        today = clock.lagos_day(now)
        starts_on = rules.first_day(period, today) or today
        key = BoardKey(period, starts_on, None)
        starts_at = clock.midnight(starts_on)
        ends_at = clock.midnight(rules.day_after(period, starts_on))
    whose = club_id if scope is Scope.CLUB else ALL_CLUBS
    board = await _read_page(database, key, whose, user_id, page, PAGE_SIZE)
    return LeaderBoard(
        scope=scope,
        period=period,
        starts_at=starts_at,
        ends_at=ends_at,
        page=page,
        page_size=PAGE_SIZE,
        total=board.total,
        rows=board.rows,
        me=board.me,
    )


@dataclass(frozen=True)
class Challengers:
    """The season's best of all clubs, and the data to place any member among them.

    ``best`` pairs each row with its member; ``points`` has the requested members.
    """

    best: list[tuple[UUID, ChallengerRow]]
    points: dict[UUID, int]
    ranks: dict[int, int]

    def place_of(self, user_id: UUID) -> BoardPlace:
        """Return a member's place; the rank is None without points."""
        points = self.points.get(user_id)
        return BoardPlace(
            rank=None if points is None else self.ranks.get(points), points=points or 0
        )


async def challengers(database: Database, user_ids: Sequence[UUID], now: datetime) -> Challengers:
    """Return the season's best of all clubs, and the places of ``user_ids``."""
    season = await played_season(database, now)
    key = _season_key(None if season is None else season.id)
    board = await boards.read_board(database, key, ALL_CLUBS)
    if board is None:
        return Challengers([], {}, {})
    rows = await boards.list_rows(database, board.id, ALL_CLUBS, offset=0, limit=BOARD_SIZE)
    placed = zip(rows, rules.share_ranks([row.points for row in rows]), strict=True)
    ranks, above = {}, 0
    for row in await boards.list_histogram(database, board.id, ALL_CLUBS):
        ranks[row.points] = above + 1
        above += row.members
    return Challengers(
        [(row.user_id, _listed(row, rank, None)) for row, rank in placed],
        await boards.list_totals(database, board.id, user_ids),
        ranks,
    )


async def list_points(
    database: Database, user_id: UUID, *, before: UUID | None, limit: int
) -> list[PointRow]:
    """Return a member's awards older than ``before``, newest first, each with its reason."""
    return [
        PointRow(
            id=row.id,
            source=PointSource(row.source),
            points=row.points,
            title=rules.title_of(PointSource(row.source), row.detail, row.question),
            day=row.day,
            earned_at=row.earned_at,
        )
        for row in await awards.list_entries(database, user_id, before, limit)
    ]


async def fold(database: Database) -> bool:
    """Fold pending awards into the boards; return False if another worker is folding."""
    while True:
        folded = await awards.fold_points(database, FOLD_BATCH)
        if folded is None:
            return False
        if folded < FOLD_BATCH:
            return True


@dataclass(frozen=True)
class _Page:
    total: int
    rows: list[ChallengerRow]
    me: BoardStanding


def _season_key(season_id: UUID | None) -> BoardKey:
    return BoardKey(Period.SEASON, None, season_id)


async def _read_page(
    database: Database, key: BoardKey, club_id: UUID, user_id: UUID, page: int, size: int
) -> _Page:
    """Return a page of a board as of the last fold."""
    board = await boards.read_board(database, key, club_id)
    if board is None:
        return _Page(0, [], await _without_place(database, user_id))
    offset = (page - 1) * size
    rows = await boards.list_rows(database, board.id, club_id, offset=offset, limit=size)
    ranks = rules.share_ranks(
        [row.points for row in rows],
        first_position=offset + 1,
        first_rank=(rows[0].rank or 0) if rows else 0,
    )
    listed = [_listed(row, rank, user_id) for row, rank in zip(rows, ranks, strict=True)]
    own = await boards.read_own(database, board.id, club_id, user_id)
    if own is None:
        return _Page(board.total, listed, await _without_place(database, user_id))
    return _Page(
        board.total, listed, BoardStanding(rank=own.rank, points=own.points, off_boards=False)
    )


async def _without_place(database: Database, user_id: UUID) -> BoardStanding:
    is_off = await boards.is_off_boards(database, user_id)
    return BoardStanding(rank=None, points=0, off_boards=is_off)


def _listed(row: BoardMember, rank: int, user_id: UUID | None) -> ChallengerRow:
    return ChallengerRow(
        rank=rank,
        firstname=row.first_name,
        lastname=row.last_name,
        points=row.points,
        me=row.user_id == user_id,
        avatar=picture_url(row.avatar),
        name=row.club_name,
        emblem=clubs_queries.emblem_of(row.club_id),
    )
