"""Writes the demo's shared moments: first the objects, then the rows."""

from sqlalchemy import insert

from api.community.moments.models import Moment, MomentApplause, MomentShare
from api.dev.demo.ids import demo_id
from api.dev.demo.moments import MOMENTS
from api.dev.demo.people import PEOPLE
from api.foundation.core import clock
from api.foundation.database.database import Transaction
from api.foundation.media.storage import MediaStore, content_type_of, new_key
from api.games.achievements.enums import BadgeKey
from api.games.achievements.service import badges


async def write_moments(tx: Transaction, store: MediaStore) -> None:
    """Write the moments with the rewards for sharing and applauding them.

    An empty database has no other users, so the transaction may wait for the store.
    """
    clubs = {person.slug: demo_id("club", person.club) for person in PEOPLE}
    now = clock.now()
    for moment in MOMENTS:
        moment_id, user_id = demo_id("moment", moment.clip), demo_id("user", moment.person)
        keys = {path: new_key("moments", path.suffix[1:]) for path in (moment.poster, moment.video)}
        for path, key in keys.items():
            with path.open("rb") as source:
                await store.put(key, source)
        shared_at = now - moment.ago
        await tx.execute(
            insert(Moment).values(
                id=moment_id,
                user_id=user_id,
                title=moment.title,
                content=moment.content,
                thumbnail_key=keys[moment.poster],
                video_key=keys[moment.video],
                video_type=content_type_of(keys[moment.video]),
                video_bytes=moment.video.stat().st_size,
                created_at=shared_at,
                shared_at=shared_at,
                shared_club_id=clubs[moment.person],
            )
        )
        day = clock.lagos_day(shared_at)
        share = {"user_id": user_id, "day": day, "moment_id": moment_id, "shared_at": shared_at}
        await tx.execute(insert(MomentShare).values(share))
        await badges.earn(tx, [(user_id, BadgeKey.FIRST_SHARED)], shared_at)
        applauding = [demo_id("user", person) for person in moment.applauded_by]
        await tx.execute_many(
            insert(MomentApplause),
            [
                {"moment_id": moment_id, "user_id": user, "applauded_at": shared_at}
                for user in applauding
            ],
        )
