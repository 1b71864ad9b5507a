"""Reads predictions of matches: a member's own, and cached counts of all."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.database import Database, Runner
from api.games.matches.ports import MatchPredictions
from api.games.matches.schemas.members import CrowdPrediction, OwnPrediction
from api.games.predictions import rules
from api.games.predictions.repository import predictions
from api.games.predictions.repository.predictions import PredictedMatchCrowd

FRESH_SECONDS = 3.0
# Saves in progress at the kick-off are committed by then, so the counts can be stored.
SETTLED_AFTER = timedelta(minutes=1)

Counts = tuple[int, int, int]


class CrowdReader:
    """Reads the predictions of matches; those of other members only as counts."""

    def __init__(self, database: Database) -> None:
        self._crowds = CrowdCounter(database)

    async def read(
        self, runner: Runner, user_id: UUID, fixture_ids: Sequence[UUID]
    ) -> Mapping[UUID, MatchPredictions]:
        """Return the member's own predictions, and the counts of matches that have begun."""
        rows = await predictions.list_predicted(runner, user_id, fixture_ids, clock.now())
        uncounted = [row.id for row in rows if row.has_started and row.crowd_home is None]
        counted = await self._crowds.count(uncounted) if uncounted else {}
        return {
            row.id: MatchPredictions(_own(row), _crowd(row, counted.get(row.id))) for row in rows
        }


@dataclass(frozen=True)
class CountedCrowd:
    """How many predicted home, draw and away, and when the count expires."""

    counts: Counts
    fresh_until: float


class CrowdCounter:
    """Counts the predictions of matches that have begun, once for concurrent callers.

    Every member opens a match at its kick-off. Callers during a count share its result, which is
    then cached for a few seconds.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counted: Mapping[UUID, CountedCrowd] = {}
        self._counting: dict[UUID, asyncio.Task[Mapping[UUID, Counts]]] = {}

    async def count(self, fixture_ids: Sequence[UUID]) -> Mapping[UUID, Counts]:
        """Return how many members predicted each winner of some matches."""
        known = self._fresh()
        old = [one for one in fixture_ids if one not in known]
        new = [one for one in old if one not in self._counting]
        if new:
            task = asyncio.create_task(self._count(new, clock.now()))
            self._counting |= dict.fromkeys(new, task)
            task.add_done_callback(self._done)
        counts = {one: crowd.counts for one, crowd in known.items()}
        for task in {self._counting[one] for one in old}:
            counts |= await asyncio.shield(task)
        return counts

    def _fresh(self) -> dict[UUID, CountedCrowd]:
        now = asyncio.get_running_loop().time()
        return {one: crowd for one, crowd in self._counted.items() if now < crowd.fresh_until}

    async def _count(self, fixture_ids: Sequence[UUID], now: datetime) -> Mapping[UUID, Counts]:
        """Count, and store counts that cannot change any more."""
        rows = await predictions.count_crowd(self._database, fixture_ids)
        final = [row for row in rows if row.kick_off_at < now - SETTLED_AFTER]
        if final:
            with suppress(DatabaseUnavailableError):  # reads still work on a read-only database
                await predictions.store_crowd(self._database, final)
        counts = {row.id: (row.home, row.draw, row.away) for row in rows}
        until = asyncio.get_running_loop().time() + FRESH_SECONDS
        self._counted = self._fresh() | {
            one: CountedCrowd(crowd, until) for one, crowd in counts.items()
        }
        return counts

    def _done(self, task: "asyncio.Task[Mapping[UUID, Counts]]") -> None:
        self._counting = {one: other for one, other in self._counting.items() if other is not task}
        if not task.cancelled():
            task.exception()


def _own(row: PredictedMatchCrowd) -> OwnPrediction | None:
    if row.home is None or row.away is None or row.outcome is None or row.saved_at is None:
        return None
    return OwnPrediction(
        home=row.home,
        away=row.away,
        points=row.points,
        outcome=row.outcome,
        saved_at=row.saved_at,
    )


def _crowd(row: PredictedMatchCrowd, counted: Counts | None) -> CrowdPrediction | None:
    """Return the counts in per cent; None before the kick-off, and without predictions."""
    if not row.has_started:
        return None
    counts = counted or row.crowd()
    if counts is None or not sum(counts):
        return None
    home, draw, away = rules.in_per_cent(counts)
    return CrowdPrediction(home=home, draw=draw, away=away, count=sum(counts))
