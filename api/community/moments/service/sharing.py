"""Moments shared with the club: listing, sharing, applause and reports."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.community.moments import rules
from api.community.moments.enums import MomentComplaint
from api.community.moments.errors import OwnMomentError, TooManySharesError
from api.community.moments.repository import moments, sharing
from api.community.moments.repository.sharing import ClubMoment
from api.community.moments.schemas import (
    Applause,
    MomentAnswer,
    MomentReported,
    PublicAuthor,
    PublicMoment,
    SharedBy,
    SharedMoment,
)
from api.community.moments.service.hiding import hide_locked
from api.community.moments.service.posting import own_moment
from api.foundation.core import clock
from api.foundation.core.clock import lagos_day
from api.foundation.core.errors import NotFoundError
from api.foundation.database.database import Database, Transaction
from api.foundation.media.storage import media_url, picture_url
from api.foundation.security.members import Member
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges
from api.money.subscriptions.service import member_plans


@dataclass(frozen=True)
class ReportResult:
    """The outcome of a report; ``is_new`` unless the member had reported the moment before."""

    answer: MomentReported
    is_new: bool


async def list_shared(database: Database, member: Member, now: datetime) -> list[SharedMoment]:
    """Return the moments that the member's club sees, latest share first."""
    limit = rules.SHOWN_TO_CLUB
    rows = await sharing.list_shared(database, member.club_id, member.user_id, now, limit)
    return [_shared(row, member.user_id) for row in rows]


async def read_public(database: Database, moment_id: UUID, now: datetime) -> PublicMoment:
    """Return a moment that its member shared with everybody.

    Raises:
        NotFoundError: there is none, it is not public, or its club does not see it.
    """
    row = await sharing.read_public(database, moment_id, now)
    if row is None:
        raise NotFoundError
    return PublicMoment(
        title=row.title,
        content=row.content,
        poster=media_url(row.thumbnail_key),
        video=media_url(row.video_key),
        by=PublicAuthor(first_name=row.first_name, club_name=row.club_name),
    )


async def share(
    database: Database,
    member: Member,
    moment_id: UUID,
    now: datetime,
    *,
    is_public: bool = False,
) -> MomentAnswer:
    """Share a member's moment with the club, and with everybody who has its link if ``is_public``.

    Sharing it again changes only whether it is public.

    Raises:
        NotFoundError: the member has no such moment.
        TooManySharesError: the member has shared the day's maximum.
    """
    async with database.transaction() as tx:
        await sharing.lock_member(tx, member.user_id)
        row = await sharing.lock_own(tx, moment_id, member.user_id)
        if row is None:
            raise NotFoundError
        is_new = row.shared_club_id != member.club_id
        if not is_new and (row.public_at is not None) == is_public:
            return own_moment(row)
        shared_at = await _count_share(tx, member, moment_id, now) if is_new else row.shared_at
        public_at = now if is_public else None
        row = await sharing.change_shared(tx, moment_id, shared_at, member.club_id, public_at)
        if is_new:
            await badges.earn(tx, [(member.user_id, BadgeKey.FIRST_SHARED)], now)
    return own_moment(row)


async def unshare(database: Database, member: Member, moment_id: UUID) -> MomentAnswer:
    """Stop sharing a moment with the club and by its link; doing it again changes nothing.

    Raises:
        NotFoundError: the member has no such moment.
    """
    async with database.transaction() as tx:
        if await sharing.lock_own(tx, moment_id, member.user_id) is None:
            raise NotFoundError
        return own_moment(await sharing.change_shared(tx, moment_id, None, None, None))


async def applaud(
    database: Database, member: Member, moment_id: UUID, now: datetime, *, applauds: bool
) -> Applause:
    """Set or remove a member's applause for a moment of the club; repeating it changes nothing.

    Raises:
        NotFoundError: the club sees no such moment.
    """
    async with database.transaction() as tx:
        owner = await sharing.lock_to_applaud(tx, moment_id, member.club_id, now)
        _require_others(owner, member)
        if applauds:
            await sharing.insert_applause(tx, moment_id, member.user_id, now)
        else:
            await sharing.delete_applause(tx, moment_id, member.user_id)
        applause = await sharing.count_applause(tx, moment_id)
    return Applause(applause=applause, applauded=applauds)


async def report(
    database: Database, member: Member, moment_id: UUID, reason: MomentComplaint
) -> ReportResult:
    """Report a moment of the club to the moderators; a second report keeps the first.

    Reports that weigh as much as three members' hide it until a moderator decides; its author is
    notified. Each member counts once per author and day in Lagos, and half while their account is
    young.

    Raises:
        NotFoundError: the club sees no such moment, and the member has not reported it.
    """
    async with database.transaction() as tx:
        await sharing.lock_member(tx, member.user_id)
        now = clock.now()  # after the lock, so that reports are ordered by time
        known = await sharing.read_report(tx, moment_id, member.user_id)
        if known is None:
            owner = await sharing.lock_to_report(tx, moment_id, member.club_id, now)
            _require_others(owner, member)
        if known is not None:
            return ReportResult(MomentReported(moment_id=moment_id, reason=known), is_new=False)
        await sharing.insert_report(tx, moment_id, member.user_id, reason, now)
        weight = await sharing.weigh_open_reports(
            tx, moment_id, rules.YOUNG_ACCOUNT, rules.YOUNG_WEIGHT
        )
        if weight >= rules.HIDING_WEIGHT:
            row = await moments.read_moment(tx, moment_id)
            assert row is not None  # noqa: S101 it is locked
            await hide_locked(tx, row, now)
    return ReportResult(MomentReported(moment_id=moment_id, reason=reason), is_new=True)


async def _count_share(tx: Transaction, member: Member, moment_id: UUID, now: datetime) -> datetime:
    """Return when a moment was first shared today: sharing it again does not move it up."""
    day = lagos_day(now)
    shares = await sharing.list_shares(tx, member.user_id, day)
    moment = (member.user_id, now)
    has_plan = moment in await member_plans.had_plan(tx, [moment])
    if len(shares.keys() - {moment_id}) >= rules.shares_a_day(has_plan=has_plan):
        raise TooManySharesError
    if moment_id not in shares:
        await sharing.insert_share(tx, member.user_id, day, moment_id, now)
    return shares.get(moment_id, now)


def _require_others(owner: UUID | None, member: Member) -> None:
    if owner is None:
        raise NotFoundError
    if owner == member.user_id:
        raise OwnMomentError


def _shared(row: ClubMoment, user_id: UUID) -> SharedMoment:
    return SharedMoment(
        id=row.id,
        title=row.title,
        content=row.content,
        thumbnail=media_url(row.thumbnail_key),
        video=media_url(row.video_key),
        video_bytes=row.video_bytes,
        by=SharedBy(
            id=row.user_id,
            first_name=row.first_name,
            last_name=row.last_name,
            avatar=picture_url(row.avatar),
        ),
        applause=row.applause,
        applauded=row.applauded,
        mine=row.user_id == user_id,
        shared_at=row.shared_at,
    )
