"""Wire schemas of signing up and in (spec 3, 5, 7; contract 2)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, Strict, StringConstraints

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
from api.people.auth.enums import CodeChannel
from api.people.clubs.schemas import ClubAnswer
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

Channel = Annotated[
    CodeChannel,
    Strict(False),  # as text
    Field(description="How the code is sent, by default by email; 422 if it is not enabled"),
]


class SignUpInput(WireInput):
    """A sign-up; ``username`` is the email again and may be omitted."""

    first_name: FirstName = Field(examples=["Ada Grace"])
    last_name: LastName = Field(examples=["Obi"])
    email: Email = Field(examples=["ada@example.com"])
    username: Annotated[SafeText, StringConstraints(max_length=MAX_EMAIL_LENGTH)] | None = None
    phone: Phone = Field(examples=["08031234567"])
    password: Password = Field(examples=["Terrace-2026"])
    club: Id
    tnc: Annotated[bool, AfterValidator(rules.accept_terms)]
    channel: Channel | None = None
    invite: Annotated[
        str | None,
        BeforeValidator(rules.read_invite),
        Field(description="The code of an invite; an invalid one is ignored"),
    ] = None
    claim: Annotated[
        str | None,
        BeforeValidator(rules.read_claim),
        Field(description="The claim of a right public answer; an invalid one is ignored"),
    ] = None


class SignUpAnswer(WireModel):
    """A pending sign-up; ``id`` becomes the account's id on activation.

    ``retryAfter`` is 0 if the code was sent, else the seconds until it can be requested, because
    another sign-up's code was just sent to the email.
    """

    id: UUID
    retry_after: int = Field(examples=[0])


class PendingSignUp(WireModel):
    """What the activation page shows of a sign-up, and the enabled channels.

    Of the phone, only the last digits are shown.
    """

    email: str = Field(examples=["ada@example.com"])
    phone: str = Field(examples=["•••• 4567"])
    channel: CodeChannel
    channels: list[CodeChannel]
    club: ClubAnswer


class SignUpOptions(WireModel):
    """What the form offers: how codes can be sent."""

    channels: list[CodeChannel]


class EmailInput(WireInput):
    """The corrected email of a sign-up."""

    email: Email = Field(examples=["ada@example.com"])


class ActivationAnswer(WireModel):
    """The activated account, and the points that its claim has just earned."""

    id: UUID
    points: int


class CodeInput(WireInput):
    """The entered code, for the sign-up in the path or the body."""

    code: EnteredCode = Field(examples=["042137"])


class UserCodeInput(CodeInput):
    """A code and its sign-up."""

    user_id: ExistingId


class ResendInput(WireInput):
    """A sign-up, and how its code is sent; ``phone`` corrects its number, for SMS."""

    user_id: ExistingId
    channel: Channel | None = None
    phone: Phone | None = None


class RetryAnswer(WireModel):
    """Seconds until another code may be requested."""

    retry_after: int = Field(examples=[60])


class SignInInput(WireInput):
    """A sign-in; ``username`` is an email."""

    username: Username = Field(examples=["ada@example.com"])
    password: EnteredPassword = Field(examples=["Terrace-2026"])


class SignInAnswer(WireModel):
    """The signed-in member, and a token that is valid for at most seven days."""

    user: SessionUser
    access_token: Annotated[str, Field(alias="access_token")]  # spec 3: snake_case


class SessionAnswer(WireModel):
    """A session of the member."""

    id: UUID
    device: str = Field(examples=["Chrome on Android"])
    started_at: Instant
    last_seen_at: Instant
    current: bool


class RevokeInput(WireInput):
    """The member's own id; may be omitted."""

    user_id: ExistingId | None = None


class RevokeAnswer(WireModel):
    """How many other sessions have ended."""

    revoked: int = Field(examples=[2])


class ForgotInput(WireInput):
    """The email of the account whose password is forgotten."""

    email: Email


class ForgotAnswer(WireModel):
    """The id to send with the code; it does not reveal whether the email has an account."""

    user_id: UUID


class ResetInput(WireInput):
    """A mailed code and the new password; ``userId`` is the id that ``forgot`` returned."""

    user_id: ExistingId
    code: EnteredCode
    password: Password
