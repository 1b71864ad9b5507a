"""Production rejects settings that only development may have."""

import os
import secrets
import sys
from pathlib import Path
from typing import Any

import pytest
from api.foundation.core.config import (
    DEVELOPMENT_FLW_HASH,
    DEVELOPMENT_KEYS,
    PaymentGatewayName,
    Settings,
)
from api.foundation.core.config_errors import describe_refusal
from pydantic import ValidationError

from tests.preloaded import run

ROOT = Path(__file__).resolve().parents[3]
PRODUCTION: dict[str, Any] = {
    "app_env": "production",
    "public_url": "https://fans.example",
    "token_key": "zXcQ8vN2mLp0RtYw5KsDfGh7JbA1eUiO",
    "code_key": "N7bVcXz1LkJhGfDs4PoIuYtR9eWqA2mS",
    "profile_key": "qWe4RtY7uIoP1aSd6FgHjKl2ZxCv9BnM",
    "fixture_feed_key": "Lk3JhGf5DsAp9OiUy7TrEwQz1XcVbN2m",
    "smtp_url": "smtp://mail",
    "payment_gateway": "paystack",
    "paystack_secret_key": "sk_live_4f0c2b9a7d1e8f6035c4ab92",
}


def test_a_production_with_all_it_needs_starts_and_shows_no_demo_account() -> None:
    settings = Settings(**PRODUCTION)

    assert settings.is_production
    assert settings.transfer_account_number is None


@pytest.mark.parametrize(
    "missing",
    [
        "token_key",
        "code_key",
        "profile_key",
        "fixture_feed_key",
        "smtp_url",
        "payment_gateway",
        "paystack_secret_key",
        "public_url",
    ],
)
def test_a_production_without_one_of_them_refuses(missing: str) -> None:
    given = {name: value for name, value in PRODUCTION.items() if name != missing}

    with pytest.raises(ValidationError, match="Production"):
        Settings(**given)


@pytest.mark.parametrize(
    "changes",
    [
        {"token_key": "short"},
        {"profile_key": "short"},
        {"profile_key_before": "short"},
        {"s3_endpoint_url": "https://store.example"},
        {"paystack_secret_key": "sk_test_4f0c2b9a7d1e8f6035c4ab92"},
        {"paystack_secret_key": "sk_live_x"},
        {"metrics_key": "short"},
        {"backup_key": "short"},
        {"paystack_base_url": "https://evil.example"},
        {"public_url": "http://fans.example"},
        {"demo_operator_totp": "KINGOFFANS234567KINGOFFANS234567"},
        {"admin_code_reuse": True},
        {"admin_idle_seconds": 1801},
        {"admin_life_seconds": 28_801},
        {"admin_fresh_seconds": 301},
    ],
)
def test_a_production_with_a_weak_one_refuses(changes: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(**{**PRODUCTION, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"database_url": "postgresql+asyncpg://fans_app:development-only@postgres/fans"},
        {"s3_bucket": "media", "s3_secret_key": "development-only"},
    ],
)
def test_a_production_with_a_password_of_the_compose_file_refuses(
    changes: dict[str, str],
) -> None:
    with pytest.raises(ValidationError, match="a password of its own") as refusal:
        Settings(**{**PRODUCTION, **changes})

    assert "development-only" not in str(refusal.value)


@pytest.mark.parametrize("name", [*DEVELOPMENT_KEYS, "profile_key_before"])
@pytest.mark.parametrize("key", ["a" * 40, "0123456789abcdef" * 4, "abcabcabd" * 6 + "abc"])
def test_a_production_with_a_key_that_is_a_pattern_refuses(name: str, key: str) -> None:
    with pytest.raises(ValidationError, match=f"random {name.upper()}"):
        Settings(**{**PRODUCTION, name: key})


def test_a_production_with_one_key_for_two_purposes_refuses() -> None:
    with pytest.raises(ValidationError, match="differ"):
        Settings(**{**PRODUCTION, "code_key": PRODUCTION["token_key"]})


