"""Points, ranks and boards: awards, folding and responses."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.security.rights import Role
from api.games.ranking.enums import PointSource
from api.games.ranking.repository import awards as awards_repository
from api.games.ranking.repository.awards import Award, AwardTotals
from api.games.ranking.service import boards
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import appoint
from tests.conftest import RunningApp, SignedIn


async def award(
    app: RunningApp,
    member: SignedIn,
    points: int,
    season_id: UUID | None,
    *,
    source: PointSource = PointSource.BATTLE,
    source_id: UUID | None = None,
    elapsed_ms: int = 1000,
    days_ago: int = 0,
) -> AwardTotals:
    earned_at = clock.now() - timedelta(days=days_ago)
    async with app.database.transaction() as tx:
        return await boards.award(
            tx,
            Award(
                id=new_id(),
                user_id=member.id,
                club_id=member.club_id,
                season_id=season_id,
                source=source,
                source_id=source_id or new_id(),
                question_id=None,
                points=points,
                answered=1,
                right=1 if points else 0,
                elapsed_ms=elapsed_ms,
                detail={"right": 3, "of": 5} if source is PointSource.TRIVIA else {},
                day=clock.lagos_day(earned_at),
                now=earned_at,
            ),
        )


async def board(app: RunningApp, member: SignedIn, **query: Any) -> Any:
    await app.fold()
    answer = await member.get("/api/v1/leaderboard", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


async def test_without_points_every_board_is_empty_and_says_so(
    app: RunningApp, member: SignedIn
) -> None:
    await app.open_season()
    for period in ("day", "week", "month", "season"):
        shown = await board(app, member, scope="all", period=period)
        assert shown["rows"] == []
        assert shown["total"] == 0
        assert shown["me"] == {"rank": None, "points": 0, "offBoards": False}


async def test_points_add_up_and_the_dashboard_shows_them_at_once(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 10, season_id)
    await award(app, member, 15, season_id, source=PointSource.TRIVIA)
    await app.fold()
    answer = (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).json()["data"]
    assert answer["ranking"]["points"] == 25
    assert answer["ranking"]["battlePoints"] == 10
    assert answer["ranking"]["cnt"] == 2
    assert answer["ranking"]["clubRank"] == 1
    assert answer["ranking"]["badge"] == "rookie"
    assert answer["ranking"]["nextRank"] == "super-fan"
    assert answer["ranking"]["pointsToNext"] == 40
    assert answer["leaderboard"] == [
        {"rank": 1, "firstname": "Ada", "lastname": "Obi", "points": 25, "me": True, "avatar": None}
    ]
    assert answer["me"] == {"rank": 1, "points": 25, "offBoards": False}


async def test_battle_points_promote_at_the_threshold_and_trivia_points_do_not(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    assert (await award(app, member, 49, season_id)).promoted_to is None
    trivia = await award(app, member, 25, season_id, source=PointSource.TRIVIA)
    assert trivia.promoted_to is None
    assert trivia.badge == "rookie"
    assert (await award(app, member, 1, season_id)).promoted_to == "super-fan"
    assert (await award(app, member, 70, season_id)).promoted_to == "king-of-fans"
    row = await app.database.fetch_row(
        "SELECT badge, (SELECT array_agg(rank ORDER BY promoted_at) FROM rank_promotion) AS ranks "
        "FROM user_account WHERE id = $1",
        member.id,
    )
    assert row is not None
    assert row["badge"] == "king-of-fans"
    assert row["ranks"] == ["super-fan", "king-of-fans"]
    answer = (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).json()["data"]
    assert answer["ranking"]["nextRank"] is None
    assert answer["ranking"]["pointsToNext"] is None


async def test_ties_share_a_rank_and_the_quicker_is_listed_first(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    quick, slow, last = [await app.member(name) for name in ("quick", "slow", "last")]
    await award(app, slow, 30, season_id, elapsed_ms=9000)
    await award(app, quick, 30, season_id, elapsed_ms=2000)
    await award(app, member, 40, season_id)
    await award(app, last, 10, season_id)
    shown = await board(app, member, scope="club", period="season")
    assert [(row["rank"], row["firstname"], row["points"]) for row in shown["rows"]] == [
        (1, "Ada", 40),
        (2, "Quick", 30),
        (2, "Slow", 30),
        (4, "Last", 10),
    ]
    assert (await board(app, last, scope="club", period="season"))["me"] == {
        "rank": 4,
        "points": 10,
        "offBoards": False,
    }
    assert (await board(app, slow, scope="club", period="season"))["me"] == {
        "rank": 2,
        "points": 30,
        "offBoards": False,
    }


async def test_a_club_board_shows_its_own_and_the_general_board_everybody(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 10, season_id)
    await award(app, rival, 20, season_id)
    own = await board(app, member, scope="club", period="season")
    assert [row["firstname"] for row in own["rows"]] == ["Ada"]
    assert own["me"] == {"rank": 1, "points": 10, "offBoards": False}
    everybody = await board(app, member, scope="all", period="season")
    assert [(row["rank"], row["firstname"], row["name"]) for row in everybody["rows"]] == [
        (1, "Bello", "Arsenal"),
        (2, "Ada", "Enyimba"),
    ]
    assert everybody["me"] == {"rank": 2, "points": 10, "offBoards": False}
    assert everybody["total"] == 2
    assert everybody["rows"][0]["emblem"].endswith(".svg")


async def test_rows_of_boards_show_the_members_picture_and_nothing_without_one(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 10, season_id)
    await award(app, rival, 20, season_id)
    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE user_account SET avatar = 'avatars/ada.webp' WHERE id = $1",
            member.id,
        )
    everybody = await board(app, member, scope="all", period="season")
    pictures = [row["avatar"] for row in everybody["rows"]]
    assert pictures == [None, "/media/avatars/ada.webp"]
    dashboard = (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).json()["data"]
    assert [row["avatar"] for row in dashboard["leaderboard"]] == ["/media/avatars/ada.webp"]
    found = await boards.challengers(app.database, [member.id], clock.now())
    assert [row.avatar for _, row in found.best] == pictures


async def test_each_period_counts_its_own_days(app: RunningApp, member: SignedIn) -> None:
    season_id = await app.open_season(starts_in=timedelta(days=-60))
    await award(app, member, 10, season_id)
    await award(app, member, 20, season_id, days_ago=40)
    assert (await board(app, member, period="day"))["me"]["points"] == 10
    assert (await board(app, member, period="week"))["me"]["points"] == 10
    assert (await board(app, member, period="month"))["me"]["points"] == 10
    assert (await board(app, member, period="season"))["me"]["points"] == 30


async def test_points_outside_a_season_count_for_days_but_for_no_season(
    app: RunningApp, member: SignedIn
) -> None:
    await award(app, member, 15, None, source=PointSource.TRIVIA)
    assert (await board(app, member, period="day"))["me"] == {
        "rank": 1,
        "points": 15,
        "offBoards": False,
    }
    assert (await board(app, member, period="season"))["me"] == {
        "rank": None,
        "points": 0,
        "offBoards": False,
    }


async def test_pages_continue_ranks_across_their_edge(app: RunningApp, member: SignedIn) -> None:
    season_id = await app.open_season()
    names = [f"fan{letter}{second}" for letter in "abcdefgh" for second in "abcdefg"][:55]
    async with app.database.transaction() as tx:
        for name in names:
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'Ada', 'Obi', $3, "
                "$4, now(), now())",
                new_id(),
                member.club_id,
                f"{name}@example.com",
                f"+2348{names.index(name):09d}",
            )
        listed = await tx.fetch_rows(
            "SELECT id FROM user_account WHERE email LIKE 'fan%' ORDER BY email"
        )
        fans = [row["id"] for row in listed]
        for place, fan in enumerate(fans):
            points = 1000 - place if place < 48 else 500
            await tx.execute(
                "SELECT award_points($1, $2, $3, $4, 'battle', $1, NULL, $5, "
                "1, 1, 0, '{}', current_date, now())",
                new_id(),
                fan,
                member.club_id,
                season_id,
                points,
            )
    first = await board(app, member, scope="club", period="season")
    second = await board(app, member, scope="club", period="season", page=2)
    assert [row["rank"] for row in first["rows"]][-3:] == [48, 49, 49]
    assert [row["rank"] for row in second["rows"]] == [49] * 5
    assert first["total"] == second["total"] == 55
    assert (await board(app, member, page=3, period="season"))["rows"] == []


async def test_a_source_awards_once(app: RunningApp, member: SignedIn) -> None:
    season_id = await app.open_season()
    source_id = new_id()
    await award(app, member, 10, season_id, source_id=source_id)
    with pytest.raises(asyncpg.PostgresError):
        await award(app, member, 10, season_id, source_id=source_id)
    assert (await board(app, member, period="season"))["me"]["points"] == 10


async def test_many_awards_and_folds_at_once_lose_and_double_nothing(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    await asyncio.gather(
        *(award(app, who, 7, season_id) for _ in range(40) for who in (member, rival)),
        *(awards_repository.fold_points(app.database, 3) for _ in range(20)),
    )
    shown = await board(app, member, scope="all", period="season")
    assert [row["points"] for row in shown["rows"]] == [280, 280]
    assert shown["me"] == {"rank": 1, "points": 280, "offBoards": False}
    row = await app.database.fetch_row(
        "SELECT (SELECT sum(points) FROM point_entry) AS entries, "
        "(SELECT sum(points) FROM member_season) AS standings, "
        "(SELECT count(*) FROM points_pending) AS pending, "
        "(SELECT min(members) FROM rank_histogram) AS fewest"
    )
    assert row is not None
    assert (row["entries"], row["standings"], row["pending"]) == (560, 560, 0)
    assert row["fewest"] >= 0


async def test_operators_and_former_ones_have_points_and_no_place_on_a_board(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO operator (id, user_id, roles, disabled_at) "
            "VALUES ($1, $1, '{owner}', now()), ($2, $2, '{finance}', NULL)",
            *(member.id, rival.id),
        )
    await award(app, member, 10, season_id)
    await award(app, rival, 10, season_id)
    for each in (member, rival):
        shown = await board(app, each, scope="all", period="season")
        assert (shown["rows"], shown["total"]) == ([], 0)
        assert shown["me"] == {"rank": None, "points": 0, "offBoards": True}
    answer = (await member.get(f"/api/v1/dashboard/statistics/{member.id}")).json()["data"]
    assert (answer["ranking"]["points"], answer["me"]["offBoards"]) == (10, True)


async def test_a_new_operator_leaves_every_board_and_the_others_move_up(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 30, season_id)
    await award(app, rival, 20, season_id)
    await app.fold()
    await award(app, member, 10, season_id)  # waits to be folded

    await appoint(app, member, Role.MODERATOR)

    for period in ("day", "week", "month", "season"):
        shown = await board(app, rival, scope="all", period=period)
        assert [(row["rank"], row["points"]) for row in shown["rows"]] == [(1, 20)]
        assert (shown["total"], shown["me"]["rank"]) == (1, 1)
    smallest = await app.database.fetch_value("SELECT min(members) FROM rank_histogram")
    assert smallest == 0


async def test_appointments_and_folds_at_once_leave_no_operator_on_a_board(
    live_server: RunningApp,
) -> None:
    season_id = await live_server.open_season()
    people = [await live_server.member(f"fan{number}") for number in range(8)]

    async def play(person: SignedIn) -> None:
        for _ in range(5):
            await award(live_server, person, 10, season_id)
            await boards.fold(live_server.database)

    await asyncio.gather(
        *(play(person) for person in people),
        *(appoint(live_server, person, Role.EDITOR) for person in people[:4]),
    )

    shown = await board(live_server, people[7], scope="all", period="season")
    assert ([row["points"] for row in shown["rows"]], shown["total"]) == ([50] * 4, 4)
    wrong = "SELECT count(*) FROM rank_histogram WHERE members < 0"
    assert await live_server.database.fetch_value(wrong) == 0


async def test_the_points_ledger_and_the_bank_cannot_be_rewritten(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    season_id = await app.open_season()
    await app.add_questions(1)
    await award(app, member, 10, season_id)
    for statement in (
        "UPDATE point_entry SET points = 99",
        "DELETE FROM point_entry",
        "UPDATE question SET right_option = 0",
        "DELETE FROM question",
    ):
        with pytest.raises(DBAPIError):
            async with owner.begin() as connection:
                await connection.execute(text(statement))
    for statement in (
        "INSERT INTO points_pending (user_id, club_id, day, points, elapsed_ms, earned_at) "
        "SELECT id, club_id, now(), 1000, 0, now() FROM user_account",
        "UPDATE member_season SET points = 1000",
        "UPDATE board_total SET points = 1000",
    ):
        with pytest.raises(asyncpg.PostgresError):
            async with app.database.transaction() as tx:
                await tx.execute(statement)


async def test_the_history_explains_every_point_and_pages_back(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    season_id = await app.open_season()
    await award(app, member, 15, season_id, source=PointSource.TRIVIA)
    await award(app, member, 10, season_id)
    rows = (await member.get(f"/api/v1/points/{member.id}?limit=1")).json()["data"]
    assert [(row["points"], row["title"]) for row in rows] == [
        (10, "Right answer in the Battle Zone")
    ]
    older = (await member.get(f"/api/v1/points/{member.id}?before={rows[0]['id']}")).json()["data"]
    assert [(row["source"], row["points"], row["title"]) for row in older] == [
        ("trivia", 15, "Daily Quest: 3 of 5 right")
    ]
    assert (await rival.get(f"/api/v1/points/{member.id}")).status_code == 404


async def test_the_history_is_in_the_order_of_earning_whenever_an_award_is_written(
    app: RunningApp, member: SignedIn
) -> None:
    season_id = await app.open_season()
    for points, days_ago in ((10, 0), (20, 3), (30, 1)):
        await award(app, member, points, season_id, days_ago=days_ago)
    newest = (await member.get(f"/api/v1/points/{member.id}?limit=2")).json()["data"]
    assert [row["points"] for row in newest] == [10, 30]
    before = newest[-1]["id"]
    older = (await member.get(f"/api/v1/points/{member.id}?before={before}")).json()["data"]
    assert [row["points"] for row in older] == [20]


async def test_the_ladder_is_listed_lowest_first(app: RunningApp, member: SignedIn) -> None:
    assert (await member.get("/api/v1/battlezone-rank-config")).json()["data"] == []
    await app.open_season(ranks=(("super-fan", 120), ("rookie", 50)))
    rows = (await member.get("/api/v1/battlezone-rank-config")).json()["data"]
    assert rows == [
        {"rank": "rookie", "threshold_point": 50, "start_date": None, "end_date": None},
        {"rank": "super-fan", "threshold_point": 120, "start_date": None, "end_date": None},
    ]


@pytest.mark.parametrize(
    "query", ["scope=galaxy", "period=hour", "page=0", "page=201", "page=x", "page=1e3"]
)
async def test_a_board_that_does_not_exist_is_refused(member: SignedIn, query: str) -> None:
    answer = await member.get(f"/api/v1/leaderboard?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "validation_failed"
