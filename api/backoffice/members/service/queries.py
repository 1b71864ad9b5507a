"""Search of members, and a member's full page; both are audited."""

from dataclasses import dataclass
from uuid import UUID

from api.backoffice.members import repository, rules
from api.backoffice.members.repository import MemberSearch
from api.backoffice.members.schemas import MaskedBank, MemberPage, MemberRow, MemberWallet
from api.backoffice.oversight.service import queries as oversight_queries
from api.backoffice.refunds.service import listing as refunds_listing
from api.community.chat.service import measures
from api.community.moments.service import moderation as moments_moderation
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database
from api.foundation.database.statements import literal_pattern
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right
from api.foundation.wire.results import Page
from api.games.ranking.service import boards
from api.money.payments.service import admin as payments_admin
from api.money.subscriptions.service import member_plans
from api.money.wallet.ports import StatementContext
from api.money.wallet.service import ledger
from api.money.wallet.service import statements as wallet_statements
from api.money.wallet.service.statements import StatementSearch
from api.people.auth.service import sessions as auth_sessions
from api.people.auth.service.context import AuthContext
from api.people.users.repository import UserRecord
from api.people.users.schemas import SettlementDetails
from api.people.users.service import account as users_account
from api.people.users.service import profile as users_profile
from api.people.users.service import suspension
from api.people.users.service.profile import ProfileContext
from api.shop.service import orders as shop_orders

NEWEST = 10
NEWEST_ACTIONS = 20
TARGET = "member"
BANKS = {bank.code: bank.name for bank in users_profile.list_banks()}


@dataclass(frozen=True)
class MembersContext:
    """The dependencies of a member's page, created once per process."""

    database: Database
    auth: AuthContext
    profiles: ProfileContext
    statements: StatementContext


async def search(
    database: Database, admin: AdminRequest, q: str | None, *, before: UUID | None, limit: int
) -> Page[MemberRow]:
    """Return members, newest first, whose name, last name, email or phone begins with ``q``.

    An order's number finds its owner, for operators who may read orders. Without ``q`` all members
    are returned.
    """
    async with database.transaction() as tx:
        if q is None:
            rows = await repository.list_newest(tx, before, limit + 1)
        else:
            phone = rules.phone_beginning(q)
            wanted = MemberSearch(
                beginning=f"{literal_pattern(q)}%",
                phone=None if phone is None else f"{phone}%",
                number=q if admin.operator.holds(Right.SHOP_READ) else None,
            )
            rows = await repository.search(tx, wanted, before, limit + 1)
        record = AuditRecord(
            "look-for-members", TARGET, "search", after={"q": q, "found": len(rows)}
        )
        await audit.audited(tx, admin, record)
    return Page.of(rows, limit, lambda row: row)


async def read_member(context: MembersContext, admin: AdminRequest, user_id: UUID) -> MemberPage:
    """Return a member's page, limited to the operator's rights, and audit the access."""
    database, operator, now = context.database, admin.operator, clock.now()
    row = await users_account.find(database, user_id)
    if row is None:
        raise NotFoundError
    async with database.transaction() as tx:
        more = await repository.read_more(tx, user_id)
        await audit.audited(tx, admin, AuditRecord("look-at-member", TARGET, user_id))
    if more is None:
        raise NotFoundError
    profile = await users_profile.profile(context.profiles, user_id)
    statistics = await boards.statistics(database, user_id, now)
    may_see_orders = operator.holds(Right.SHOP_READ)
    return MemberPage(
        **_row(row).model_dump(by_alias=False),
        club_id=row.club_id,
        club_history=await suspension.club_history(database, user_id),
        avatar=profile.avatar,
        gender=profile.gender,
        date_of_birth=profile.date_of_birth,
        activated_at=more.activated_at,
        erased_at=more.erased_at,
        suspended_until=more.suspended_until if row.suspended_at else None,
        is_operator=more.is_operator,
        bank=_bank(profile.settlement_details),
        wallet=await _wallet(context, operator, user_id),
        plan=await member_plans.current_plan(database, user_id, now),
        periods=await member_plans.list_periods(database, user_id, now, before=None, limit=NEWEST),
        orders=await shop_orders.list_orders(database, user_id, NEWEST) if may_see_orders else None,
        fundings=await payments_admin.list_fundings_of(database, user_id, NEWEST)
        if operator.holds(Right.MONEY_READ)
        else None,
        refunds=await refunds_listing.list_refunds_of(database, user_id, NEWEST)
        if operator.holds(Right.MONEY_READ) or operator.holds(Right.REFUND_ASK)
        else None,
        ranking=statistics.ranking,
        sessions=await auth_sessions.sessions_of(context.auth, user_id),
        chat=await measures.conduct(database, user_id, now),
        moments=await moments_moderation.count(database, user_id),
        actions=await oversight_queries.list_audit_about(
            database, operator, user_id, limit=NEWEST_ACTIONS
        ),
    )


async def _wallet(
    context: MembersContext, operator: Operator, user_id: UUID
) -> MemberWallet | None:
    if not operator.holds(Right.MONEY_READ):
        return None
    rows = await wallet_statements.statement(
        context.statements, user_id, StatementSearch(), before=None, limit=NEWEST
    )
    balance, debt = await ledger.holdings(context.database, user_id)
    return MemberWallet(balance=balance, debt=debt, rows=rows)


def _bank(details: SettlementDetails) -> MaskedBank | None:
    if not details.account_number:
        return None
    return MaskedBank(
        bank_code=details.bank_code,
        bank_name=BANKS.get(details.bank_code, ""),
        account_name=details.bank_name,
        account_number=rules.masked(details.account_number),
    )


def _row(row: UserRecord) -> MemberRow:
    return MemberRow(
        id=row.id,
        first_name=row.first_name,
        last_name=row.last_name,
        email=row.email,
        phone=row.phone,
        club_name=row.club_name,
        suspended_at=row.suspended_at,
    )