def test_random_keys_of_every_usual_spelling_are_taken() -> None:
    for spell in (secrets.token_hex, secrets.token_urlsafe):
        keys = {name: spell(32) for name in DEVELOPMENT_KEYS}

        assert Settings(**{**PRODUCTION, **keys}).is_production


BAD_KEY = "sk-TAIL-OF-A-SECRET"


@pytest.mark.parametrize(
    ("module", "changes"),
    [
        ("api.foundation.server", {"TOKEN_KEY": BAD_KEY}),
        ("api.dev", {"TOKEN_KEY": BAD_KEY}),
        (
            "api.foundation.server",
            {"PROFILE_KEY": BAD_KEY * 40, "CODE_KEY": BAD_KEY, "PORT": "no port"},
        ),
        ("api.dev", {"PROFILE_KEY": BAD_KEY * 40, "CODE_KEY": BAD_KEY, "PORT": "no port"}),
        ("api.foundation.server", {"APP_ENV": "production", "TOKEN_KEY": BAD_KEY * 8}),
        ("api.dev", {"APP_ENV": "production", "SMTP_URL": BAD_KEY, "TOKEN_KEY": BAD_KEY * 8}),
    ],
)
def test_a_start_that_is_refused_prints_no_part_of_a_secret(
    tmp_path: Path, module: str, changes: dict[str, str]
) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "VAR_DIR": str(tmp_path)}
    ended = run([sys.executable, "-m", module], env=environment | changes, cwd=tmp_path, timeout=60)

    assert ended.returncode != 0
    printed = ended.stdout + ended.stderr
    assert "_KEY" in printed or "PORT" in printed.upper()
    assert "SECRET" not in printed
    assert "TAIL" not in printed


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        (
            {
                "PORT": "eighty-TAIL",
                "WORKERS": "0",
                "LOG_LEVEL": "TAIL",
                "APP_ENV": "TAIL",
                "METRICS_ADDRESSES": "10.0.0.0/8,TAIL/99",
                "DATABASE_URL": "TAIL",
            },
            [
                "APP_ENV must be 'development', 'test' or 'production'.",
                "DATABASE_URL must be an address like postgresql+asyncpg://user@host/database.",
                "LOG_LEVEL must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'.",
                "METRICS_ADDRESSES must hold addresses or networks like 10.1.0.0/16.",
                "PORT must be a whole number.",
                "WORKERS must be at least 1.",
            ],
        ),
        (
            {"TOKEN_KEY": "TAIL", "CODE_KEY": "TAIL", "FUNDING_MIN_NAIRA": "2000000"},
            [
                "CODE_KEY must have at least 32 bytes.",
                "FUNDING_MIN_NAIRA must not be above FUNDING_MAX_NAIRA.",
                "TOKEN_KEY must have at least 32 bytes.",
            ],
        ),
        (
            {"PORT": "TAIL", "APP_ENV": "production", "TOKEN_KEY": "TAIL", "SMTP_URL": "TAIL"},
            [
                "PORT must be a whole number.",
                "Production needs a CODE_KEY of its own.",
                "Production needs a FIXTURE_FEED_KEY of its own.",
                "Production needs a PROFILE_KEY of its own.",
                "Production needs an https PUBLIC_URL.",
                "Production refuses the sandbox as PAYMENT_GATEWAY.",
                "SMTP_URL must be an address like smtp://user:password@host:port.",
                "TOKEN_KEY must have at least 32 bytes.",
            ],
        ),
        (
            {"APP_ENV": "production", "SMTP_URL": "smtp://TAIL"},
            [
                "Production needs a CODE_KEY of its own.",
                "Production needs a FIXTURE_FEED_KEY of its own.",
                "Production needs a PROFILE_KEY of its own.",
                "Production needs a TOKEN_KEY of its own.",
                "Production needs an https PUBLIC_URL.",
                "Production refuses the sandbox as PAYMENT_GATEWAY.",
            ],
        ),
    ],
)
def test_a_server_with_bad_settings_says_what_is_wrong_with_each_and_nothing_more(
    tmp_path: Path, changes: dict[str, str], sentences: list[str]
) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    for module in ("api.foundation.server", "api.console"):
        ended = run(
            [sys.executable, "-m", module, *(["reseal-profiles"] if "console" in module else [])],
            env=environment | changes,
            cwd=tmp_path,
            timeout=60,
        )

        assert ended.returncode == 2
        assert ended.stdout == ""
        assert sorted(ended.stderr.splitlines()) == [f"king-of-fans: {said}" for said in sentences]


