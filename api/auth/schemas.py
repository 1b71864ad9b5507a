"""Wire shapes of signing up and in (spec 3, 5, 7; contract 2)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from api.auth import rules
from api.core.wire import Id, Instant, OpaqueId, SafeText, WireInput, WireModel
from api.users.schemas import FirstName, LastName, Phone, SessionUser

Email = Annotated[SafeText, AfterValidator(rules.check_email)]
Password = Annotated[str, AfterValidator(rules.check_password)]
EnteredCode = Annotated[SafeText, StringConstraints(max_length=16)]


class SignUpInput(WireInput):
    """A sign-up; ``username`` is the e-mail again and may be left out."""

    first_name: FirstName = Field(examples=["Ada Grace"])
    last_name: LastName = Field(examples=["Obi"])
    email: Email = Field(examples=["ada@example.com"])
    username: SafeText | None = None
    phone: Phone = Field(examples=["08031234567"])
    password: Password = Field(examples=["Terrace-2026"])
    club: Id
    tnc: Annotated[bool, AfterValidator(rules.accept_terms)]


class SignUpAnswer(WireModel):
    """The account that waits for its code."""

    id: UUID


class CodeInput(WireInput):
    """The code a person typed, for the account the route or the form names."""

    code: EnteredCode = Field(examples=["042137"])


class UserCodeInput(CodeInput):
    """A code with the account it is for."""

    user_id: OpaqueId


class UserInput(WireInput):
    """An account."""

    user_id: OpaqueId


class RetryAnswer(WireModel):
    """Seconds until another code may be asked for."""

    retry_after: int = Field(examples=[60])


class SignInInput(WireInput):
    """A sign-in; ``username`` is an e-mail."""

    username: SafeText = Field(examples=["ada@example.com"], max_length=254)
    password: Annotated[str, StringConstraints(max_length=1024)] = Field(examples=["Terrace-2026"])


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

    user_id: OpaqueId | None = None


class RevokeAnswer(WireModel):
    """How many other sessions have ended."""

    revoked: int = Field(examples=[2])


class ForgotInput(WireInput):
    """The e-mail whose password is forgotten."""

    email: Email


class ForgotAnswer(WireModel):
    """The account to reset; a made-up one when nobody has the e-mail."""

    user_id: UUID


class ResetInput(WireInput):
    """A mailed code and the password to take from now on."""

    user_id: OpaqueId
    code: EnteredCode
    password: Password
