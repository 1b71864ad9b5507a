"""A simulated month of money, which must equal a model of it to the kobo.

``python -m tests.endurance.month [--events N] [--workers W] [--kills-every SECONDS] [--seed S]``

Members and operators act over HTTP, sixteen at a time: wallets are funded by two providers whose
reports come twice, late, never or forged; orders are paid, cancelled, shipped and refunded; plans
are bought, given and renewed; payments are disputed and charged back; second people decide.
Meanwhile the server or the worker is killed with SIGKILL every few seconds.

Time is simulated by days: when a day's share of the events is done nobody acts, and open orders,
plans, fundings and proposals are moved a day into the past with the call that tests have for it
(``dev/age``). On every second day nobody but the worker finds what is over by then, before the next
midnight. No clock is moved, and the second that an answer takes is not part of a day.

At the end every wallet, order, size, period, funding and receipt of the database equals the model,
which was written from the contract, and ``python -m api.console prove`` finds nothing.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from api.core import clock
from api.core.config import (
    DEVELOPMENT_FLW_HASH,
    DEVELOPMENT_FLW_KEY,
    Environment,
    Settings,
)
from api.core.ids import new_id
from api.core.money import Kobo
from api.database.database import Database
from api.dev.postgres import EmbeddedPostgres
from api.operators import service as operators
from api.parts import make_hasher, make_sealer
from api.sandbox.flutterwave.app import create_flutterwave_sandbox
from api.sandbox.flutterwave.config import FlutterwaveSandboxConfig
from api.sandbox.paystack.app import create_sandbox
from api.sandbox.paystack.config import SandboxConfig
from api.security.one_time_codes import code_at, new_secret
from api.security.passwords import HashingTurn, LaneName
from api.wallet import service as wallet
from api.wallet.enums import TransferKind
from typing_extensions import override

from tests.conftest import PASSWORD, client_of, free_port, served
from tests.endurance.deployment import server_environment
from tests.endurance.month_callers import Bag, Callers, Operator, kobo
from tests.endurance.month_events import (
    ALWAYS_POSSIBLE,
    FEES,
    MIX,
    Events,
    NotNowError,
    Place,
)
from tests.endurance.month_model import Member, Model, Order, Plan, Size
from tests.endurance.place import add_members, durable_postgres, open_sessions
from tests.endurance.preloaded import SERVER, WORKER, Processes, preloaded

PAYSTACK_KEY = "sk_test_sandbox_0123456789abcdef"
DAYS = 30
OPERATORS = 4
DAILY_LIMIT = 110_000_00
OPENING = 20_000_00  # in every wallet
LARGEST_FUNDING_NAIRA = 100_000
AGES_AT_ONCE = 8
LOG_LINES, USUAL = 20, '"event": "security_event"'  # of the processes, shown with a failure
DAY_SECONDS = 24 * 60 * 60
START_SECONDS = 60.0
LEAST_SHARE = 0.5  # of what the mix wants of each event
LEAST_REFUSED = 0.05  # of the calls' answers that were not final because refused
SERVER_KILLS = 0.7  # the others are the worker's
TRIES_AT_ONE_EVENT = 20
# price in kobo, stock, sizes; the scarce ones are sold out again and again
SHELF: tuple[tuple[int, int, tuple[str | None, ...]], ...] = (
    (2_500_50, 1_000_000, (None,)),
    (15_000_00, 1_000_000, ("S", "M", "L")),
    (8_333_33, 1_000_000, ("M", "XL")),
    (61_000_00, 1_000_000, (None,)),
    (4_999_99, 12, (None,)),
    (12_000_01, 12, ("S", "M")),
)
SCARCE = 1_000
PLANS = (("Match day", 150_00, "day"), ("Terrace", 900_00, "week"), ("Season", 3_000_00, "month"))


@dataclass
class Report:
    """What was seen."""

    seed: int
    days: int
    seconds: float
    place: Place
    done: Counter[str]
    replaced: Counter[str]
    processes: Processes
    proof: str = ""
    sums: dict[str, Any] = field(default_factory=dict)

    @property
    def kills(self) -> int:
        """How often a process was killed."""
        return sum(self.processes.kills.values())

    @override
    def __str__(self) -> str:
        """Return the figures as text."""
        calls, events = self.place.callers, sum(self.done.values())
        lines = [f"{count:8} {name}" for name, count in sorted(self.done.items())]
        lines += ["  beside them, and following from them:"]
        seen = self.place.counts + self.place.model.happened
        lines += [f"{count:8} {name}" for name, count in sorted(seen.items())]
        lines += ["  refused:"]
        lines += [f"{count:8} {code}" for code, count in sorted(calls.refusals.items())]
        lines += [f"  {self.sums}", *(f"  {line}" for line in self.proof.splitlines())]
        return "\n".join(
            [
                *lines,
                f"{events} events of {self.days} days, seed {self.seed}, {self.seconds:.0f} s, "
                f"{events / self.seconds:.0f} a second; {calls.calls} calls, {calls.repeats} of "
                f"them repeats; {self.processes.kills[SERVER]} kills of the server and "
                f"{self.processes.kills[WORKER]} of the worker: the database equals the model",
            ]
        )


class Month:
    """One month: its days, its midnights, and the comparison at its end."""

    def __init__(
        self, place: Place, processes: Processes, database: Database, seed: int, workers: int
    ) -> None:
        self.place = place
        self.processes = processes
        self.database = database
        self.chances = [random.Random(f"{seed}:{n}") for n in range(workers)]  # noqa: S311 replayable
        self.chance = random.Random(seed)  # noqa: S311 replayable
        self.clock = Events(place, self.chance)  # who looks after what has become due
        self.done: Counter[str] = Counter()
        self.replaced: Counter[str] = Counter()
        self.later: list[str] = []  # what could not be done today
        self.is_last_day = False

    async def open(self) -> None:
        """Let every member begin with a plan that renews itself, of which some days are over."""
        for member in self.place.model.members:
            period = await self.clock.begin_plan(member)
            days = self.chance.randrange((period.ends - period.starts).days)
            if days:
                body = {"kind": "subscription", "id": period.id, "seconds": days * DAY_SECONDS}
                (await self.place.callers.call("POST", "/api/v1/dev/age", json=body)).must_be(200)
                period.pass_days(days)

    async def live(self, events: int, days: int, kills_every: float) -> None:
        """Live through the days."""
        deck, began = deal(events, self.chance), time.monotonic()
        for day in range(days):
            share = self.later + [deck.pop() for _ in range(len(deck) // (days - day))]
            self.chance.shuffle(share)
            self.later, self.is_last_day = [], day == days - 1
            killer = asyncio.create_task(self._kill_every(kills_every))
            try:
                async with asyncio.TaskGroup() as group:
                    for chance in self.chances:
                        group.create_task(self._work(share, chance))
            finally:
                killer.cancel()
                await asyncio.gather(killer, return_exceptions=True)
            await self._pass_midnight(leaves_it_to_worker=day % 2 == 1)
            passed = time.monotonic() - began
            print(
                f"day {day + 1}: {sum(self.done.values())} events in {passed:.0f} s, "
                f"{sum(self.processes.kills.values())} kills, {self.place.callers.calls} calls",
                flush=True,
            )

    async def _work(self, share: list[str], chance: random.Random) -> None:
        """Do one event after the other; what cannot be done today is tomorrow's, or replaced."""
        events, tried = Events(self.place, chance), Counter[str]()
        while share:
            name = share.pop()
            try:
                await MIX[name][1](events)
            except NotNowError:
                tried[name] += 1
                if tried[name] % TRIES_AT_ONE_EVENT:
                    share.insert(chance.randint(0, len(share)), name)
                elif not self.is_last_day:
                    self.later.append(name)
                else:
                    self.replaced[name] += 1
                    share.insert(chance.randint(0, len(share)), ALWAYS_POSSIBLE)
                await asyncio.sleep(0.001)
                continue
            except (AssertionError, KeyError, TypeError, ValueError) as error:
                raise AssertionError(f"{name}: {error!r}") from error
            self.done[name] += 1

    async def _kill_every(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds * self.chance.uniform(0.6, 1.4))
            name = SERVER if self.chance.random() < SERVER_KILLS else WORKER
            await asyncio.to_thread(self.processes.kill_and_start, name)

    async def _pass_midnight(self, *, leaves_it_to_worker: bool) -> None:
        """Let a day pass: what was due is done, then all that is open is a day older."""
        await self._look_after_due()
        model = self.place.model
        older: list[tuple[str, str]] = []
        older += [("approval", one.id) for one in model.approvals if one.state == "open"]
        for member in model.members:
            older += [("order", one.id) for one in member.orders if one.status == "pending"]
            latest = member.latest
            older += [] if latest is None else [("subscription", latest.id)]
            older += [
                ("funding", one.reference)
                for one in member.fundings
                if one.is_fresh or one.counts_today
            ]
        places = asyncio.Semaphore(AGES_AT_ONCE)
        await asyncio.gather(*(self._age(places, kind, name) for kind, name in older))
        model.pass_midnight()
        if not leaves_it_to_worker:
            await self._look_after_due()

    async def _age(self, places: asyncio.Semaphore, kind: str, name: str) -> None:
        body = {"kind": kind, "id": name, "seconds": DAY_SECONDS}
        async with places:
            answer = await self.place.callers.call("POST", "/api/v1/dev/age", json=body)
        answer.must_be(200)
        assert answer.tries == 1, "a row was perhaps moved twice"

    async def _look_after_due(self) -> None:
        """Run the jobs and tell the model what they did; nothing that is due is left."""
        for job in ("expire-orders", "renew-plans"):
            operator = self.place.operators[0]
            answer = await self.place.callers.office(operator, "POST", f"jobs/{job}/run")
            answer.must_be(200)
        for member in self.place.model.members:
            for order in member.orders:
                await self.clock.look_at_order(order)
                assert not order.is_due, f"order {order.id} was not expired"
            await self.clock.look_at_plan(member, has_job_run=True)

    async def end(self) -> None:
        """Let everything come to its end: reports that never came are asked about."""
        await self._look_after_due()
        for member in self.place.model.members:
            for funding in [one for one in member.fundings if one.is_ripe]:
                await self.clock.ask_about(funding)
        await self._look_after_due()

    async def compare(self) -> dict[str, Any]:
        """Hold the database against the model; return sums for the report.

        Raises:
            AssertionError: they differ.
        """
        model = self.place.model
        wallets = await self._read(
            "SELECT owner_id::text, balance_kobo FROM ledger_account WHERE type = 'wallet'"
        )
        held = {row[0]: row[1] for row in wallets}
        equal(
            "wallets",
            {one.id: held.get(one.id, 0) for one in model.members},
            {one.id: one.balance for one in model.members},
        )
        orders = [order for member in model.members for order in member.orders]
        equal("orders", await self._stored_orders(), {one.id: order_facts(one) for one in orders})
        equal(
            "lines",
            {
                (row[0], row[1]): (row[2], row[3], row[4])
                for row in await self._read(
                    "SELECT order_id::text, line, variant_id::text, quantity, refunded_quantity "
                    "FROM order_line"
                )
            },
            {
                (order.id, number): (line.size.key, line.quantity, line.refunded)
                for order in orders
                for number, line in enumerate(order.lines, 1)
            },
        )
        equal(
            "stock",
            {
                row[0]: (row[1], row[2])
                for row in await self._read(
                    "SELECT id::text, stock, allocated FROM product_variant"
                )
            },
            {size.key: (size.stock, size.allocated) for size in model.sizes},
        )
        await self._compare_money_from_outside()
        await self._compare_plans()
        await self._compare_decisions()
        await self._compare_receipts()
        await self._compare_statements()
        return {
            "wallets hold": sum(held.values()),
            "orders": Counter(order.status for order in orders).most_common(),
            "fundings": Counter(
                one.state for member in model.members for one in member.fundings
            ).most_common(),
            "receipts": len(model.receipts),
        }

    async def _read(self, statement: str) -> list[Any]:
        return [tuple(row.values()) for row in await self.database.fetch_rows(statement)]

    async def _stored_orders(self) -> dict[str, tuple[object, ...]]:
        rows = await self._read(
            "SELECT o.id::text, o.user_id::text, o.status, o.is_paid, o.total_kobo, "
            "coalesce((SELECT sum(amount_kobo) FROM ledger_transfer t "
            "          WHERE t.reverses_id = o.transfer_id), 0)::bigint, "
            "coalesce((SELECT sum(b.amount_kobo) FROM bank_receipt b "
            "          WHERE b.order_id = o.id), 0)::bigint, "
            "coalesce((SELECT sum(b.amount_kobo) FROM bank_receipt b "
            "          WHERE b.order_id = o.id AND b.credited_kobo IS NULL), 0)::bigint "
            "FROM shop_order o"
        )
        return {row[0]: tuple(row[1:]) for row in rows}

    async def _compare_money_from_outside(self) -> None:
        """Compare fundings, reports' disputes, chargebacks and debts."""
        model = self.place.model
        rows = await self._read("SELECT reference, user_id::text, state, amount_kobo FROM funding")
        decided = {"succeeded", "review"}
        stored = {row[0]: tuple(row[1:]) for row in rows}
        told = {one.reference: one for member in model.members for one in member.fundings}
        assert set(told) <= set(stored), "fundings are lost"
        for reference, (_, state, _) in stored.items():
            # Of a checkout that a killed server was opening nobody was told: it stays unpaid.
            assert reference in told or state not in decided, f"{reference} is {state}"
        equal(
            "fundings",
            {
                name: (user_id, state if state in decided else "open", amount)
                for name, (user_id, state, amount) in stored.items()
                if name in told
            },
            {name: (one.member.id, one.state, one.amount) for name, one in told.items()},
        )
        equal(
            "credits of fundings",
            dict(
                await self._read(
                    "SELECT reference, count(*) FROM ledger_transfer "
                    "WHERE kind = 'fund' AND reference IN (SELECT reference FROM funding) "
                    "GROUP BY reference"
                )
            ),
            {name: 1 for name, one in told.items() if one.state == "succeeded"}
            | {
                one.subject: 1
                for one in model.reviews
                if one.state == "accepted" and one.kind in {"amount", "daily_limit"}
            },
        )
        equal(
            "disputes",
            dict(await self._read("SELECT case_id, closed_at IS NOT NULL FROM dispute")),
            model.disputes,
        )
        equal(
            "chargebacks",
            dict(
                await self._read(
                    "SELECT f.reference, sum(c.amount_kobo)::bigint FROM chargeback c "
                    "JOIN funding f ON f.id = c.funding_id GROUP BY f.reference"
                )
            ),
            {name: one.charged_back for name, one in told.items() if one.charged_back},
        )
        equal(
            "debts",
            {
                row[0]: row[1:]
                for row in await self._read(
                    "SELECT c.case_id, d.state, d.left_kobo FROM debt d "
                    "JOIN chargeback c ON c.id = d.chargeback_id"
                )
            },
            {one.case_id: (one.state, one.left) for one in model.debts},
        )

    async def _compare_plans(self) -> None:
        rows = await self._read(
            "SELECT s.id::text, s.user_id::text, s.plan_id::text, "
            "date_trunc('milliseconds', s.starts_at), date_trunc('milliseconds', s.ends_at), "
            "s.amount_kobo, s.is_gift, s.credited_kobo, "
            "coalesce((SELECT sum(amount_kobo) FROM ledger_transfer t "
            "          WHERE t.reverses_id = s.transfer_id), 0)::bigint FROM subscription s"
        )
        equal(
            "periods",
            {row[0]: row[1:] for row in rows},
            {
                one.id: (
                    *(member.id, one.plan.id, one.starts, one.ends, one.amount),
                    *(one.is_gift, one.credited, one.refunded),
                )
                for member in self.place.model.members
                for one in member.periods
            },
        )

    async def _compare_decisions(self) -> None:
        """Compare what people decided: refunds, cases set aside, proposals."""
        model = self.place.model
        equal(
            "refunds",
            {
                row[0]: row[1:]
                for row in await self._read("SELECT id::text, state, amount_kobo FROM refund_case")
            },
            {
                case.id: (case.state, case.amount)
                for member in model.members
                for paid in (*member.orders, *member.periods)
                for case in paid.cases
            },
        )
        stored = Counter(
            await self._read("SELECT user_id::text, kind, amount_kobo, state FROM review_case")
        )
        equal(
            "cases set aside",
            stored,
            Counter((one.member.id, one.kind, one.amount, one.state) for one in model.reviews),
        )
        states = {"approve": "approved", "refuse": "refused", "expired": "open"}
        equal(
            "proposals",
            dict(await self._read("SELECT id::text, state FROM approval")),
            {one.id: states.get(one.state, one.state) for one in model.approvals},
        )

    async def _compare_receipts(self) -> None:
        """Compare receipts, whose numbers have no gap."""
        rows = await self._read("SELECT year, sequence FROM receipt ORDER BY year, sequence")
        numbers = [f"KF-{year}-{sequence:06d}" for year, sequence in rows]
        equal("receipts", numbers, sorted(self.place.model.receipts.values()))
        for year in {row[0] for row in rows}:
            drawn = [row[1] for row in rows if row[0] == year]
            equal("receipt numbers", drawn, list(range(1, len(drawn) + 1)))

    async def _compare_statements(self) -> None:
        """Compare what each member reads: the last month closes with what the wallet holds."""
        for member in self.place.model.members:
            path = f"/api/v1/payment/statement/{member.id}/months"
            answer = await self.place.callers.call("GET", path, token=member.token)
            answer.must_be(200)
            for row in answer.data:
                sums = [kobo(row[name]) for name in ("opening", "in", "out", "closing")]
                assert sums[0] + sums[1] - sums[2] == sums[3], f"{member.id}: {row}"
            closing = kobo(answer.data[-1]["closing"]) if answer.data else 0
            assert closing == member.balance, f"{member.id} reads {closing}, has {member.balance}"


