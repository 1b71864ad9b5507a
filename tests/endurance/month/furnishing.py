"""The setup before the month begins: people, products, plans, providers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from api.app.factories import make_hasher, make_sealer
from api.dev.postgres.embedded import EmbeddedPostgres
from api.dev.sandbox.flutterwave.app import create_flutterwave_sandbox
from api.dev.sandbox.flutterwave.config import FlutterwaveSandboxConfig
from api.dev.sandbox.paystack.app import create_sandbox
from api.dev.sandbox.paystack.config import SandboxConfig
from api.foundation.core import clock
from api.foundation.core.config import (
    DEVELOPMENT_FLW_HASH,
    DEVELOPMENT_FLW_KEY,
    Settings,
)
from api.foundation.core.ids import new_id
from api.foundation.core.money import LARGEST_KOBO, Kobo
from api.foundation.database.database import Database
from api.foundation.security.one_time_codes import code_at, new_secret
from api.foundation.security.passwords import HashingTurn, LaneName
from api.money.wallet.service import operator_credits
from api.people.operators.service import phones

from tests.conftest import PASSWORD, client_of, served
from tests.endurance.deployment import server_environment
from tests.endurance.month.actor import Place
from tests.endurance.month.callers import Bag, Operator
from tests.endurance.month.model import Member, Model, Plan, Size
from tests.endurance.month.orders import FEES
from tests.endurance.place import open_sessions

PAYSTACK_KEY = "sk_test_sandbox_0123456789abcdef"
OPERATORS = 4
DAILY_LIMIT = 110_000_00
OPENING = 20_000_00  # in every wallet
LARGEST_FUNDING_NAIRA = 100_000
# price in kobo, stock, sizes; the scarce ones are sold out repeatedly
PRODUCTS: tuple[tuple[int, int, tuple[str | None, ...]], ...] = (
    (2_500_50, 1_000_000, (None,)),
    (15_000_00, 1_000_000, ("S", "M", "L")),
    (8_333_33, 1_000_000, ("M", "XL")),
    (61_000_00, 1_000_000, (None,)),
    (4_999_99, 12, (None,)),
    (12_000_01, 12, ("S", "M")),
)
SCARCE = 1_000
NOTHING_KEPT = httpx.Limits(max_keepalive_connections=0)  # the sandboxes close idle connections
PLANS = (("Match day", 150_00, "day"), ("Terrace", 900_00, "week"), ("Season", 3_000_00, "month"))


async def furnish(database: Database, ids: list[UUID]) -> Model:
    """Sign members in, set up products and fees; return the model of them."""
    tokens = await open_sessions(database, ids)
    model = Model(DAILY_LIMIT)
    for one, token in zip(ids, tokens, strict=True):
        model.members.append(Member(str(one), token, OPENING))
    async with database.transaction() as tx:
        for one in ids:
            await operator_credits.import_credit(tx, one, Kobo(OPENING), f"open:{one}", clock.now())
        # A month's work is done in a day here: what one operator may do in a day has no limit.
        await tx.execute(
            "INSERT INTO office_setting (adjustment_day_limit_kobo, refund_day_limit_kobo, "
            "confirm_day_limit_kobo) VALUES ($1, $1, $1)",
            LARGEST_KOBO,
        )
        for state, fee in FEES.items():
            await tx.execute("UPDATE delivery_fee SET fee_kobo = $2 WHERE state = $1", state, fee)
        for position, (price, stock, sizes) in enumerate(PRODUCTS):
            product = new_id()
            await tx.execute(
                "INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, "
                "position) VALUES ($1, $2, '', $3, '', '', 5, $4)",
                product,
                f"Product {position}",
                price,
                position,
            )
            for place, size in enumerate(sizes):
                key = new_id()
                await tx.execute(
                    "INSERT INTO product_variant (id, product_id, size, is_default, position, "
                    "stock) VALUES ($1, $2, $3, $4, $5, $6)",
                    *(key, product, size, place == 0, place, stock),
                )
                named = None if size is None else str(key)
                model.sizes.append(
                    Size(named, str(key), str(product), price, stock, is_scarce=stock < SCARCE)
                )
    return model


async def appoint(database: Database, settings: Settings, ids: list[UUID]) -> list[Operator]:
    """Make people operators with every right."""
    hashed = await make_hasher(settings).hash(PASSWORD, HashingTurn(LaneName.SIGN_UP, "tests"))
    sealer, appointed = make_sealer(settings), []
    async with database.transaction() as tx:
        for number, user_id in enumerate(ids):
            operator_id, secret = new_id(), new_secret()
            await tx.execute(
                "INSERT INTO credential (user_id, password_hash) VALUES ($1, $2)", user_id, hashed
            )
            await tx.execute(
                "INSERT INTO operator (id, user_id, roles) VALUES ($1, $2, ARRAY['owner'])",
                operator_id,
                user_id,
            )
            await phones.set_secret(tx, sealer, operator_id, secret)
            appointed.append(Operator(number, f"{user_id}@example.com", secret))
    return appointed


async def open_office(place: Place) -> None:
    """Sign the operators in, and put the plans on offer."""
    for operator in place.operators:
        code = code_at(operator.secret, clock.now())
        body = {"email": operator.email, "password": PASSWORD, "code": code}
        answer = await place.callers.call("POST", "/api/v1/admin/sign-in", json=body)
        answer.must_be(200)
        operator.token = answer.data["token"]
    for name, price, unit in PLANS:
        plan = {"plan": name, "amount": price / 100, "duration": 1, "period": unit}
        offer: dict[str, Any] = plan | {"benefits": ["A seat"]}
        answer = await place.callers.office(place.operators[0], "POST", "plans", json=offer)
        answer.must_be(201)
        place.model.plans.append(Plan(answer.data["id"], price, unit))


@asynccontextmanager
async def providers(
    base: str, ports: dict[str, int], bag: Bag
) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Serve both providers' sandboxes, whose reports go into the bag."""
    hook = f"{base}/api/v1/payment/webhook"
    apps = {
        "paystack": create_sandbox(
            SandboxConfig(
                secret_key=PAYSTACK_KEY,
                public_url=address(ports["paystack"]),
                webhook_url=f"{hook}/paystack",
                webhook_delays_seconds=(0,),
                delivery_transport=bag,
            )
        ),
        "flutterwave": create_flutterwave_sandbox(
            FlutterwaveSandboxConfig(
                secret_key=DEVELOPMENT_FLW_KEY,
                webhook_hash=DEVELOPMENT_FLW_HASH,
                public_url=address(ports["flutterwave"]),
                webhook_url=f"{hook}/flutterwave",
                webhook_delays_seconds=(0,),
                delivery_transport=bag,
            )
        ),
    }
    async with (
        served(apps["paystack"], port=ports["paystack"]) as paystack,
        served(apps["flutterwave"], port=ports["flutterwave"]) as flutterwave,
        client_of(paystack, limits=NOTHING_KEPT) as one,
        client_of(flutterwave, limits=NOTHING_KEPT) as other,
    ):
        yield {"paystack": one, "flutterwave": other}


def address(port: int) -> str:
    """Return the local address of a port."""
    return f"http://127.0.0.1:{port}"


def month_environment(
    postgres: EmbeddedPostgres, folder: Path, port: int, ports: dict[str, int]
) -> dict[str, str]:
    """Return the settings of the server and the worker, and of ``prove``."""
    return server_environment(postgres, folder) | {
        "PORT": str(port),
        "PUBLIC_URL": address(port),
        "PAYMENT_GATEWAYS": "paystack,flutterwave",
        "PAYSTACK_SECRET_KEY": PAYSTACK_KEY,
        "PAYSTACK_BASE_URL": address(ports["paystack"]),
        "FLW_BASE_URL": address(ports["flutterwave"]),
        "FUNDING_MAX_NAIRA": str(LARGEST_FUNDING_NAIRA),
        "FUNDING_DAILY_MAX_NAIRA": str(DAILY_LIMIT // 100),
    }
