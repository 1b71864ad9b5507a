"""Proofs of payment: uploaded for a bank transfer, private, decided by operators."""

import asyncio
import io
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from api.app.worker import MEDIA_OWNERS
from api.foundation.core import clock
from api.foundation.media.storage import NoSuchObjectError
from api.foundation.security.rights import Role
from api.shop.repository import orders as orders_repository
from api.shop.service import orders
from api.shop.service.proofs import may_upload
from PIL import Image

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import picture
from tests.conftest import PASSWORD, RunningApp, SignedIn
from tests.shop.carts import count
from tests.shop.test_orders import buy, detail, kinds
from tests.shop.test_transfers import confirm, notification_kinds

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
LARGEST = 2_097_152
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."


@pytest.fixture
async def finance(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.FINANCE)


async def order(app: RunningApp, member: SignedIn) -> dict[str, Any]:
    return await buy(app, member, paymentMethod="bank-transfer")


async def upload(
    member: SignedIn,
    placed: dict[str, Any],
    content: bytes | None = None,
    *,
    key: str | None = None,
    **fields: str,
) -> httpx.Response:
    """Upload a file as proof of an order's payment; a picture by default."""
    shown = picture() if content is None else content
    headers = member.headers | ({"Idempotency-Key": key} if key else {})
    return await member.client.post(
        f"/api/v1/orders/{placed['orderId']}/proof",
        files={"file": ("a.bin", shown, "application/octet-stream")},
        data=fields,
        headers=headers,
    )


async def reject(
    operator_client: OperatorClient, placed: dict[str, Any], proof: str, **changes: Any
) -> httpx.Response:
    path = f"{ADMIN}/orders/{placed['orderId']}/reject-proof"
    return await operator_client.post(
        path, {"proofId": proof, "reason": "We cannot read it"} | changes
    )


async def age(app: RunningApp, placed: dict[str, Any], by: timedelta) -> None:
    """Backdate an order's deadline and its events."""
    async with app.database.transaction() as tx:
        await tx.execute(
            "UPDATE shop_order SET pay_by = pay_by - $2::interval WHERE id = $1",
            placed["orderId"],
            by,
        )


async def test_a_picture_is_written_anew_and_read_by_its_member_as_a_file(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)
    assert (await detail(member, placed["orderId"]))["canUploadProof"] is True

    answer = await upload(member, placed, picture("PNG", (3000, 1500)), note="GTBank, Ada")

    assert answer.status_code == 201
    proof = answer.json()["data"]
    assert proof["state"] == "waiting"
    found = await detail(member, placed["orderId"])
    assert [(one["id"], one["state"], one["reason"]) for one in found["proofs"]] == [
        (proof["id"], "waiting", None)
    ]
    read = await member.get(f"/api/v1/orders/{placed['orderId']}/proofs/{proof['id']}")
    assert read.status_code == 200
    assert read.headers["Content-Type"] == "image/webp"
    assert read.headers["Content-Disposition"] == (
        f'attachment; filename="{placed["orderNumber"]}-proof.webp"'
    )
    assert read.headers["Cache-Control"] == "private, no-store"
    assert read.headers["X-Content-Type-Options"] == "nosniff"
    assert max(Image.open(io.BytesIO(read.content)).size) == 1600


async def test_a_pdf_is_kept_as_it_is(app: RunningApp, member: SignedIn) -> None:
    placed = await order(app, member)

    proof = (await upload(member, placed, PDF)).json()["data"]

    read = await member.get(f"/api/v1/orders/{placed['orderId']}/proofs/{proof['id']}")
    assert (read.headers["Content-Type"], read.content) == ("application/pdf", PDF)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"", 422, "validation_failed"),
        (b"GIF89a" + bytes(100), 415, "not_a_proof"),
        (b"<html><script>alert(1)</script>", 415, "not_a_proof"),
        (b"MZ\x90" + bytes(100), 415, "not_a_proof"),
        (b"%PDF-1.7 and then nothing", 422, "damaged_document"),
        (picture()[:300], 422, "damaged_picture"),
        (PDF[:-6] + bytes(LARGEST - len(PDF) + 7), 413, "too_large"),
    ],
)
async def test_what_is_no_proof_is_refused_and_nothing_is_kept(
    app: RunningApp, member: SignedIn, content: bytes, status: int, code: str
) -> None:
    placed = await order(app, member)
    store = app.asgi.state.services.media_store
    before = [found.key async for found in store.list_all("proofs")]

    answer = await upload(member, placed, content)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert await count(app, "transfer_proof") == 0
    assert [found.key async for found in store.list_all("proofs")] == before


