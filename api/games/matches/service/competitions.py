"""Competitions in the back office; they are created by their matches."""

from uuid import UUID

from api.foundation.audit import writing as audit
from api.foundation.audit.writing import AuditRecord
from api.foundation.core import clock
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.database.errors import StaleVersionError
from api.foundation.security.operators import AdminRequest
from api.foundation.wire.results import AdminResult, Page
from api.games.matches.errors import SameCompetitionError
from api.games.matches.repository import queries, writing
from api.games.matches.schemas.admin import AdminCompetition, CompetitionChange
from api.games.matches.service.serializers import competition_for_operators

SAVED = "The competition has been saved."


async def list_all_competitions(
    database: Database, *, before: UUID | None, limit: int
) -> Page[AdminCompetition]:
    """Return competitions, newest first."""
    rows = await queries.list_all_competitions(database, before, limit + 1)
    return Page.of(rows, limit, competition_for_operators)


async def change_competition(
    database: Database, admin: AdminRequest, competition_id: UUID, form: CompetitionChange
) -> AdminResult:
    """Change a competition's name and season, and whether it has a table.

    Feeds that use a former name still find it, unless another competition has that name now.

    Raises:
        SameCompetitionError: another one has that name and season.
    """

    async def work(tx: Transaction) -> AdminResult:
        await writing.lock_writing(tx)
        held = await writing.lock_competition(tx, competition_id)
        if held is None:
            raise NotFoundError
        if held.version != form.version:
            raise StaleVersionError
        names = (form.name, form.season)
        if await writing.find_same_competition(tx, *names, competition_id) is not None:
            raise SameCompetitionError
        renamed_at = clock.now()  # under the lock, so that the order of renames is right
        changed = await writing.change_competition(
            tx, competition_id, *names, renamed_at, has_table=form.table
        )
        shown = competition_for_operators(changed)
        was, is_now = (
            one.model_dump(mode="json") for one in (competition_for_operators(held), shown)
        )
        record = AuditRecord("change", "competition", competition_id, was, is_now)
        await audit.audited(tx, admin, record)
        return AdminResult.of(shown, message=SAVED)

    return await audit.perform(database, admin, form, work)
