from datetime import date
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from api.foundation.wire.results import OperatorName
from api.foundation.wire.schemas import ExistingId, Instant, SafeText, WireInput, WireModel
from api.people.legal.schemas import LegalState
from api.people.users import rules
from api.people.users.enums import Gender

CLUB_COLOURS = ["#0A4DA2", "#FFFFFF"]


def _read_gender(value: object) -> object:
    if value is None or value == "":
        return None
    try:
        return Gender(str(value))
    except ValueError:
        raise ValueError("Please choose male or female") from None


def _read_date(value: object) -> object:
    if value is None or value == "":
        return None
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise ValueError(rules.NOT_A_BIRTHDAY) from None


def _read_blank(value: object) -> object:
    return "" if value is None else value


def _normalise_when_given(phone: str) -> str:
    return rules.normalise_phone(phone) if phone else ""


Phone = Annotated[
    SafeText, AfterValidator(rules.require("Phone")), AfterValidator(rules.normalise_phone)
]

FirstName = Annotated[
    SafeText,
    AfterValidator(rules.require("First name")),
    AfterValidator(rules.plain("First name")),
    AfterValidator(rules.limit("First name", rules.MAX_NAME_LENGTH)),
    Field(json_schema_extra={"maxLength": rules.MAX_NAME_LENGTH}),
]
LastName = Annotated[
    SafeText,
    AfterValidator(rules.require("Last name")),
    AfterValidator(rules.plain("Last name")),
    AfterValidator(rules.limit("Last name", rules.MAX_NAME_LENGTH)),
    Field(json_schema_extra={"maxLength": rules.MAX_NAME_LENGTH}),
]
OptionalText = Annotated[SafeText, BeforeValidator(_read_blank)]
OtherName = Annotated[
    OptionalText,
    AfterValidator(rules.plain("The name")),
    AfterValidator(rules.limit("The name", rules.MAX_OTHER_NAME_LENGTH)),
    Field(json_schema_extra={"maxLength": rules.MAX_OTHER_NAME_LENGTH}),
]
Address = Annotated[
    OptionalText,
    AfterValidator(rules.plain("The address")),
    AfterValidator(rules.limit("The address", rules.MAX_ADDRESS_LENGTH)),
    Field(json_schema_extra={"maxLength": rules.MAX_ADDRESS_LENGTH}),
]
OptionalPhone = Annotated[
    SafeText, BeforeValidator(_read_blank), AfterValidator(_normalise_when_given)
]


class SessionUser(WireModel):
    """The user object a sign-in returns, which the browser stores (spec 3)."""

    id: UUID
    first_name: str = Field(examples=["Ada Grace"])
    last_name: str = Field(examples=["Obi"])
    email: str = Field(examples=["ada@example.com"])
    phone: str = Field(examples=["+2348031234567"])
    club: UUID
    club_name: str = Field(examples=["Enyimba"])
    emblem: str
    club_colours: tuple[str, str] = Field(examples=[CLUB_COLOURS])
    avatar: str | None
    badge: str = Field(examples=["rookie"])
    subscription_id: UUID | None


class SettlementDetails(WireModel):
    """The bank account for winnings; fields that were not provided are empty.

    ``bankName`` is the account holder's name, as labelled in spec 3.
    """

    bank_code: str = Field("", examples=["058"])
    bank_name: str = Field("", examples=["Ada Grace Obi"])
    account_number: str = Field("", examples=["0123456789"])


class NextOfKinsDetails(WireModel):
    """The next of kin; fields that were not provided are empty."""

    next_of_kins_name: str = Field("", examples=["Chidi Obi"])
    next_of_kins_phone_number: str = Field("", examples=["+2348031234567"])
    next_of_kins_address: str = Field("", examples=["12 Aba Road, Umuahia"])


class Profile(SessionUser):
    """The member's own record (spec 3)."""

    gender: Gender | None
    date_of_birth: Annotated[date | None, Field(examples=["1999-05-14"])]
    settlement_details: SettlementDetails
    next_of_kins_details: NextOfKinsDetails
    legal: LegalState


class ClubPeriod(WireModel):
    """A period in a club; ``by`` is the operator who moved the member, or null if none did."""

    club_id: UUID
    club_name: str = Field(examples=["Enyimba"])
    from_: Annotated[Instant, Field(alias="from")]
    to: Instant | None
    by: OperatorName | None


class ClubMove(WireModel):
    """The member's new club, and all their clubs, the latest first."""

    club_id: UUID
    history: list[ClubPeriod]


class BankAnswer(WireModel):
    """A supported bank."""

    code: str = Field(examples=["058"])
    name: str = Field(examples=["Guaranty Trust Bank"])


class SettlementInput(WireInput):
    """The bank account as the form sends it."""

    model_config = ConfigDict(extra="ignore")

    bank_code: Annotated[OptionalText, AfterValidator(rules.check_bank)] = ""
    bank_name: OtherName = ""
    account_number: Annotated[OptionalText, AfterValidator(rules.check_account_number)] = ""


class NextOfKinsInput(WireInput):
    """The next of kin as the form sends it."""

    model_config = ConfigDict(extra="ignore")

    next_of_kins_name: OtherName = ""
    next_of_kins_phone_number: OptionalPhone = ""
    next_of_kins_address: Address = ""


class ProfileInput(WireInput):
    """Fields of the record that a member may change (contract B-24); omitted fields stay.

    The form sends the whole record back, so other fields, such as email, club, badge and points,
    are ignored.
    """

    model_config = ConfigDict(extra="ignore")

    id: ExistingId | None = None
    first_name: FirstName | None = None
    last_name: LastName | None = None
    phone: Phone | None = None
    gender: Annotated[Gender | None, BeforeValidator(_read_gender)] = None
    date_of_birth: Annotated[date | None, BeforeValidator(_read_date)] = None
    settlement_details: SettlementInput | None = None
    next_of_kins_details: NextOfKinsInput | None = None


UPDATE_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["user"],
                    "properties": {
                        "avatar": {"type": "string", "format": "binary"},
                        "user": {
                            "type": "string",
                            "description": "The profile as JSON; omitted fields stay.",
                            "contentMediaType": "application/json",
                        },
                    },
                }
            }
        },
    }
}
"""The OpenAPI description of the body, which is streamed and not parsed by a model."""
