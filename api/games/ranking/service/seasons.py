"""Seasons and their ladders: selection and changes."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.games.ranking.errors import SeasonRefusedError
from api.games.ranking.repository import seasons as seasons_repository
from api.games.ranking.repository.seasons import LockedSeason, SeasonLadder
from api.games.ranking.rules import SeasonDate, SeasonRules
from api.games.ranking.schemas import AdminRank, AdminSeason, RankRow, SeasonChange, SeasonPlan


async def shown_season(database: Database, now: datetime) -> SeasonRules | None:
    """Return the season to show: the open one, else the next, else the last."""
    return await seasons_repository.read_shown_season(database, now)


async def played_season(database: Database, now: datetime) -> SeasonRules | None:
    """Return the season that began last; its boards are current until the next one begins."""
    return await seasons_repository.read_played_season(database, now)


async def list_ranks(database: Database, now: datetime) -> list[RankRow]:
    """Return the ladder of the season to show, lowest rank first."""
    season = await shown_season(database, now)
    if season is None:
        return []
    return [
        RankRow(
            rank=row.rank,
            threshold_point=row.threshold_point,
            start_date=row.starts_at,
            end_date=row.ends_at,
        )
        for row in await seasons_repository.list_ranks(database, season.id)
    ]


async def set_season(tx: Transaction, plan: SeasonPlan, now: datetime) -> bool:
    """Insert a season and its ladder, or change the one with that name; return whether it is new.

    Raises:
        SeasonRefusedError: it overlaps another, or changes what is fixed.
    """
    seasons = await seasons_repository.lock_seasons(tx)
    known = next((season for season in seasons if season.name == plan.name), None)
    await _write(tx, plan, known, seasons, now)
    return known is None


async def list_seasons(
    database: Database, now: datetime, *, before: UUID | None, limit: int
) -> Page[AdminSeason]:
    """Return the seasons with their ladders, newest first."""
    rows = await seasons_repository.list_seasons(database, before, limit + 1)
    return Page.of(rows, limit, lambda row: _shown(row, now))


async def create_season(
    database: Database, admin: AdminRequest, plan: SeasonPlan, now: datetime
) -> AdminResult:
    """Create a season.

    Raises:
        SeasonRefusedError: another has its name, or overlaps it.
    """

    async def work(tx: Transaction) -> AdminResult:
        seasons = await seasons_repository.lock_seasons(tx)
        season_id = await _write(tx, plan, None, seasons, now)
        shown = await _read(tx, season_id, now)
        record = AuditRecord("create", "season", season_id, after=shown.model_dump(mode="json"))
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, status=201, message="The season has been saved.")

    return await audit.perform(database, admin, plan, work)


async def change_season(
    database: Database, admin: AdminRequest, season_id: UUID, plan: SeasonChange, now: datetime
) -> AdminResult:
    """Change a season, including its name.

    Raises:
        StaleVersionError: it was changed since the version in ``plan``.
        SeasonRefusedError: another has its name or overlaps it, or it changes what is fixed.
    """

    async def work(tx: Transaction) -> AdminResult:
        seasons = await seasons_repository.lock_seasons(tx)
        known = next((season for season in seasons if season.id == season_id), None)
        if known is None:
            raise NotFoundError
        if plan.version is not None and plan.version != known.version:
            raise StaleVersionError
        before = await _read(tx, season_id, now)
        await _write(tx, plan, known, seasons, now)
        shown = await _read(tx, season_id, now)
        was, is_now = (one.model_dump(mode="json") for one in (before, shown))
        await audit.audited(tx, admin, AuditRecord("change", "season", season_id, was, is_now))
        return AdminResult.of(shown, message="The season has been saved.")

    return await audit.perform(database, admin, plan, work)


async def list_dates(database: Database, since: datetime, until: datetime) -> Sequence[SeasonDate]:
    """Return when seasons begin and end, and ranks open, from ``since`` until before ``until``."""
    return await seasons_repository.list_dates(database, since, until)


async def _write(
    tx: Transaction,
    plan: SeasonPlan,
    known: LockedSeason | None,
    seasons: Sequence[LockedSeason],
    now: datetime,
) -> UUID:
    """Insert a season, or change the ``known`` one; return its id.

    Once a season has begun, its start, ranks and thresholds are fixed: members have reached some.

    Raises:
        SeasonRefusedError: another has its name or overlaps it, or it changes what is fixed.
    """
    for season in seasons:
        if known is not None and season.id == known.id:
            continue
        if season.name == plan.name:
            raise SeasonRefusedError("A season with this name already exists.")
        if plan.starts_at < season.ends_at and season.starts_at < plan.ends_at:
            raise SeasonRefusedError(f"It overlaps the season {season.name}.")
    if known is not None and known.starts_at <= now:
        ladder = {rank.rank: rank.threshold_point for rank in plan.ranks}
        if ladder != await seasons_repository.list_thresholds(tx, known.id):
            raise SeasonRefusedError("It has started: its ranks and thresholds cannot be changed.")
        if plan.starts_at != known.starts_at:
            raise SeasonRefusedError("It has started: its start cannot be changed.")
    season_id = new_id() if known is None else known.id
    await seasons_repository.replace_season(
        tx,
        season_id,
        plan.model_dump(exclude={"ranks", "version"}, by_alias=False),
        [rank.model_dump(by_alias=False) for rank in plan.ranks],
    )
    return season_id


async def _read(tx: Transaction, season_id: UUID, now: datetime) -> AdminSeason:
    row = await seasons_repository.read_season(tx, season_id)
    if row is None:
        raise NotFoundError
    return _shown(row, now)


def _shown(row: SeasonLadder, now: datetime) -> AdminSeason:
    return AdminSeason(
        id=row.id,
        name=row.name,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        point_per_question=row.point_per_question,
        question_time_limit=row.question_time_limit,
        questions_per_day=row.questions_per_day,
        state=row.state(now),
        version=row.version,
        ranks=[AdminRank(**rank) for rank in row.ranks or ()],
    )


async def has_season(tx: Transaction, name: str) -> bool:
    """Return whether a season with this name exists; locks the writing of seasons."""
    return any(season.name == name for season in await seasons_repository.lock_seasons(tx))


async def season_at(runner: Runner, moment: datetime) -> UUID | None:
    """Return the season that is open at ``moment``, or None between seasons."""
    return await seasons_repository.read_season_at(runner, moment)
