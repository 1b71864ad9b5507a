"""Saves and removes predictions until the kick-off.

The match is locked first, so a concurrent write of it comes either before or after. The deadline is
checked afterwards, by the clock at that time, because the lock may wait as long as the write takes.
"""

from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.games.achievements.service import streaks
from api.games.invites import service as invites
from api.games.matches.service import queries as matches_queries
from api.games.predictions import rules
from api.games.predictions.errors import PredictionChangedError
from api.games.predictions.repository import predictions
from api.games.predictions.repository.predictions import SavedScore
from api.games.predictions.schemas import PredictionInput, SavedPrediction
from api.games.predictions.service.context import PredictionContext
from api.people.users.service import account as users_account


async def save(
    context: PredictionContext, user_id: UUID, fixture_id: UUID, form: PredictionInput
) -> SavedPrediction:
    """Save a member's prediction of a match, replacing any earlier one.

    With a ``base`` it replaces only that state, so a late save does not undo a newer one. The same
    score again is that state already.

    Raises:
        PredictionChangedError: the stored state is not ``base``.
        NotFoundError: there is no such match, or the account is deleted.
        PredictionClosedError: the match has kicked off.
        PredictionNotOpenError: it is not scheduled, or too far ahead.
    """
    async with context.database.transaction() as tx:
        now, closes_at = await _lock(tx, user_id, fixture_id)
        is_any = "base" not in form.model_fields_set
        values = (new_id(), fixture_id, user_id, form.home, form.away, now, is_any, form.base)
        if not await predictions.save(tx, values):
            stored = await predictions.read_saved(tx, fixture_id, user_id)
            current = _saved(fixture_id, stored, closes_at)
            if (current.home, current.away) == (form.home, form.away):
                return current
            raise PredictionChangedError(content=current.model_dump(mode="json"))
        await streaks.count_day(tx, user_id, clock.lagos_day(now), now)
        await invites.reward(tx, user_id, now)
    return _saved(fixture_id, SavedScore(form.home, form.away, now), closes_at)


async def remove(context: PredictionContext, user_id: UUID, fixture_id: UUID) -> SavedPrediction:
    """Remove a member's prediction of a match; idempotent.

    Raises:
        NotFoundError: there is no such match, or the account is deleted.
        PredictionClosedError: the match has kicked off.
        PredictionNotOpenError: it is not scheduled, or too far ahead.
    """
    async with context.database.transaction() as tx:
        _, closes_at = await _lock(tx, user_id, fixture_id)
        await predictions.remove(tx, fixture_id, user_id)
    return _saved(fixture_id, None, closes_at)


def _saved(fixture_id: UUID, stored: SavedScore | None, closes_at: datetime) -> SavedPrediction:
    return SavedPrediction(
        fixture_id=fixture_id,
        home=None if stored is None else stored.home,
        away=None if stored is None else stored.away,
        saved_at=None if stored is None else stored.saved_at,
        closes_at=closes_at,
    )


async def _lock(tx: Transaction, user_id: UUID, fixture_id: UUID) -> tuple[datetime, datetime]:
    """Lock the member, then the open match; return the current time and the kick-off."""
    if not await users_account.hold(tx, user_id):
        raise NotFoundError
    state, kick_off_at = await matches_queries.lock_match_shared(tx, fixture_id)
    now = clock.now()
    rules.require_open(state, kick_off_at, now)
    return now, kick_off_at
