"""Wire schemas of signing up and in (spec 3, 5, 7; contract 2)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from api.foundation.wire.emails import MAX_EMAIL_LENGTH
from api.foundation.wire.schemas import (
    Email,
    ExistingId,
    Id,
    Instant,
    SafeText,
    WireInput,
    WireModel,
)
from api.people.auth import rules
from api.people.users.schemas import FirstName, LastName, Phone, SessionUser

Password = Annotated[str, AfterValidator(rules.check_password)]
EnteredCode = Annotated[
    SafeText,
    AfterValidator(rules.check_code),
    Field(json_schema_extra={"maxLength": rules.MAX_CODE_INPUT_LENGTH}),
]
Username = Annotated[
    SafeText,
    AfterValidator(rules.check_username),
    Field(json_schema_extra={"maxLength": MAX_EMAIL_LENGTH}),
]
EnteredPassword = Annotated[
    str,
    AfterValidator(rules.check_entered_password),
    Field(json_schema_extra={"maxLength": rules.MAX_PASSWORD_INPUT_LENGTH}),
]


class SignUpInput(WireInput):
    """A sign-up; ``username`` is the e-mail again and may be left out."""

    first_name: FirstName = Field(examples=["Ada Grace"])
    last_name: LastName = Field(examples=["Obi"])
    email: Email = Field(examples=["ada@example.com"])
    username: Annotated[SafeText, StringConstraints(max_length=MAX_EMAIL_LENGTH)] | None = None
    phone: Phone = Field(examples=["08031234567"])
    password: Password = Field(examples=["Terrace-2026"])
    club: Id
    tnc: Annotated[bool, AfterValidator(rules.accept_terms)]
    invite: Annotated[
        str | None,
        BeforeValidator(rules.read_invite),
        Field(description="The code of an invite; one that is none is ignored"),
    ] = None


class SignUpAnswer(WireModel):
    """The sign-up that waits for its code, and the account's id once it is activated.

    ``retry_after`` is 0 when the code was sent; else the seconds until it can be asked for,
    because the e-mail has just been sent another sign-up's.
    """

    id: UUID
    retry_after: int = Field(examples=[0])


class ActivationAnswer(WireModel):
    """The account that is a member's now."""

    id: UUID


class CodeInput(WireInput):
    """The code a person typed, for the sign-up the route or the form names."""

    code: EnteredCode = Field(examples=["042137"])


class UserCodeInput(CodeInput):
    """A code with the sign-up it is for."""

    user_id: ExistingId


class UserInput(WireInput):
    """A sign-up."""

    user_id: ExistingId


class RetryAnswer(WireModel):
    """Seconds until another code may be asked for."""

    retry_after: int = Field(examples=[60])


class SignInInput(WireInput):
    """A sign-in; ``username`` is an e-mail."""

    username: Username = Field(examples=["ada@example.com"])
    password: EnteredPassword = Field(examples=["Terrace-2026"])


class SignInAnswer(WireModel):
    """Who signed in, and the token that says so for seven days."""

    user: SessionUser
    access_token: Annotated[str, Field(alias="access_token")]  # spec 3: snake_case


class SessionAnswer(WireModel):
    """One place the member is signed in at."""

    id: UUID
    device: str = Field(examples=["Chrome on Android"])
    started_at: Instant
    last_seen_at: Instant
    current: bool


class RevokeInput(WireInput):
    """Who signs out everywhere else; may be left out."""

    user_id: ExistingId | None = None


class RevokeAnswer(WireModel):
    """How many other sessions have ended."""

    revoked: int = Field(examples=[2])


class ForgotInput(WireInput):
    """The e-mail whose password is forgotten."""

    email: Email


class ForgotAnswer(WireModel):
    """What the code is entered with; it tells nothing of who has the e-mail, or whether anybody."""

    user_id: UUID


class ResetInput(WireInput):
    """A mailed code and the password to take from now on; ``user_id`` is what forgot answered."""

    user_id: ExistingId
    code: EnteredCode
    password: Password
