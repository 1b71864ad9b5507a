from datetime import time
from typing import Any

from sqlalchemy import CheckConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.foundation.core.money import Kobo
from api.foundation.database.tables import Base, checked_text
from api.foundation.office_settings.enums import NewTerms


class OfficeSetting(Base):
    """Settings made in the back office: one row; null means the default.

    Defaults are the deployment's or the product's. Times are in Lagos time. ``version`` grows with
    every change.
    """

    __tablename__ = "office_setting"
    __table_args__ = (CheckConstraint("is_one", name="one_row"),)

    is_one: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    version: Mapped[int] = mapped_column(server_default=text("1"))
    transfer_account: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    state_required: Mapped[bool | None]
    quiet_from: Mapped[time | None]
    quiet_to: Mapped[time | None]
    adjustment_limit_kobo: Mapped[Kobo | None]
    adjustment_day_limit_kobo: Mapped[Kobo | None]
    refund_limit_kobo: Mapped[Kobo | None]
    refund_day_limit_kobo: Mapped[Kobo | None]
    confirm_day_limit_kobo: Mapped[Kobo | None]
    gift_limit: Mapped[int | None]
    transfer_units_limit: Mapped[int | None]
    transfer_value_limit_kobo: Mapped[Kobo | None]
    legal: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    new_terms: Mapped[NewTerms | None] = mapped_column(checked_text(NewTerms))
