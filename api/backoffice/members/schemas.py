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
    """A member in a list; ``suspendedAt`` is null unless they are suspended."""

    id: UUID
    first_name: str = Field(examples=["Ada Grace"])
    last_name: str = Field(examples=["Obi"])
    email: str = Field(examples=["ada@example.com"])
    phone: str = Field(examples=["+2348031234567"])
    club_name: str = Field(examples=["Enyimba"])
    suspended_at: Instant | None


class MaskedBank(WireModel):
    """The bank account for winnings; only its last four digits are shown."""

    bank_code: str = Field(examples=["058"])
    bank_name: str = Field(examples=["Guaranty Trust Bank"])
    account_name: str = Field(examples=["Ada Grace Obi"])
    account_number: str = Field(examples=["••••6789"])


class MemberWallet(WireModel):
    """The wallet's balance, the member's debt, and the latest statement rows."""

    balance: Annotated[Naira, Field(examples=[25000])]
    debt: Annotated[Naira, Field(examples=[0])]
    rows: list[StatementRow]


class MemberPage(MemberRow):
    """A member in full; parts that the operator has no right to read are null.

    Lists are newest first; all but ``clubHistory`` contain the newest entries only. ``actions`` are
    what operators did to the member.
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
    """A suspension: its end, or null until the member is restored, and the reason."""

    until: LaterMoment | None = None
    reason: Reason


class Suspended(WireModel):
    """A suspension: its start, null if there is none, and its end, null if open."""

    id: UUID
    suspended_at: Instant | None
    suspended_until: Instant | None


class WhyMember(WireInput):
    """The reason for an action on a member."""

    reason: Reason


class Revoked(WireModel):
    """The number of sessions that were ended."""

    revoked: int = Field(ge=0, examples=[2])


class MoveInput(WireInput):
    """A member's new club, and the reason."""

    club_id: Id
    reason: Reason
