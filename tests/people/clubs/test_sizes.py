"""The number of a club's members: stored, and always exact."""

import asyncio
import random
from uuid import UUID

import pytest
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.database import Transaction
from api.people.clubs.service import queries

from tests.conftest import CLUB_A, CLUB_B, PASSWORD, RunningApp, SignedIn

COUNTED = "SELECT count(*) AS members FROM user_account WHERE club_id = $1 AND {live}"
LIVE = "activated_at IS NOT NULL AND erased_at IS NULL"


async def shown(member: SignedIn) -> int:
    answer = await member.get(f"/api/v1/dashboard/statistics/{member.id}")
    members: int = answer.json()["data"]["ranking"]["clubMembers"]
    return members


async def counted(app: RunningApp, club_id: UUID) -> int:
    row = await app.database.fetch_row(COUNTED.format(live=LIVE), club_id)
    assert row is not None
    members: int = row["members"]
    return members


JOIN = """
INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, terms_accepted_at,
                          activated_at)
VALUES ($1, $2, 'Bello', 'Obi', $3, $4, now(), now())
"""


async def join(app: RunningApp, number: int, club_id: UUID = CLUB_A) -> UUID:
    """Insert a member, as activation does, and return the id."""
    async with app.database.transaction() as tx:
        return await write_fan(tx, number, club_id)


async def write_fan(tx: Transaction, number: int, club_id: UUID = CLUB_A) -> UUID:
    user_id = new_id()
    await tx.execute(JOIN, user_id, club_id, f"fan{number}@example.com", f"+23481{number:08d}")
    return user_id


async def change(app: RunningApp, user_id: UUID, column: str, value: object) -> None:
    async with app.database.transaction() as tx:
        await tx.execute(
            f"UPDATE user_account SET {column} = $1 WHERE id = $2",
            value,
            user_id,
        )


async def test_activation_a_change_of_club_and_erasure_are_counted_at_once(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    before = await shown(member)
    fan = await join(app, 1)
    activated = await shown(member)
    await queries.fold_sizes(app.database)
    folded = await shown(member)
    await change(app, fan, "club_id", CLUB_B)
    moved = (await shown(member), await shown(rival))
    other = await app.member("chidi", club_id=CLUB_B)
    erased = await rival.client.request(
        "DELETE",
        f"/api/v1/users/{rival.id}",
        json={"password": PASSWORD},
        headers=rival.headers,
    )

    assert (before, activated, folded) == (1, 2, 2)
    assert moved == (1, 2)
    assert erased.status_code == 200
    assert await shown(other) == await counted(app, CLUB_B) == 2


async def test_a_member_who_was_deleted_is_counted_no_more(
    app: RunningApp, member: SignedIn
) -> None:
    fan = await join(app, 1)
    assert await shown(member) == 2

    async with app.database.transaction() as tx:
        await tx.execute("DELETE FROM user_account WHERE id = $1", fan)

    assert await shown(member) == 1


async def test_what_is_rolled_back_is_not_counted(app: RunningApp, member: SignedIn) -> None:
    async def join_and_fail() -> None:
        async with app.database.transaction() as tx:
            await write_fan(tx, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await join_and_fail()

    assert await shown(member) == 1


async def test_many_comings_and_goings_at_once_stay_exact_while_they_are_folded(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    chance = random.Random(20_261_122)  # noqa: S311 - a test draws the same each time

    async def live(number: int, club_id: UUID, moves: list[str]) -> None:
        fan = await join(app, number, club_id)
        for move in moves:
            if move == "erase":
                await change(app, fan, "erased_at", clock.now())
            else:
                await change(app, fan, "club_id", CLUB_A if move == "to A" else CLUB_B)

    lives = [
        live(
            number,
            chance.choice((CLUB_A, CLUB_B)),
            chance.choices(("to A", "to B", "erase"), k=4),
        )
        for number in range(24)
    ]
    await asyncio.gather(*lives, *(queries.fold_sizes(app.database) for _ in range(20)))

    for who in (member, rival):
        assert await shown(who) == await counted(app, who.club_id)
    await queries.fold_sizes(app.database)
    for who in (member, rival):
        assert await shown(who) == await counted(app, who.club_id)
    assert await app.database.fetch_row("SELECT 1 FROM club_size_change LIMIT 1") is None
