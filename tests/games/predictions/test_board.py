"""The predictor's board: ranking, rounds, and the cost of reading it."""

from typing import Any
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.games.predictions.repository import boards
from api.games.predictions.repository.boards import MAX_RECENT, READ_LAST_ROUND
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import OperatorClient
from tests.conftest import CLUB_A, CLUB_B, RunningApp, SignedIn
from tests.games.matches.matches import shown
from tests.games.predictions.predicting import PREDICTIONS, finished, match, predicted

BOARD = f"{PREDICTIONS}/board"
MANY = 5000
# Two teams of no club have met many times, and the club occasionally.
# Forty teams play each other: with one opponent alone, every index finds a match equally fast.
OLD_RESULTS = """
WITH teams AS (
  INSERT INTO team (id, name) SELECT gen_random_uuid(), 'Team ' || n
    FROM generate_series(1, 40) AS n RETURNING id
), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS number FROM teams
), pair AS (
  SELECT h.id AS home, a.id AS away, h.number - 1 AS number
    FROM numbered h JOIN numbered a ON a.number = h.number + 20
), club_team AS (
  INSERT INTO team (id, club_id) VALUES (gen_random_uuid(), $1) RETURNING id
), league AS (
  INSERT INTO competition (id, name, season) VALUES (gen_random_uuid(), 'Old', '2020') RETURNING id
), played AS (
  INSERT INTO fixture (id, competition_id, round, home_id, away_id, kick_off_at, state,
                       home_goals, away_goals, source, updated_at)
  SELECT gen_random_uuid(), l.id, 'Round ' || n, CASE WHEN n % 50 = 0 THEN c.id ELSE p.home END,
         p.away, now() - (n + 10) * interval '1 hour', 'finished', 1, 0, 'manual', now()
    FROM generate_series(1, $2::int) AS n JOIN pair p ON p.number = n % 20, club_team c, league l
  RETURNING id, competition_id, round, kick_off_at
)
INSERT INTO prediction_decision (fixture_id, version, home_goals, away_goals, competition_id, round,
                                 month, decided_at)
SELECT id, 2, 1, 0, competition_id, round, current_date, kick_off_at + interval '2 hours'
  FROM played
"""
# Fans on this month's board: points, and how many predictions are exact.
FANS = """
WITH people AS (
  INSERT INTO user_account (id, club_id, first_name, last_name, email, phone,
                            terms_accepted_at, activated_at)
  SELECT gen_random_uuid(), $1, 'Fan', 'No ' || n, 'fan' || n || '@example.com',
         '+2347' || lpad(n::text, 9, '0'), now(), now()
    FROM generate_series(1, cardinality($3::int[])) AS n
  RETURNING id, club_id, split_part(last_name, ' ', 2)::int AS n)
INSERT INTO prediction_total (board, user_id, club_id, points, exact, results, settled_on)
SELECT $2, id, club_id, ($3::int[])[n], 1, 0, current_date FROM people
"""


