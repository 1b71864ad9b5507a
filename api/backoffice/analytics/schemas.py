from datetime import date
from typing import Annotated

from pydantic import Field

from api.foundation.wire.schemas import Instant, Naira, WireModel


class DayFigures(WireModel):
    """What was counted of a day; all null of one that was not counted yet.

    ``activeMembers`` have ordered, answered, submitted or written something. What is about money
    is null for operators who may not read it.
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
    """The figures of each day, in order; ``countedAt`` is when the last of them was counted."""

    days: list[DayFigures]
    counted_at: Instant | None
