"""Wire shapes of the clubs."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from api.clubs import rules
from api.http.wire import ShownName, WireModel


class ClubAnswer(WireModel):
    """One club of the sign-up list (spec 3; emblem and colours are ours)."""

    id: UUID
    name: str = Field(examples=["Enyimba"])
    cc_name: Annotated[str | None, Field(alias="cc_name", examples=["NPFL"])]  # spec 3: snake_case
    emblem: str = Field(description="Address of the crest", examples=["/media/crests/0190b5c2.svg"])
    colours: tuple[str, str] = Field(examples=[["#0A4DA2", "#FFFFFF"]])


ClubName = Annotated[
    ShownName,
    StringConstraints(strip_whitespace=True, min_length=2, max_length=60),
    AfterValidator(rules.check_name),
]
Colour = Annotated[str, AfterValidator(rules.read_colour)]


class ClubPlan(BaseModel):
    """A club as operators write it: ``competition`` groups it on the list, colours are #RRGGBB."""

    model_config = ConfigDict(extra="forbid")

    name: ClubName
    competition: ClubName | None = None
    colours: tuple[Colour, Colour] = ("#0B4EA2", "#FFFFFF")
