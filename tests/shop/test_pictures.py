"""Pictures of products: re-encoded at two sizes, replaced, and kept where orders show them."""

import asyncio
import io
from typing import Any

import httpx
import pytest
from api.foundation.security.rights import Role
from api.shop.service import products
from PIL import Image

from tests.back_office import ADMIN, OperatorClient, operator_client
from tests.community.moments.forms import picture
from tests.conftest import RunningApp, SignedIn
from tests.shop.carts import CHECKOUT, cart, count

LARGEST = 2_097_152
TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file."


@pytest.fixture
async def olu(app: RunningApp) -> OperatorClient:
    return await operator_client(app, "olu", Role.SHOP)


async def upload(
    operator: OperatorClient, product: object, content: bytes, *, key: str | None = None
) -> httpx.Response:
    headers = operator.headers | ({"Idempotency-Key": key} if key else {})
    return await operator.client.post(
        f"{ADMIN}/products/{product}/picture",
        files={"file": ("a.bin", content, "application/octet-stream")},
        headers=headers,
    )


def files(app: RunningApp) -> set[str]:
    folder = app.settings.var_dir / "media" / "shop"
    return {f"/media/shop/{path.name}" for path in folder.glob("*.webp")}


async def pictures(operator: OperatorClient, product: object) -> dict[str, Any]:
    data = (await operator.get(f"{ADMIN}/products/{product}")).json()["data"]
    return {name: data[name] for name in ("image", "thumbnail", "version")}


async def test_a_picture_is_written_anew_at_the_sizes_that_the_shop_shows(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    scarf = await app.stock_product()

    answer = await upload(olu, scarf, picture("PNG", (2000, 1000)))

    assert answer.status_code == 200, answer.text
    shown = (await member.get(f"/api/v1/products/{scarf}")).json()["data"]
    sizes = []
    for name in ("image", "thumbnail"):
        served = await app.client.get(shown[name])
        assert (served.status_code, served.headers["content-type"]) == (200, "image/webp")
        sizes.append(Image.open(io.BytesIO(served.content)).size)
    assert sizes == [(1200, 600), (480, 240)]
    assert await count(app, "audit_entry") == 1


async def test_what_is_no_picture_or_too_large_is_refused_and_leaves_no_file(
    app: RunningApp, olu: OperatorClient
) -> None:
    scarf = await app.stock_product()
    before = files(app)

    text = await upload(olu, scarf, b"%PDF-1.7")
    damaged = await upload(olu, scarf, picture("PNG")[:-20])
    empty = await upload(olu, scarf, b"")
    large = await upload(olu, scarf, b"\xff\xd8\xff" + bytes(LARGEST - 2))
    unknown = await upload(olu, "0190b5c2-7d3e-7a41-9c55-0f2b8d1e6a70", picture())

    statuses = [one.status_code for one in (text, damaged, empty, large, unknown)]
    assert statuses == [415, 422, 422, 413, 404]
    assert large.json()["message"] == TOO_LARGE
    assert files(app) == before
    assert await count(app, "audit_entry") == 0


async def test_orders_show_the_picture_that_was_replaced(
    app: RunningApp, olu: OperatorClient, member: SignedIn
) -> None:
    await app.give(member, 10_000)
    before = files(app)
    scarf = await app.stock_product()
    await upload(olu, scarf, picture())
    first = await pictures(olu, scarf)
    assert (await member.post(CHECKOUT, cart((scarf, 1, None)))).status_code == 201

    await upload(olu, scarf, picture(size=(50, 50)))

    second = await pictures(olu, scarf)
    (order,) = (await member.get(f"/api/v1/products/user/{member.id}")).json()["data"]
    thumbnail = order["product_meta_data"][0]["thumbnail"]
    assert thumbnail == first["thumbnail"] != second["thumbnail"]
    kept = {first["thumbnail"], second["thumbnail"], second["image"]}
    assert files(app) - before == kept
    keys = [url.removeprefix("/media/") for url in kept]
    assert await products.named_keys(app.database, keys) == set(keys)


async def test_an_upload_that_is_sent_twice_is_kept_once(
    app: RunningApp, olu: OperatorClient
) -> None:
    scarf = await app.stock_product()
    before = files(app)

    answers = [await upload(olu, scarf, picture(), key="the-same-one") for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert len(files(app) - before) == 2
    assert await count(app, "audit_entry") == 1


async def test_two_pictures_at_once_leave_no_orphan(live_server: RunningApp) -> None:
    olu = await operator_client(live_server, "olu", Role.SHOP)
    scarf = await live_server.stock_product()
    before = files(live_server)

    answers = await asyncio.gather(
        *(upload(olu, scarf, picture(size=(n + 20, 20))) for n in range(2))
    )

    assert [one.status_code for one in answers] == [200, 200]
    now = await pictures(olu, scarf)
    assert now["version"] == 3
    former = await live_server.database.fetch_value("SELECT thumbnail FROM former_picture")
    assert files(live_server) - before == {now["image"], now["thumbnail"], former}
    assert await count(live_server, "audit_entry") == 2
