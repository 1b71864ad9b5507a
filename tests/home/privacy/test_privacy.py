"""Data export, and account deletion."""

import asyncio
import json
from typing import Any, BinaryIO
from uuid import UUID

import asyncpg
import httpx
import pytest
import time_machine
from api.app.metadata import metadata
from api.dev.sandbox.paystack.webhooks import sign
from api.foundation.core import clock
from api.foundation.core.ids import new_id
from api.foundation.database.errors import DatabaseRefusal
from api.foundation.security.rights import Role
from api.home.privacy.enums import ErasurePolicy
from api.home.privacy.rules import IMPERSONAL_TABLES, PERSONAL_TABLES
from api.money.ledger_audit.repository.audit_run import broken_invariants_in
from api.money.payments.enums import FundingState
from api.money.payments.ports import GatewayStatus, Verification
from api.money.payments.service import settling as payments_settling
from api.people.users.models import User
from api.people.users.service import account
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.back_office import ADMIN, operator_client
from tests.community.moments.forms import good_form, picture, profile_form
from tests.conftest import CLUB_A, PASSWORD, RunningApp, SignedIn
from tests.shop.carts import stock
from tests.shop.test_orders import buy, detail
from tests.shop.test_transfers import confirm

CANARIES = ("Canaria", "canary-holder", "canary-kin", "canary-street", "0123456788", "canary-goal")


async def live(app: RunningApp, member: SignedIn) -> list[str]:
    """Create data in as many places as possible; return the stored files' paths."""
    await app.give(member, 10_000)
    saved = await member.client.post(
        "/api/v1/users/updatekyc",
        headers=member.headers,
        **profile_form(
            {
                "firstName": "Canaria",
                "gender": "female",
                "dateOfBirth": "1999-05-14",
                "settlementDetails": {
                    "bankCode": "058",
                    "bankName": "canary-holder",
                    "accountNumber": "0123456788",
                },
                "nextOfKinsDetails": {
                    "nextOfKinsName": "canary-kin",
                    "nextOfKinsAddress": "canary-street",
                },
            },
            picture(),
        ),
    )
    moment = await member.client.post(
        "/api/v1/moment/create",
        headers=member.headers | {"Idempotency-Key": "canary-key"},
        **good_form(title="canary-goal"),
    )
    scarf = await app.stock_product()
    order = await member.post(
        "/api/v1/products/checkout",
        {
            "carts": [{"id": str(scarf), "quantity": 1, "price": 2500.5}],
            "userId": str(member.id),
            "billing": {
                "firstName": "Canaria",
                "lastName": "Obi",
                "phone": "08031234567",
                "address": "canary-street",
            },
            "paymentMethod": "wallet",
        },
    )
    assert (saved.status_code, moment.status_code, order.status_code) == (200, 201, 201)
    return [saved.json()["data"]["avatar"], moment.json()["data"]["video"]]


async def leave(member: SignedIn, password: str = PASSWORD, **fields: Any) -> httpx.Response:
    return await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=member.headers,
        json={"password": password} | fields,
    )


async def everything(owner: AsyncEngine) -> str:
    """Return every row of every table as text."""
    rows = []
    async with owner.connect() as connection:
        for table in metadata().sorted_tables:
            found = await connection.execute(text(f"SELECT to_jsonb(t) FROM {table.name} t"))
            rows += [json.dumps(row) for row in found.scalars()]
    return "\n".join(rows)


def test_every_table_says_what_leaving_means_to_it() -> None:
    listed = [table.name for table in PERSONAL_TABLES] + list(IMPERSONAL_TABLES)

    assert sorted(listed) == sorted(table.name for table in metadata().sorted_tables)
    assert all(len(reason) > 10 for reason in IMPERSONAL_TABLES.values())


def test_every_table_that_names_members_says_what_becomes_of_it() -> None:
    named = {
        table.name
        for table in metadata().sorted_tables
        if "user_id" in table.columns
        or any(key.column.table.name == "user_account" for key in table.foreign_keys)
    }
    listed = {table.name: table for table in PERSONAL_TABLES}

    assert named <= listed.keys()
    for table in PERSONAL_TABLES:
        columns = metadata().tables[table.name].columns
        assert set(table.hidden) | set(table.cleared) <= set(columns.keys())
        assert (table.policy is ErasurePolicy.CLEARED) == bool(table.cleared)