def order_facts(order: Order) -> tuple[object, ...]:
    """Return what the database holds of an order."""
    return (
        *(order.member.id, order.status, order.is_paid, order.total),
        *(order.refunded, order.received, order.waiting),
    )


def equal(what: str, stored: Any, expected: Any) -> None:
    """Compare two collections.

    Raises:
        AssertionError: they differ; it names some of the differences.
    """
    if stored == expected:
        return
    if not isinstance(stored, dict):
        stored, expected = Counter(stored), Counter(expected)
    names = [name for name in {**stored, **expected} if stored.get(name) != expected.get(name)]
    some = {name: (stored.get(name), expected.get(name)) for name in names[:5]}
    raise AssertionError(f"{what}: {len(names)} differ (stored, expected), such as {some}")


def deal(events: int, chance: random.Random) -> list[str]:
    """Return so many events in a random order, each in its share of the mix, and at least twice."""
    weights = sum(weight for weight, _ in MIX.values())
    deck = [
        name
        for name, (weight, _) in MIX.items()
        for _ in range(max(2, round(events * weight / weights)))
    ]
    deck += [ALWAYS_POSSIBLE] * (events - len(deck))
    chance.shuffle(deck)
    return deck


def check_shares(done: Counter[str], events: int, callers: Callers) -> None:
    """Refuse a month in which too little of anything happened to prove anything.

    Raises:
        AssertionError: it is such a month.
    """
    weights = sum(weight for weight, _ in MIX.values())
    few = {
        name: (done[name], least)
        for name, (weight, _) in MIX.items()
        if done[name] < (least := max(2, int(LEAST_SHARE * events * weight / weights)))
    }
    assert not few, f"too few (done, wanted): {few}"
    assert sum(done.values()) >= events, "too few events"
    refused = sum(callers.refusals.values())
    assert refused >= LEAST_REFUSED * events, f"only {refused} refusals"


