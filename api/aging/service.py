"""Making rows older."""

from datetime import timedelta

from api.aging import repository
from api.aging.schemas import AgeInput
from api.core.errors import NotFoundError
from api.database.database import Database


async def age(database: Database, form: AgeInput) -> None:
    """Move one row into the past; what follows from its age is left to the jobs.

    Raises:
        NotFoundError: there is no such row.
    """
    async with database.transaction() as tx:
        if not await repository.age(tx, form.kind, form.id, timedelta(seconds=form.seconds)):
            raise NotFoundError
