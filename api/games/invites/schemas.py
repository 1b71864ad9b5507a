from uuid import UUID

from pydantic import Field

from api.foundation.wire.schemas import WireModel


class InviteAnswer(WireModel):
    """A member's invite; ``rewarded`` counts this season's rewards, at most ``cap``.

    ``pending`` counts invited members who have neither paid nor played on three days yet.
    """

    code: str = Field(examples=["K7QW2M9X"])
    link: str = Field(examples=["http://127.0.0.1:8000/i/K7QW2M9X"])
    pending: int
    rewarded: int
    cap: int
    points_each: int


class InviterAnswer(WireModel):
    """The inviter and their club."""

    club_id: UUID
    club_name: str
    emblem: str = Field(description="Path of the crest", examples=["/media/crests/0190b5c2.svg"])
    first_name: str
