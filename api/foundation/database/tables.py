"""Shared by all tables: named constraints and column types."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import BigInteger, DateTime, Enum, MetaData
from sqlalchemy.orm import DeclarativeBase

from api.foundation.core.money import Kobo


def checked_text(enum: type[StrEnum], *, name: str | None = None) -> Enum:
    """Return a text column type whose check constraint lists the enum's values.

    ``name`` is the constraint's name, by default derived from the enum.
    """
    return Enum(
        enum,
        native_enum=False,
        create_constraint=True,
        name=name or _snake(enum.__name__),
        length=32,
        values_callable=lambda members: [member.value for member in members],
    )


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


class Base(DeclarativeBase):
    """The base of all tables: named constraints, kobo as bigint, instants with time zone."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        Kobo: BigInteger,
        datetime: DateTime(timezone=True),
    }
