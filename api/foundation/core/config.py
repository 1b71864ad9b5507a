"""Settings: all configuration of a deployment, read once from the environment."""

import re
from collections.abc import Iterator
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails
from pydantic_settings import NoDecode, SettingsConfigDict
from sqlalchemy.engine import make_url

from api.foundation.core.config_addresses import (
    require_database,
    require_mail_server,
    require_networks,
    require_sender,
    require_valkey,
    require_web_address,
)
from api.foundation.core.config_errors import refusal
from api.foundation.core.config_limits import LimitSettings
from api.foundation.core.config_sms import SmsSettings

DEVELOPMENT_TOKEN_KEY = "development-only-token-key-0123456789"  # noqa: S105 rejected in production
DEVELOPMENT_CODE_KEY = "development-only-code-key-01234567890"
DEVELOPMENT_PROFILE_KEY = "development-only-profile-key-01234567"
COMPOSE_PASSWORD = "development-only"  # noqa: S105 rejected in production
DEVELOPMENT_PAYSTACK_KEY = "sk_test_sandbox_0000000000000000"
DEVELOPMENT_FLW_KEY = "FLWSECK_TEST-SANDBOX-0000000000000000"
DEVELOPMENT_FLW_HASH = "development-only-flutterwave-hash"
OFFICIAL_PAYSTACK_URL = "https://api.paystack.co"
OFFICIAL_FLW_URL = "https://api.flutterwave.com"
LIVE = {  # the prefix of live keys, and the only address they are sent to
    "paystack": ("sk_live_", OFFICIAL_PAYSTACK_URL),
    "flw": ("FLWSECK-", OFFICIAL_FLW_URL),
}
SHORTEST_KEY_BYTES = 32
MIN_DISTINCT_KEY_CHARACTERS = 10  # a random key of 32 has more than twice as many
DEVELOPMENT_KEYS = {
    "token_key": DEVELOPMENT_TOKEN_KEY,
    "code_key": DEVELOPMENT_CODE_KEY,
    "profile_key": DEVELOPMENT_PROFILE_KEY,
    "fixture_feed_key": "development-only-fixture-feed-key-0123456",
}
MAY_BE_BLANK = (
    *("database_direct_url", "s3_bucket", "s3_endpoint_url", "valkey_url", "smtp_url"),
    *("metrics_key", "demo_operator_totp", "vapid_private_key", "android_app"),
    *("backup_dir", "backup_database_url", "backup_proof_url", "backup_key"),
)
KEYS = (*DEVELOPMENT_KEYS, "profile_key_before")
WEB_ADDRESSES = ("public_url", "paystack_base_url", "flw_base_url", "s3_endpoint_url")
LISTS = ("allowed_origins", "trusted_proxies", "metrics_addresses", "payment_gateways")
DEMO_OPERATOR_TOTP = "KINGOFFANS234567KINGOFFANS234567"  # rejected in production
DEMO_VAPID_KEY = "c29tZSBwdWJsaWMga2V5IG9mIGRldmVsb3BtZW50ISE"  # rejected in production
DEMO_KEYS = {"demo_operator_totp": DEMO_OPERATOR_TOTP, "vapid_private_key": DEMO_VAPID_KEY}
DEMO_TRANSFER_ACCOUNT = {
    "transfer_account_name": "King of Fans Demo",
    "transfer_account_number": "0000000000",
    "transfer_bank": "Demo Bank",
}


class Environment(StrEnum):
    """Where the app runs; production rejects what development allows."""

    DEVELOPMENT = "development"
    TEST = "test"
    PRODUCTION = "production"


class PaymentGatewayName(StrEnum):
    """The payment provider, or the sandbox that imitates one."""

    SANDBOX = "sandbox"
    PAYSTACK = "paystack"
    FLUTTERWAVE = "flutterwave"
    FLUTTERWAVE_SANDBOX = "flutterwave-sandbox"

    @property
    def is_sandbox(self) -> bool:
        """Whether no real money moves."""
        return "sandbox" in self.value

    @property
    def settings(self) -> str:
        """The prefix of the provider's settings."""
        return "flw" if "flutterwave" in self.value else "paystack"


def is_predictable(key: str) -> bool:
    """Return whether a key repeats one short text or has hardly any distinct characters."""
    return key in (key + key)[1:-1] or len(set(key)) < MIN_DISTINCT_KEY_CHARACTERS


