from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from api.foundation.wire.schemas import Instant, SafeText, WireInput, WireModel
from api.foundation.wire.sentences import NO_NUMBER

Key = Annotated[SafeText, StringConstraints(min_length=1, max_length=200)]


def _check_number(value: object) -> object:
    if value is None or (isinstance(value, int | Decimal) and not isinstance(value, bool)):
        return value
    raise ValueError(NO_NUMBER)


class PushKeyAnswer(WireModel):
    """The key that browsers subscribe with, as base64url; null if push is disabled."""

    public_key: str | None


class BrowserKeys(WireInput):
    """The keys that a browser's messages are encrypted with, as base64url."""

    p256dh: Annotated[
        Key, Field(alias="p256dh", examples=["BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx"])
    ]
    auth: Annotated[Key, Field(examples=["BTBZMqHH6r4Tts7J_aSIgg"])]


class PushSubscriptionInput(WireInput):
    """A browser's subscription, as returned by ``PushSubscription.toJSON()``."""

    endpoint: Annotated[SafeText, StringConstraints(min_length=1, max_length=1024)] = Field(
        examples=["https://fcm.googleapis.com/fcm/send/abc"]
    )
    keys: BrowserKeys
    expiration_time: Annotated[
        Any,
        AfterValidator(_check_number),
        WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "null"}]}),
        Field(exclude=True, description="Not used: push services report expired subscriptions"),
    ] = None


class PushSubscriptionId(WireModel):
    """A subscription; the same endpoint keeps its id."""

    id: UUID


class PushSubscriptionAnswer(PushSubscriptionId):
    """A subscribed browser; ``current`` is true for that of this session."""

    current: bool
    created_at: Instant
