"""Accounts deleted before or while their predictions are scored."""

import asyncio

from api.games.predictions.repository.scoring import lock_settling

from tests.back_office import OperatorClient
from tests.conftest import RunningApp, SignedIn
from tests.games.matches.matches import moved
from tests.games.predictions.predicting import alone, finished, kicked_off, match, predicted, settle
from tests.home.privacy.test_privacy import leave
from tests.waiting import until_blocked


async def test_who_has_left_wins_nothing_more_and_who_is_suspended_does(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    await predicted(member, fixture, 1, 0)
    await predicted(rival, fixture, 1, 0)
    assert (await leave(member)).status_code == 200
    await app.database.execute(
        "UPDATE user_account SET suspended_at = now() WHERE id = $1", rival.id
    )

    await finished(app, musa, fixture, 1, 0)

    who = await app.database.fetch_rows("SELECT user_id FROM point_entry")
    assert [row["user_id"] for row in who] == [rival.id]


async def test_who_leaves_before_a_batch_holds_them_wins_nothing(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    for one in (member, rival):
        await predicted(one, fixture, 1, 0)

    async with app.database.transaction() as tx:  # like another worker's batch
        await lock_settling(tx, fixture["id"])
        ending = asyncio.create_task(kicked_off(app, musa, fixture, "finished", 1, 0))
        await until_blocked(app.database, ending)
        assert (await alone(leave(member))).status_code == 200
    await settle(app, await ending)

    who = await app.database.fetch_rows("SELECT user_id, points FROM point_entry")
    assert [(row["user_id"], row["points"]) for row in who] == [(rival.id, 10)]
    assert await app.database.fetch_value("SELECT count(*) FROM prediction") == 1


async def test_who_leaves_while_a_batch_holds_them_leaves_after_it(
    app: RunningApp, musa: OperatorClient, member: SignedIn, rival: SignedIn
) -> None:
    fixture = await match(musa)
    for one in (member, rival):
        await predicted(one, fixture, 1, 0)

    started = await kicked_off(app, musa, fixture, "live", 1, 0)

    async with app.database.transaction() as tx:  # the batch waits for this one's prediction
        await tx.execute("SELECT FROM prediction WHERE user_id = $1 FOR UPDATE", rival.id)
        ending = asyncio.create_task(moved(musa, started, state="finished"))
        await until_blocked(app.database, ending)
        leaving = asyncio.create_task(leave(member))
        await asyncio.sleep(0.3)
        assert not leaving.done()
    await settle(app, await ending)

    assert (await leaving).status_code == 200
    who = await app.database.fetch_rows("SELECT user_id, points FROM point_entry")
    assert {row["user_id"]: row["points"] for row in who} == {member.id: 10, rival.id: 10}
    left = await app.database.fetch_rows("SELECT user_id FROM prediction")
    assert [row["user_id"] for row in left] == [rival.id]
