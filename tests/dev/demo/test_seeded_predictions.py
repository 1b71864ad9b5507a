"""The demo's predictions as they are seeded."""

from api.dev.seed import seed_empty_database
from api.games.predictions.jobs import ScoringWork
from api.games.predictions.service.settling import PredictionScorer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.conftest import RunningApp

PREDICTED = """
SELECT p.user_id, p.fixture_id, p.outcome, p.points,
       (SELECT sum(e.points)::int FROM point_entry e
         WHERE e.user_id = p.user_id AND e.source = 'prediction') AS awarded,
       (SELECT t.points FROM prediction_total t
         WHERE t.user_id = p.user_id AND t.board LIKE 'season:%') AS on_the_board
  FROM prediction p ORDER BY p.user_id, p.fixture_id
"""

# The badges for predictions.
BADGES = """
SELECT user_id, key FROM earned_badge WHERE key IN ('first-exact', 'five-exact', 'full-round')
 ORDER BY user_id, key
"""


async def test_the_demos_predictions_are_as_settling_would_have_left_them(
    app: RunningApp, owner: AsyncEngine
) -> None:
    async with owner.begin() as connection:
        await connection.execute(text("DELETE FROM club"))
    await seed_empty_database(app.settings)
    written = await app.database.fetch_rows(PREDICTED)
    badges = await app.database.fetch_rows(BADGES)
    await app.database.execute("DELETE FROM earned_badge")

    await app.database.execute("UPDATE prediction SET settled_version = 0 WHERE points >= 0")
    for row in await app.database.fetch_rows("SELECT fixture_id FROM prediction_decision"):
        await PredictionScorer(app.database).settle(ScoringWork(fixture_id=row["fixture_id"]))

    assert await app.database.fetch_rows(PREDICTED) == written
    assert await app.database.fetch_rows(BADGES) == badges
    assert {row["key"] for row in badges} >= {"first-exact", "full-round"}
    for member in {row["user_id"] for row in written}:
        own = [row for row in written if row["user_id"] == member]
        won = sum(row["points"] or 0 for row in own)
        assert {row["awarded"] or 0 for row in own} == {won}
        assert {row["on_the_board"] or 0 for row in own} == {won}
    assert {row["outcome"] for row in written} == {"exact", "result", "wrong", "pending"}
