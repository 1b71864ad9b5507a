"""Wire schemas of bank statements (contract T-1a)."""

from datetime import date
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from api.foundation.wire.results import OperatorName, Reason
from api.foundation.wire.schemas import (
    ExistingName,
    Instant,
    Naira,
    SafeText,
    WireInput,
    WireModel,
)
from api.shop.enums import BankLineState, OrderStatus

ColumnName = Annotated[SafeText, StringConstraints(min_length=1, max_length=60)]


class StatementMapping(WireInput):
    """Which columns of a statement hold what; two of them may be one column.

    ``monthFirst`` reads 11/25/2026 as a day; otherwise 25/11/2026 is one.
    """

    date: ColumnName
    amount: ColumnName
    reference: ColumnName
    narration: ColumnName
    month_first: bool = False


class StatementProblem(WireModel):
    """Why a row cannot be read; rows count from 1, those above the header included."""

    row: int = Field(examples=[3])
    column: str = Field(examples=["amount"])
    reason: str = Field(examples=["An amount has at most two decimals."])


class StatementImport(WireModel):
    """What a statement says; ``digest`` imports it once it is sent with it again.

    ``rows`` are all below the header, money that went out included; ``skipped`` are those without
    an amount that came in. ``matched`` and ``ambiguous``
    are of the new lines. ``problems`` are the first thousand.
    """

    digest: str
    applied: bool
    rows: int
    new: int
    known: int
    skipped: int
    matched: int
    ambiguous: int
    problems: list[StatementProblem]


class MatchedTransfer(WireModel):
    """A confirmed bank transfer, with its order."""

    order_id: UUID
    order_number: str = Field(examples=["FC-7K3Q9X"])
    bank: str
    reference: str
    amount: Naira
    paid_on: date


class MissingTransfer(MatchedTransfer):
    """A confirmed bank transfer that no imported statement has, and who confirmed it."""

    id: UUID
    confirmed_at: Instant
    confirmed_by: OperatorName | None


class NamedOrder(WireModel):
    """An order that a line names, and that still takes a bank transfer."""

    id: UUID
    number: str = Field(examples=["FC-7K3Q9X"])
    status: OrderStatus
    total: Naira
    received: Naira


class BankLineAnswer(WireModel):
    """A line of the bank's statement.

    ``transfer`` is what it was matched to, by ``matchedBy`` for ``reason`` where a person decided.
    ``candidates`` are the transfers that an ambiguous one could be, the first twenty. ``order`` is
    the one that a line without a transfer names, so that its transfer can be confirmed.
    """

    id: UUID
    date: date
    amount: Naira
    reference: str
    narration: str
    state: BankLineState
    imported_at: Instant
    matched_at: Instant | None
    matched_by: OperatorName | None
    reason: str | None
    transfer: MatchedTransfer | None
    candidates: list[MatchedTransfer]
    order: NamedOrder | None


class MatchInput(WireInput):
    """The order whose confirmed transfer a line is; its number is as good as its id."""

    order_id: ExistingName
    reason: Reason


STATEMENT_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "mapping": {
                            "type": "string",
                            "maxLength": 1000,
                            "description": (
                                "JSON: the columns' names as {date, amount, reference, narration},"
                                " and monthFirst; left out, that of the statement before"
                            ),
                        },
                        "digest": {
                            "type": "string",
                            "maxLength": 64,
                            "description": "What the dry run answered: import the statement",
                        },
                    },
                }
            }
        },
    }
}
"""The body in OpenAPI's words: it is streamed, so no model parses it."""
