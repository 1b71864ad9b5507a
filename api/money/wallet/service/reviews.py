"""Review cases: accepted into the member's wallet, or refused with a reason."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from api.foundation.approvals import proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError, NotFoundError
from api.foundation.core.ids import new_id, parse_id
from api.foundation.core.money import Kobo, format_naira
from api.foundation.database.database import Database, Runner, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.money.wallet.enums import CreditKind, ReviewKind, ReviewState, TransferKind
from api.money.wallet.errors import DecidedCaseError, NotCreditableError
from api.money.wallet.ports import ReviewContext
from api.money.wallet.repository import reviews
from api.money.wallet.repository.operator_credits import NewCredit
from api.money.wallet.repository.reviews import NewReview, ReviewCaseRow
from api.money.wallet.schemas import (
    AcceptReview,
    DecideCase,
    MoneyMember,
    ProviderReport,
    ReviewCaseAnswer,
)
from api.money.wallet.service.ledger import credit, notify_credited
from api.money.wallet.service.operator_credits import (
    CreditAuthority,
    CreditDay,
    open_day,
    record_credit,
)
from api.people.users.service import account as users_account

# The provider reports another sum or currency: a second person approves crediting our own.
OTHER_MONEY = frozenset({ReviewKind.AMOUNT, ReviewKind.CURRENCY})
# Test money, and transactions that already paid another funding, cannot be credited.
NOT_CREDITABLE = frozenset({ReviewKind.MODE, ReviewKind.TRANSACTION})
# Their subjects are an order and a chargeback.
NO_FUNDINGS = frozenset({ReviewKind.SURPLUS, ReviewKind.CHARGEBACK_SHORT})
OTHER_AMOUNT = "The amount differs from the agreed one."
TWO_PEOPLE = "Agreed to by two operators"


async def _owner(tx: Transaction, wanted: AcceptReview) -> list[UUID]:
    return await reviews.list_owners(tx, wanted.review_case_id)


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: AcceptReview
) -> list[ApprovalReason]:
    day = await open_day(tx, admin, clock.now())
    found = await _lock_approved(tx, wanted)
    _require_creditable(found)
    return _reasons(day, found)


ACCEPT_REVIEW = ApprovalKind("accept-review", Right.MONEY_WRITE, AcceptReview, _owner, _weigh)


async def open_review(
    tx: Transaction,
    reasons: Sequence[ReviewKind],
    user_id: UUID,
    amount_kobo: Kobo,
    *,
    subject: object,
    source: str,
    now: datetime,
) -> UUID:
    """Set money aside for review, and return the case.

    ``source`` is its ledger reference if it is accepted.
    """
    review = NewReview(new_id(), reasons, user_id, amount_kobo, str(subject), source, now)
    await reviews.insert_review(tx, review)
    return review.id


async def close_review(
    tx: Transaction, source: str, state: ReviewState, reason: str, now: datetime
) -> None:
    """Close a case that was resolved elsewhere; a decided case is unchanged."""
    await reviews.close_review(tx, source, state, now, reason)


async def list_reviews(
    context: ReviewContext, state: ReviewState | None, *, before: UUID | None, limit: int
) -> Page[ReviewCaseAnswer]:
    """Return the cases, newest first."""
    rows = await reviews.list_reviews(context.database, state, before, limit + 1)
    reports = await _reports_of(context, context.database, rows[:limit])
    return Page.of(rows, limit, lambda row: _answer(row, reports))


async def read_review(context: ReviewContext, review_id: UUID) -> ReviewCaseAnswer:
    """Return a case."""
    row = await reviews.read_review(context.database, review_id)
    if row is None:
        raise NotFoundError
    return _answer(row, await _reports_of(context, context.database, [row]))


async def count_open(database: Database) -> int:
    """Count the undecided cases."""
    return await reviews.count_open(database)


async def surplus(runner: Runner, user_id: UUID, order_id: UUID | None = None) -> Kobo:
    """Return how much of a member's bank transfers, of one order or all, is under review."""
    subject = None if order_id is None else str(order_id)
    return Kobo(await reviews.read_surplus(runner, user_id, subject))


