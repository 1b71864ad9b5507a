"""Saving and removing a prediction, until the match is kicked off.

The deadline is in the statement that writes, which holds the match: what is written of the match
at the same moment comes before it or after it, and never in between.
"""

from datetime import datetime
from typing import NoReturn
from uuid import UUID

from api.achievements import service as achievements
from api.core import clock
from api.core.errors import NotFoundError
from api.core.ids import new_id
from api.database.database import Transaction
from api.predictions import repository, rules
from api.predictions.errors import PredictionClosedError
from api.predictions.schemas import PredictionInput, SavedPrediction
from api.predictions.service.context import PredictionContext
from api.users import service as users


async def save(
    context: PredictionContext,
    user_id: UUID,
    fixture_id: UUID,
    form: PredictionInput,
    now: datetime,
) -> SavedPrediction:
    """Save how the member says that a match will end, instead of what they said before.

    Raises:
        NotFoundError: there is no such match, or the member has left.
        PredictionClosedError: the match has kicked off.
        PredictionNotOpenError: it is not scheduled, or too far ahead.
    """
    async with context.database.transaction() as tx:
        await _hold(tx, user_id)
        values = (new_id(), user_id, form.home, form.away)
        saved = await repository.save(tx, fixture_id, now, rules.AHEAD, values)
        if saved is None:
            await _refuse(tx, fixture_id, now)
        await achievements.count_day(tx, user_id, clock.lagos_day(now), now)
    return SavedPrediction(
        fixture_id=fixture_id,
        home=form.home,
        away=form.away,
        saved_at=now,
        closes_at=saved["closes_at"],
    )


async def remove(
    context: PredictionContext, user_id: UUID, fixture_id: UUID, now: datetime
) -> SavedPrediction:
    """Remove what the member has predicted of a match; again is fine.

    Raises:
        NotFoundError: there is no such match, or the member has left.
        PredictionClosedError: the match has kicked off.
        PredictionNotOpenError: it is not scheduled, or too far ahead.
    """
    async with context.database.transaction() as tx:
        await _hold(tx, user_id)
        removed = await repository.remove(tx, fixture_id, now, rules.AHEAD, user_id)
        if removed is None:
            await _refuse(tx, fixture_id, now)
    return SavedPrediction(
        fixture_id=fixture_id, home=None, away=None, saved_at=None, closes_at=removed["closes_at"]
    )


async def _hold(tx: Transaction, user_id: UUID) -> None:
    if not await users.hold(tx, user_id):
        raise NotFoundError


async def _refuse(tx: Transaction, fixture_id: UUID, now: datetime) -> NoReturn:
    match = await repository.read_match(tx, fixture_id)
    if match is None:
        raise NotFoundError
    rules.require_open(repository.state_of(match), match["kick_off_at"], now)
    # It was closed when the write looked at it.
    raise PredictionClosedError
