"""Housekeeping takes what has served and nothing else, one worker at a time."""

import asyncio

import pytest
from api.database.housekeeping import SERVED, tidy

from tests.conftest import CLUB_A, House

SIGN_UP = {
    "firstName": "Bello",
    "lastName": "Musa",
    "email": "musa@example.com",
    "phone": "08031234567",
    "password": "a good password",
    "club": str(CLUB_A),
    "tnc": True,
}


async def age(house: House, table: str, column: str, days: int) -> None:
    async with house.database.transaction() as tx:
        await tx.execute(
            f"UPDATE {table} SET {column} = {column} - make_interval(days => $1)",
            days,
        )


async def test_served_rows_go_and_live_ones_stay(house: House) -> None:
    member = await house.member("ada")
    scarf = await house.stock_product()
    await house.give(member, 5000)
    wish = {
        "carts": [{"id": str(scarf), "quantity": 1}],
        "billing": {"firstName": "A", "lastName": "B", "phone": "08031234567", "address": "x"},
        "paymentMethod": "wallet",
    }
    await member.post("/api/v1/products/checkout", wish, key="kept-for-two-days")
    await house.sign_in("nobody@example.com", "wrong")
    await house.client.get("/readyz")
    await house.client.post("/api/v1/signup", json=SIGN_UP)
    columns = (
        *("created_at", "window_started_at", "attempted_at", "created_at"),
        *("expires_at", "seen_at", "expires_at", "beat_at"),
        *("created", "updated"),
    )
    await house.database.fetch_row(
        "INSERT INTO pgqueuer (priority, status, entrypoint) "
        "VALUES (0, 'failed', 'nothing'), (0, 'picked', 'nothing')"
    )

    assert set((await tidy(house.database)).values()) == {0}
    replay = await member.post("/api/v1/products/checkout", wish, key="kept-for-two-days")
    assert replay.headers["Idempotent-Replayed"] == "true"

    for (table, _), column in zip(SERVED, columns, strict=True):
        await age(house, table, column, 100)
    removed = await asyncio.gather(*(tidy(house.database) for _ in range(4)))
    total = {table: sum(one[table] or 0 for one in removed) for table, _ in SERVED}

    assert total["idempotency_key"] == 1
    assert total["session"] == 1
    assert total["rate_limit"] >= 1
    assert total["sign_in_guard"] == 2, "the count for the network, and the one for all"
    assert total["heartbeat"] == 1
    assert total["mailed_code"] == total["sign_up_attempt"] == 1
    assert total["known_origin"] == 1
    assert total["pgqueuer"] == 1, "the dead letter, and not what runs"
    assert total["pgqueuer_log"] >= 1
    assert await house.balance(await house.member("bello")) == 0


async def test_a_table_that_cannot_be_tidied_keeps_no_other_from_it(house: House) -> None:
    await house.sign_in("nobody@example.com", "wrong")
    await age(house, "sign_in_guard", "attempted_at", 60)
    tables = (("no_such_table", "true"), *SERVED)

    with pytest.raises(ExceptionGroup) as failed:
        await tidy(house.database, tables)

    assert [type(error).__name__ for error in failed.value.exceptions] == ["UndefinedTableError"]
    assert await house.database.fetch_row("SELECT 1 FROM sign_in_guard") is None