def test_a_blank_bucket_means_the_folder() -> None:
    settings = Settings(**{**PRODUCTION, "s3_bucket": "", "s3_endpoint_url": ""})

    assert settings.s3_bucket is None
    assert settings.s3_endpoint_url is None


DATABASE_SENTENCE = "DATABASE_URL must be an address like postgresql+asyncpg://user@host/database"
PAGE_SENTENCE = "must be an address like https://fans.example"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("app_env", "live", "APP_ENV must be 'development', 'test' or 'production'"),
        ("port", "70000", "PORT must be at most 65535"),
        ("workers", "65", "WORKERS must be at most 64"),
        ("workers", "2", "Several WORKERS need VALKEY_URL: it joins their sockets"),
        ("log_level", "loud", "LOG_LEVEL must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("public_url", "fans.example", f"PUBLIC_URL {PAGE_SENTENCE}"),
        ("public_url", "https://", f"PUBLIC_URL {PAGE_SENTENCE}"),
        ("public_url", "https://fans.example:TAIL", f"PUBLIC_URL {PAGE_SENTENCE}"),
        (
            "trusted_proxies",
            "TAIL",
            "TRUSTED_PROXIES must hold addresses or networks like 10.1.0.0/16",
        ),
        (
            "metrics_addresses",
            "0.0.0.0/0",
            "METRICS_ADDRESSES must not hold a network of everybody",
        ),
        ("metrics_key", "TAIL", "METRICS_KEY must have at least 32 bytes"),
        ("database_url", "mysql://TAIL:TAIL@host/fans", DATABASE_SENTENCE),
        ("database_url", "postgresql+psycopg://TAIL:TAIL@host/fans", DATABASE_SENTENCE),
        ("database_url", "TAIL", DATABASE_SENTENCE),
        ("database_direct_url", "TAIL", f"DATABASE_DIRECT_{DATABASE_SENTENCE.partition('_')[2]}"),
        ("database_pool_size", "7", "DATABASE_POOL_SIZE must be at least 8"),
        ("valkey_url", "TAIL", "VALKEY_URL must be an address like valkey://host:6379/0"),
        ("valkey_url", "http://TAIL", "VALKEY_URL must be an address like valkey://host:6379/0"),
        ("stop_notice_seconds", "soon", "STOP_NOTICE_SECONDS must be a number"),
        (
            "smtp_url",
            "http://TAIL",
            "SMTP_URL must be an address like smtp://user:password@host:port",
        ),
        ("smtp_url", "smtp://", "SMTP_URL must be an address like smtp://user:password@host:port"),
        ("mail_from", "zzz", "MAIL_FROM must be an address like King of Fans <no-reply@host>"),
        ("mail_from", "King <>", "MAIL_FROM must be an address like King of Fans <no-reply@host>"),
        ("profile_key", "TAIL", "PROFILE_KEY must have at least 32 bytes"),
        ("profile_key_before", "TAIL", "PROFILE_KEY_BEFORE must have at least 32 bytes"),
        ("session_idle_hours", "0", "SESSION_IDLE_HOURS must be at least 1"),
        ("s3_endpoint_url", "http://store.example", "S3_ENDPOINT_URL needs an S3_BUCKET"),
        ("s3_endpoint_url", "TAIL", f"S3_ENDPOINT_URL {PAGE_SENTENCE}"),
        (
            "payment_gateway",
            "TAIL",
            "PAYMENT_GATEWAY must be 'sandbox', 'paystack', 'flutterwave' or 'flutterwave-sandbox'",
        ),
        (
            "payment_gateways",
            "paystack, TAIL",
            "PAYMENT_GATEWAYS must be 'sandbox', 'paystack', 'flutterwave' or "
            "'flutterwave-sandbox'",
        ),
        (
            "payment_gateways",
            "paystack,flutterwave-sandbox",
            "Production refuses the flutterwave-sandbox as PAYMENT_GATEWAY",
        ),
        (
            "payment_gateways",
            "paystack,paystack",
            "PAYMENT_GATEWAYS must name each provider once",
        ),
        (
            "paystack_secret_key",
            "TAIL_4f0c2b9a7d1e8f6035c4ab92de7",
            "Production needs a live PAYSTACK_SECRET_KEY",
        ),
        ("paystack_base_url", "TAIL", f"PAYSTACK_BASE_URL {PAGE_SENTENCE}"),
        ("funding_min_naira", "1000001", "FUNDING_MIN_NAIRA must not be above FUNDING_MAX_NAIRA"),
        (
            "funding_daily_max_naira",
            "999999",
            "FUNDING_DAILY_MAX_NAIRA must not be below FUNDING_MAX_NAIRA",
        ),
        ("trivia_questions_per_day", "21", "TRIVIA_QUESTIONS_PER_DAY must be at most 20"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_in_one_sentence(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(ValidationError) as refusal:
        Settings(**{**PRODUCTION, name: value})

    assert describe_refusal(refusal.value) == [f"{sentence}."]
    assert "TAIL" not in str(refusal.value)


FLUTTERWAVE = {
    **PRODUCTION,
    "payment_gateways": "flutterwave",
    "flw_secret_key": "FLWSECK-4f0c2b9a7d1e8f6035c4ab92-X",
    "flw_webhook_hash": "Zu8KqLw3VtXe6RbNc1MyPfHs9DgJa5Ti",
}


def test_production_takes_flutterwave_alone() -> None:
    settings = Settings(**{**FLUTTERWAVE, "paystack_secret_key": "unused"})

    assert settings.gateways == (PaymentGatewayName.FLUTTERWAVE,)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "flw_secret_key",
            "FLWSECK_TEST-4f0c2b9a7d1e8f6035c4ab92-X",
            "Production needs a live FLW_SECRET_KEY.",
        ),
        (
            "flw_webhook_hash",
            DEVELOPMENT_FLW_HASH,
            "Production needs a FLW_WEBHOOK_HASH of its own.",
        ),
        (
            "flw_webhook_hash",
            "Zu8KqLw3VtXe6RbNc1MyPfHs9DgJa5T",
            "FLW_WEBHOOK_HASH must have at least 32 bytes.",
        ),
        (
            "flw_webhook_hash",
            "hash" * 8,
            "Production needs a random FLW_WEBHOOK_HASH: this one is a pattern.",
        ),
        ("flw_secret_key", "FLWSECK-short-X", "FLW_SECRET_KEY must have at least 32 bytes."),
        (
            "flw_base_url",
            "https://flutterwave.example",
            "Production speaks to https://api.flutterwave.com only.",
        ),
    ],
)
def test_production_wants_flutterwaves_live_key_and_own_address(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(ValidationError) as refusal:
        Settings(**{**FLUTTERWAVE, name: value})

    assert describe_refusal(refusal.value) == [sentence]


def test_a_database_is_found_by_the_address_that_its_own_tools_take() -> None:
    settings = Settings(**{**PRODUCTION, "database_url": "postgresql://app:p%40ss@host/fans"})

    assert settings.database_url == "postgresql+asyncpg://app:p%40ss@host/fans"
