"""Factories for what the settings configure: database, mail, media, hashing, payments."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from email.utils import parseaddr
from typing import Any

import httpx
from pydantic import SecretStr
from starlette.applications import Starlette

from api.adapters.flutterwave import FlutterwaveGateway
from api.adapters.media_local import LocalMedia
from api.adapters.outbox import OutboxMailer
from api.adapters.paystack import PaystackGateway
from api.adapters.push_services import PushServices
from api.adapters.smtp import SmtpMailer
from api.auth.jobs import MAIL_CODE
from api.auth.live import send_codes
from api.chat import service as chat
from api.core import clock
from api.core.config import PaymentGatewayName, Settings
from api.core.events import Bus
from api.core.money import KOBO_PER_NAIRA, Kobo
from api.database.database import Database
from api.database.lanes import Priority
from api.database.rate_limit import RateLimiter
from api.http.wire import Content
from api.jobs.clockwork import recorded
from api.jobs.kinds import JobKind
from api.jobs.mail import Mailer
from api.jobs.queue import JobQueue
from api.jobs.runs import BACKUP, last_success
from api.media.storage import MediaStore
from api.moments import service as moments
from api.news import service as news
from api.notifications.jobs import NOTIFY_BY_MAIL
from api.notifications.live import mails_to_send, send_mails_job
from api.operators import service as operators
from api.payments import service as payments
from api.payments.ports import PaymentGateway
from api.payments.rules import FundingLimits
from api.payments.schemas import CheckoutAddresses
from api.payments.service import GatewayGuard, PaymentContext
from api.proofs import service as proofs
from api.proofs.jobs import WARN_OF_LEDGER
from api.proofs.live import warn
from api.push.ports import PushCarrier
from api.push.service import PushContext
from api.questions import service as questions
from api.refunds import service as refunds
from api.security.events import SecurityLog
from api.security.operators import AdminSessionLife
from api.security.passwords import PasswordHasher
from api.security.rights import Right
from api.security.sealing import Sealer
from api.security.tokens import ADMIN_AUDIENCE, TokenCodec
from api.security.web_push import VapidKey
from api.shop import service as shop
from api.subscriptions import service as subscriptions
from api.system import service as system
from api.system.ports import DescribeMails, MailContext
from api.wallet import service as wallet
from api.wallet.enums import TransferKind
from api.wallet.ports import StatementContext

SANDBOX_PATH = "/sandbox"
CALLBACK_PATH = "/api/v1/payment/callback"
WEBHOOK_PATH = "/api/v1/payment/webhook"
TEST_HASH_MEMORY_KIB = 1024
OLD_PROOFS = ("proofsOlderThanTwoDays", "proofsOlderThanFiveDays")


def make_database(
    settings: Settings,
    pool_size: int,
    *,
    bus: Bus | None = None,
    on_lost: Callable[[], None] = lambda: None,
) -> Database:
    """Return the database with the settings shared by all processes, pooler or not."""
    return Database(
        settings.database_url,
        direct_url=settings.database_direct_url,
        runtime_role=settings.database_runtime_role,
        pool_size=pool_size,
        bus=bus,
        on_lost=on_lost,
    )


def make_hasher(settings: Settings) -> PasswordHasher:
    """Return the password hasher; in tests it uses little memory, for speed."""
    if settings.app_env == "test":
        return PasswordHasher(memory_kib=TEST_HASH_MEMORY_KIB)
    return PasswordHasher()


def make_mailer(settings: Settings) -> Mailer:
    """Return the mailer: SMTP, or a folder."""
    if settings.smtp_url is not None:
        return SmtpMailer(
            settings.smtp_url.get_secret_value(),
            sender=settings.mail_from,
            requires_tls=settings.is_production,
        )
    return OutboxMailer(settings.var_dir / "outbox", sender=settings.mail_from)


def make_media_store(settings: Settings) -> MediaStore:
    """Return the media store; importing the object store's client takes a second."""
    if settings.s3_bucket is None:
        return LocalMedia(settings.var_dir / "media")
    from api.adapters.media_s3 import Bucket, S3Media  # noqa: PLC0415 slow to import

    def revealed(secret: SecretStr | None) -> str | None:
        return None if secret is None else secret.get_secret_value()

    return S3Media(
        Bucket(
            name=settings.s3_bucket,
            endpoint_url=settings.s3_endpoint_url,
            region=settings.s3_region,
            access_key=revealed(settings.s3_access_key),
            secret_key=revealed(settings.s3_secret_key),
        )
    )