class Settings(LimitSettings, SmsSettings):
    """The settings of one process; `.env.example` documents each of them.

    Raises:
        ValueError: production with a default secret, the sandbox provider or no database.
    """

    # The error is printed to unprotected logs, so it never repeats a value.
    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", frozen=True, hide_input_in_errors=True
    )

    brings_valkey: ClassVar[bool] = False  # the launcher starts one for several workers

    app_env: Environment = Environment.DEVELOPMENT
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    var_dir: Path = Path("var")
    web_dist: Path = Path("web/dist")
    public_url: str = "http://127.0.0.1:8000"
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = ()
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = ()
    metrics_key: SecretStr | None = None
    metrics_addresses: Annotated[tuple[str, ...], NoDecode] = ()

    database_url: str = "postgresql+asyncpg://localhost/fans"
    database_runtime_role: str = "fans_runtime"
    database_direct_url: str | None = None
    database_pool_size: Annotated[int, Field(ge=8, le=200)] = 12
    valkey_url: str | None = None
    stop_notice_seconds: Annotated[float, Field(ge=0, le=60)] = 1.0

    smtp_url: SecretStr | None = None
    mail_from: str = "King of Fans <no-reply@localhost>"

    token_key: SecretStr = SecretStr(DEVELOPMENT_TOKEN_KEY)
    code_key: SecretStr = SecretStr(DEVELOPMENT_CODE_KEY)
    profile_key: SecretStr = SecretStr(DEVELOPMENT_PROFILE_KEY)
    profile_key_before: SecretStr | None = None

    session_idle_hours: Annotated[int, Field(ge=1, le=168)] = 72

    admin_idle_seconds: Annotated[int, Field(ge=1, le=1_800)] = 1_800
    admin_life_seconds: Annotated[int, Field(ge=1, le=28_800)] = 28_800
    admin_fresh_seconds: Annotated[int, Field(ge=1, le=300)] = 300
    admin_code_reuse: bool | None = None  # None: allowed outside production
    demo_operator_totp: SecretStr | None = None

    s3_bucket: str | None = None
    s3_endpoint_url: str | None = None
    s3_region: str = "us-east-1"
    s3_access_key: SecretStr | None = None
    s3_secret_key: SecretStr | None = None

    payment_gateway: PaymentGatewayName = PaymentGatewayName.SANDBOX
    paystack_secret_key: SecretStr = SecretStr(DEVELOPMENT_PAYSTACK_KEY)
    paystack_base_url: str = OFFICIAL_PAYSTACK_URL
    payment_gateways: Annotated[tuple[PaymentGatewayName, ...], NoDecode] = ()
    flw_secret_key: SecretStr = SecretStr(DEVELOPMENT_FLW_KEY)
    flw_webhook_hash: SecretStr = SecretStr(DEVELOPMENT_FLW_HASH)
    flw_base_url: str = OFFICIAL_FLW_URL
    funding_min_naira: Annotated[int, Field(ge=1)] = 100
    funding_max_naira: Annotated[int, Field(ge=1, le=10_000_000)] = 1_000_000
    funding_daily_max_naira: Annotated[int, Field(ge=1)] = 2_000_000

    backup_dir: Path | None = None
    backup_database_url: str | None = None
    backup_proof_url: str | None = None
    backup_hour: Annotated[int, Field(ge=0, le=23)] = 3
    backup_key: SecretStr | None = None
    backup_bucket_media: bool = False

    android_app: str | None = None  # <package>:<SHA-256 fingerprint>
    vapid_private_key: SecretStr | None = None
    fixture_feed_key: SecretStr = SecretStr(DEVELOPMENT_KEYS["fixture_feed_key"])
    trivia_questions_per_day: Annotated[int, Field(ge=1, le=20)] = 5

    transfer_account_name: str | None = None
    transfer_account_number: str | None = None
    transfer_bank: str | None = None

    @field_validator(*MAY_BE_BLANK, mode="before")
    @classmethod
    def _read_blank_as_unset(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator(*LISTS, mode="before")
    @classmethod
    def _split_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    _networks = field_validator("trusted_proxies", "metrics_addresses")(require_networks)
    _databases = field_validator(
        "database_url", "database_direct_url", "backup_database_url", "backup_proof_url"
    )(require_database)
    _web_addresses = field_validator(*WEB_ADDRESSES)(require_web_address)
    _valkey = field_validator("valkey_url")(require_valkey)
    _mail_server = field_validator("smtp_url")(require_mail_server)
    _sender = field_validator("mail_from")(require_sender)

    @model_validator(mode="before")
    @classmethod
    def _offer_demo(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Outside production, default to a demo bank account (B-39) and demo keys (B-107)."""
        if values.get("app_env") == Environment.PRODUCTION:
            return values
        if not any(name in values for name in DEMO_TRANSFER_ACCOUNT):
            values = {**values, **DEMO_TRANSFER_ACCOUNT}
        return {**DEMO_KEYS, **values}

    @field_validator("public_url")
    @classmethod
    def _without_trailing_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_what_does_not_fit(
        cls, values: dict[str, Any], read: ModelWrapValidatorHandler[Self]
    ) -> Self:
        """Report all errors at once: those of each field, and of combinations."""
        refused: list[InitErrorDetails] = []
        names: set[str] = set()
        try:
            settings = read(values)
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_input=False):
                refused.append(refusal(problem["type"], problem["loc"], problem.get("ctx", {})))
                names.add(str(problem["loc"][0]))
            # The remaining fields can be checked together as if these were unset.
            settings = read({name: value for name, value in values.items() if name not in names})
        problems = [
            problem
            for problem in settings._problems()
            if not any(re.search(rf"\b{name.upper()}\b", problem) for name in names)
        ]
        if problems:
            refused.append(refusal("value_error", (), {"error": ValueError("\n".join(problems))}))
        if refused:
            raise ValidationError.from_exception_data(cls.__name__, refused, hide_input=True)
        return settings

    def _problems(self) -> Iterator[str]:
        yield from self._wrong_together()
        yield from self.sms_problems(is_production=self.is_production)
        if len({gateway.settings for gateway in self.gateways}) < len(self.gateways):
            yield "PAYMENT_GATEWAYS must name each provider once"
        if self.app_env is Environment.PRODUCTION:
            yield from self._unsafe_secrets()
            yield from self._unsafe_gateway()
            yield from self._unsafe_back_office()

    def _wrong_together(self) -> Iterator[str]:
        for name in (*KEYS, "metrics_key", "backup_key", *self._provider_keys()):
            key = getattr(self, name)
            if key is not None and len(key.get_secret_value().encode()) < SHORTEST_KEY_BYTES:
                yield f"{name.upper()} must have at least {SHORTEST_KEY_BYTES} bytes"
        if self.workers > 1 and self.valkey_url is None and not self.brings_valkey:
            yield "Several WORKERS need VALKEY_URL: it joins their sockets"
        if self.s3_endpoint_url is not None and self.s3_bucket is None:
            yield "S3_ENDPOINT_URL needs an S3_BUCKET"
        if self.funding_min_naira > self.funding_max_naira:
            yield "FUNDING_MIN_NAIRA must not be above FUNDING_MAX_NAIRA"
        if self.funding_daily_max_naira < self.funding_max_naira:
            yield "FUNDING_DAILY_MAX_NAIRA must not be below FUNDING_MAX_NAIRA"

    def _provider_keys(self) -> list[str]:
        """Return the settings with real providers' secrets, in production only."""
        used = {gateway.settings for gateway in self.gateways if not gateway.is_sandbox}
        keys = [f"{name}_secret_key" for name in used] + ["flw_webhook_hash"] * ("flw" in used)
        return keys if self.is_production else []

    def _unsafe_secrets(self) -> Iterator[str]:
        for name in (*KEYS, *self._provider_keys()):
            key = (getattr(self, name) or SecretStr("")).get_secret_value()
            if key in (DEVELOPMENT_KEYS.get(name), DEVELOPMENT_FLW_HASH):
                yield f"Production needs a {name.upper()} of its own"
            elif len(key.encode()) >= SHORTEST_KEY_BYTES and is_predictable(key):
                yield f"Production needs a random {name.upper()}: this one is a pattern"
        if len({getattr(self, name) for name in DEVELOPMENT_KEYS}) < len(DEVELOPMENT_KEYS):
            yield f"Production needs values that differ in {', '.join(DEVELOPMENT_KEYS).upper()}"
        yield from self._passwords_of_compose()
        if self.smtp_url is None:
            yield "Production needs SMTP_URL: activation codes leave by mail"
        if not self.public_url.startswith("https://"):
            yield "Production needs an https PUBLIC_URL"

    def _unsafe_back_office(self) -> Iterator[str]:
        if self.demo_operator_totp is not None:
            yield "Production refuses DEMO_OPERATOR_TOTP"
        if self.admin_code_reuse:
            yield "Production refuses ADMIN_CODE_REUSE"
        if self.vapid_private_key == SecretStr(DEMO_VAPID_KEY):
            yield "Production needs a VAPID_PRIVATE_KEY of its own, or none"

    def _passwords_of_compose(self) -> Iterator[str]:
        password = make_url(self.database_url).password
        direct_password = make_url(self.session_database_url).password
        s3_key = self.s3_secret_key and self.s3_secret_key.get_secret_value()
        for name, value in (
            ("DATABASE_URL", password),
            ("DATABASE_DIRECT_URL", direct_password if self.database_direct_url else None),
            ("S3_SECRET_KEY", s3_key),
        ):
            if value == COMPOSE_PASSWORD:
                yield f"Production needs a password of its own in {name}"

    def _unsafe_gateway(self) -> Iterator[str]:
        for gateway in self.gateways:
            if gateway.is_sandbox:
                yield f"Production refuses the {gateway} as PAYMENT_GATEWAY"
                continue
            name, (live, official) = gateway.settings, LIVE[gateway.settings]
            if not getattr(self, f"{name}_secret_key").get_secret_value().startswith(live):
                yield f"Production needs a live {name.upper()}_SECRET_KEY"
            if getattr(self, f"{name}_base_url") != official:
                yield f"Production speaks to {official} only"

    @property
    def is_production(self) -> bool:
        """Whether this is a production process."""
        return self.app_env is Environment.PRODUCTION

    @property
    def session_database_url(self) -> str:
        """PostgreSQL's own address, past any pooler."""
        return self.database_direct_url or self.database_url

    @property
    def gateways(self) -> tuple[PaymentGatewayName, ...]:
        """The payment providers in use, the default one first."""
        return self.payment_gateways or (self.payment_gateway,)

    @property
    def session_idle(self) -> timedelta:
        """How long an unused session lives."""
        return timedelta(hours=self.session_idle_hours)

    @property
    def leniency(self) -> int:
        """Factor on limits of networks that are not set: 1 in production, 100 elsewhere."""
        return 1 if self.is_production else 100
