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
    """The statement columns that hold each value; two values may share a column.

    ``monthFirst`` reads dates as 11/25/2026 instead of 25/11/2026.
    """

    date: ColumnName
    amount: ColumnName
    reference: ColumnName
    narration: ColumnName
    month_first: bool = False


class StatementProblem(WireModel):
    """Why a row cannot be read; rows count from 1, including those above the header."""

    row: int = Field(examples=[3])
    column: str = Field(examples=["amount"])
    reason: str = Field(examples=["An amount has at most two decimals."])


class StatementImport(WireModel):
    """The contents of a statement; send it again with ``digest`` to import it.

    ``rows`` are all below the header, including outgoing money; ``skipped`` are those without an
    incoming amount. ``matched`` and ``ambiguous`` count new lines. ``problems`` are the first
    thousand.
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
    """A confirmed bank transfer missing from every statement, and who confirmed it."""

    id: UUID
    confirmed_at: Instant
    confirmed_by: OperatorName | None


class NamedOrder(WireModel):
    """An order that a line names and that still accepts a bank transfer."""

    id: UUID
    number: str = Field(examples=["FC-7K3Q9X"])
    status: OrderStatus
    total: Naira
    received: Naira


class BankLineAnswer(WireModel):
    """A line of a bank statement.

    ``transfer`` is its match; ``matchedBy`` and ``reason`` are set for manual matches.
    ``candidates`` are the first twenty possible transfers of an ambiguous line. ``order`` is the
    order that an unmatched line names, so that its transfer can be confirmed.
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
    """The order whose confirmed transfer the line is, by id or number."""

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
                                "JSON: the column names as {date, amount, reference, narration},"
                                " and monthFirst; defaults to the previous statement's"
                            ),
                        },
                        "digest": {
                            "type": "string",
                            "maxLength": 64,
                            "description": "The dry run's digest: imports the statement",
                        },
                    },
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
