"""HTTP routes of the predictor."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from api.foundation.core import clock
from api.foundation.http.dependencies import BoardsDep, CurrentMember, WritingMember, provided
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingId, Id, ok
from api.games.predictions.enums import PredictionPeriod, PredictionState
from api.games.predictions.schemas import (
    PredictionInput,
    PredictionRow,
    PredictorBoard,
    SavedPrediction,
)
from api.games.predictions.service import queries, saving
from api.games.predictions.service.context import PredictionContext
from api.games.ranking.enums import Scope

LAST_PAGE = 200
SAVED = "Your prediction has been saved."
REMOVED = "Your prediction has been removed."
ContextDep = Annotated[PredictionContext, Depends(provided(PredictionContext))]

router = APIRouter(tags=["predictions"], route_class=StrictRoute)


@router.get("/api/v1/predictions", responses=documented(401))
async def list_predictions(
    member: CurrentMember,
    context: ContextDep,
    state: PredictionState = PredictionState.OPEN,
    before: Annotated[Id | None, Query(description="Matches after this one in the list")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Envelope[list[PredictionRow]]:
    """List matches open for predictions, the next kick-off first, or the member's others."""
    return ok(
        await queries.list_predictions(context, member.user_id, state, before=before, limit=limit)
    )


@router.get("/api/v1/predictions/board", responses=documented(401))
async def read_prediction_board(
    member: CurrentMember,
    database: BoardsDep,
    scope: Annotated[Scope, Query(description="The member's own club, or all clubs")] = Scope.CLUB,
    period: Annotated[
        PredictionPeriod, Query(description="The last decided round, Lagos month, or season")
    ] = PredictionPeriod.ROUND,
    page: Annotated[int, Query(ge=1, le=LAST_PAGE)] = 1,
) -> Envelope[PredictorBoard]:
    """Read one page of the predictor's board: by points, then exact scores; ties share a rank."""
    now = clock.now()
    return ok(await queries.read_board(database, member, scope, period, page=page, now=now))


@router.put("/api/v1/predictions/{fixture_id}", responses=documented(401, 404, 409, 429))
async def save_prediction(
    member: WritingMember, context: ContextDep, fixture_id: ExistingId, form: PredictionInput
) -> Envelope[SavedPrediction]:
    """Save a prediction until the match kicks off; it replaces an earlier one."""
    saved = await saving.save(context, member.user_id, fixture_id, form)
    return ok(saved, SAVED)


@router.delete("/api/v1/predictions/{fixture_id}", responses=documented(401, 404, 409, 429))
async def remove_prediction(
    member: WritingMember, context: ContextDep, fixture_id: ExistingId
) -> Envelope[SavedPrediction]:
    """Remove a prediction until the match kicks off."""
    removed = await saving.remove(context, member.user_id, fixture_id)
    return ok(removed, REMOVED)
