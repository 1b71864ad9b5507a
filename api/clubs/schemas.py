"""Wire shapes of the clubs."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.http.wire import WireModel


class ClubAnswer(WireModel):
    """One club of the sign-up list (spec 3; emblem and colours are ours)."""

    id: UUID
    name: str = Field(examples=["Enyimba"])
    cc_name: Annotated[str | None, Field(alias="cc_name", examples=["NPFL"])]  # spec 3: snake_case
    emblem: str = Field(description="Address of the crest", examples=["/media/crests/0190b5c2.svg"])
    colours: tuple[str, str] = Field(examples=[["#0A4DA2", "#FFFFFF"]])
