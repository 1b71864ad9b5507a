from typing import Annotated
from uuid import UUID

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    model_validator,
)

from api.foundation.security.rights import Right, Role
from api.foundation.wire.results import Reason
from api.foundation.wire.schemas import (
    Email,
    Id,
    Instant,
    SafeText,
    WireInput,
    WireModel,
)

MAX_INPUT_LENGTH = 1024
Entered = Annotated[SafeText, StringConstraints(max_length=MAX_INPUT_LENGTH)]


def _without_repeats(roles: list[Role]) -> list[Role]:
    return [role for role in Role if role in roles]


Roles = Annotated[
    list[Annotated[Role, Field(strict=False)]],
    Field(min_length=1, max_length=len(Role), examples=[["finance"]]),
    AfterValidator(_without_repeats),
]


class AdminSignInInput(WireInput):
    """Who signs in at the back office; whatever is wrong is answered alike."""

    email: Email = Field(examples=["ops@example.com"])
    password: Annotated[str, StringConstraints(max_length=MAX_INPUT_LENGTH)] = Field(
        examples=["Terrace-2026"]
    )
    code: Entered = Field(examples=["123456"])


class FreshInput(WireInput):
    """A code that the phone shows now."""

    code: Entered = Field(examples=["123456"])


class OperatorMe(WireModel):
    """Who is signed in at the back office, and until when."""

    id: UUID
    user_id: UUID
    name: str
    roles: list[Role]
    rights: list[Right]
    idle_ends_at: Instant
    ends_at: Instant
    fresh_until: Instant


class AdminSignInAnswer(WireModel):
    """A session at the back office."""

    token: str
    me: OperatorMe


class OperatorAnswer(WireModel):
    """An operator; ``canSignIn`` is false until a phone was set up, and while disabled."""

    id: UUID
    user_id: UUID
    name: str
    email: str
    roles: list[Role]
    version: int
    disabled: bool
    can_sign_in: bool
    created_at: Instant


class OperatorInput(WireInput):
    """A member who shall work at the back office."""

    email: Email
    roles: Roles
    reason: Reason


class OperatorChange(WireInput):
    """Other roles, or disabled or not: one of the two."""

    version: Annotated[int, Field(ge=1)]
    roles: Roles | None = None
    disabled: bool | None = None
    reason: Reason

    @model_validator(mode="after")
    def _one_of_the_two(self) -> "OperatorChange":
        if (self.roles is None) == (self.disabled is None):
            raise ValueError("Name the roles, or whether the operator is disabled")
        return self


class NewOperator(WireInput):
    """What a second person agrees to: a member becomes an operator."""

    user_id: Id
    email: Email
    roles: Roles


class EnabledOperator(WireInput):
    """What a second person agrees to: a disabled operator has all rights of the roles again."""

    operator_id: Id
    version: Annotated[int, Field(ge=1)]


class NewRoles(WireInput):
    """What a second person agrees to: an operator has other roles."""

    operator_id: Id
    version: Annotated[int, Field(ge=1)]
    roles: Roles
