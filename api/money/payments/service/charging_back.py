"""Chargebacks: debited from the wallet as far as it goes; the rest becomes a debt."""

from datetime import datetime
from uuid import UUID

from api.foundation.approvals import kinds, proposing
from api.foundation.approvals.enums import ApprovalReason
from api.foundation.approvals.errors import OwnProposalError
from api.foundation.approvals.kinds import ApprovalKind, Approved
from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo, format_naira, naira_from_kobo
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.security.rights import Right
from api.foundation.wire.results import AdminResult, Page
from api.foundation.wire.schemas import Content
from api.messaging.notifications.enums import NotificationCause, NotificationKind
from api.messaging.notifications.service import notify
from api.money.payments.enums import DebtState, FundingState
from api.money.payments.errors import (
    CaseUsedError,
    ChargebackTooMuchError,
    DebtSettledError,
    NotCreditedError,
)
from api.money.payments.repository import chargebacks, fundings
from api.money.payments.repository.chargebacks import NewChargeback, StoredDebt
from api.money.payments.repository.fundings import StoredFunding
from api.money.payments.schemas import (
    ChargebackInput,
    ChargedBack,
    CollectedDebt,
    DebtRow,
    DebtWriteOff,
    WhyInput,
)
from api.money.payments.service.admin import money_member
from api.money.wallet.enums import ReviewKind, ReviewState, TransferKind
from api.money.wallet.service import ledger, reviews
from api.people.users.service import account as users_account


async def _owner(tx: Transaction, wanted: DebtWriteOff) -> list[UUID]:
    debtor = await chargebacks.read_debtor(tx, wanted.debt_id)
    return [] if debtor is None else [debtor]


async def _weigh(
    tx: Transaction, admin: AdminRequest, wanted: DebtWriteOff
) -> list[ApprovalReason]:
    return kinds.own_reasons(admin, (await _lock_approved(tx, wanted)).user_id)


WRITE_OFF = ApprovalKind("write-off-debt", Right.MONEY_WRITE, DebtWriteOff, _owner, _weigh)


