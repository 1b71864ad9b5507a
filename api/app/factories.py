"""Factories for what the settings configure: database, mail, media, hashing, payments."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from email.utils import parseaddr

import httpx
from pydantic import SecretStr
from starlette.applications import Starlette

from api.app.adapters.flutterwave import FlutterwaveGateway
from api.app.adapters.media_local import LocalMedia
from api.app.adapters.outbox import OutboxMailer
from api.app.adapters.paystack import PaystackGateway
from api.app.adapters.push_services import PushServices
from api.app.adapters.smtp import SmtpMailer
from api.app.adapters.termii import TermiiAccount, TermiiCodeSender, TermiiReports
from api.community.chat.rules import LIMITS, SLOW_MODE, Limits
from api.foundation.client_errors.service import REPORTS
from api.foundation.core.config import PaymentGatewayName, Settings
from api.foundation.core.events import Bus
from api.foundation.core.money import KOBO_PER_NAIRA, Kobo
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import (
    FAILED_SIGN_INS,
    REFUSED_CALLS,
    SIGN_UPS,
    RateLimiter,
)
from api.foundation.jobs.mail import Mailer
from api.foundation.media.storage import MediaStore
from api.foundation.media.uploading import UploadContext
from api.foundation.security.events import SecurityLog
from api.foundation.security.passwords import PasswordHasher
from api.foundation.security.sealing import Sealer
from api.foundation.security.web_push import VapidKey
from api.foundation.wire.encoded import AnswerCache
from api.games.invites.service import InviteContext
from api.games.matches.service.context import FixtureContext
from api.home.public.cards.cache import CardCache
from api.home.public.service.pictures import PictureContext
from api.home.public.service.reading import PublicContext
from api.home.public.service.site import Site
from api.messaging.push.ports import PushCarrier
from api.messaging.push.service import PushContext
from api.money.payments.ports import PaymentGateway
from api.money.payments.rules import FundingLimits
from api.money.payments.schemas import CheckoutAddresses
from api.money.payments.service import explaining as payments_explaining
from api.money.payments.service.context import GatewayGuard, PaymentContext
from api.money.subscriptions.service import explaining as subscriptions_explaining
from api.money.wallet.enums import TransferKind
from api.money.wallet.ports import StatementContext
from api.people.auth import rules as auth_rules
from api.people.auth.enums import CodeChannel
from api.people.auth.live import CodeMailer
from api.people.auth.ports import CodeSender, DeliveryReports
from api.people.operators import rules as operators_rules
from api.shop.service import explaining as shop_explaining

SANDBOX_PATH = "/sandbox"
CALLBACK_PATH = "/api/v1/payment/callback"
WEBHOOK_PATH = "/api/v1/payment/webhook"
TERMII_PATH = f"{SANDBOX_PATH}/termii"
TEST_HASH_MEMORY_KIB = 1024
PUBLIC_SECONDS = 5.0  # the age of what visitors read


# The limits of networks, by the settings that change them.
NETWORK_LIMITS = {
    "limit_signup_free": SIGN_UPS,
    "limit_signin_free": FAILED_SIGN_INS,
    "limit_activation": auth_rules.REFUSED_ACTIVATIONS,
    "limit_reset_mail": auth_rules.RESET_MAILS,
    "limit_reset": auth_rules.REFUSED_RESETS,
    "limit_admin_signin": operators_rules.REFUSED_SIGN_INS,
    "limit_lookups": REFUSED_CALLS,
    "limit_client_errors": REPORTS,
}


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


def make_limiter(settings: Settings, database: Database, security: SecurityLog) -> RateLimiter:
    """Return the limiter; a limit that is set holds outside production, too."""
    chosen = {
        limit.name: getattr(settings, name)
        for name, limit in NETWORK_LIMITS.items()
        if name in settings.model_fields_set
    }
    return RateLimiter(
        database,
        key=settings.code_key.get_secret_value(),
        leniency=settings.leniency,
        security=security,
        settings=chosen,
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


def make_code_senders(settings: Settings, mailer: Mailer) -> dict[CodeChannel, CodeSender]:
    """Return the sender of each enabled channel; a sandbox is reached over the network, too."""
    senders: dict[CodeChannel, CodeSender] = {CodeChannel.EMAIL: CodeMailer(mailer)}
    account = _termii_account(settings)
    if account is not None:
        senders[CodeChannel.SMS] = TermiiCodeSender(account)
    return senders


def make_sms_reports(settings: Settings) -> DeliveryReports | None:
    """Return the reader of delivery reports; None without SMS."""
    account = _termii_account(settings)
    return None if account is None else TermiiReports(account.secret_key)


def code_channels(settings: Settings) -> tuple[CodeChannel, ...]:
    """Return the enabled channels of codes."""
    return tuple(CodeChannel) if settings.has_sms else (CodeChannel.EMAIL,)


def _termii_account(settings: Settings) -> TermiiAccount | None:
    key, secret, sender = (
        settings.termii_api_key,
        settings.termii_secret_key,
        settings.termii_sender_id,
    )
    if key is None or secret is None or sender is None:
        return None
    return TermiiAccount(
        api_key=key.get_secret_value(),
        secret_key=secret.get_secret_value(),
        sender_id=sender,
        base_url=settings.termii_base_url or f"{settings.public_url}{TERMII_PATH}",
        channel=settings.termii_channel,
    )


def chat_limits(settings: Settings) -> Limits:
    """Return the limits of the chat's rooms."""
    slow_mode = SLOW_MODE if settings.chat_slow_mode else ()
    return replace(LIMITS, slow_mode=slow_mode, deliveries=settings.chat_messages_per_second)


def make_media_store(settings: Settings) -> MediaStore:
    """Return the media store; importing the object store's client takes a second."""
    if settings.s3_bucket is None:
        return LocalMedia(settings.var_dir / "media")
    from api.app.adapters.media_s3 import Bucket, S3Media  # noqa: PLC0415 slow to import

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


def make_site(
    settings: Settings, uploads: UploadContext, fixtures: FixtureContext, invites: InviteContext
) -> Site:
    """Return the pages for visitors."""
    key = settings.code_key.get_secret_value()
    public = PublicContext(
        uploads.database,
        fixtures,
        AnswerCache(max_age_seconds=PUBLIC_SECONDS),
        invites.public_url,
        key,
    )
    cards = CardCache(settings.var_dir / "cards")
    return Site(public, invites, PictureContext(uploads, cards, settings.var_dir / "media"))


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


def make_statements(database: Database) -> StatementContext:
    """Return the context of statements: each domain explains the transactions it has made."""
    return StatementContext(
        database,
        {
            TransferKind.FUND: payments_explaining.explain_fundings,
            TransferKind.PURCHASE: shop_explaining.explain_purchases,
            TransferKind.SUBSCRIPTION: subscriptions_explaining.explain_periods,
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
