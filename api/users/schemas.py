"""Wire shapes of the member record."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.core.wire import WireModel
from api.users.enums import Gender

CLUB_COLOURS = ["#0A4DA2", "#FFFFFF"]


class SessionUser(WireModel):
    """The user object a sign-in returns; the browser keeps it (spec 3)."""

    id: UUID
    first_name: str = Field(examples=["Ada Grace"])
    last_name: str = Field(examples=["Obi"])
    email: str = Field(examples=["ada@example.com"])
    phone: str = Field(examples=["+2348031234567"])
    club: UUID
    club_name: str = Field(examples=["Enyimba"])
    emblem: str
    club_colours: tuple[str, str] = Field(examples=[CLUB_COLOURS])
    avatar: str | None
    badge: str = Field(examples=["rookie"])
    subscription_id: UUID | None


class Profile(SessionUser):
    """The member's own record (spec 3)."""

    gender: Gender | None
    date_of_birth: Annotated[date | None, Field(examples=["1999-05-14"])]
