from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.backoffice.oversight.schemas.approvals import AuditAnswer
from api.backoffice.refunds.schemas import RefundAnswer
from api.community.chat.schemas import ChatConduct
from api.community.moments.schemas import MomentCount
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import Id, Instant, LaterMoment, Naira, WireInput, WireModel
from api.games.ranking.schemas import Ranking
from api.money.payments.schemas import FundingRow
from api.money.subscriptions.schemas import CurrentPlan, PeriodAnswer
from api.money.wallet.schemas import StatementRow
from api.people.auth.schemas import SessionAnswer
from api.people.users.enums import Gender
from api.people.users.schemas import ClubPeriod
from api.shop.schemas.orders import OrderAnswer


class MemberRow(WireModel):
    """A member on the list; ``suspendedAt`` is null when they may come in."""

    id: UUID
    first_name: str = Field(examples=["Ada Grace"])
    last_name: str = Field(examples=["Obi"])
    email: str = Field(examples=["ada@example.com"])
    phone: str = Field(examples=["+2348031234567"])
    club_name: str = Field(examples=["Enyimba"])
    suspended_at: Instant | None


class MaskedBank(WireModel):
    """The account that winnings go to, by its last digits."""

    bank_code: str = Field(examples=["058"])
    bank_name: str = Field(examples=["Guaranty Trust Bank"])
    account_name: str = Field(examples=["Ada Grace Obi"])
    account_number: str = Field(examples=["••••6789"])


class MemberWallet(WireModel):
    """What the wallet holds, what the member owes, and how it came to that lately."""

    balance: Annotated[Naira, Field(examples=[25000])]
    debt: Annotated[Naira, Field(examples=[0])]
    rows: list[StatementRow]


class MemberPage(MemberRow):
    """All of a member on one page; what the operator has no right to read of it is null.

    Lists have the newest first, and only those. ``actions`` is what operators have done to them.
    """

    club_id: UUID
    club_history: list[ClubPeriod]
    avatar: str | None
    gender: Gender | None
    date_of_birth: date | None
    activated_at: Instant
    erased_at: Instant | None
    suspended_until: Instant | None
    is_operator: bool
    bank: MaskedBank | None
    wallet: MemberWallet | None
    plan: CurrentPlan
    periods: list[PeriodAnswer]
    orders: list[OrderAnswer] | None
    fundings: list[FundingRow] | None
    refunds: list[RefundAnswer] | None
    ranking: Ranking
    sessions: list[SessionAnswer]
    chat: ChatConduct
    moments: MomentCount
    actions: list[AuditAnswer]


class SuspendInput(WireInput):
    """Until when a member is kept out, or until they are restored; and why."""

    until: LaterMoment | None = None
    reason: Reason


class Suspended(WireModel):
    """Whether a member is kept out: since when, and until when."""

    id: UUID
    suspended_at: Instant | None
    suspended_until: Instant | None


class WhyMember(WireInput):
    """Why something is done to a member."""

    reason: Reason


class Revoked(WireModel):
    """How many sessions have ended."""

    revoked: int = Field(ge=0, examples=[2])


class MoveInput(WireInput):
    """Which club a member is moved to, and why."""

    club_id: Id
    reason: Reason
