"""Composition of the back office: approvals, figures on Today, jobs that operators start, mails."""

import functools
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from api.app.factories import make_sealer
from api.backoffice.oversight.service import settings as oversight_settings
from api.backoffice.oversight.service.context import (
    OversightContext,
    RunnableJob,
    TodayFigures,
    Waiting,
)
from api.backoffice.refunds.service import listing as refunds_listing
from api.backoffice.refunds.service import sending as refunds_sending
from api.backoffice.system.ports import DescribeMails, MailContext
from api.backoffice.system.service import backups
from api.backoffice.system.service import mails as system_mails
from api.community.chat.service import measures
from api.community.chat.service import moderation as chat_moderation
from api.community.moments.service import moderation as moments_moderation
from api.community.news.service import reading as news_reading
from api.foundation.approvals.kinds import Executors
from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.database.database import Database
from api.foundation.database.lanes import Priority
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.jobs.clockwork import recorded
from api.foundation.jobs.kinds import JobKind
from api.foundation.jobs.queue import JobQueue
from api.foundation.jobs.runs import BACKUP, last_success
from api.foundation.security.events import SecurityLog
from api.foundation.security.operators import AdminSessionLife
from api.foundation.security.passwords import PasswordHasher
from api.foundation.security.rights import Right
from api.foundation.security.tokens import ADMIN_AUDIENCE, TokenCodec
from api.foundation.wire.schemas import Content
from api.games.questions.service import statistics as questions_statistics
from api.messaging.notifications.jobs import NOTIFY_BY_MAIL
from api.messaging.notifications.live import mails_to_send, send_mails_job
from api.money.ledger_audit import service as ledger_audits
from api.money.ledger_audit.jobs import WARN_OF_LEDGER
from api.money.ledger_audit.live import warn
from api.money.payments.service import admin as payments_admin
from api.money.payments.service import charging_back
from api.money.subscriptions.service import giving, renewing
from api.money.subscriptions.service import reminding as subscriptions_reminding
from api.money.wallet.service import adjustments, reviews
from api.people.auth.jobs import MAIL_CODE, TEXT_CODE
from api.people.auth.live import send_codes, text_codes
from api.people.operators.service import operators as operators_service
from api.people.operators.service.context import OperatorContext
from api.shop import rules as shop_rules
from api.shop.service import bank_lines, confirming
from api.shop.service import days as shop_days
from api.shop.service import orders as shop_orders
from api.shop.service import proofs as shop_proofs

OLD_PROOFS = ("proofsOlderThanTwoDays", "proofsOlderThanFiveDays")


async def _last_backup(database: Database) -> Content | None:
    run = await last_success(database, BACKUP, clock.now())
    return None if run is None else {"lastSuccessAt": run.started_at.isoformat()}


def make_operators(
    settings: Settings,
    database: Database,
    *,
    hasher: PasswordHasher,
    limiter: RateLimiter,
    security: SecurityLog,
) -> OperatorContext:
    """Return the context of operators' sign-in."""
    life = AdminSessionLife(
        idle=timedelta(seconds=settings.admin_idle_seconds),
        life=timedelta(seconds=settings.admin_life_seconds),
        fresh=timedelta(seconds=settings.admin_fresh_seconds),
    )
    return OperatorContext(
        database=database,
        hasher=hasher,
        codec=TokenCodec(
            settings.token_key.get_secret_value(), audience=ADMIN_AUDIENCE, life=life.life
        ),
        limiter=limiter,
        sealer=make_sealer(settings),
        security=security,
        life=life,
        # If unset, it is enabled outside production (contract B-104).
        allows_code_reuse=not settings.is_production
        if settings.admin_code_reuse is None
        else settings.admin_code_reuse,
    )