async def test_the_board_ranks_by_points_then_exact_scores_and_shares_the_rest(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    chi = await app.member("chi")
    fixture = await match(musa)
    for one, score in ((member, (2, 1)), (rival, (2, 1)), (chi, (1, 0)), (musa.member, (2, 1))):
        await predicted(one, fixture, *score)
    await finished(app, musa, fixture, 2, 1)

    for period in ("round", "month", "season"):
        board = await shown(member, f"{PREDICTIONS}/board?scope=all&period={period}")
        ranks = [(row["rank"], row["firstname"], row["points"]) for row in board["rows"]]
        assert sorted(ranks) == [(1, "Ada", 10), (1, "Bello", 10), (3, "Chi", 4)]
        assert board["me"] == {
            **{"rank": 1, "firstname": "Ada", "lastname": "Obi", "avatar": None},
            **{"points": 10, "exact": 1, "results": 0, "me": True},
        }
    club = await shown(chi, f"{PREDICTIONS}/board")
    assert [(row["firstname"], row["me"]) for row in club["rows"]] == [
        ("Ada", False),
        ("Chi", True),
    ]
    assert (club["me"]["rank"], club["me"]["results"]) == (2, 1)
    beyond = await shown(chi, f"{PREDICTIONS}/board?page=2")
    assert beyond["rows"] == []


async def test_of_equal_points_more_exact_scores_stand_first_and_else_the_rank_is_shared(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    await app.open_season()
    chi = await app.member("chi")
    for number in range(5):
        fixture = await match(musa, away=f"Team {number}")
        await predicted(member, fixture, *((1, 0) if number < 2 else (0, 1)))  # two exact
        for one in (rival, chi):
            await predicted(one, fixture, 2, 0)  # five right results
        await finished(app, musa, fixture, 1, 0)

    for period in ("round", "month", "season"):
        board = await shown(chi, f"{BOARD}?scope=all&period={period}")
        found = [
            (row["rank"], row["firstname"], row["points"], row["exact"], row["results"])
            for row in board["rows"]
        ]
        assert found[0] == (1, "Ada", 20, 2, 0)
        assert sorted(found[1:]) == [(2, "Bello", 20, 0, 5), (2, "Chi", 20, 0, 5)]
        assert board["me"]["rank"] == 2


async def test_a_rank_is_shared_across_two_pages(app: RunningApp, member: SignedIn) -> None:
    # 48 in front, then five equal ones, of whom two are on the first page, and one behind them.
    scores = [*range(200, 152, -1), *[100] * 5, 50]
    month = f"month:{clock.lagos_day(clock.now()).replace(day=1)}"
    await app.database.execute(FANS, CLUB_A, month, scores)

    pages = [
        (await shown(member, f"{BOARD}?scope={scope}&period=month&page={page}"))["rows"]
        for scope in ("all", "club")
        for page in (1, 2, 3)
    ]

    ranks = [[(row["rank"], row["points"]) for row in page] for page in pages]
    first = [(place, 201 - place) for place in range(1, 49)] + [(49, 100)] * 2
    assert ranks == [first, [(49, 100)] * 3 + [(54, 50)], []] * 2
    names = [row["lastname"] for page in pages[:2] for row in page]
    assert len(set(names)) == len(scores)


async def test_the_last_round_is_the_own_clubs_and_any_clubs_while_that_has_none(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    own = await match(musa, away="Remo Stars", round="Round 1")
    final = await match(musa, home="Nigeria", away="Ghana", competition="Cup", round="Final")
    for one, first, second in ((member, (2, 1), (1, 0)), (rival, (1, 0), (2, 1))):
        await predicted(one, own, *first)
        await predicted(one, final, *second)
    await finished(app, musa, own, 2, 1)
    await finished(app, musa, final, 2, 1)

    async def board(of: SignedIn) -> list[tuple[str, int]]:
        rows = (await shown(of, f"{BOARD}?scope=all"))["rows"]
        return [(row["firstname"], row["points"]) for row in rows]

    assert await board(member) == [("Ada", 10), ("Bello", 4)]
    assert await board(rival) == [("Bello", 10), ("Ada", 4)]  # Arsenal has no match
    theirs = await match(musa, home="Arsenal", away="Lobi Stars", round="Round 2")
    await finished(app, musa, theirs, 0, 0)
    assert await board(rival) == []
    assert await board(member) == [("Ada", 10), ("Bello", 4)]


def scans(plan: dict[str, Any]) -> list[tuple[str, str, float]]:
    """Return a plan's scans: node type, table, and the number of rows read."""
    found = [one for below in plan.get("Plans", ()) for one in scans(below)]
    if "Relation Name" in plan:
        rows_read = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        rows = rows_read * plan["Actual Loops"]
        found.append((plan["Node Type"], plan["Relation Name"], rows))
    return found


@pytest.mark.parametrize(("club_id", "last"), [(CLUB_A, "Round 50"), (CLUB_B, "Round 1")])
async def test_the_last_round_is_found_without_reading_all_results(
    app: RunningApp, owner: AsyncEngine, club_id: UUID, last: str
) -> None:
    await app.database.execute(OLD_RESULTS, CLUB_A, MANY)
    async with owner.begin() as connection:
        await connection.execute(text("ANALYZE team, fixture, prediction_decision"))
    (row,) = await app.database.fetch_rows(
        f"EXPLAIN (ANALYZE, FORMAT JSON) {READ_LAST_ROUND.statement}",
        club_id,
        clock.now(),
        MAX_RECENT,
    )
    found = await boards.read_last_round(app.database, club_id, clock.now())
    (explained,) = row["QUERY PLAN"]

    read = [one for one in scans(explained["Plan"]) if one[1] in {"fixture", "prediction_decision"}]
    assert read
    assert {how for how, _, _ in read} <= {"Index Scan", "Index Only Scan"}
    assert sum(rows for _, _, rows in read) <= 4 * MAX_RECENT
    assert found is not None
    assert found.round == last
