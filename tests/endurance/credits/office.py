"""The product's side of a sequence: its data, its calls, and what is stored."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
from api.app.services import Services
from api.foundation.core.ids import new_id
from api.foundation.core.money import Kobo
from api.foundation.database.database import Transaction
from api.money.wallet.enums import ReviewKind
from api.money.wallet.service import operator_credits, reviews
from api.shop.service import orders as shop_orders
from fastapi import FastAPI

from tests.conftest import CLUB_A
from tests.endurance.credits.model import (
    EXPIRING_HOURS,
    Act,
    Approval,
    Caused,
    Said,
    World,
)
from tests.shop.carts import BILLING

API = "/api/v1"
ADMIN = f"{API}/admin"
BANK = "058"
NEVER = timedelta(days=400)
REASON = "As agreed"
ADD_MEMBERS = """
INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, terms_accepted_at,
                          activated_at, created_at)
SELECT id, $4, 'A', 'B', email, phone, now(), now(), now() - interval '1 year'
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS one (id, email, phone)
"""
ADD_SESSIONS = """
INSERT INTO session (id, user_id, last_seen_at, expires_at)
SELECT id, user_id, $3, $3 FROM unnest($1::uuid[], $2::uuid[]) AS one (id, user_id)
"""
ADD_OPERATORS = """
INSERT INTO operator (id, user_id, roles, totp_secret)
SELECT id, user_id, ARRAY[role], '\\x00'
  FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS one (id, user_id, role)
"""
LET_GO = "UPDATE operator SET disabled_at = now() WHERE disabled_at IS NULL"
ADD_OPERATOR_SESSIONS = """
INSERT INTO admin_session (id, operator_id, created_at, last_used_at, code_at)
SELECT id, operator_id, $3, $3, $3 FROM unnest($1::uuid[], $2::uuid[]) AS one (id, operator_id)
"""
SIT_DOWN = """
UPDATE admin_session SET created_at = $2, last_used_at = $2, code_at = $2 WHERE id = ANY ($1)
"""
ADD_PLANS = """
INSERT INTO plan (id, plan, amount_kobo, duration, period, benefits, battle_zone, position)
SELECT id, id::text, price, 1, 'week', '{A seat}', true, 1
  FROM unnest($1::uuid[], $2::bigint[]) AS one (id, price)
"""
ADD_PRODUCTS = """
WITH one AS (SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS one (id, price)), added AS (
  INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, position)
  SELECT id, id::text, '', price, '', '', 5, 1 FROM one)
INSERT INTO product_variant (id, product_id, is_default, stock) SELECT id, id, true, 999 FROM one
"""
SET_LIMITS = """
INSERT INTO office_setting (adjustment_limit_kobo, adjustment_day_limit_kobo, refund_limit_kobo,
                            refund_day_limit_kobo, confirm_day_limit_kobo)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (is_one) DO UPDATE SET
  adjustment_limit_kobo = $1, adjustment_day_limit_kobo = $2, refund_limit_kobo = $3,
  refund_day_limit_kobo = $4, confirm_day_limit_kobo = $5, version = 1
"""
NAMES_OF_LIMITS = {
    "credit": "adjustmentLimit",
    "credit_day": "adjustmentDayLimit",
    "refund": "refundLimit",
    "refund_day": "refundDayLimit",
    "confirm_day": "confirmDayLimit",
}
READ_BALANCES = """
SELECT u.id, coalesce(a.balance_kobo, 0) AS kobo
  FROM user_account u LEFT JOIN ledger_account a ON a.owner_id = u.id WHERE u.id = ANY ($1)
"""
READ_OPEN = "SELECT id FROM approval WHERE proposed_by = ANY ($1) AND state = 'open'"
READ_REVIEW = "SELECT id FROM review_case WHERE source = $1"
READ_CAUSED = """
SELECT kind, initiator_id, approval_id, user_id, amount_kobo, counted_kobo, confirmed_kobo,
       (created_at AT TIME ZONE 'UTC' + interval '1 hour')::date AS day,
       limit_kobo, day_limit_kobo, confirm_limit_kobo
  FROM operator_credit WHERE user_id = ANY ($1) AND NOT is_imported
"""
# Credits without a valid initiator or approval, whatever the model says.
FAULTS: Mapping[str, str] = {
    "a credit without an initiator": """
