"""The settings of codes by SMS."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

from api.foundation.core.config_addresses import require_web_address

# Development sends its SMS to the sandbox: into files of VAR_DIR/outbox. Production rejects these.
DEMO_TERMII: Mapping[str, str] = {
    "termii_api_key": "development-only-termii-api-key",
    "termii_secret_key": "development-only-termii-secret-key-012345",
    "termii_sender_id": "KingOfFans",
}
CREDENTIALS = ("termii_api_key", "termii_secret_key", "termii_sender_id", "termii_base_url")


class SmsSettings(BaseSettings):
    """The account at Termii; without an API key, codes are sent by mail only."""

    termii_api_key: SecretStr | None = None
    termii_secret_key: SecretStr | None = None
    termii_sender_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9 ]{3,11}$")] | None = None
    termii_base_url: str | None = None
    termii_channel: Literal["dnd", "generic"] = "dnd"
    sms_per_day: Annotated[int, Field(ge=1)] = 5_000

    @field_validator(*CREDENTIALS, mode="before")
    @classmethod
    def _read_blank_credentials(cls, value: object) -> object:
        return None if value == "" else value

    _termii_address = field_validator("termii_base_url")(require_web_address)

    @model_validator(mode="before")
    @classmethod
    def _offer_sms_sandbox(cls, values: dict[str, Any]) -> dict[str, Any]:
        """In development, default to the sandbox."""
        is_development = values.get("app_env", "development") == "development"
        if is_development and "termii_api_key" not in values:
            return {**DEMO_TERMII, **values}
        return values

    @property
    def has_sms(self) -> bool:
        """Whether codes can be sent by SMS."""
        return self.termii_api_key is not None

    @property
    def uses_sms_sandbox(self) -> bool:
        """Whether SMS go to the sandbox instead of Termii."""
        return self.has_sms and self.termii_base_url is None

    def sms_problems(self, *, is_production: bool) -> Iterator[str]:
        """Return what is wrong with these settings together."""
        if not self.has_sms:
            return
        demo = SecretStr(DEMO_TERMII["termii_api_key"])
        is_demo = self.termii_api_key == demo and self.termii_base_url is None
        for name in CREDENTIALS:
            if getattr(self, name) is None and not (is_demo and name == "termii_base_url"):
                yield f"TERMII_API_KEY needs {name.upper()}, too"
        if is_production and self.termii_api_key == demo:
            yield "Production needs a TERMII_API_KEY of its own, or none"
        if is_production and urlsplit(self.termii_base_url or "https:").scheme != "https":
            yield "Production needs an https TERMII_BASE_URL"
