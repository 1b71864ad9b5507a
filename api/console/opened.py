"""Opens what commands need: the database under the server's login, and TOML files."""

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from api.app.factories import make_database
from api.foundation.core.config import Settings
from api.foundation.core.errors import DatabaseUnavailableError
from api.foundation.database.database import Database
from api.foundation.wire.schemas import field_errors

FileT = TypeVar("FileT", bound=BaseModel)
POOL_SIZE = 2


class NotStartedError(Exception):
    """The database was unavailable before any work started."""


@asynccontextmanager
async def open_database(settings: Settings) -> AsyncIterator[Database]:
    """Yield the database under the server's login after checking that it responds.

    Raises:
        NotStartedError: it does not respond.
    """
    async with unseen_database(settings) as database:
        try:
            await database.fetch_value("SELECT 1")
        except DatabaseUnavailableError as error:
            raise NotStartedError from error
        yield database


@asynccontextmanager
async def unseen_database(settings: Settings) -> AsyncIterator[Database]:
    """Yield the same database without checking it."""
    database = make_database(settings, POOL_SIZE)
    try:
        yield database
    finally:
        await database.close()


def read_toml(path: Path, model: type[FileT], *, whole: str) -> FileT | None:
    """Parse a TOML file, or print its errors and return None.

    ``whole`` is the file's subject in errors that belong to no field.

    Raises:
        OSError: it cannot be read.
    """
    try:
        return model.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        print(f"{path}: {error}")
    except RecursionError:
        print(f"{path}: It is nested too deeply.")
    except ValidationError as error:
        for name, sentence in faults(error).items():
            print(f"{path}: {name or whole}: {sentence}")
    return None


def faults(error: ValidationError) -> dict[str, str]:
    """Return a sentence for each invalid field, by its name."""
    return field_errors(error.errors(include_url=False, include_input=False))[1]