SELECT t.reference FROM ledger_transfer t JOIN ledger_account a ON a.id = t.wallet_id
 WHERE a.owner_id = ANY ($1) AND t.wallet_change_kobo > 0
   AND t.reference NOT LIKE 'cancel:%' AND t.reference NOT LIKE 'unused:%'
   AND NOT EXISTS (SELECT FROM operator_credit c
                    WHERE c.reference = t.reference AND c.user_id = a.owner_id
                      AND c.amount_kobo >= t.wallet_change_kobo
                      AND (c.is_imported OR c.initiator_id = ANY ($2)))""",
    "a plan's refund without a gift": """
SELECT t.reference FROM ledger_transfer t JOIN ledger_account a ON a.id = t.wallet_id
  JOIN subscription old ON t.reference = 'unused:' || old.id
 WHERE a.owner_id = ANY ($1)
   AND NOT EXISTS (SELECT FROM operator_credit c JOIN subscription s ON s.id = c.document_id
                    WHERE c.kind = 'gift' AND c.user_id = a.owner_id
                      AND s.starts_at = old.replaced_at AND c.amount_kobo >= t.amount_kobo
                      AND c.initiator_id = ANY ($2))""",
    "a credit without its document": """
SELECT c.reference FROM operator_credit c
 WHERE c.user_id = ANY ($1) AND c.initiator_id = ANY ($2)
   AND c.document_id NOT IN (
       SELECT id FROM wallet_adjustment WHERE user_id = c.user_id
        UNION ALL SELECT id FROM subscription WHERE user_id = c.user_id AND is_gift
        UNION ALL SELECT id FROM review_case WHERE user_id = c.user_id AND state = 'accepted'
        UNION ALL SELECT id FROM refund_case WHERE user_id = c.user_id AND state = 'sent'
        UNION ALL SELECT id FROM shop_order WHERE user_id = c.user_id AND status = 'cancelled'
        UNION ALL SELECT b.id FROM bank_receipt b JOIN shop_order o ON o.id = b.order_id
                   WHERE o.user_id = c.user_id)""",
    "a credit initiated by its owner, or approved by its initiator or owner": """
SELECT c.reference FROM operator_credit c
  JOIN user_account owner ON owner.id = c.user_id
  JOIN operator o ON o.id = c.initiator_id JOIN user_account initiator ON initiator.id = o.user_id
  LEFT JOIN approval p ON p.id = c.approval_id LEFT JOIN operator d ON d.id = p.decided_by
  LEFT JOIN user_account second ON second.id = d.user_id
 WHERE c.user_id = ANY ($1) AND c.initiator_id = ANY ($2) AND CASE WHEN c.approval_id IS NULL
       THEN owner.email = initiator.email
       ELSE p.state <> 'approved' OR p.proposed_by <> c.initiator_id OR second.email IS NULL
            OR second.email IN (owner.email, initiator.email) END""",
    "a day above its limits": """
SELECT initiator_id::text FROM operator_credit
 WHERE user_id = ANY ($1) AND initiator_id = ANY ($2) AND approval_id IS NULL
 GROUP BY initiator_id, kind IN ('refund', 'cancellation'),
          (created_at AT TIME ZONE 'UTC' + interval '1 hour')::date
HAVING sum(counted_kobo) > max(day_limit_kobo) OR sum(confirmed_kobo) > max(confirm_limit_kobo)
    OR bool_or(counted_kobo > limit_kobo)""",
    "two accounts of one address": """
