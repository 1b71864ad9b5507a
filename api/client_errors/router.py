"""HTTP routes of client errors."""

from typing import Annotated

from fastapi import APIRouter, Depends, status

from api.client_errors.schemas import ClientErrorReport
from api.client_errors.service import ClientErrors
from api.http.dependencies import AddressDep, provided
from api.http.middleware import BodyLimit
from api.http.refusals import SENTENCES
from api.http.responses import documented
from api.http.strict_requests import StrictRoute
from api.http.wire import Envelope, accepted

PATH = "/api/v1/client-errors"
BODY_LIMITS = {PATH: BodyLimit(8 * 1024, SENTENCES[413])}


router = APIRouter(tags=["client errors"], route_class=StrictRoute)


@router.post(PATH, status_code=status.HTTP_202_ACCEPTED, responses=documented(429))
async def report_client_error(
    client_errors: Annotated[ClientErrors, Depends(provided(ClientErrors))],
    address: AddressDep,
    report: ClientErrorReport,
) -> Envelope[None]:
    """Report an error that a browser met; no token needed, and a token is not read."""
    await client_errors.accept(report, address)
    return accepted("Thank you for the report.")
