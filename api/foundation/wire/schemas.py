"""Wire types: strict input that the database can store, camelCase names, the envelope."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeAlias, TypeVar
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    Strict,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel
from pydantic_core import core_schema

from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.core.ids import parse_id
from api.foundation.core.money import (
    KOBO_PER_NAIRA,
    LARGEST_KOBO,
    Kobo,
    format_naira,
    kobo_from_naira,
    naira_from_kobo,
)
from api.foundation.wire.emails import MAX_EMAIL_LENGTH, canonical_email
from api.foundation.wire.sentences import NO_ID, sentence_for
from api.foundation.wire.visible import can_be_read

DataT = TypeVar("DataT")
Content: TypeAlias = dict[str, Any]
"""The content of a response or event, already as JSON."""

MAX_NAME_LENGTH = 100
FIRST_YEAR, LAST_YEAR = 2000, 2999  # of requested days
LAST_YEAR_OF_MOMENTS = 2100
NO_INSTANT = "A moment is written as 2027-01-01T00:00:00Z"
WRITTEN_DAY = re.compile(r"\d{4}-\d\d-\d\d[Tt ]")  # pydantic reads numeric strings as Unix time


def clean_text(text: str) -> str:
    """Return ``text`` in NFC form without surrounding space.

    Raises:
        ValueError: it contains a NUL, another control character or a lone surrogate.
    """
    for character in text:
        category = unicodedata.category(character)
        if category == "Cs" or (category == "Cc" and character not in "\n\t\r"):
            raise ValueError("The text has characters that cannot be stored")
    return unicodedata.normalize("NFC", text).strip()


def _read_uuid(value: object) -> object:
    if isinstance(value, UUID):
        return value
    found = parse_id(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(NO_ID)
    return found


@dataclass(frozen=True)
class Existing:
    """Marks a UUID that identifies a record: a malformed id is not found, like an unknown one.

    ``error`` is raised in that case.
    """

    error: type[NotFoundError] = NotFoundError

    def read(self, value: object) -> object:
        """Return the UUID written as ``value``.

        Raises:
            NotFoundError: it is text, but cannot be an id.
            ValueError: it is not text.
        """
        if isinstance(value, str) and parse_id(value) is None:
            raise self.error
        return _read_uuid(value)

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Parse before type validation, in strict mode or not."""
        return core_schema.no_info_before_validator_function(
            self.read, core_schema.is_instance_schema(UUID)
        )

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, str]:
        """Describe a UUID."""
        return {"type": "string", "format": "uuid"}


def _read_existing_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        name = clean_text(value)
    except ValueError:
        raise NotFoundError from None
    if len(name) > MAX_NAME_LENGTH:
        raise NotFoundError
    return name


def _read_kobo(value: object) -> Kobo:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("The amount must be a number")  # noqa: TRY004 pydantic reads ValueError
    return kobo_from_naira(Decimal(value))


def check_visible(name: str) -> str:
    """Return a name that is one line of visible characters.

    Raises:
        ValueError: it has others, such as characters that change the text direction.
    """
    if not name.isprintable() or (name and not can_be_read(name)):
        raise ValueError("a name is one line, without characters that do not show")
    return name


SafeText = Annotated[str, Strict(), AfterValidator(clean_text)]
Email = Annotated[
    SafeText,
    AfterValidator(canonical_email),
    Field(json_schema_extra={"maxLength": MAX_EMAIL_LENGTH}),
]
"""An email in canonical form, the only form that is stored and compared."""

ShownName = Annotated[SafeText, AfterValidator(check_visible)]
"""A name that operators enter and members see."""

ShortText = Annotated[SafeText, StringConstraints(max_length=100)]
SearchText = Annotated[SafeText, StringConstraints(min_length=1, max_length=100)]
"""A search text; whitespace alone is invalid."""

Id = Annotated[UUID, BeforeValidator(_read_uuid), Field(strict=False)]
"""An id in a payload; a malformed one is an invalid field."""

ExistingId = Annotated[UUID, Existing()]
"""The id of an existing record; a malformed id is not found, like an unknown one.

It is parsed, so different spellings of one id are equal.
"""

ExistingName = Annotated[str, BeforeValidator(_read_existing_name), Strict()]
"""A name or reference to look up; an invalid one is not found."""

NairaInput = Annotated[
    int,
    BeforeValidator(_read_kobo),
    WithJsonSchema({"type": "number", "multipleOf": 0.01, "description": "naira"}),
]
"""A naira number on the wire, kobo in Python."""


def _read_kept(value: object) -> object:
    """Convert naira, stored as JSON or being sent, to the wire's numbers."""
    return Decimal(str(value)) if isinstance(value, float) else value


def _keep(kobo: int | None) -> int | float | None:
    if kobo is None:
        return None
    naira, rest = divmod(kobo, KOBO_PER_NAIRA)
    return naira_from_kobo(kobo) if rest else naira


