"""Housekeeping takes what has served and nothing else, one worker at a time."""

import asyncio

from api.core.housekeeping import SERVED, tidy
from sqlalchemy import text

from tests.conftest import House


async def age(house: House, table: str, column: str, days: int) -> None:
    async with house.database.unit_of_work() as unit:
        await unit.connection.execute(
            text(f"UPDATE {table} SET {column} = {column} - make_interval(days => :days)"),
            {"days": days},
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
    columns = ("created_at", "window_started_at", "attempted_at", "created_at", "expires_at")

    assert set((await tidy(house.database)).values()) == {0}
    replay = await member.post("/api/v1/products/checkout", wish, key="kept-for-two-days")
    assert replay.headers["Idempotent-Replayed"] == "true"

    for (table, _), column in zip(SERVED, columns, strict=True):
        await age(house, table, column, 60)
    removed = await asyncio.gather(*(tidy(house.database) for _ in range(4)))
    total = {table: sum(one[table] for one in removed) for table, _ in SERVED}

    assert total["idempotency_key"] == 1
    assert total["session"] == 1
    assert total["rate_limit"] >= 1
    assert total["sign_in_guard"] == 1
    assert await house.balance(await house.member("bello")) == 0
