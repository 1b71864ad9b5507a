"""Receipts: issued on first request, then unchanged except for refunds."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id, parse_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Database
from api.money.receipts import repository, rules
from api.money.receipts.errors import NotPaidYetError
from api.money.receipts.repository import BoughtSubject, IssuedReceipt, ReceiptSubject
from api.money.receipts.schemas import ReceiptAnswer, ReceiptBuyer, ReceiptLine, ReceiptRefund
from api.money.wallet.enums import ReceiptKind

PAGE_PATH = "/api/v1/receipt-pages/"
PAID_BY = {
    "wallet": "Wallet",
    "bank-transfer": "Bank transfer",
    "paystack": "Paystack",
    "flutterwave": "Flutterwave",
}


@dataclass(frozen=True)
class ReceiptContext:
    """Dependencies of receipts; ``key`` signs the URLs of their pages."""

    database: Database
    key: str

    @classmethod
    def of(cls, database: Database, settings: Settings) -> "ReceiptContext":
        """Return the context of a process."""
        return cls(database, settings.code_key.get_secret_value())


async def read_receipt(
    context: ReceiptContext, user_id: UUID, kind: ReceiptKind, name: str, now: datetime
) -> ReceiptAnswer:
    """Return a member's receipt; the first request issues its number.

    ``name`` is an id, an order's number, a funding's reference, or the id of a refund request.

    Raises:
        NotFoundError: there is no such subject, or it is not this member's.
    """
    database = context.database
    subject = await _find_subject(database, kind, name)
    if subject is None or subject.user_id != user_id:
        raise NotFoundError
    if subject.transfer_id is None:
        raise NotPaidYetError
    issued = await repository.read_receipt(database, kind, subject.id)
    if issued is None:
        issued = await _issue(database, kind, subject, now)
    return await _answer(context, issued, subject, now)


async def read_page(context: ReceiptContext, name: str, now: datetime) -> ReceiptAnswer:
    """Return the receipt of a page; an altered or expired ``name`` is a ``NotFoundError``."""
    receipt_id = rules.read_page_name(context.key, name, now)
    issued = receipt_id and await repository.read_receipt_by_id(context.database, receipt_id)
    if not issued:
        raise NotFoundError
    kind = ReceiptKind(issued.kind)
    subject = await repository.read_subject(context.database, kind, issued.subject_id)
    if subject is None:
        raise NotFoundError
    return await _answer(context, issued, subject, now)


async def _find_subject(database: Database, kind: ReceiptKind, name: str) -> ReceiptSubject | None:
    subject_id = parse_id(name)
    if subject_id is not None:
        subject = await repository.read_subject(database, kind, subject_id)
        if subject is not None:
            return subject
    found = await repository.find_id(database, kind, name)
    return None if found is None else await repository.read_subject(database, kind, found)


async def _issue(
    database: Database, kind: ReceiptKind, subject: ReceiptSubject, now: datetime
) -> IssuedReceipt:
    """Issue the next number of the year, once per subject under concurrent requests."""
    year = now.astimezone(clock.LAGOS).year
    async with database.transaction() as tx:
        await repository.lock_counter(tx, year)
        issued = await repository.read_receipt(tx, kind, subject.id)
        if issued is not None:
            return issued
        return await repository.insert_receipt(
            tx, new_id(), kind, subject, _buyer(subject), now, year
        )


def _buyer(subject: ReceiptSubject) -> Mapping[str, Any]:
    """Return the buyer: as on the order, otherwise the member's current details."""
    member = {"name": subject.name, "email": subject.email, "phone": subject.phone}
    billing = subject.billing
    if not billing:
        return member
    name = f"{billing['firstName']} {billing['lastName']}"
    shown = {key: billing[key] for key in ("phone", "address", "state") if key in billing}
    return member | {"name": name} | shown


async def _answer(
    context: ReceiptContext, issued: IssuedReceipt, subject: ReceiptSubject, now: datetime
) -> ReceiptAnswer:
    kind = ReceiptKind(issued.kind)
    refunds = (
        []
        if kind is ReceiptKind.REFUND or subject.transfer_id is None
        else await repository.list_refunds(context.database, subject.transfer_id)
    )
    total = subject.total_kobo
    return ReceiptAnswer(
        number=rules.receipt_number(issued.year, issued.sequence),
        version=1 + len(refunds),
        issued_at=issued.issued_at,
        buyer=ReceiptBuyer(**({"name": ""} | issued.buyer)),
        lines=await _lines(context.database, kind, subject),
        delivery_fee=subject.delivery_fee_kobo,
        total=total,
        paid_by=PAID_BY.get(subject.paid_by, subject.paid_by),
        reference=subject.reference,
        refunds=[ReceiptRefund(amount=row.amount_kobo, at=row.created_at) for row in refunds],
        net=Kobo(total - sum(row.amount_kobo for row in refunds)),
        page_url=PAGE_PATH + rules.page_name(context.key, issued.id, now),
    )


async def _lines(
    database: Database, kind: ReceiptKind, subject: ReceiptSubject
) -> list[ReceiptLine]:
    if kind is not ReceiptKind.ORDER:
        total = subject.total_kobo
        return [ReceiptLine(name=_name(kind, subject), quantity=1, price=total, total=total)]
    return [
        ReceiptLine(
            name=row.name,
            size=row.size,
            quantity=row.quantity,
            price=row.price_kobo,
            total=row.price_kobo * row.quantity,
        )
        for row in await repository.list_lines(database, subject.id)
    ]


def _name(kind: ReceiptKind, subject: ReceiptSubject) -> str:
    if not isinstance(subject, BoughtSubject):
        return "Wallet funding"
    return f"Refund of {subject.bought}" if kind is ReceiptKind.REFUND else subject.bought
