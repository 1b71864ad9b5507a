from typing import Annotated

from pydantic import Field, StringConstraints

from api.foundation.wire.schemas import SafeText, WireInput, WireModel

VERSION_EXAMPLE = "1.0"


class LegalState(WireModel):
    """The version that the member accepted last, or null, and the current one.

    With ``mustAccept`` the app asks for the current one before it goes on; otherwise a member who
    has not accepted it is only told.
    """

    accepted: Annotated[str | None, Field(examples=[VERSION_EXAMPLE])]
    current: str = Field(examples=[VERSION_EXAMPLE])
    must_accept: bool


class AcceptInput(WireInput):
    """The version that the member has read; only the current one can be accepted."""

    version: Annotated[SafeText, StringConstraints(min_length=1, max_length=20)] = Field(
        examples=[VERSION_EXAMPLE]
    )
