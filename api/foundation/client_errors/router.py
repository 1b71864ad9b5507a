"""HTTP routes of client errors."""

from typing import Annotated

from fastapi import APIRouter, Depends, status

from api.foundation.client_errors.schemas import ClientErrorReport
from api.foundation.client_errors.service import ClientErrors
from api.foundation.http.body_limits import BodyLimit
from api.foundation.http.dependencies import AddressDep, provided
from api.foundation.http.refusals import SENTENCES
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, accepted

PATH = "/api/v1/client-errors"
BODY_LIMITS = {PATH: BodyLimit(8 * 1024, SENTENCES[413])}
router = APIRouter(tags=["client errors"], route_class=StrictRoute)


@router.post(PATH, status_code=status.HTTP_202_ACCEPTED, responses=documented(429))
async def report_client_error(
    client_errors: Annotated[ClientErrors, Depends(provided(ClientErrors))],
    address: AddressDep,
    report: ClientErrorReport,
) -> Envelope[None]:
    """Report a browser error; a token is neither needed nor read."""
    await client_errors.accept(report, address)
    return accepted("Thank you for the report.")
