"""The demo's operator: all roles, and a TOTP code that the command line prints."""

from api.dev.__main__ import admin_code
from api.dev.demo.ids import demo_id
from api.dev.demo.people import PEOPLE
from api.dev.seed import seed_empty_database
from api.foundation.core import clock
from api.foundation.core.config import DEMO_OPERATOR_TOTP, Settings
from api.foundation.security.one_time_codes import fitting_steps
from api.foundation.security.rights import Role
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import sign_in
from tests.conftest import RunningApp


def test_the_code_is_the_phones(settings: Settings) -> None:
    assert fitting_steps(DEMO_OPERATOR_TOTP, admin_code(settings), clock.now())


async def test_the_demos_operator_signs_in_with_all_roles(
    app: RunningApp, owner: AsyncEngine
) -> None:
    async with owner.begin() as connection:
        await connection.execute(text("DELETE FROM club"))
    app_settings = app.settings
    assert await seed_empty_database(app_settings)
    assert await seed_empty_database(app_settings)

    answer = await sign_in(app, "ops@example.com", admin_code(app_settings))

    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["me"]["roles"] == [role.value for role in Role]
    operators = [person.slug for person in PEOPLE if person.is_operator]
    rows = await app.database.fetch_rows("SELECT user_id FROM operator")
    assert [row["user_id"] for row in rows] == [demo_id("user", slug) for slug in operators]