SELECT email FROM user_account WHERE id = ANY ($1) AND $2::uuid[] IS NOT NULL
   AND (email <> lower(email) OR (SELECT count(*) FROM user_account o
                                   WHERE lower(o.email) = lower(user_account.email)) > 1)""",
}


def naira(kobo: int) -> float:
    """Return kobo as the wire has them."""
    return kobo / 100


def kobo(amount: float) -> int:
    """Return a wire amount in kobo."""
    return round(amount * 100)


@dataclass
class Office:
    """One sequence's people and things in the product, by their names in the model."""

    asgi: FastAPI
    number: int
    members: dict[str, UUID] = field(default_factory=dict)
    operators: dict[str, UUID] = field(default_factory=dict)
    sessions: dict[str, UUID] = field(default_factory=dict)
    operator_sessions: dict[str, UUID] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    operator_tokens: dict[str, str] = field(default_factory=dict)
    things: dict[str, str] = field(default_factory=dict)  # ids by the model's names
    digests: dict[tuple[str, int], str] = field(default_factory=dict)  # of approvals, by version
    contents: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def services(self) -> Services:
        """The application's."""
        services: Services = self.asgi.state.services
        return services

    @property
    def people(self) -> list[UUID]:
        """All accounts."""
        return list(self.members.values())

    def client(self) -> httpx.AsyncClient:
        """Return a client on a network unique to this sequence."""
        number = self.number % 2**24
        address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        transport = httpx.ASGITransport(self.asgi, raise_app_exceptions=False, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url="http://house", timeout=60)

    async def furnish(self, world: World) -> None:
        """Insert the model's initial world into the database."""
        async with self.services.database.transaction() as tx:
            await self._add_people(tx, world)
            await self._add_things(tx, world)
            for name, member in world.members.items():
                if member.balance:
                    await operator_credits.import_credit(
                        *(tx, self.members[name], Kobo(member.balance)),
                        *(f"demo:{new_id()}", world.now),
                    )
            for name, review in world.reviews.items():
                case = await reviews.open_review(
                    tx,
                    [ReviewKind(review.kind)],
                    self.members[review.member],
                    Kobo(review.amount),
                    subject=new_id(),
                    source=review.source,
                    now=world.now,
                )
                self.things[name] = str(case)
        self._issue_tokens(world.now)

    async def _add_people(self, tx: Transaction, world: World) -> None:
        self.members = {name: new_id() for name in world.members}
        self.operators = {name: new_id() for name in world.operators}
        self.sessions = {name: new_id() for name in world.members}
        self.operator_sessions = {name: new_id() for name in world.operators}
        emails = [one.email for one in world.members.values()]
        phones = [f"+2348{self.number:07d}{place:02d}" for place in range(len(emails))]
        await tx.execute(ADD_MEMBERS, self.people, emails, phones, CLUB_A)
        expires_at = world.now + NEVER
        await tx.execute(ADD_SESSIONS, list(self.sessions.values()), self.people, expires_at)
        await tx.execute(LET_GO)  # operators of other sequences cannot decide here
        operators = list(self.operators.values())
        accounts = [self.members[name] for name in self.operators]
        roles = [one.role for one in world.operators.values()]
        await tx.execute(ADD_OPERATORS, operators, accounts, roles)
        sessions = list(self.operator_sessions.values())
        await tx.execute(ADD_OPERATOR_SESSIONS, sessions, operators, world.now)

    async def _add_things(self, tx: Transaction, world: World) -> None:
        for statement, things in ((ADD_PLANS, world.plans), (ADD_PRODUCTS, world.products)):
            ids = {name: new_id() for name in things}
            prices = [one.price for one in things.values()]
            await tx.execute(statement, list(ids.values()), prices)
            self.things |= {name: str(one) for name, one in ids.items()}
        await tx.execute(SET_LIMITS, *vars(world.limits).values())

    def _issue_tokens(self, now: datetime) -> None:
        services = self.services
        for name, user_id in self.members.items():
            self.tokens[name] = services.auth.codec.issue(user_id, self.sessions[name], now)
        for name, session_id in self.operator_sessions.items():
            codec = services.operators.codec
            self.operator_tokens[name] = codec.issue(self.members[name], session_id, now)

    async def move_to(self, now: datetime, hours: int) -> None:
        """Renew all back-office sessions, and expire orders after long moves."""
        async with self.services.database.transaction() as tx:
            await tx.execute(SIT_DOWN, list(self.operator_sessions.values()), now)
        self._issue_tokens(now)
        if hours >= EXPIRING_HOURS:
            await shop_orders.expire_orders(self.services.database, now)

    # Calls

    async def call(self, client: httpx.AsyncClient, act: Act) -> httpx.Response:
        """Do one act of the model's by HTTP."""
        method, path, body = getattr(self, f"_{act.name}")(**act.wish)
        is_admin_call = path.startswith(ADMIN)
        token = (self.operator_tokens if is_admin_call else self.tokens)[act.who]
        headers = {} if act.name == "sign_up" else {"Authorization": f"Bearer {token}"}
        headers |= {"Idempotency-Key": act.key} if act.key else {}
        return await client.request(method, path, json=body, headers=headers)

    def _adjust(self, member: str, amount: int) -> tuple[str, str, Any]:
        body = {"amount": naira(amount), "category": "goodwill", "reason": REASON}
        return "POST", f"{ADMIN}/members/{self.members[member]}/adjustments", body

    def _gift(self, member: str, plan: str, **wish: Any) -> tuple[str, str, Any]:
        body = {"planId": self.things[plan], "reason": REASON} | wish
        return "POST", f"{ADMIN}/members/{self.members[member]}/gift", body

    def _gifts(self, plan: str, members: tuple[str, ...], periods: int) -> tuple[str, str, Any]:
        ids = [str(self.members[one]) for one in members]
        body = {"userIds": ids, "periods": periods, "reason": REASON}
        return "POST", f"{ADMIN}/plans/{self.things[plan]}/gifts", body

    def _accept(self, review: str) -> tuple[str, str, Any]:
        return "POST", f"{ADMIN}/review-cases/{self.things[review]}/accept", {"reason": REASON}

    def _ask(self, order: str, units: int) -> tuple[str, str, Any]:
        lines = [{"line": 1, "quantity": units}]
        body = {"lines": lines, "restock": True, "reason": REASON}
        return "POST", f"{ADMIN}/orders/{self.things[order]}/refunds", body

    def _send(self, case: str) -> tuple[str, str, Any]:
        return "POST", f"{ADMIN}/refunds/{self.things[case]}/send", None

    def _cancel(self, order: str) -> tuple[str, str, Any]:
        return "POST", f"{ADMIN}/orders/{self.things[order]}/cancel", {"reason": REASON}

    def _confirm(
        self, order: str, amount: int, reference: str, again: int | None, paid_on: str
    ) -> tuple[str, str, Any]:
        body = {
            "bank": BANK,
            "reference": reference,
            "amount": naira(amount),
            "paidOn": paid_on,
        }
        body |= {} if again is None else {"confirmAmount": naira(again)}
        return "POST", f"{ADMIN}/orders/{self.things[order]}/confirm-transfer", body

    def _decide(self, approval: str, decision: str, version: int) -> tuple[str, str, Any]:
        digest = self.digests[approval, version]
        body = {"digest": digest, "decision": decision, "reason": REASON}
        return "POST", f"{ADMIN}/approvals/{self.things[approval]}/decide", body

    def _change(self, approval: str, member: str, amount: int) -> tuple[str, str, Any]:
        content = self.contents[approval] | {"userId": str(self.members[member])}
        content |= {"amount": naira(amount)}
        body = {"content": content, "reason": REASON}
        return "PATCH", f"{ADMIN}/approvals/{self.things[approval]}", body

    def _limits(self, version: int, values: dict[str, int]) -> tuple[str, str, Any]:
        wanted = {NAMES_OF_LIMITS[name]: naira(value) for name, value in values.items()}
        return "PUT", f"{ADMIN}/settings", wanted | {"version": version, "reason": REASON}

    def _touch(self, product: str, version: int) -> tuple[str, str, Any]:
        body = {"version": version, "description": f"After version {version}"}
        return "PATCH", f"{ADMIN}/products/{self.things[product]}", body

    def _appoint(self, spelling: str) -> tuple[str, str, Any]:
        body = {"email": spelling, "roles": ["shop"], "reason": REASON}
        return "POST", f"{ADMIN}/operators", body

    def _sign_up(self, spelling: str) -> tuple[str, str, Any]:
        body = {
            "firstName": "A",
            "lastName": "B",
            "email": spelling,
            "phone": f"+2347{self.number:07d}99",
            "password": "words that nobody guesses",
            "club": str(CLUB_A),
            "tnc": True,
        }
        return "POST", f"{API}/signup", body

    def _order(self, product: str, units: int, is_transfer: bool) -> tuple[str, str, Any]:
        method = "bank-transfer" if is_transfer else "wallet"
        cart = [{"id": self.things[product], "quantity": units}]
        body = {"carts": cart, "billing": BILLING, "paymentMethod": method}
        return "POST", f"{API}/products/checkout", body

    def _subscribe(self, plan: str) -> tuple[str, str, Any]:
        return "POST", f"{API}/users/subscription", {"subscriptionId": self.things[plan]}

    def _withdraw(self, order: str) -> tuple[str, str, Any]:
        return "POST", f"{API}/orders/{self.things[order]}/cancel", {}

    # Responses and stored state

    async def learn(self, world: World, answers: Mapping[int, httpx.Response]) -> None:
        """Store the ids of new things."""
        named = {"a": _approval_id, "r": _refund_id, "o": _order_id}
        for name in (*world.approvals, *world.cases, *world.orders):
            if name not in self.things:
                data = answers[int(name[1:])].json()["data"]
                self.things[name] = named[name[0]](data)
        for name, review in world.reviews.items():
            if name not in self.things:
                found = await self.services.database.fetch_value(READ_REVIEW, review.source)
                assert found is not None, f"no review case of {review.source}"
                self.things[name] = str(found)
        for answer in answers.values():
            data = answer.json().get("data") or {}
            if "approval" in data:
                self._note_approval(world.approvals, data["approval"])

    def _note_approval(self, approvals: Mapping[str, Approval], said: dict[str, Any]) -> None:
        (name,) = [one for one in approvals if self.things.get(one) == said["id"]]
        self.digests.setdefault((name, approvals[name].version), said["digest"])
        self.contents[name] = said["content"]

    async def balances(self) -> dict[str, int]:
        """Return the balance of each wallet."""
        rows = await self.services.database.fetch_rows(READ_BALANCES, self.people)
        held = {row["id"]: int(row["kobo"]) for row in rows}
        return {name: held[user_id] for name, user_id in self.members.items()}

    async def open_approvals(self) -> set[str]:
        """Return the ids of open approvals."""
        rows = await self.services.database.fetch_rows(READ_OPEN, list(self.operators.values()))
        return {str(row["id"]) for row in rows}

    async def caused(self) -> list[Caused]:
        """Return the stored credits, with the model's names."""
        rows = await self.services.database.fetch_rows(READ_CAUSED, self.people)
        operators = {one: name for name, one in self.operators.items()}
        members = {one: name for name, one in self.members.items()}
        things = {one: name for name, one in self.things.items()}
        return [
            Caused(
                row["kind"],
                operators[row["initiator_id"]],
                None if row["approval_id"] is None else things[str(row["approval_id"])],
                members[row["user_id"]],
                *(row["amount_kobo"], row["counted_kobo"], row["confirmed_kobo"], row["day"]),
                (row["limit_kobo"], row["day_limit_kobo"], row["confirm_limit_kobo"]),
            )
            for row in rows
        ]

    async def faults(self) -> list[str]:
        """Return violations found in the rows, independent of the model."""
        found = []
        for name, query in FAULTS.items():
            rows = await self.services.database.fetch_rows(
                query, self.people, list(self.operators.values())
            )
            found += [f"{name}: {', '.join(map(str, row.values()))}" for row in rows]
        return found

    async def listed(self, client: httpx.AsyncClient, owner: str) -> dict[str, tuple[str, Any]]:
        """Return the state and reasons of each proposal as the back office lists them."""
        headers = {"Authorization": f"Bearer {self.operator_tokens[owner]}"}
        names = {one: name for name, one in self.things.items()}
        found: dict[str, tuple[str, Any]] = {}
        params = {"limit": "100"}
        while True:  # includes those of other sequences
            answer = await client.get(f"{ADMIN}/approvals", params=params, headers=headers)
            page = answer.json()["data"]
            found |= {
                names[row["id"]]: (row["state"], tuple(row["reasons"]))
                for row in page["rows"]
                if row["id"] in names
            }
            if page["next"] is None:
                return found
            params["before"] = page["next"]


