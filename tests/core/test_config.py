"""Production refuses to start with what only development may have."""

from typing import Any

import pytest
from api.core.config import Settings
from pydantic import ValidationError

PRODUCTION: dict[str, Any] = {
    "app_env": "production",
    "public_url": "https://fans.example",
    "token_key": "t" * 32,
    "code_key": "c" * 32,
    "profile_key": "p" * 32,
    "smtp_url": "smtp://mail",
    "payment_gateway": "paystack",
    "paystack_secret_key": "sk_live_x",
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
        {"paystack_secret_key": "sk_test_x"},
        {"paystack_base_url": "https://evil.example"},
        {"public_url": "http://fans.example"},
    ],
)
def test_a_production_with_a_weak_one_refuses(changes: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Settings(**{**PRODUCTION, **changes})


def test_a_blank_bucket_means_the_folder() -> None:
    settings = Settings(**{**PRODUCTION, "s3_bucket": "", "s3_endpoint_url": ""})

    assert settings.s3_bucket is None
    assert settings.s3_endpoint_url is None
