"""Writes of the shop."""

from tests.backoffice.oversight.writes import WHY, Sent, Stage, example
from tests.community.moments.forms import picture
from tests.shop.carts import sized_product
from tests.shop.test_orders import buy
from tests.shop.test_proofs import upload
from tests.shop.test_transfers import TRANSFER, order

WISH = {"name": "Supporters' Cap", "price": 3500.5}


async def paid(stage: Stage) -> str:
    await stage.app.give(stage.member, 20_000)
    placed: str = (await buy(stage.app, stage.member))["orderId"]
    return placed


@example("POST orders/{order_id}/confirm-transfer")
async def confirm(stage: Stage) -> Sent:
    placed = await order(stage.app, stage.member)
    return Sent({"order_id": placed["orderId"]}, TRANSFER)


@example("POST orders/{order_id}/reject-proof")
async def reject_proof(stage: Stage) -> Sent:
    placed = await order(stage.app, stage.member)
    proof = (await upload(stage.member, placed)).json()["data"]["id"]
    return Sent({"order_id": placed["orderId"]}, {"proofId": proof} | WHY)


@example("POST orders/{order_id}/ship")
async def ship(stage: Stage) -> Sent:
    return Sent({"order_id": await paid(stage)}, {"carrier": "GIG"})


@example("POST orders/{order_id}/deliver")
async def deliver(stage: Stage) -> Sent:
    placed = await paid(stage)
    await stage.olu.post(f"/api/v1/admin/orders/{placed}/ship", {})
    return Sent({"order_id": placed})


@example("POST orders/{order_id}/notes")
async def note_on_order(stage: Stage) -> Sent:
    placed = await order(stage.app, stage.member)
    return Sent({"order_id": placed["orderId"]}, {"text": "Asked for a gift box."})


@example("POST products")
async def create(_stage: Stage) -> Sent:
    return Sent(body=WISH)


@example("PATCH products/{product_id}")
async def change(stage: Stage) -> Sent:
    return Sent({"product_id": await stage.app.stock_product()}, {"version": 1, "star": 2})


@example("POST products/{product_id}/picture")
async def change_picture(stage: Stage) -> Sent:
    files = {"file": ("a.png", picture("PNG"), "image/png")}
    return Sent({"product_id": await stage.app.stock_product()}, files=files)


@example("POST products/{product_id}/variants")
async def create_variant(stage: Stage) -> Sent:
    return Sent({"product_id": await stage.app.stock_product()}, {"size": "XL"})


@example("PATCH products/{product_id}/variants/{variant_id}")
async def change_variant(stage: Stage) -> Sent:
    jersey, sizes = await sized_product(stage.app, {"S": 1, "M": 1})
    names = {"product_id": jersey, "variant_id": sizes["S"]}
    return Sent(names, {"version": 1, "isDefault": True})


@example("POST stock")
async def change_stock(stage: Stage) -> Sent:
    product = await stage.app.stock_product()
    return Sent(body={"productId": str(product), "change": 4} | WHY)


@example("PUT delivery-fees")
async def change_fees(_stage: Stage) -> Sent:
    return Sent(body={"version": 1, "fees": [{"state": "Lagos", "fee": 1500}]})
