from typing import Any

from pydantic import Field

from api.foundation.wire.schemas import Instant, WireInput, WireModel
from api.people.auth.schemas import EnteredPassword
from api.people.users.schemas import Profile


class ExportAnswer(WireModel):
    """All data held about a member: the profile in clear text, the files, and each table's rows."""

    exported_at: Instant
    profile: Profile
    media: list[str] = Field(examples=[["/media/avatars/5f2c9d0e8b7a46135f2c9d0e8b7a4613.webp"]])
    records: dict[str, list[dict[str, Any]]]


class EraseInput(WireInput):
    """A confirmed account deletion; ``forfeitBalance`` gives up the wallet's balance."""

    password: EnteredPassword = Field(examples=["Terrace-2026"])
    forfeit_balance: bool = False
