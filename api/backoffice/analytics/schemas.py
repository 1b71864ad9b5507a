from datetime import date
from typing import Annotated

from pydantic import Field

from api.foundation.wire.schemas import Instant, Naira, WireModel


class DayFigures(WireModel):
    """The figures of a day; all null if the day is not counted yet.

    ``activeMembers`` placed an order, submitted a quest, answered in a battle or wrote in a chat.
    Amounts are null for operators without ``money:read``.
    """

    day: date
    active_members: int | None
    quest_members: int | None
    battle_members: int | None
    battle_answers: int | None
    chat_messages: int | None
    orders: int | None
    orders_total: Annotated[Naira | None, Field(examples=[45000])]
    money_in: Annotated[Naira | None, Field(examples=[120000])]
    money_out: Annotated[Naira | None, Field(examples=[45000])]


class FigureSeries(WireModel):
    """The figures of each day, in order; ``countedAt`` is the time of the last count."""

    days: list[DayFigures]
    counted_at: Instant | None
