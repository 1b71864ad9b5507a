"""The members that a message can mention."""

from datetime import datetime, timedelta

from api.community.chat.repository import people
from api.community.chat.rules import GONE_SECONDS, RECENT_AUTHORS_WINDOW
from api.community.chat.schemas import OnlineUser
from api.community.chat.service.rooms import require_admitted, room_for
from api.foundation.database.database import Database
from api.foundation.database.rate_limit import Limit, RateLimiter
from api.foundation.database.statements import literal_pattern
from api.foundation.media.storage import picture_url
from api.foundation.security.members import Member

LOOKUP_LIMIT = Limit("chat-people", 30, timedelta(minutes=1))


async def search_people(
    database: Database, limiter: RateLimiter, member: Member, tab: str, name: str, now: datetime
) -> list[OnlineUser]:
    """Return members of a tab by the beginning of their name: recent authors and who is online.

    Raises:
        NotFoundError: the tab is not the member's.
    """
    room_id = room_for(member, tab)
    await require_admitted(database, member.user_id, now)
    await limiter.hit_member(LOOKUP_LIMIT, member.user_id)
    async with database.transaction(commits=False) as tx:
        rows = await people.search_people(
            tx,
            member.user_id,
            room_id,
            name=f"{literal_pattern(name)}%",
            first_word=f"{literal_pattern(name.split()[0])}%",
            wrote_after=now - RECENT_AUTHORS_WINDOW,
            seen_after=now - timedelta(seconds=GONE_SECONDS),
        )
    return [
        OnlineUser(
            id=row.id,
            first_name=row.first_name,
            last_name=row.last_name,
            avatar=picture_url(row.avatar),
        )
        for row in rows
    ]