async def furnish(database: Database, ids: list[UUID]) -> Model:
    """Sign members in, set products and fees up; return the model of them."""
    tokens = await open_sessions(database, ids)
    model = Model(DAILY_LIMIT)
    for one, token in zip(ids, tokens, strict=True):
        model.members.append(Member(str(one), token, OPENING))
    async with database.transaction() as tx:
        for one in ids:
            kind, reference = TransferKind.ADJUST, f"open:{one}"
            await wallet.credit(tx, one, Kobo(OPENING), kind=kind, reference=reference)
        for state, fee in FEES.items():
            await tx.execute("UPDATE delivery_fee SET fee_kobo = $2 WHERE state = $1", state, fee)
        for position, (price, stock, sizes) in enumerate(SHELF):
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
    """Make operators of people; they hold every right."""
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
            await operators.set_secret(tx, sealer, operator_id, secret)
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
        client_of(paystack) as one,
        client_of(flutterwave) as other,
    ):
        yield {"paystack": one, "flutterwave": other}


def address(port: int) -> str:
    """Return the address of a port here."""
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


async def prove(
    environment: dict[str, str],
    processes: Processes,
    ports: dict[str, int],
    chosen: argparse.Namespace,
) -> Report:
    """Live through the month and compare.

    Raises:
        AssertionError: an answer was not what may be, the database is not what the model says, the
            proof found something, or too little happened to prove anything.
    """
    base = environment["PUBLIC_URL"]
    settings = Settings(app_env=Environment.TEST, database_url=environment["DATABASE_URL"])
    database = Database(
        settings.database_url, runtime_role=settings.database_runtime_role, pool_size=2
    )
    callers, bag = Callers(base), Bag()
    try:
        async with providers(base, ports, bag) as clients:
            people = await add_members(database, chosen.members + OPERATORS)
            model = await furnish(database, people[OPERATORS:])
            appointed = await appoint(database, settings, people[:OPERATORS])
            place = Place(
                *(model, callers, appointed, clients),
                *(PAYSTACK_KEY, DEVELOPMENT_FLW_HASH, bag),
            )
            await callers.call("GET", "/readyz")
            await open_office(place)
            month = Month(place, processes, database, chosen.seed, chosen.workers)
            await month.open()
            began = time.monotonic()
            await month.live(chosen.events, chosen.days, chosen.kills_every)
            seconds = time.monotonic() - began
            await month.end()
            sums = await month.compare()
    finally:
        await callers.aclose()
        await database.close()
    report = Report(
        chosen.seed, chosen.days, seconds, place, month.done, month.replaced, processes, sums=sums
    )
    report.proof = await asyncio.to_thread(console_proof, environment)
    check_shares(month.done, chosen.events, callers)
    return report


def console_proof(environment: dict[str, str]) -> str:
    """Run the product's own proof; return what it printed.

    Raises:
        AssertionError: it found something.
    """
    done = subprocess.run(
        [sys.executable, "-m", "api.console", "prove"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"the proof found something:\n{done.stdout}{done.stderr}"
    return done.stdout


def run(arguments: list[str]) -> Report:
    """Set a place up, live through the month in it, and return what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--members", type=int, default=160)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--kills-every", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=2026)
    chosen = parser.parse_args(arguments)
    ports = {"paystack": free_port(), "flutterwave": free_port()}
    with durable_postgres() as (postgres, folder):
        environment = month_environment(postgres, folder, free_port(), ports)
        log = folder / "processes.log"
        try:
            with preloaded(environment, log) as processes:
                return asyncio.run(prove(environment, processes, ports, chosen))
        except Exception as error:
            lines = [line for line in log.read_text().splitlines() if USUAL not in line]
            error.add_note("\n".join(lines[-LOG_LINES:]))
            raise


def main() -> int:
    """Live through the month from the command line; return the exit code."""
    print(run(sys.argv[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