async def test_two_megabytes_pass_and_one_byte_more_is_refused_with_the_sentence(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)
    whole = PDF[:-6] + b"%" * (LARGEST - len(PDF)) + PDF[-6:]

    above = await upload(member, placed, whole + b"%")
    just = await upload(member, placed, whole)

    assert (above.status_code, above.json()["message"]) == (413, TOO_LARGE)
    assert above.json()["error"]["fields"] == {"file": TOO_LARGE}
    assert just.status_code == 201


@pytest.mark.parametrize("note", ["", "x" * 201, "nul \x00"])
async def test_a_note_that_does_not_fit_is_refused_by_name(
    app: RunningApp, member: SignedIn, note: str
) -> None:
    placed = await order(app, member)

    answer = await upload(member, placed, note=note)

    assert answer.status_code == 422
    assert "note" in answer.json()["error"]["fields"]


async def test_a_new_proof_replaces_the_waiting_one_and_a_fourth_is_refused(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)
    proofs = [(await upload(member, placed)).json()["data"]["id"] for _ in range(3)]

    fourth = await upload(member, placed)

    assert (fourth.status_code, fourth.json()["error"]["code"]) == (409, "too_many_proofs")
    found = await detail(member, placed["orderId"])
    assert [one["id"] for one in found["proofs"]] == proofs[2:]
    assert found["canUploadProof"] is False


