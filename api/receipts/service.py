"""The rules of receipts: drawn at the first ask, then the same for ever but for refunds."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.core import clock
from api.core.config import Settings
from api.core.errors import NotFoundError
from api.core.ids import new_id, parse_id
from api.core.money import Kobo
from api.database.database import Database
from api.database.statements import Row
from api.receipts import repository, rules
from api.receipts.errors import NotPaidYetError
from api.receipts.schemas import ReceiptAnswer, ReceiptBuyer, ReceiptLine, ReceiptRefund
from api.wallet.enums import ReceiptKind

PAGE_PATH = "/api/v1/receipt-pages/"
PAID_BY = {
    "wallet": "Wallet",
    "bank-transfer": "Bank transfer",
    "paystack": "Paystack",
    "flutterwave": "Flutterwave",
}


@dataclass(frozen=True)
class ReceiptContext:
    """What receipts are read with; ``key`` seals the addresses of their pages."""

    database: Database
    key: str

    @classmethod
    def of(cls, database: Database, settings: Settings) -> "ReceiptContext":
        """Return the context of a process."""
        return cls(database, settings.code_key.get_secret_value())


async def read_receipt(
    context: ReceiptContext, user_id: UUID, kind: ReceiptKind, name: str, now: datetime
) -> ReceiptAnswer:
    """Return a member's receipt; the first ask draws its number.

    ``name`` is an id, an order's number, a funding's reference, or a refund as it was asked for.

    Raises:
        NotFoundError: there is no such thing, or it is not this member's.
        NotPaidYetError: nothing was paid for it.
    """
    database = context.database
    subject = await _find_subject(database, kind, name)
    if subject is None or subject["user_id"] != user_id:
        raise NotFoundError
    if subject["transfer_id"] is None:
        raise NotPaidYetError
    drawn = await repository.read_receipt(database, kind, subject["id"])
    if drawn is None:
        drawn = await _draw(database, kind, subject, now)
    return await _answer(context, drawn, subject, now)


async def read_page(context: ReceiptContext, name: str, now: datetime) -> ReceiptAnswer:
    """Return the receipt whose page is found under ``name``.

    Raises:
        NotFoundError: the name was altered, or is too old.
    """
    receipt_id = rules.read_page_name(context.key, name, now)
    drawn = receipt_id and await repository.read_receipt_by_id(context.database, receipt_id)
    if not drawn:
        raise NotFoundError
    kind = ReceiptKind(drawn["kind"])
    subject = await repository.read_subject(context.database, kind, drawn["subject_id"])
    if subject is None:
        raise NotFoundError
    return await _answer(context, drawn, subject, now)


async def _find_subject(database: Database, kind: ReceiptKind, name: str) -> Row | None:
    """Return what is called ``name``: its id, else what members call it."""
    subject_id = parse_id(name)
    if subject_id is not None:
        subject = await repository.read_subject(database, kind, subject_id)
        if subject is not None:
            return subject
    found = await repository.find_id(database, kind, name)
    return None if found is None else await repository.read_subject(database, kind, found)


async def _draw(database: Database, kind: ReceiptKind, subject: Row, now: datetime) -> Row:
    """Draw the next number of the year, once for each subject however many ask at once."""
    year = now.astimezone(clock.LAGOS).year
    async with database.transaction() as tx:
        await repository.lock_counter(tx, year)
        drawn = await repository.read_receipt(tx, kind, subject["id"])
        if drawn is not None:
            return drawn
        return await repository.insert_receipt(
            tx, new_id(), kind, subject, _buyer(subject), now, year
        )


def _buyer(subject: Row) -> Mapping[str, Any]:
    """Return who the receipt is made out to: as on the order, else the member as they are."""
    member = {"name": subject["name"], "email": subject["email"], "phone": subject["phone"]}
    billing = subject["billing"]
    if not billing:
        return member
    name = f"{billing['firstName']} {billing['lastName']}"
    shown = {key: billing[key] for key in ("phone", "address", "state") if key in billing}
    return member | {"name": name} | shown


async def _answer(
    context: ReceiptContext, drawn: Row, subject: Row, now: datetime
) -> ReceiptAnswer:
    kind = ReceiptKind(drawn["kind"])
    refunds = (
        []
        if kind is ReceiptKind.REFUND
        else await repository.list_refunds(context.database, subject["transfer_id"])
    )
    total = subject["total_kobo"]
    return ReceiptAnswer(
        number=rules.receipt_number(drawn["year"], drawn["sequence"]),
        version=1 + len(refunds),
        issued_at=drawn["issued_at"],
        buyer=ReceiptBuyer(**({"name": ""} | drawn["buyer"])),
        lines=await _lines(context.database, kind, subject),
        delivery_fee=subject["delivery_fee_kobo"],
        total=total,
        paid_by=PAID_BY.get(subject["paid_by"], str(subject["paid_by"])),
        reference=subject["reference"],
        refunds=[ReceiptRefund(amount=row["amount_kobo"], at=row["created_at"]) for row in refunds],
        net=Kobo(total - sum(row["amount_kobo"] for row in refunds)),
        page_url=PAGE_PATH + rules.page_name(context.key, drawn["id"], now),
    )


async def _lines(database: Database, kind: ReceiptKind, subject: Row) -> list[ReceiptLine]:
    if kind is not ReceiptKind.ORDER:
        total = subject["total_kobo"]
        return [ReceiptLine(name=_name(kind, subject), quantity=1, price=total, total=total)]
    return [
        ReceiptLine(
            name=row["name"],
            size=row["size"],
            quantity=row["quantity"],
            price=row["price_kobo"],
            total=row["price_kobo"] * row["quantity"],
        )
        for row in await repository.list_lines(database, subject["id"])
    ]


def _name(kind: ReceiptKind, subject: Row) -> str:
    if kind is ReceiptKind.FUNDING:
        return "Wallet funding"
    bought = str(subject["bought"])
    return f"Refund of {bought}" if kind is ReceiptKind.REFUND else bought
