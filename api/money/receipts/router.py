"""HTTP routes of receipts."""

import functools
from collections.abc import Iterator
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from api.foundation.core import clock
from api.foundation.core.money import Kobo, format_naira
from api.foundation.http.dependencies import CurrentMember, limit_lookups, provided
from api.foundation.http.pages import StyledPage
from api.foundation.http.responses import documented
from api.foundation.http.strict_requests import StrictRoute
from api.foundation.wire.schemas import Envelope, ExistingName, ok
from api.money.receipts import service
from api.money.receipts.schemas import ReceiptAnswer, ReceiptLine
from api.money.receipts.service import ReceiptContext
from api.money.wallet.enums import ReceiptKind

router = APIRouter(tags=["receipts"], route_class=StrictRoute)
ContextDep = Annotated[ReceiptContext, Depends(provided(ReceiptContext))]


@router.get("/api/v1/receipts/{kind}/{name}", responses=documented(401, 404, 409))
async def read_receipt(
    member: CurrentMember, context: ContextDep, kind: ReceiptKind, name: ExistingName
) -> Envelope[ReceiptAnswer]:
    """Read the receipt of a member's payment; the first request assigns its number."""
    now = clock.now()
    return ok(await service.read_receipt(context, member.user_id, kind, name, now))


@router.get(
    service.PAGE_PATH + "{name}",
    response_class=HTMLResponse,
    responses=documented(404, 429),
    dependencies=[Depends(limit_lookups)],
)
async def show_receipt(context: ContextDep, name: str) -> HTMLResponse:
    """Show a receipt as a printable page, at the address given to its member."""
    receipt = await service.read_page(context, name, clock.now())
    version = f", version {receipt.version}" if receipt.version > 1 else ""
    return _receipt_page().answer(
        number=escape(receipt.number),
        issued=f"Issued {_day(receipt.issued_at)}{version}",
        buyer=_buyer(receipt),
        lines="".join(_line(line) for line in receipt.lines),
        sums="".join(_sums(receipt)),
        paid_by=escape(receipt.paid_by),
        reference=escape(receipt.reference),
    )


@functools.cache
def _receipt_page() -> StyledPage:
    """Return the receipt page."""
    return StyledPage(Path(__file__).with_name("receipt_page.html"))


def _day(moment: datetime) -> str:
    local = moment.astimezone(clock.LAGOS)
    return f"{local.day} {local:%B %Y}"


def _buyer(receipt: ReceiptAnswer) -> str:
    buyer = receipt.buyer
    fields = (buyer.name, buyer.address, buyer.state, buyer.phone, buyer.email)
    return "<br>".join(escape(part) for part in fields if part)


def _line(line: ReceiptLine) -> str:
    name = line.name if line.size is None else f"{line.name}, {line.size}"
    cells = (name, str(line.quantity), format_naira(line.price), format_naira(line.total))
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def _sums(receipt: ReceiptAnswer) -> Iterator[str]:
    if receipt.delivery_fee:
        yield _sum("Delivery", receipt.delivery_fee)
    yield _sum("Total", receipt.total)
    for refund in receipt.refunds:
        yield _sum(f"Refunded {_day(refund.at)}", -refund.amount)
    if receipt.refunds:
        yield _sum("Net", receipt.net)


def _sum(term: str, kobo: int) -> str:
    sign = "-" if kobo < 0 else ""
    return f"<div><dt>{escape(term)}</dt><dd>{sign}{format_naira(Kobo(abs(kobo)))}</dd></div>"
