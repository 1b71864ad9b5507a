from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from api.foundation.client_errors.enums import ErrorKind
from api.foundation.client_errors.rules import one_line
from api.foundation.wire.schemas import WireInput

# The reporter shortens longer texts; logged texts have no line breaks.
Name = Annotated[str, StringConstraints(min_length=1, max_length=80), AfterValidator(one_line)]
Message = Annotated[str, StringConstraints(max_length=500), AfterValidator(one_line)]
Path = Annotated[
    str, StringConstraints(pattern=r"^/[^?#\s]*$", max_length=200), AfterValidator(one_line)
]
Build = Annotated[str, StringConstraints(pattern=r"^[\w.+-]+$", max_length=40)]


class ClientErrorReport(WireInput):
    """A browser error; ``path`` is the screen's, without query and fragment."""

    kind: ErrorKind = Field(examples=[ErrorKind.SCREEN], strict=False)
    name: Name = Field(examples=["TypeError"])
    message: Message = Field(examples=["Failed to fetch dynamically imported module"])
    path: Path = Field(examples=["/chats"])
    build: Build = Field(examples=["3f2a91c"])