def make_sealer(settings: Settings) -> Sealer:
    """Return the encryption of members' records, which also opens values of the previous key."""
    key_before = settings.profile_key_before
    return Sealer(
        settings.profile_key.get_secret_value(),
        secret_before=None if key_before is None else key_before.get_secret_value(),
    )


def make_push(settings: Settings, database: Database) -> PushContext:
    """Return the context of push messages; without a key nothing is pushed."""
    private = settings.vapid_private_key
    _, address = parseaddr(settings.mail_from)
    return PushContext(
        database,
        make_sealer(settings),
        None
        if private is None
        else VapidKey(private.get_secret_value(), subject=f"mailto:{address}"),
        allows_loopback=not settings.is_production,
    )


def make_push_carrier() -> PushCarrier:
    """Return the client of push services."""
    return PushServices()


async def _last_backup(database: Database) -> Content | None:
    """Return when a backup last succeeded, None if none has."""
    run = await last_success(database, BACKUP, clock.now())
    return None if run is None else {"lastSuccessAt": run.started_at.isoformat()}


def make_operators(
    settings: Settings,
    database: Database,
    *,
    hasher: PasswordHasher,
    limiter: RateLimiter,
    security: SecurityLog,
) -> operators.OperatorContext:
    """Return the back office's context, with all domains' executors and figures."""
    life = AdminSessionLife(
        idle=timedelta(seconds=settings.admin_idle_seconds),
        life=timedelta(seconds=settings.admin_life_seconds),
        fresh=timedelta(seconds=settings.admin_fresh_seconds),
    )
    queue = JobQueue(make_sealer(settings))
    mails = make_mails(database, queue)
    return operators.OperatorContext(
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
        executors=operators.Executors(
            (operators.NEW_OPERATOR, operators.create_approved),
            (operators.NEW_ROLES, operators.change_roles_approved),
            (operators.ENABLE_OPERATOR, operators.enable_approved),
            (operators.TRANSFER_ACCOUNT, operators.change_account_approved),
            (operators.RAISE_LIMITS, operators.raise_limits_approved),
            (chat.MODERATE_OWN, chat.moderate_approved),
            (chat.LIFT_OWN, chat.lift_approved),
            (moments.MODERATE_OWN, moments.move_approved),
            (shop.CONFIRM_TRANSFER, shop.confirm_approved),
            (subscriptions.GIVE_PLANS, subscriptions.give_approved),
            (refunds.SEND_REFUND, refunds.send_approved),
            (payments.WRITE_OFF, payments.write_off_approved),
            (wallet.ACCEPT_REVIEW, wallet.accept_approved),
            (
                wallet.ADJUST_WALLET,
                functools.partial(wallet.adjust_approved, allows_test=not settings.is_production),
            ),
        ),
        figures=operators.TodayFigures(
            waiting=(
                operators.Waiting("chatReports", Right.CHAT_WRITE, chat.count_reported),
                operators.Waiting("momentReports", Right.CHAT_WRITE, moments.count_reported),
                operators.Waiting(
                    "transferProofs", Right.ORDERS_CONFIRM, shop.count_waiting_proofs
                ),
                *(
                    operators.Waiting(
                        name,
                        Right.ORDERS_CONFIRM,
                        functools.partial(shop.count_waiting_proofs, age=age),
                    )
                    for name, age in zip(OLD_PROOFS, shop.PROOF_REVIEW_REMINDERS, strict=True)
                ),
                operators.Waiting("refunds", Right.REFUND_SEND, refunds.count_asked),
                operators.Waiting("reviewCases", Right.MONEY_WRITE, wallet.count_open),
                operators.Waiting("webhooks", Right.MONEY_WRITE, payments.count_unsettled_reports),
                operators.Waiting("disputes", Right.MONEY_WRITE, payments.count_open_disputes),
                operators.Waiting(
                    "deadMails", Right.SYSTEM_READ, lambda _: system.count_dead_mails(mails)
                ),
                operators.Waiting("debts", Right.MONEY_WRITE, payments.count_open_debts),
                operators.Waiting("articlesToday", Right.NEWS_WRITE, news.count_due_today),
                operators.Waiting("flaggedQuestions", Right.GAMES_WRITE, questions.count_flagged),
            ),
            ledger=proofs.last_proof,
            bank=shop.count_open_bank,
            backup=_last_backup,
        ),
        jobs=_runnable_jobs(database.lane(Priority.BACKGROUND), queue),
    )