def _approval_id(data: dict[str, Any]) -> str:
    found: str = data["approval"]["id"]
    return found


def _refund_id(data: dict[str, Any]) -> str:
    found: str = (data.get("refund") or data)["id"]
    return found


def _order_id(data: dict[str, Any]) -> str:
    found: str = data["orderId"]
    return found


def parse_response(answer: httpx.Response, expected: Collection[str]) -> Said:
    """Return a response in the form of the model, with the expected facts only."""
    assert answer.status_code < 500, answer.text
    body = answer.json()
    data = body.get("data") or {}
    if answer.status_code >= 400:
        return Said(answer.status_code, body["error"]["code"], facts=_facts(data, {"status"}))
    reasons = None
    if answer.status_code == 202:
        reasons = tuple(data["approval"]["reasons"])
    return Said(answer.status_code, "", reasons, _facts(data, expected))


MONEY = {"balance", "amount", "received", "missing", "surplus", "refunded"}


def _facts(data: dict[str, Any], expected: Collection[str]) -> tuple[tuple[str, Any], ...]:
    found: dict[str, Any] = {}
    for name in expected:
        if name == "refund" and name in data:
            case = data[name]
            found[name] = None if case is None else (kobo(case["amount"]), case["state"])
        elif name == "reasons" and "approval" in data:
            found[name] = tuple(data["approval"]["reasons"])
        elif name in data:
            found[name] = kobo(data[name]) if name in MONEY else data[name]
    return tuple(sorted(found.items()))
