"""Wire shapes of the wallet; every amount is naira."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.http.wire import Instant, Naira, WireModel
from api.wallet.enums import TransferKind


class WalletBalance(WireModel):
    """What the wallet holds."""

    balance: Annotated[Naira, Field(examples=[25000])]


class StatementRow(WireModel):
    """One movement; ``amount`` is negative when money left the wallet."""

    id: UUID
    kind: TransferKind
    reference: str
    amount: Annotated[Naira, Field(examples=[-2500.5])]
    balance_after: Annotated[Naira, Field(examples=[22499.5])]
    created_at: Instant