def _runnable_jobs(database: Database, queue: JobQueue) -> Mapping[str, operators.RunnableJob]:
    """Return the jobs that operators may start besides the worker, by their name in the API.

    Register a job here: in ``jobs`` if this process can run it, else beside ``backup``.
    """

    async def prove() -> None:
        await proofs.prove_by_clock(database, queue)

    jobs = (
        shop.expire_job(database),
        subscriptions.renew_job(database),
        subscriptions.remind_job(database),
        send_mails_job(database, queue),
        # Immediately, however recent the last run is.
        replace(proofs.prove_job(database, queue), step=prove),
        questions.statistics_job(database, at_night=False),
    )
    here = {
        job.name.replace("_", "-"): operators.RunnableJob(recorded(database, job).step)
        for job in jobs
    }
    return here | {BACKUP: system.backup_job(database)}


def make_mails(database: Database, queue: JobQueue) -> MailContext:
    """Return the context of mails: each kind of mail with the function that describes it."""
    kinds: tuple[tuple[JobKind[Any], DescribeMails], ...] = (
        (MAIL_CODE, send_codes),
        (NOTIFY_BY_MAIL, mails_to_send),
        (WARN_OF_LEDGER, warn),
    )
    return MailContext(database, queue, {kind.name: (kind, describe) for kind, describe in kinds})


def make_statements(database: Database) -> StatementContext:
    """Return the context of statements: each domain explains the transactions it has made."""
    return StatementContext(
        database,
        {
            TransferKind.FUND: payments.explain_fundings,
            TransferKind.PURCHASE: shop.explain_purchases,
            TransferKind.SUBSCRIPTION: subscriptions.explain_periods,
        },
    )


def make_gateways(settings: Settings, sandbox: Starlette | None) -> list[PaymentGateway]:
    """Return the providers' adapters; a sandbox uses the same adapter with another address."""
    return [_make_gateway(settings, name, sandbox) for name in settings.gateways]


def _make_gateway(
    settings: Settings, name: PaymentGatewayName, sandbox: Starlette | None
) -> PaymentGateway:
    transport = None if sandbox is None or not name.is_sandbox else httpx.ASGITransport(sandbox)
    if name.settings == "paystack":
        inside = f"{settings.public_url}/{PaystackGateway.name}"
        return PaystackGateway(
            secret_key=settings.paystack_secret_key.get_secret_value(),
            base_url=inside if transport else settings.paystack_base_url,
            transport=transport,
        )
    inside = f"{settings.public_url}/{FlutterwaveGateway.name}"
    return FlutterwaveGateway(
        secret_key=settings.flw_secret_key.get_secret_value(),
        webhook_hash=settings.flw_webhook_hash.get_secret_value(),
        base_url=inside if transport else settings.flw_base_url,
        transport=transport,
    )


def make_payments(
    settings: Settings, database: Database, gateways: Sequence[PaymentGateway]
) -> PaymentContext:
    """Return the payment context, with the limits of the settings."""
    first, *others = (
        GatewayGuard(
            gateway=gateway,
            callback_url=f"{settings.public_url}{CALLBACK_PATH}/{gateway.name}",
            checkout=_frame_addresses(settings) if name is PaymentGatewayName.SANDBOX else None,
        )
        for name, gateway in zip(settings.gateways, gateways, strict=True)
    )
    return PaymentContext(
        database=database,
        gateway=first.gateway,
        limits=FundingLimits(
            minimum_kobo=Kobo(settings.funding_min_naira * KOBO_PER_NAIRA),
            maximum_kobo=Kobo(settings.funding_max_naira * KOBO_PER_NAIRA),
            daily_maximum_kobo=Kobo(settings.funding_daily_max_naira * KOBO_PER_NAIRA),
        ),
        callback_url=first.callback_url,
        checkout=first.checkout,
        more=tuple(others),
    )


def _frame_addresses(settings: Settings) -> CheckoutAddresses:
    base = f"{settings.public_url}{SANDBOX_PATH}/{PaystackGateway.name}/"
    return CheckoutAddresses(checkout_url=base, paystack_api_url=base, payment_base_url=base)
