"""Fundings, reports and disputes in the back office."""

from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.money.payments import rules
from api.money.payments.enums import DisputeState, FundingStatus, ReportState
from api.money.payments.errors import ReportClosedError
from api.money.payments.repository import fundings, listing, reports
from api.money.payments.repository.listing import FundingOwner, ListedFunding
from api.money.payments.repository.reports import StoredDispute, StoredReport
from api.money.payments.schemas import (
    AskedFunding,
    DisputeRow,
    FundingRow,
    ReportAnswer,
    ReportRow,
    WhyInput,
)
from api.money.payments.service.context import PaymentContext
from api.money.payments.service.settling import find_verification, process_report, settle_in
from api.money.wallet.schemas import MoneyMember

EMPTIED = "emptied"


async def list_fundings(
    database: Database,
    status: FundingStatus | None,
    gateway: str | None,
    q: str | None,
    *,
    before: UUID | None,
    limit: int,
) -> Page[FundingRow]:
    """Return the fundings of all members, newest first.

    ``q`` is a reference, a provider's id, or a prefix of the member's name or e-mail.
    """
    rows = await listing.list_fundings(database, status, gateway, q, before, limit + 1)
    return Page.of(rows, limit, _funding_row)


async def list_fundings_of(database: Database, user_id: UUID, limit: int) -> list[FundingRow]:
    """Return a member's fundings, newest first."""
    rows = await listing.list_fundings_of(database, user_id, limit)
    return [_funding_row(row) for row in rows]


async def ask_about(context: PaymentContext, admin: AdminRequest, reference: str) -> AdminResult:
    """Ask a funding's own gateway for its state, and settle it by the answer.

    Skips the gateway call if the funding is already decided.

    Raises:
        GatewayUnavailableError: the gateway does not answer, or is no longer offered.
    """
    funding = await fundings.read_funding(context.database, reference)
    if funding is None:
        raise NotFoundError
    gateway, is_decided = funding.gateway, funding.state in rules.DECIDED
    answer = None if is_decided else await context.verify(gateway, reference)

    async def work(tx: Transaction) -> AdminResult:
        before = await listing.read_status(tx, gateway, reference)
        if answer is not None:
            await settle_in(context, tx, gateway, answer)
        after = await listing.read_status(tx, gateway, reference)
        record = AuditRecord("ask", "funding", reference, {"state": before}, {"state": after})
        await audit.audited(tx, admin, record)
        assert after is not None  # noqa: S101 fundings stay
        return AdminResult.of(AskedFunding(state=after))

    return await audit.perform(context.database, admin, {}, work)


async def list_reports(
    database: Database, state: ReportState | None, *, before: UUID | None, limit: int
) -> Page[ReportRow]:
    """Return providers' reports, newest first."""
    rows = await reports.list_reports(database, state, before, limit + 1)
    return Page.of(rows, limit, _report_row)