async def test_an_export_has_all_that_is_held_and_no_secret(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    files = await live(app, member)

    answer = await member.get(f"/api/v1/users/{member.id}/export")

    assert answer.status_code == 200
    data = answer.json()["data"]
    assert data["profile"]["settlementDetails"]["accountNumber"] == "0123456788"
    assert data["profile"]["nextOfKinsDetails"]["nextOfKinsAddress"] == "canary-street"
    assert set(files) <= set(data["media"])
    records = data["records"]
    assert records["user_account"][0]["email"] == member.email
    assert records["shop_order"][0]["billing"]["address"] == "canary-street"
    assert records["order_line"][0]["name"] == "Club Scarf"
    assert [row["kind"] for row in records["ledger_transfer"]] == ["adjust", "purchase"]
    assert records["moment"][0]["title"] == "canary-goal"
    assert records.keys() == {table.name for table in PERSONAL_TABLES}
    assert "argon2" not in answer.text
    assert str(rival.id) not in answer.text


async def prepare(member: SignedIn, amount: float = 5000) -> str:
    answer = await member.post("/api/v1/payment/prepare-wallet-funding", {"amount": amount})
    reference: str = answer.json()["data"]["reference"]
    return reference


def paid(app: RunningApp, member: SignedIn, reference: str) -> Verification:
    """Return the provider's verification of a payment of ₦5,000."""
    return Verification(
        reference=reference,
        status=GatewayStatus.SUCCESS,
        amount_kobo=500_000,
        currency="NGN",
        gateway_transaction_id=str(new_id()),
        user_id=str(member.id),
    )


async def report(app: RunningApp, member: SignedIn, reference: str) -> httpx.Response:
    """Post the provider's signed report of a payment, which names the payer."""
    body = json.dumps(
        {
            "event": "charge.success",
            "data": {
                "id": new_id().int % 10**12,
                "domain": "test",
                "status": "success",
                "reference": reference,
                "amount": 500_000,
                "currency": "NGN",
                "metadata": {"user_id": str(member.id)},
                "customer": {"email": member.email, "first_name": "canary-payer"},
            },
        }
    ).encode()
    key = app.settings.paystack_secret_key.get_secret_value()
    return await app.client.post(
        "/api/v1/payment/webhook/paystack",
        content=body,
        headers={"x-paystack-signature": sign(body, key)},
    )


async def reports(owner: AsyncEngine) -> list[bytes]:
    async with owner.connect() as connection:
        found = await connection.execute(text("SELECT raw FROM payment_event ORDER BY id"))
        return [bytes(raw) for raw in found.scalars()]


async def test_what_the_provider_reported_is_exported_as_facts_and_blanked_on_leaving(
    app: RunningApp, member: SignedIn, rival: SignedIn, owner: AsyncEngine
) -> None:
    for one in (member, rival):
        reference = await prepare(one)
        assert (await report(app, one, reference)).status_code == 200
    records = (await member.get(f"/api/v1/users/{member.id}/export")).json()["data"]["records"]
    assert [(row["type"], "raw" in row) for row in records["payment_event"]] == [
        ("charge.success", False)
    ]

    assert (await leave(member, forfeitBalance=True)).status_code == 200

    blanked, kept = await reports(owner)
    assert blanked == b""
    assert rival.email.encode() in kept


async def test_a_report_on_who_has_left_is_kept_without_its_bytes_and_the_money_set_aside(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    reference = await prepare(member)
    assert (await leave(member)).status_code == 200

    answer = await report(app, member, reference)

    assert answer.status_code == 200
    assert await reports(owner) == [b""]
    funding = await app.database.fetch_row("SELECT * FROM funding")
    assert funding is not None
    assert (funding["state"], funding["review_reason"]) == ("review", "member_left")
    row = await app.database.fetch_row("SELECT count(*) AS n FROM ledger_transfer")
    assert row is not None
    assert row["n"] == 0


def test_every_column_of_a_members_record_says_whether_it_stays_when_they_leave() -> None:
    columns = set(User.__table__.columns.keys())
    erased = set(account.erased_values(new_id(), clock.now()))

    assert erased | account.KEPT_OF_THE_ERASED == columns
    assert not erased & account.KEPT_OF_THE_ERASED


async def test_reports_are_never_rewritten(app: RunningApp, member: SignedIn) -> None:
    await report(app, member, await prepare(member))

    for change in ("raw = 'forged'", "reference = 'other'", "type = ''"):
        with pytest.raises((DatabaseRefusal, asyncpg.PostgresError)):
            async with app.database.transaction() as tx:
                await tx.execute(f"UPDATE payment_event SET {change}")


async def test_money_that_comes_while_its_member_is_leaving_keeps_the_member(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    member = await live_server.member()
    await live_server.give(member, 100)
    await member.post(
        "/api/v1/users/subscription", {"subscriptionId": str(await a_plan(live_server, 10_000))}
    )
    assert await live_server.balance(member) == 0
    reference = await prepare(member)
    async with owner.connect() as connection:
        # The payment is being credited when the member requests deletion.
        crediting = await connection.begin()
        await connection.execute(
            text("SELECT post_wallet_transfer(:id, :user, 'fund', :reference, 500000, NULL)"),
            {"id": new_id(), "user": member.id, "reference": reference},
        )
        leaving = asyncio.create_task(leave(member))
        await asyncio.wait([leaving], timeout=1)
        assert not leaving.done()
        await crediting.commit()

    answer = await leaving

    assert (answer.status_code, answer.json()["data"]) == (409, {"balance": 5000.0})
    assert await live_server.balance(member) == 5000
    assert (await member.get(f"/api/v1/users/{member.id}")).status_code == 200


async def test_money_that_comes_after_the_leaving_began_is_set_aside(
    live_server: RunningApp, owner: AsyncEngine
) -> None:
    member = await live_server.member()
    reference = await prepare(member)
    async with owner.connect() as connection:
        # The first statement of a deletion, which stays open here.
        leaving = await connection.begin()
        await connection.execute(
            text("SELECT 1 FROM user_account WHERE id = :id FOR UPDATE"), {"id": member.id}
        )
        settling = asyncio.create_task(
            payments_settling.settle(
                live_server.asgi.state.services.payments, paid(live_server, member, reference)
            )
        )
        await asyncio.wait([settling], timeout=1)
        assert not settling.done()
        await connection.execute(
            text("UPDATE user_account SET erased_at = now() WHERE id = :id"), {"id": member.id}
        )
        await leaving.commit()

    assert await settling is FundingState.REVIEW
    row = await live_server.database.fetch_row("SELECT review_reason FROM funding")
    assert row is not None
    assert row["review_reason"] == "member_left"


async def test_leavings_and_payments_at_once_lose_no_money(live_server: RunningApp) -> None:
    for number in range(12):
        member = await live_server.member(f"leaver{number}")
        reference = await prepare(member)

        left, state = await asyncio.gather(
            leave(member),
            payments_settling.settle(
                live_server.asgi.state.services.payments, paid(live_server, member, reference)
            ),
        )

        if left.status_code == 200:
            assert state is FundingState.REVIEW
        else:
            assert (left.status_code, state) == (409, FundingState.SUCCEEDED)
            assert await live_server.balance(member) == 5000


async def a_plan(app: RunningApp, amount_kobo: int) -> UUID:
    """Insert a plan and return its id."""
    plan_id = new_id()
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, battle_zone, "
            "position) VALUES ($1, 'Terrace', $2, 1, 'month', '{}', false, 1)",
            plan_id,
            amount_kobo,
        )
    return plan_id


async def test_nobody_exports_or_deletes_another(member: SignedIn, rival: SignedIn) -> None:
    assert (await rival.get(f"/api/v1/users/{member.id}/export")).status_code == 404
    answer = await rival.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        headers=rival.headers,
        json={"password": PASSWORD},
    )
    assert answer.status_code == 404


async def test_a_wrong_password_deletes_nothing_and_is_counted(
    app: RunningApp, member: SignedIn
) -> None:
    answers = [await leave(member, f"guess {number}") for number in range(12)]

    assert answers[0].status_code == 400
    assert answers[0].json()["message"] == "This is not your password."
    assert answers[-1].status_code == 429
    assert (await leave(member)).status_code == 429
    assert (await member.get(f"/api/v1/users/{member.id}")).status_code == 200


async def test_each_wrong_password_after_the_tenth_doubles_the_wait(member: SignedIn) -> None:
    waits, now = [], clock.now()
    with time_machine.travel(now, tick=False) as travelling:
        for _ in range(10):
            assert (await leave(member, "a guess")).status_code == 400
        for _ in range(6):
            waits.append(int((await leave(member)).headers["Retry-After"]))
            travelling.shift(waits[-1])
            assert (await leave(member, "a guess")).status_code == 400

    assert [wait // 30 for wait in waits] == [1, 2, 4, 8, 16, 30]


async def test_money_in_the_wallet_is_not_given_up_by_accident(
    app: RunningApp, member: SignedIn
) -> None:
    await app.give(member, 2_500)

    answer = await leave(member)

    assert answer.status_code == 409
    assert answer.json()["data"] == {"balance": 2500.0}
    assert (await leave(member, forfeitBalance=True)).status_code == 200


async def test_who_leaves_is_gone_and_the_books_stay(
    app: RunningApp, member: SignedIn, rival: SignedIn, owner: AsyncEngine
) -> None:
    files = await live(app, member)
    await app.member("third")
    before = await everything(owner)
    for canary in (member.email, "Canaria", "canary-street", "canary-goal"):
        assert canary in before

    answer = await leave(member, forfeitBalance=True)

    assert answer.status_code == 200
    assert answer.json()["message"] == "Your account has been deleted."
    after = await everything(owner)
    for canary in (*CANARIES, member.email, "canary-key", "2348031234567"):
        assert canary not in after
    for path in files:
        assert (await app.client.get(path)).status_code == 404
    assert (await member.get(f"/api/v1/users/{member.id}")).status_code == 401
    assert (await app.sign_in(member.email)).status_code == 400
    async with owner.connect() as connection:
        kept = await connection.execute(
            text(
                "SELECT count(*) FROM ledger_transfer t "
                "JOIN ledger_account a ON a.id = t.wallet_id WHERE a.owner_id = :id"
            ),
            {"id": member.id},
        )
        assert kept.scalar_one() == 3  # the funding, the purchase, and the deletion's transfer
    assert (await rival.get(f"/api/v1/users/{rival.id}")).status_code == 200


async def sign_up_left_open(app: RunningApp, email: str) -> None:
    """Insert a pending sign-up, as if it preceded the account."""
    async with app.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO sign_up_attempt (id, address, origin, club_id, first_name, last_name, "
            "email, phone, password_hash, created_at, expires_at) "
            "VALUES ($1, 'digest', 'digest', $2, 'Canaria', 'Obi', $3, "
            "'+2348031234567', '$argon2id$', now(), now() + interval '24 hours')",
            new_id(),
            CLUB_A,
            email,
        )


async def test_sign_ups_with_the_members_email_are_exported_and_go_with_the_member(
    app: RunningApp, member: SignedIn, rival: SignedIn, owner: AsyncEngine
) -> None:
    for email in (member.email, rival.email):
        await sign_up_left_open(app, email)

    export = await member.get(f"/api/v1/users/{member.id}/export")
    answer = await leave(member)

    (record,) = export.json()["data"]["records"]["sign_up_attempt"]
    assert (record["email"], record["phone"]) == (member.email, "+2348031234567")
    assert "argon2" not in export.text
    assert record.keys().isdisjoint({"address", "password_hash"})
    assert answer.status_code == 200
    async with owner.connect() as connection:
        left = await connection.execute(text("SELECT email FROM sign_up_attempt"))
        assert left.scalars().all() == [rival.email]


async def test_an_upload_under_way_while_its_member_leaves_comes_to_nothing(
    app: RunningApp, member: SignedIn, owner: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = app.asgi.state.services.media_store
    put = store.put
    keys: list[str] = []

    async def leave_first(key: str, source: BinaryIO) -> None:
        if not keys:
            assert (await leave(member)).status_code == 200
        keys.append(key)
        await put(key, source)

    monkeypatch.setattr(store, "put", leave_first)

    answer = await member.client.post(
        "/api/v1/moment/create", headers=member.headers, **good_form(title="canary-goal")
    )

    assert answer.status_code == 404
    assert len(keys) == 2
    for key in keys:
        assert (await app.client.get(f"/media/{key}")).status_code == 404
    assert "canary-goal" not in await everything(owner)


async def test_the_email_and_phone_of_who_left_are_free_again(
    app: RunningApp, member: SignedIn, owner: AsyncEngine
) -> None:
    async with owner.begin() as connection:
        await connection.execute(
            text("UPDATE user_account SET phone = '+2348031234567' WHERE id = :id"),
            {"id": member.id},
        )
    assert (await leave(member)).status_code == 200

    answer = await app.client.post(
        "/api/v1/signup",
        json={
            "firstName": "Ada",
            "lastName": "Obi",
            "email": member.email,
            "username": member.email,
            "phone": "08031234567",
            "password": PASSWORD,
            "club": str(member.club_id),
            "tnc": True,
        },
    )

    assert answer.status_code == 201
    assert answer.json()["data"]["id"] != str(member.id)


async def test_a_record_of_who_left_cannot_be_signed_up_over_or_woken(
    app: RunningApp, member: SignedIn
) -> None:
    await leave(member)

    resent = await app.client.post("/api/v1/signup/resend-code", json={"userId": str(member.id)})
    signed_in = await app.sign_in(f"erased:{member.id}")

    assert resent.status_code == 404
    assert signed_in.status_code == 422
    assert signed_in.json()["message"] == "Invalid username input"


async def test_leaving_cancels_what_is_not_sent_and_its_money_is_given_up_or_kept(
    app: RunningApp, member: SignedIn
) -> None:
    operator = await operator_client(app, "olu", Role.FINANCE)
    await app.give(member, 5001)
    paid = await buy(app, member)
    waiting = await buy(app, member, paymentMethod="bank-transfer")
    await confirm(operator, waiting, amount=3000)
    path = f"/api/v1/users/{member.id}"

    async def leave(**changes: Any) -> httpx.Response:
        body = {"password": PASSWORD} | changes
        return await member.client.request("DELETE", path, json=body, headers=member.headers)

    kept = await leave(forfeitBalance=False)
    assert (kept.status_code, kept.json()["data"]) == (409, {"balance": 8001})
    assert (await detail(member, paid["orderId"]))["status"] == "processing"
    gone = await leave(forfeitBalance=True)

    assert gone.status_code == 200
    rows = await app.database.fetch_rows("SELECT status FROM shop_order")
    assert {row["status"] for row in rows} == {"cancelled"}
    assert await stock(app, paid["product"]) == 10
    assert await broken_invariants_in(app.database) == []


async def test_refunds_that_are_owed_and_transfers_under_review_are_not_given_up_by_accident(
    app: RunningApp, member: SignedIn
) -> None:
    shop, finance = (
        await operator_client(app, "shade", Role.SHOP),
        await operator_client(app, "olu", Role.FINANCE),
    )
    await app.give(member, 5001)
    paid = await buy(app, member)
    surplus = await buy(app, member, paymentMethod="bank-transfer")
    await confirm(finance, surplus, amount=8001)
    await shop.post(f"{ADMIN}/orders/{paid['orderId']}/cancel", {"reason": "Sold out at the mill"})

    kept = await leave(member)

    assert (kept.status_code, kept.json()["data"]) == (409, {"balance": 5001 + 5001 + 3000})
    assert (await leave(member, forfeitBalance=True)).status_code == 200


async def test_the_last_owner_cannot_leave_and_of_two_at_once_one_stays(
    live_server: RunningApp,
) -> None:
    olu = await operator_client(live_server, "olu", Role.OWNER)
    alone = await leave(olu.member)
    bisi = await operator_client(live_server, "bisi", Role.OWNER)
    mina = await operator_client(live_server, "mina", Role.FINANCE)

    answers = await asyncio.gather(*(leave(one.member) for one in (olu, bisi, mina)))

    assert (alone.status_code, alone.json()["error"]["code"]) == (409, "last_owner")
    assert answers[2].status_code == 200
    assert sorted(answer.status_code for answer in answers[:2]) == [200, 409]
    left = "SELECT count(*) FROM operator WHERE disabled_at IS NULL AND 'owner' = ANY (roles)"
    assert await live_server.database.fetch_value(left) == 1
