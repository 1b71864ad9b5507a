from typing import Annotated, Any
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
)

from api.foundation.wire.schemas import ShownName, WireInput, WireModel
from api.people.clubs import rules


class ClubAnswer(WireModel):
    """A club of the sign-up list (spec 3; emblem and colours are additions)."""

    id: UUID
    name: str = Field(examples=["Enyimba"])
    cc_name: Annotated[str | None, Field(alias="cc_name", examples=["NPFL"])]  # spec 3: snake_case
    emblem: str = Field(description="Path of the crest", examples=["/media/crests/0190b5c2.svg"])
    colours: tuple[str, str] = Field(examples=[["#0A4DA2", "#FFFFFF"]])


ClubName = Annotated[
    ShownName,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=60),
    AfterValidator(rules.check_name),
]
Colour = Annotated[str, AfterValidator(rules.read_colour)]


class ClubPlan(BaseModel):
    """A club from an operator: ``competition`` groups it on the list, colours are #RRGGBB."""

    model_config = ConfigDict(extra="forbid")

    name: ClubName
    competition: ClubName | None = None
    colours: tuple[Colour, Colour] = ("#0B4EA2", "#FFFFFF")


def _read_category(name: object) -> object:
    return None if name == "" else name


Category = Annotated[
    ClubName | None,
    BeforeValidator(_read_category),
    Field(description="Groups the club on the list; empty or null means Others", examples=["NPFL"]),
]
Colours = Annotated[
    list[Colour], Field(min_length=2, max_length=2, examples=[["#0B4EA2", "#FFFFFF"]])
]


class ClubInput(WireInput):
    """A new club."""

    name: ClubName = Field(examples=["Enyimba"])
    cc_name: Category = None
    colours: Colours = Field(default_factory=lambda: ["#0B4EA2", "#FFFFFF"])
    hidden: bool = False


class ClubChange(WireInput):
    """Fields of a club to change; omitted fields keep their values."""

    version: int = Field(ge=1)
    name: ClubName | None = None
    cc_name: Category = None
    colours: Colours | None = None
    hidden: bool | None = None


class ClubRow(WireModel):
    """A club in the back office; ``hasPicture`` is false if its crest is drawn."""

    id: UUID
    name: str = Field(examples=["Enyimba"])
    cc_name: str | None = Field(examples=["NPFL"])
    colours: list[str] = Field(examples=[["#0B4EA2", "#FFFFFF"]])
    hidden: bool
    emblem: str = Field(examples=["/media/crests/0190b5c2.svg"])
    has_picture: bool
    version: int


CREST_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
