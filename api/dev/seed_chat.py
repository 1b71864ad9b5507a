"""The demo's chat: its members' messages and memberships."""

from datetime import timedelta

from sqlalchemy import insert

from api.community.chat.models import ChatRoom, StoredMessage
from api.community.chat.repository.rooms import insert_memberships
from api.community.chat.rules import PUBLIC_ROOM
from api.dev.demo.chat import LINES
from api.dev.demo.ids import demo_id
from api.dev.demo.people import PEOPLE
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction


async def write_chat(tx: Transaction) -> None:
    """Write the rooms with their messages, and add the authors as members."""
    now = clock.now()
    for club in {line.club for line in LINES}:
        club_id = None if club is None else demo_id("club", club)
        room_id = club_id or PUBLIC_ROOM
        lines = [line for line in LINES if line.club == club]
        room = {"id": room_id, "club_id": club_id, "last_seq": len(lines)}
        await tx.execute(insert(ChatRoom).values(room))
        await tx.execute_many(
            insert(StoredMessage),
            [
                {
                    "id": new_id(),
                    "room_id": room_id,
                    "seq": seq,
                    "user_id": demo_id("user", line.person),
                    "client_id": new_id(),
                    "content": line.words,
                    "sent_at": now - timedelta(minutes=line.minutes_ago),
                }
                for seq, line in enumerate(lines, start=1)
            ],
        )
    # Only members of a room can be found, mentioned and notified of answers.
    joined_at = now - timedelta(minutes=max(line.minutes_ago for line in LINES))
    clubs = {person.slug: demo_id("club", person.club) for person in PEOPLE}
    for person in sorted({line.person for line in LINES}):
        await insert_memberships(tx, demo_id("user", person), clubs[person], joined_at)