READ_KEPT_NAIRA, KEEP_NAIRA = BeforeValidator(_read_kept), PlainSerializer(_keep, when_used="json")
"""For amounts of proposals, which are stored as JSON, also in naira."""


def _check_range(amount_kobo: int) -> int:
    if not 0 <= amount_kobo <= LARGEST_KOBO:
        raise ValueError(f"An amount must be between ₦0 and {format_naira(LARGEST_KOBO)}")
    return amount_kobo


def _check_more_than_nothing(amount_kobo: int) -> int:
    if not 1 <= amount_kobo <= LARGEST_KOBO:
        raise ValueError(f"An amount must be between ₦0.01 and {format_naira(LARGEST_KOBO)}")
    return amount_kobo


NairaOrNothing = Annotated[NairaInput, AfterValidator(_check_range)]
"""A naira number that may be 0; errors state its limits in naira."""


def read_naira_amount(value: object) -> int:
    """Read a naira number above 0 in kobo, for a field that takes something else as well.

    A union of types would name its types in the place of an error.

    Raises:
        ValueError: it is none.
    """
    return _check_more_than_nothing(_read_kobo(value))


NairaAmount = Annotated[NairaInput, AfterValidator(_check_more_than_nothing)]
"""A naira number above 0."""

Naira = Annotated[
    int,
    PlainSerializer(naira_from_kobo, return_type=float),
    WithJsonSchema({"type": "number", "description": "naira"}),
]
"""Kobo in Python, a naira number on the wire."""


def _check_day(day: date) -> date:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"Please name a day of the years {FIRST_YEAR} to {LAST_YEAR}")
    return day


LagosDay = Annotated[date, AfterValidator(_check_day)]
"""A requested day, limited so that nearby days can be computed."""


def _read_moment(value: object) -> object:
    if isinstance(value, datetime):  # from a file format with datetimes
        return value
    if not isinstance(value, str) or WRITTEN_DAY.match(value) is None:
        raise ValueError(NO_INSTANT)
    return value


def _check_moment(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR_OF_MOMENTS:
        raise ValueError(
            f"Please name a moment of the years {FIRST_YEAR} to {LAST_YEAR_OF_MOMENTS}"
        )
    return moment.astimezone(UTC)


Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_read_moment),
    AfterValidator(_check_moment),
    Field(strict=False, examples=["2027-01-01T00:00:00Z"]),
]
"""An instant in a payload, as text with a UTC offset, limited so that it can be computed with."""


def _check_later(moment: datetime) -> datetime:
    if moment <= clock.now():
        raise ValueError("Choose a moment that is still to come")
    return moment


LaterMoment = Annotated[Moment, AfterValidator(_check_later)]
"""An instant in the future."""

Instant = Annotated[AwareDatetime, PlainSerializer(lambda moment: _iso(moment), return_type=str)]


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class WireModel(BaseModel):
    """Base of responses: camelCase on the wire, every field always present."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", serialize_by_alias=True
    )


class WireInput(WireModel):
    """Base of payloads: strict types, unknown fields rejected."""

    model_config = ConfigDict(strict=True, hide_input_in_errors=True)


class Envelope(BaseModel, Generic[DataT]):
    """The envelope of a successful response; ``status`` equals the HTTP status."""

    status: int
    message: str
    data: DataT


class ErrorDetail(WireModel):
    """The part of an envelope that only errors have."""

    code: str = Field(examples=["validation_failed"])
    fields: dict[str, str] = Field(examples=[{"email": "Invalid email input"}])
    request_id: str = Field(examples=["0b5c2c1e9d7f4a61"])


class Refusal(BaseModel):
    """The envelope of an error; ``data`` is null unless the error documents a shape."""

    status: int
    message: str
    data: Any = None
    error: ErrorDetail


def ok(content: DataT, message: str = "OK") -> Envelope[DataT]:
    """Wrap ``content`` in a 200 response."""
    return Envelope(status=200, message=message, data=content)


def created(content: DataT, message: str) -> Envelope[DataT]:
    """Wrap ``content`` in a 201 response."""
    return Envelope(status=201, message=message, data=content)


def accepted(message: str) -> Envelope[None]:
    """Return the 202 response to a request whose outcome must stay unknown to the caller."""
    return Envelope(status=202, message=message, data=None)


def field_errors(problems: Sequence[Any], *, from_part: int = 0) -> tuple[str, dict[str, str]]:
    """Return the first message of a validation error, and one message per field.

    ``from_part`` skips leading parts of the framework's field path, such as ``body``.
    """
    fields: dict[str, str] = {}
    for problem in problems:
        location = problem["loc"]
        name = ".".join(str(part) for part in location[from_part:] or location)
        fields.setdefault(name, sentence_for(problem["type"], problem.get("ctx", {})))
    return next(iter(fields.values()), "The request is not valid."), fields