async def charge_back(
    database: Database, admin: AdminRequest, form: ChargebackInput, now: datetime
) -> AdminResult:
    """Debit a wallet for what its provider took back from us.

    Never debits more than the wallet holds: the rest is a debt, and a case for review. Locks: the
    member's day, the funding, the wallet.

    Raises:
        OwnProposalError: the operator has made it as a member.
        CaseUsedError: the case has already been charged back.
        ChargebackTooMuchError: all cases together exceed the funding.
    """

    async def work(tx: Transaction) -> AdminResult:
        funding = await _lock_funding(tx, form.funding_reference)
        if funding.user_id == admin.operator.user_id:
            raise OwnProposalError
        await _require_fitting(tx, funding, form)
        stays = await users_account.hold(tx, funding.user_id)
        held = await ledger.lock_balance(tx, funding.user_id)
        charged = NewChargeback(
            id=new_id(),
            funding_id=funding.id,
            gateway=funding.gateway,
            case_id=form.case_id,
            amount_kobo=form.amount,
            taken_kobo=min(form.amount, held),
            reason=form.reason,
            created_at=now,
        )
        if not await chargebacks.insert_chargeback(tx, charged):
            raise CaseUsedError
        taken = Kobo(charged.taken_kobo)
        reference = f"chargeback:{charged.id}"
        await _debit(tx, funding.user_id, taken, TransferKind.CHARGEBACK, reference)
        review_id = await _record_debt(tx, funding.user_id, charged, now)
        if stays:
            await _notify_charged_back(tx, funding.user_id, charged, now)
        answer = ChargedBack(
            taken=charged.taken_kobo,
            debt=charged.amount_kobo - charged.taken_kobo,
            review_case_id=review_id,
        )
        after = answer.model_dump(mode="json") | {
            "case_id": form.case_id,
            "amount_kobo": form.amount,
        }
        record = AuditRecord(
            "charge-back", "funding", funding.reference, after=after, reason=form.reason
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(answer, status=201, message="The money was charged back.")

    return await audit.perform(database, admin, form, work)


async def _lock_funding(tx: Transaction, reference: str) -> StoredFunding:
    gateway = await chargebacks.read_gateway(tx, reference)
    if gateway is None:
        raise NotFoundError
    await fundings.lock_member_of(tx, gateway, reference)
    funding = await fundings.lock_funding(tx, gateway, reference)
    if funding is None:
        raise NotFoundError
    return funding


async def _require_fitting(tx: Transaction, funding: StoredFunding, form: ChargebackInput) -> None:
    if await chargebacks.is_case_known(tx, funding.gateway, form.case_id):
        raise CaseUsedError
    if funding.state != FundingState.SUCCEEDED:
        raise NotCreditedError(content={"status": funding.state})
    left = funding.amount_kobo - await chargebacks.read_charged_back(tx, funding.id)
    if form.amount > left:
        raise ChargebackTooMuchError(content={"left": naira_from_kobo(left)})


async def _debit(
    tx: Transaction, user_id: UUID, amount: Kobo, kind: TransferKind, reference: str
) -> None:
    """Debit a wallet that holds the amount; zero posts no transfer."""
    if amount:
        await ledger.debit(tx, user_id, amount, kind=kind, reference=reference)


async def _notify_charged_back(
    tx: Transaction, user_id: UUID, charged: NewChargeback, now: datetime
) -> None:
    """Notify a member, unless the account is deleted, of the debit and of the debt."""
    is_short = charged.taken_kobo < charged.amount_kobo
    cause = NotificationCause.SHORT_CHARGEBACK if is_short else NotificationCause.CHARGEBACK
    await notify(
        tx,
        user_id,
        NotificationKind.WALLET_ADJUSTED,
        charged.id,
        now,
        cause=cause,
        change_kobo=-charged.taken_kobo,
        amount_kobo=charged.amount_kobo,
        taken_kobo=charged.taken_kobo,
        owed_kobo=await ledger.debt(tx, user_id),
    )


async def _record_debt(
    tx: Transaction, user_id: UUID, charged: NewChargeback, now: datetime
) -> UUID | None:
    """Record what the wallet did not hold; return the review case, or None if it held all."""
    short = Kobo(charged.amount_kobo - charged.taken_kobo)
    if short == 0:
        return None
    await chargebacks.insert_debt(tx, new_id(), user_id, charged.id, short, now)
    reasons, source = [ReviewKind.CHARGEBACK_SHORT], _source(charged.id)
    return await reviews.open_review(
        tx, reasons, user_id, short, subject=charged.id, source=source, now=now
    )


def _source(chargeback_id: UUID) -> str:
    return f"chargeback:{chargeback_id}:short"


async def list_debts(
    database: Database, state: DebtState | None, *, before: UUID | None, limit: int
) -> Page[DebtRow]:
    """Return debts, newest first."""
    rows = await chargebacks.list_debts(database, state, before, limit + 1)
    ids = [row.id for row in rows]
    waiting = await proposing.open_proposals(database, WRITE_OFF, "debtId", ids)
    return Page.of(rows, limit, lambda row: _debt_row(row, waiting.get(row.id)))


async def collect_debt(
    database: Database, admin: AdminRequest, debt_id: UUID, form: WhyInput, now: datetime
) -> AdminResult:
    """Collect what the wallet holds of a debt, which may be nothing.

    Credits repay debts automatically: this collects money that was in the wallet before that rule.
    Locks: the member, the wallet, the debt.

    Raises:
        DebtSettledError: it is collected or written off.
    """

    async def work(tx: Transaction) -> AdminResult:
        user_id = await chargebacks.read_debtor(tx, debt_id)
        if user_id is None:
            raise NotFoundError
        stays = await users_account.hold(tx, user_id)
        held = await ledger.lock_balance(tx, user_id)
        debt = await _lock_open(tx, debt_id)
        taken = Kobo(min(debt.left_kobo, held))
        left = debt.left_kobo - taken
        # The rest makes the reference unique: it shrinks with each collection.
        step = f"debt:{debt_id}:{left}"
        await _debit(tx, user_id, taken, TransferKind.DEBT_REPAYMENT, step)
        if left == 0:
            await chargebacks.change_debt(tx, debt_id, 0, DebtState.COLLECTED, now)
            await _close(tx, debt, ReviewState.ACCEPTED, form.reason, now)
        elif taken:
            await chargebacks.change_debt(tx, debt_id, left, DebtState.OPEN, None)
        if stays and taken:
            await notify(
                tx,
                user_id,
                NotificationKind.WALLET_ADJUSTED,
                step,
                now,
                cause=NotificationCause.DEBT_COLLECTED,
                change_kobo=-taken,
                taken_kobo=taken,
                owed_kobo=await ledger.debt(tx, user_id),
            )
        record = AuditRecord(
            "collect",
            "debt",
            debt_id,
            before={"left_kobo": debt.left_kobo},
            after={"left_kobo": left},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        said = f"{format_naira(taken)} was collected. {format_naira(Kobo(left))} is still owed."
        return AdminResult.of(CollectedDebt(taken=taken, debt=left), message=said)

    return await audit.perform(database, admin, form, work)


async def propose_write_off(
    database: Database, admin: AdminRequest, debt_id: UUID, form: WhyInput
) -> AdminResult:
    """Propose to write off a debt; a second person decides.

    Raises:
        DebtSettledError: it is collected or written off.
        SecondPersonNeededError: no other operator could decide it.
    """

    async def work(tx: Transaction) -> AdminResult:
        debt = await _lock_open(tx, debt_id)
        wanted = DebtWriteOff(debt_id=debt_id, left_kobo=debt.left_kobo, reason=form.reason)
        return await proposing.propose(tx, admin, WRITE_OFF, wanted, form.reason)

    return await audit.perform(database, admin, form, work)


async def write_off_approved(tx: Transaction, approved: Approved) -> Content:
    """Write off a debt after a second person's approval.

    Raises:
        DebtSettledError: it is settled, or the amount owed has changed.
    """
    wanted: DebtWriteOff = approved.content
    debt = await _lock_approved(tx, wanted)
    now = clock.now()
    await chargebacks.change_debt(tx, debt.id, debt.left_kobo, DebtState.WRITTEN_OFF, now)
    await _close(tx, debt, ReviewState.REFUSED, wanted.reason, now)
    lost = naira_from_kobo(debt.left_kobo)
    return {"debtId": str(debt.id), "state": DebtState.WRITTEN_OFF.value, "writtenOff": lost}


async def count_open_debts(database: Database) -> int:
    """Count the open debts."""
    return await chargebacks.count_open_debts(database)


async def _lock_open(tx: Transaction, debt_id: UUID) -> StoredDebt:
    debt = await chargebacks.lock_debt(tx, debt_id)
    if debt is None:
        raise NotFoundError
    if debt.state != DebtState.OPEN:
        raise DebtSettledError(content={"status": debt.state})
    return debt


async def _lock_approved(tx: Transaction, wanted: DebtWriteOff) -> StoredDebt:
    debt = await _lock_open(tx, wanted.debt_id)
    if debt.left_kobo != wanted.left_kobo:
        raise DebtSettledError(content={"status": debt.state})
    return debt


async def _close(
    tx: Transaction, debt: StoredDebt, state: ReviewState, reason: str, now: datetime
) -> None:
    await reviews.close_review(tx, _source(debt.chargeback_id), state, reason, now)


def _debt_row(row: StoredDebt, approval_id: UUID | None) -> DebtRow:
    return DebtRow(
        id=row.id,
        member=money_member(row),
        funding_reference=row.reference,
        case_id=row.case_id,
        amount=row.amount_kobo,
        debt=row.left_kobo,
        state=DebtState(row.state),
        opened_at=row.opened_at,
        settled_at=row.settled_at,
        approval_id=approval_id,
    )