def make_oversight(settings: Settings, database: Database) -> OversightContext:
    """Return the context of oversight, with all domains' executors and figures."""
    queue = JobQueue(make_sealer(settings))
    mails = make_mails(database, queue)
    return OversightContext(
        database=database,
        executors=Executors(
            (operators_service.NEW_OPERATOR, operators_service.create_approved),
            (operators_service.NEW_ROLES, operators_service.change_roles_approved),
            (operators_service.ENABLE_OPERATOR, operators_service.enable_approved),
            (oversight_settings.TRANSFER_ACCOUNT, oversight_settings.change_account_approved),
            (oversight_settings.RAISE_LIMITS, oversight_settings.raise_limits_approved),
            (chat_moderation.MODERATE_OWN, chat_moderation.moderate_approved),
            (measures.LIFT_OWN, measures.lift_approved),
            (moments_moderation.MODERATE_OWN, moments_moderation.move_approved),
            (confirming.CONFIRM_TRANSFER, confirming.confirm_approved),
            (giving.GIVE_PLANS, giving.give_approved),
            (refunds_sending.SEND_REFUND, refunds_sending.send_approved),
            (charging_back.WRITE_OFF, charging_back.write_off_approved),
            (reviews.ACCEPT_REVIEW, reviews.accept_approved),
            (
                adjustments.ADJUST_WALLET,
                functools.partial(
                    adjustments.adjust_approved, allows_test=not settings.is_production
                ),
            ),
        ),
        figures=TodayFigures(
            waiting=(
                Waiting("chatReports", Right.CHAT_WRITE, chat_moderation.count_reported),
                Waiting("momentReports", Right.CHAT_WRITE, moments_moderation.count_reported),
                Waiting("transferProofs", Right.ORDERS_CONFIRM, shop_proofs.count_waiting_proofs),
                *(
                    Waiting(
                        name,
                        Right.ORDERS_CONFIRM,
                        functools.partial(shop_proofs.count_waiting_proofs, age=age),
                    )
                    for name, age in zip(OLD_PROOFS, shop_rules.PROOF_REVIEW_REMINDERS, strict=True)
                ),
                Waiting("refunds", Right.REFUND_SEND, refunds_listing.count_asked),
                Waiting("reviewCases", Right.MONEY_WRITE, reviews.count_open),
                Waiting("webhooks", Right.MONEY_WRITE, payments_admin.count_unsettled_reports),
                Waiting("disputes", Right.MONEY_WRITE, payments_admin.count_open_disputes),
                Waiting(
                    "deadMails", Right.SYSTEM_READ, lambda _: system_mails.count_dead_mails(mails)
                ),
                Waiting("debts", Right.MONEY_WRITE, charging_back.count_open_debts),
                Waiting("articlesToday", Right.NEWS_WRITE, news_reading.count_due_today),
                Waiting("flaggedQuestions", Right.GAMES_WRITE, questions_statistics.count_flagged),
            ),
            ledger=ledger_audits.last_proof,
            bank=bank_lines.count_open_bank,
            backup=_last_backup,
            shop=shop_days.read_today,
        ),
        jobs=_runnable_jobs(database.lane(Priority.BACKGROUND), queue),
    )


def _runnable_jobs(database: Database, queue: JobQueue) -> Mapping[str, RunnableJob]:
    """Return the jobs that operators may start besides the worker, by their name in the API.

    Register a job here: in ``jobs`` if this process can run it, else beside ``backup``.
    """

    async def prove() -> None:
        await ledger_audits.prove_by_clock(database, queue)

    jobs = (
        shop_orders.expire_job(database),
        renewing.renew_job(database),
        subscriptions_reminding.remind_job(database),
        send_mails_job(database, queue),
        # Immediately, even if the last run is recent.
        replace(ledger_audits.prove_job(database, queue), step=prove),
        questions_statistics.statistics_job(database, at_night=False),
    )
    here = {job.name.replace("_", "-"): RunnableJob(recorded(database, job).step) for job in jobs}
    return here | {BACKUP: backups.backup_job(database)}


def make_mails(database: Database, queue: JobQueue) -> MailContext:
    """Return the context of mails: each kind of mail with the function that describes it."""
    kinds: tuple[tuple[JobKind[Any], DescribeMails], ...] = (
        (MAIL_CODE, send_codes),
        (TEXT_CODE, text_codes),
        (NOTIFY_BY_MAIL, mails_to_send),
        (WARN_OF_LEDGER, warn),
    )
    return MailContext(database, queue, {kind.name: (kind, describe) for kind, describe in kinds})