async def decide(
    context: ReviewContext,
    admin: AdminRequest,
    review_id: UUID,
    state: ReviewState,
    form: DecideCase,
    now: datetime,
) -> AdminResult:
    """Accept a case, which credits its amount once, or refuse it.

    It needs a second person if the provider reported another amount, if the case is the
    operator's own, or above the limits. A chargeback case credits nothing: accepting it closes it.

    Raises:
        NotFoundError: there is no such case, or its member's account is deleted.
        NotCreditableError: its money cannot be credited; the case can be refused.
    """

    async def work(tx: Transaction) -> AdminResult:
        day = await open_day(tx, admin, now)
        found = await _lock_open(tx, review_id)
        if state is ReviewState.ACCEPTED:
            _require_creditable(found)
            reasons = _reasons(day, found)
            if reasons or not OTHER_MONEY.isdisjoint(found.reasons):
                wanted = AcceptReview(
                    review_case_id=review_id, amount=format_naira(found.amount_kobo)
                )
                return await proposing.propose(
                    tx, admin, ACCEPT_REVIEW, wanted, form.reason, reasons
                )
            await _accept(tx, found, day, now)
        await reviews.change_decided(tx, review_id, state, now, form.reason)
        record = AuditRecord(
            "accept" if state is ReviewState.ACCEPTED else "refuse",
            "review_case",
            review_id,
            before={"state": found.state},
            after={"state": state.value, "amount_kobo": found.amount_kobo},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        decided = await _lock(tx, review_id)
        return AdminResult.of(_answer(decided, await _reports_of(context, tx, [decided])))

    return await audit.perform(context.database, admin, form, work)


async def accept_approved(tx: Transaction, approved: Approved) -> Content:
    """Accept a case after a second person's approval.

    Raises:
        NotFoundError: there is no such case, or its member's account is deleted.
        InvalidFieldError: the approved amount differs.
    """
    found = await _lock_approved(tx, approved.content)
    now = clock.now()
    await _accept(tx, found, approved, now)
    await reviews.change_decided(tx, found.id, ReviewState.ACCEPTED, now, TWO_PEOPLE)
    return {"state": ReviewState.ACCEPTED.value}


async def _lock(tx: Transaction, review_id: UUID) -> ReviewCaseRow:
    found = await reviews.lock_review(tx, review_id)
    if found is None:
        raise NotFoundError
    return found


async def _lock_open(tx: Transaction, review_id: UUID) -> ReviewCaseRow:
    found = await _lock(tx, review_id)
    if found.state != ReviewState.OPEN:
        raise DecidedCaseError(content={"status": found.state})
    return found


async def _lock_approved(tx: Transaction, wanted: AcceptReview) -> ReviewCaseRow:
    found = await _lock_open(tx, wanted.review_case_id)
    if wanted.amount != format_naira(found.amount_kobo):
        raise InvalidFieldError.of("amount", OTHER_AMOUNT)
    return found


def _require_creditable(case: ReviewCaseRow) -> None:
    if not NOT_CREDITABLE.isdisjoint(case.reasons):
        raise NotCreditableError


def _reasons(day: CreditDay, case: ReviewCaseRow) -> list[ApprovalReason]:
    is_credit = case.kind != ReviewKind.CHARGEBACK_SHORT
    return day.reasons([case.user_id], each_kobo=case.amount_kobo if is_credit else 0)


async def _accept(tx: Transaction, case: ReviewCaseRow, by: CreditAuthority, now: datetime) -> None:
    if case.kind == ReviewKind.CHARGEBACK_SHORT:  # the debt holds what is owed
        return
    user_id, amount = case.user_id, case.amount_kobo
    if not await users_account.hold(tx, user_id):
        raise NotFoundError
    caused = NewCredit(
        *(CreditKind.REVIEW_CASE, user_id, case.id, case.source, amount), counted_kobo=amount
    )
    await record_credit(tx, by, caused, now)
    await credit(tx, user_id, amount, kind=TransferKind.FUND, reference=case.source)
    await notify_credited(tx, user_id, amount, case.source, now)


async def _reports_of(
    context: ReviewContext, runner: Runner, rows: Sequence[ReviewCaseRow]
) -> Mapping[str, list[ProviderReport]]:
    """Return what providers reported of the fundings that cases wait for, by reference."""
    references = [row.subject for row in rows if row.kind not in NO_FUNDINGS]
    if not references:
        return {}
    found = await context.reports(runner, references)
    said = {one.member_id for reports in found.values() for one in reports}
    ids = [parse_id(one) for one in said if one is not None]
    people = await reviews.list_members(runner, [one for one in ids if one is not None])
    members = {str(person.id): person for person in people}
    return {
        reference: [
            ProviderReport(**vars(one), member=members.get(one.member_id or "")) for one in reports
        ]
        for reference, reports in found.items()
    }


def _answer(row: ReviewCaseRow, reports: Mapping[str, list[ProviderReport]]) -> ReviewCaseAnswer:
    return ReviewCaseAnswer(
        id=row.id,
        kind=ReviewKind(row.kind),
        reasons=[ReviewKind(reason) for reason in row.reasons],
        amount=row.amount_kobo,
        member=MoneyMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name),
        subject=row.subject,
        order_number=row.order_number,
        funding_reference=row.funding_reference,
        reports=reports.get(row.subject, []),
        state=ReviewState(row.state),
        opened_at=row.opened_at,
        decided_at=row.decided_at,
        reason=row.reason,
    )
