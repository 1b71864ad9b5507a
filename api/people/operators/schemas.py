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
    """An operator's credentials, with a code from the authenticator app."""

    email: Email = Field(examples=["ops@example.com"])
    password: Annotated[str, StringConstraints(max_length=MAX_INPUT_LENGTH)] = Field(
        examples=["Terrace-2026"]
    )
    code: Entered = Field(examples=["123456"])


class FreshInput(WireInput):
    """A current code from the authenticator app."""

    code: Entered = Field(examples=["123456"])


class OperatorMe(WireModel):
    """The signed-in operator, and when the session ends."""

    id: UUID
    user_id: UUID
    name: str
    roles: list[Role]
    rights: list[Right]
    idle_ends_at: Instant
    ends_at: Instant
    fresh_until: Instant


class AdminSignInAnswer(WireModel):
    """A back-office session."""

    token: str
    me: OperatorMe


class OperatorAnswer(WireModel):
    """An operator; ``canSignIn`` is false if disabled, suspended or without a phone set up."""

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
    """A member to make an operator."""

    email: Email
    roles: Roles
    reason: Reason


class OperatorChange(WireInput):
    """New roles, or whether the operator is disabled: exactly one of the two."""

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
    """The proposal a second person approves: a member becomes an operator."""

    user_id: Id
    email: Email
    roles: Roles


class EnabledOperator(WireInput):
    """The proposal a second person approves: a disabled operator is enabled with the same roles."""

    operator_id: Id
    version: Annotated[int, Field(ge=1)]


class NewRoles(WireInput):
    """The proposal a second person approves: an operator gets other roles."""

    operator_id: Id
    version: Annotated[int, Field(ge=1)]
    roles: Roles