async def test_a_retry_under_its_key_is_the_same_proof_and_another_file_is_refused(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)

    first = await upload(member, placed, PDF, key="the-proof-of-ada")
    again = await upload(member, placed, PDF, key="the-proof-of-ada")
    other = await upload(member, placed, key="the-proof-of-ada")

    assert again.json()["data"] == first.json()["data"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")
    assert await count(app, "transfer_proof") == 1


async def test_one_members_key_is_not_anothers(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    placed = [await order(app, one) for one in (member, rival)]

    first = await upload(member, placed[0], PDF, key="one-key-of-two")
    other = await upload(rival, placed[1], PDF, key="one-key-of-two")

    assert (first.status_code, other.status_code) == (201, 201)
    assert await count(app, "transfer_proof") == 2


async def test_twenty_uploads_at_once_leave_three_of_which_one_waits(
    live_server: RunningApp,
) -> None:
    member = await live_server.member()
    placed = await order(live_server, member)

    answers = await asyncio.gather(*(upload(member, placed, PDF) for _ in range(20)))

    statuses = {answer.status_code for answer in answers}
    assert statuses <= {201, 409, 429}
    rows = await live_server.database.fetch_rows("SELECT state FROM transfer_proof ORDER BY id")
    assert len(rows) == sum(answer.status_code == 201 for answer in answers) <= 3
    assert [row["state"] for row in rows].count("waiting") == 1


async def test_only_an_order_that_waits_for_its_transfer_takes_a_proof(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    await app.give(member, 10_000)
    by_wallet = await buy(app, member)
    cancelled = await order(app, member)
    await member.post(f"/api/v1/orders/{cancelled['orderId']}/cancel", {})
    theirs = await order(app, rival)

    answers = [await upload(member, placed) for placed in (by_wallet, cancelled, theirs)]

    assert [answer.status_code for answer in answers] == [409, 409, 404]
    assert [answer.json()["data"] for answer in answers[:2]] == [
        {"status": "processing"},
        {"status": "cancelled"},
    ]


async def test_an_expired_order_takes_a_proof_for_two_weeks(
    app: RunningApp, member: SignedIn
) -> None:
    placed = await order(app, member)
    expired_at = clock.now() + timedelta(hours=73)
    await orders.expire_orders(app.database, expired_at)
    row = await orders_repository.read_order(app.database, member.id, UUID(placed["orderId"]), "")
    assert row is not None

    uploaded = await upload(member, placed)

    assert uploaded.status_code == 201
    for days, allowed in ((13.9, True), (14.1, False)):
        now = expired_at + timedelta(days=days)
        assert may_upload(row, 1, now) is allowed


async def test_an_order_with_a_waiting_proof_neither_expires_nor_is_cancelled(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    proof = (await upload(member, placed)).json()["data"]["id"]

    assert await orders.expire_orders(app.database, clock.now() + timedelta(hours=73)) == 0
    cancelled = await member.post(f"/api/v1/orders/{placed['orderId']}/cancel", {})
    assert (cancelled.status_code, cancelled.json()["error"]["code"]) == (409, "proof_waiting")
    assert (await detail(member, placed["orderId"]))["canCancel"] is False

    await reject(finance, placed, proof)
    assert await orders.expire_orders(app.database, clock.now() + timedelta(hours=73)) == 1


async def test_a_rejection_tells_why_and_leaves_a_day_for_another_one(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    proof = (await upload(member, placed)).json()["data"]["id"]
    await age(app, placed, timedelta(hours=71))

    answer = await reject(finance, placed, proof)
    again = await reject(finance, placed, proof)

    assert (answer.status_code, answer.json()["data"]) == (200, {"id": proof, "state": "rejected"})
    assert (again.status_code, again.json()["data"]) == (409, {"status": "rejected"})
    found = await detail(member, placed["orderId"])
    assert [(one["state"], one["reason"]) for one in found["proofs"]] == [
        ("rejected", "We cannot read it")
    ]
    assert await notification_kinds(member) == ["proof_rejected"]
    assert await orders.expire_orders(app.database, clock.now() + timedelta(hours=23)) == 0
    assert await orders.expire_orders(app.database, clock.now() + timedelta(hours=25)) == 1


async def test_a_confirmed_transfer_accepts_the_proof(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await upload(member, placed)

    await confirm(finance, placed)

    found = await detail(member, placed["orderId"])
    assert [one["state"] for one in found["proofs"]] == ["accepted"]
    assert found["canUploadProof"] is False
    assert await kinds(member, placed["orderId"]) == [
        ("placed", "pending", "member"),
        ("paid", "processing", "admin"),
    ]


async def test_operators_find_orders_by_their_proof_and_reading_it_is_written_down(
    app: RunningApp, member: SignedIn, finance: OperatorClient
) -> None:
    placed = await order(app, member)
    await order(app, member)
    proof = (await upload(member, placed, PDF)).json()["data"]["id"]

    listed = (await finance.get(f"{ADMIN}/orders?proof=waiting")).json()["data"]["rows"]
    read = await finance.get(f"{ADMIN}/orders/{placed['orderId']}/proofs/{proof}")

    assert [row["id"] for row in listed] == [placed["orderId"]]
    assert (read.status_code, read.content) == (200, PDF)
    rows = await app.database.fetch_rows(
        "SELECT action, target_id FROM audit_entry WHERE action = 'look-at-proof'"
    )
    assert [row["target_id"] for row in rows] == [placed["orderId"]]


async def test_a_proof_is_nobody_elses_and_lies_at_no_address(
    app: RunningApp, member: SignedIn, rival: SignedIn
) -> None:
    placed = await order(app, member)
    proof = (await upload(member, placed)).json()["data"]["id"]
    key = await app.database.fetch_value("SELECT media_key FROM transfer_proof")
    game_master = await operator_client(app, "efe", Role.GAME_MASTER)

    theirs = await rival.get(f"/api/v1/orders/{placed['orderId']}/proofs/{proof}")
    masters = await game_master.get(f"{ADMIN}/orders/{placed['orderId']}/proofs/{proof}")
    served = await app.client.get(f"/media/{key}")

    assert [one.status_code for one in (theirs, masters, served)] == [404, 404, 404]


async def test_leaving_takes_the_proofs_along(app: RunningApp, member: SignedIn) -> None:
    placed = await order(app, member)
    await upload(member, placed)
    key = await app.database.fetch_value("SELECT media_key FROM transfer_proof")
    store = app.asgi.state.services.media_store
    assert (await store.describe(key)).size_bytes > 0

    await member.client.request(
        "DELETE",
        f"/api/v1/users/{member.id}",
        json={"password": PASSWORD, "forfeitBalance": True},
        headers=member.headers,
    )

    assert await count(app, "transfer_proof") == 0
    with pytest.raises(NoSuchObjectError):
        await store.describe(key)


async def test_the_sweep_knows_which_proofs_are_named(app: RunningApp, member: SignedIn) -> None:
    placed = await order(app, member)
    await upload(member, placed)
    key = await app.database.fetch_value("SELECT media_key FROM transfer_proof")

    named = await MEDIA_OWNERS["proofs"](app.database, [key, "proofs/none.webp"])

    assert named == {key}
