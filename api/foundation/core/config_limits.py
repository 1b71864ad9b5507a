"""The limits among the settings."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

Hits = Annotated[int, Field(ge=1)]


class LimitSettings(BaseSettings):
    """Limits of networks, for times in ``api/app/factories.py``, and of large chat rooms."""

    limit_signup_free: Annotated[int, Field(ge=0)] = 30
    limit_signin_free: Annotated[int, Field(ge=0)] = 100
    limit_activation: Hits = 300
    limit_reset_mail: Hits = 300
    limit_reset: Hits = 300
    limit_admin_signin: Hits = 300
    limit_lookups: Hits = 300
    limit_client_errors: Hits = 10
    limit_sockets: Hits = 200
    limit_uploads: Annotated[int, Field(ge=1, le=64)] = 16
    chat_messages_per_second: Annotated[int, Field(ge=0, le=1_000)] = 10
    chat_slow_mode: bool = True
