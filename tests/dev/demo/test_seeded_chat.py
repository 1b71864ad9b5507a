"""The demo's chat, as a member sees it at the first sign-in."""

from api.dev.demo.ids import demo_id
from api.dev.seed import seed_empty_database
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.community.chat.conftest import join
from tests.conftest import RunningApp, SignedIn

MESSAGES_OF_NON_MEMBERS = """
SELECT u.first_name, c.name FROM (SELECT DISTINCT user_id, room_id FROM chat_message) AS m
  JOIN user_account u ON u.id = m.user_id LEFT JOIN club c ON c.id = m.room_id
 WHERE NOT EXISTS (SELECT FROM chat_membership s
                    WHERE s.user_id = m.user_id AND s.room_id = m.room_id)
"""


async def test_whoever_wrote_has_joined_and_is_found(app: RunningApp, owner: AsyncEngine) -> None:
    async with owner.begin() as connection:
        await connection.execute(text("DELETE FROM club"))
    await seed_empty_database(app.settings)
    email, club_id = "ada@example.com", demo_id("club", "enyimba")
    token = (await app.sign_in(email)).json()["data"]["access_token"]
    ada = SignedIn(demo_id("user", "ada"), club_id, email, token, app.client)
    await join(app, ada)

    async with owner.connect() as connection:
        assert (await connection.execute(text(MESSAGES_OF_NON_MEMBERS))).all() == []
    for tab, begins, person in (("Enyimba", "chi", "chioma"), ("Public", "tun", "tunde")):
        found = await ada.get(f"/api/v1/chat-people/{tab}", params={"q": begins})
        assert [one["id"] for one in found.json()["data"]] == [str(demo_id("user", person))]
