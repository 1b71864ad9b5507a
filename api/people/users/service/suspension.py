"""Changes of members by operators: suspension and club."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Runner, Transaction
from api.foundation.wire.results import OperatorName
from api.messaging.notifications.enums import NotificationKind
from api.messaging.notifications.service import notify
from api.messaging.push import service as push
from api.people.clubs.service import queries as clubs_queries
from api.people.operators.service import operators as operators_service
from api.people.users import repository
from api.people.users.errors import MemberStateError, OperatorSuspensionError
from api.people.users.schemas import ClubMove, ClubPeriod
from api.people.users.service.account import _locked


@dataclass(frozen=True)
class Suspension:
    """Since when and until when a member is suspended; until None means indefinitely."""

    since: datetime
    until: datetime | None


async def suspend(
    tx: Transaction, user_id: UUID, until: datetime | None, now: datetime
) -> Suspension:
    """Suspend a member; every worker is notified and closes their connections.

    Raises:
        OperatorSuspensionError: the member works at the back office.
        MemberStateError: they are suspended already.
    """
    row = await _locked(tx, user_id)
    if await operators_service.is_operator(tx, user_id):
        raise OperatorSuspensionError
    if row.suspended_since is not None:
        raise MemberStateError(content={"status": "suspended"})
    values = {"suspended_at": now, "suspended_until": until}
    await repository.change_user(tx, user_id, values)
    await push.forget_member(tx, user_id)
    return Suspension(now, until)


async def restore(tx: Transaction, user_id: UUID) -> Suspension:
    """End a member's suspension and return it.

    Raises:
        MemberStateError: they are not suspended, or not any more.
    """
    row = await _locked(tx, user_id)
    if row.suspended_since is None:
        raise MemberStateError(content={"status": "active"})
    await repository.change_user(tx, user_id, {"suspended_at": None, "suspended_until": None})
    return Suspension(row.suspended_since, row.suspended_until)


async def change_club(tx: Transaction, user_id: UUID, club_id: UUID, operator_id: UUID) -> ClubMove:
    """Move a member to another club; tokens and points are kept, sockets reconnect.

    Raises:
        InvalidFieldError: there is no such club.
        MemberStateError: it is their club already.
    """
    row = await _locked(tx, user_id)
    now = clock.now()  # read after waiting for the lock
    club = await clubs_queries.find(tx, club_id)
    if club is None:
        raise InvalidFieldError.of("clubId", "Choose a club")
    if row.club_id == club_id:
        raise MemberStateError(content={"status": "same_club"})
    await repository.change_user(tx, user_id, {"club_id": club_id})
    change_id = new_id()
    change = {
        "id": change_id,
        "user_id": user_id,
        "from_club_id": row.club_id,
        "to_club_id": club_id,
        "operator_id": operator_id,
        "changed_at": now,
    }
    await repository.insert_club_change(tx, change)
    await notify(tx, user_id, NotificationKind.CLUB_CHANGED, change_id, now, club=club.name)
    return ClubMove(club_id=club_id, history=await club_history(tx, user_id))


async def club_history(database: Runner, user_id: UUID) -> list[ClubPeriod]:
    """Return the clubs of a member, the latest first."""
    rows = await repository.list_club_periods(database, user_id)
    return [
        ClubPeriod(
            club_id=row.club_id,
            club_name=row.club_name,
            from_=row.began_at,
            to=row.ended_at,
            by=OperatorName.of(row.operator_id, row.operator_name),
        )
        for row in rows
    ]
