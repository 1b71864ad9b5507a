from datetime import date, datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base


class DayFigure(Base):
    """The figures of one Lagos day, last counted at ``counted_at``."""

    __tablename__ = "day_figure"

    day: Mapped[date] = mapped_column(primary_key=True)
    counted_at: Mapped[datetime]
    active_members: Mapped[int] = mapped_column(BigInteger)
    quest_members: Mapped[int] = mapped_column(BigInteger)
    battle_members: Mapped[int] = mapped_column(BigInteger)
    battle_answers: Mapped[int] = mapped_column(BigInteger)
    chat_messages: Mapped[int] = mapped_column(BigInteger)
    orders: Mapped[int] = mapped_column(BigInteger)
    orders_kobo: Mapped[Kobo]
    money_in_kobo: Mapped[Kobo]
    money_out_kobo: Mapped[Kobo]