async def replay_report(
    context: PaymentContext, admin: AdminRequest, report_id: UUID
) -> AdminResult:
    """Settle a report from its stored bytes, as if it arrived now.

    Raises:
        ReportClosedError: it is ignored, or its bytes were deleted with the member's account.
        GatewayUnavailableError: its gateway is to be asked, and does not answer.
    """
    report = await reports.read_report(context.database, report_id)
    if report is None:
        raise NotFoundError
    _require_replayable(report)
    gateway = report.gateway
    event = context.require_gateway(gateway).gateway.read_report(report.raw)
    verification = await find_verification(context, gateway, event)

    async def work(tx: Transaction) -> AdminResult:
        # Not locked: settling locks the funding first and updates the report last.
        processed = await process_report(context, tx, gateway, event, verification)
        status = await listing.read_status(tx, gateway, event.reference)
        after = {"state": processed.state.value, "funding_state": status}
        record = AuditRecord(
            "replay", "webhook", report_id, before={"state": report.state}, after=after
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(ReportAnswer(state=processed.state, funding_state=status))

    return await audit.perform(context.database, admin, {}, work)


def _require_replayable(report: StoredReport) -> None:
    if report.state == ReportState.IGNORED:
        raise ReportClosedError(content={"status": ReportState.IGNORED.value})
    if not report.raw:
        raise ReportClosedError(content={"status": EMPTIED})


async def ignore_report(
    database: Database, admin: AdminRequest, report_id: UUID, form: WhyInput
) -> AdminResult:
    """Remove a report from the list of those that need an operator.

    Raises:
        ReportClosedError: what it reports was credited, or it was already ignored.
    """

    async def work(tx: Transaction) -> AdminResult:
        report = await reports.lock_report(tx, report_id)
        if report is None:
            raise NotFoundError
        is_settled = _state_of(report) is FundingStatus.SUCCESS
        if report.state == ReportState.IGNORED or is_settled:
            raise ReportClosedError(content={"status": report.state})
        await reports.change_ignored(tx, report_id, form.reason)
        ignored = ReportState.IGNORED
        record = AuditRecord(
            "ignore",
            "webhook",
            report_id,
            before={"state": report.state},
            after={"state": ignored.value},
            reason=form.reason,
        )
        await audit.audited(tx, admin, record)
        return AdminResult.of(ReportAnswer(state=ignored, funding_state=_state_of(report)))

    return await audit.perform(database, admin, form, work)


async def list_disputes(
    database: Database, state: DisputeState | None, *, before: UUID | None, limit: int
) -> Page[DisputeRow]:
    """Return disputes, newest first."""
    rows = await reports.list_disputes(database, state, before, limit + 1)
    return Page.of(rows, limit, _dispute_row)


async def count_unsettled_reports(database: Database) -> int:
    """Count the reports that need an operator."""
    return await reports.count_unsettled_reports(database)


async def count_open_disputes(database: Database) -> int:
    """Count the undecided disputes."""
    return await reports.count_open_disputes(database)


def money_member(row: FundingOwner) -> MoneyMember:
    """Return the member that a row belongs to."""
    return MoneyMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name)


def _funding_row(row: ListedFunding) -> FundingRow:
    return FundingRow(
        id=row.id,
        reference=row.reference,
        gateway=row.gateway,
        amount=row.amount_kobo,
        state=FundingStatus(row.status),
        review_reason=row.review_reason,
        transaction_id=row.gateway_transaction_id,
        member=money_member(row),
        created_at=row.created_at,
        decided_at=row.decided_at,
        cancelled_at=row.cancelled_at,
    )


def _state_of(report: StoredReport) -> FundingStatus | None:
    return None if report.funding_status is None else FundingStatus(report.funding_status)


def _report_row(row: StoredReport) -> ReportRow:
    return ReportRow(
        id=row.id,
        gateway=row.gateway,
        type=row.type,
        reference=row.reference,
        state=ReportState(row.state),
        funding_state=_state_of(row),
        reason=row.reason,
        size_bytes=len(row.raw),
        received_at=row.received_at,
    )


def _dispute_row(row: StoredDispute) -> DisputeRow:
    return DisputeRow(
        id=row.id,
        gateway=row.gateway,
        case_id=row.case_id,
        funding_reference=row.reference,
        amount=row.amount_kobo,
        charged_back=row.charged_back_kobo,
        state=DisputeState.OPEN if row.closed_at is None else DisputeState.CLOSED,
        status=row.status,
        resolution=row.resolution,
        member=_disputing_member(row),
        opened_at=row.opened_at,
        told_at=row.reported_at,
        closed_at=row.closed_at,
    )


def _disputing_member(row: StoredDispute) -> MoneyMember | None:
    if row.user_id is None or row.first_name is None or row.last_name is None:
        return None
    return MoneyMember(id=row.user_id, first_name=row.first_name, last_name=row.last_name)
