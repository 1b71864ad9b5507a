"""Draws the actions of a sequence at random.

Most are allowed and around the limits. Some repeat a call, or are by operators without the right.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from tests.endurance.credits.model import (
    EXPIRING_HOURS,
    RIGHT_OF,
    RIGHTS,
    SHORT_HOURS,
    Act,
    Approval,
    Limits,
    Member,
    OperatorAccount,
    Plan,
    Product,
    Review,
    World,
)

LENGTH = (4, 10)
ORDERS = (-2, -1)  # earlier steps: existing orders
NAIRA = 100
LARGE = 10**10
# Weights of the acts.
OPERATOR_ACTIONS = {
    "adjust": 7,
    "confirm": 9,
    "accept": 6,
    "gift": 5,
    "gifts": 2,
    "ask": 6,
    "send": 13,
    "cancel": 5,
    "decide": 20,
    "change": 1,
    "limits": 3,
    "touch": 3,
    "appoint": 1,
}
FURTHER = {"order": 5, "withdraw": 2, "subscribe": 1, "sign_up": 1, "move": 4, "again": 4}
AT_ONCE = 0.15  # share of steps with two concurrent acts
MAX_WAITING_ORDERS = 3
MAX_HOURS = 60  # an unpaid order does not expire within these
DOMAINS = (("example.com", "example.com"), ("xn--bcher-kva.example", "Bücher.Example"))
# Hours of the day in Lagos, where a day starts an hour before UTC's.
STARTS = (0.5, 0.9, 11.0, 22.2, 22.9, 23.5, 23.9)
KINDS_OF_CASES = ("surplus", "surplus", "surplus", "daily_limit", "amount", "mode")


class NotNowError(Exception):
    """No act of that kind is possible at the moment."""


@dataclass
class Drawing:
    """Draws acts; each step has its own random source, so that it does not depend on others."""

    seed: str
    world: World
    acts: list[Act] = field(default_factory=list)  # done so far, to be repeated
    number: int = 0
    who: str = ""  # the operator who acts next
    chance: random.Random = field(default_factory=random.Random)

    def step(self, place: int) -> list[Act]:
        """Draw one act, or two concurrent ones."""
        self.chance = random.Random(f"{self.seed}:{place}")  # noqa: S311 replayable
        first = self._draw({"order": 1} if place in ORDERS else OPERATOR_ACTIONS | FURTHER)
        if first.name in {"move", "order", "subscribe"} or self.chance.random() >= AT_ONCE:
            return [first]
        if self.chance.random() < 0.4:  # the same, by the same person or another
            self.number += 1
            second = replace(first, number=self.number)
            if first.who in self.world.operators and self.chance.random() < 0.5:
                second = replace(second, who=self._operator(RIGHT_OF.get(first.name)))
        else:
            second = self._draw(OPERATOR_ACTIONS)
        return [first] if self._is_open_ended(first, second) else [first, second]

    def _is_open_ended(self, first: Act, second: Act) -> bool:
        """Return whether the order matters, and neither responses nor stored credits show it."""
        # Of two gifts the later one decides which plan runs; a change decides what is approved.
        gives, both = {"gift", "gifts", "decide", "change"}, {first.name, second.name}
        # Of two simultaneous transfers either may be the part, and the other the surplus.
        paid_for = self._paid_for(first)
        are_partial = paid_for is not None and paid_for == self._paid_for(second)
        is_same = (first.who, first.wish, first.key) == (second.who, second.wish, second.key)
        return (are_partial or (both <= gives and both != {"decide"})) and not is_same

    def _paid_for(self, act: Act) -> str | None:
        """Return the order that a transfer is for, if any."""
        wish = act.wish
        if act.name == "decide":
            wish = self.world.approvals[wish["approval"]].content
        elif act.name != "confirm":
            return None
        order: str | None = wish.get("order")
        return order

    def _draw(self, weights: dict[str, int]) -> Act:
        names, counts = list(weights), list(weights.values())
        while True:
            name = self.chance.choices(names, counts)[0]
            try:
                if name == "again":
                    return self._again()
                if name in FURTHER:
                    draw: Callable[[], tuple[str, dict[str, Any]]] = getattr(self, f"_{name}")
                    who, wish = draw()
                    return self._act(name, who, wish)
                self.who = self._operator(RIGHT_OF.get(name))
                found: Callable[[], dict[str, Any]] = getattr(self, f"_{name}")
                return self._act(name, self.who, found())
            except NotNowError:
                continue

    def _act(self, name: str, who: str, wish: dict[str, Any]) -> Act:
        self.number += 1
        key = (
            f"key-{self.number:05}"
            if name in OPERATOR_ACTIONS and self.chance.random() < 0.6
            else None
        )
        return Act(self.number, name, who, wish, key)

    def _again(self) -> Act:
        keyed = [act for act in self.acts if act.key is not None]
        self.number += 1
        act: Act = self._one(keyed)
        return replace(act, number=self.number)

    def _one(self, of: Any) -> Any:
        candidates = list(of)
        if not candidates:
            raise NotNowError
        return self.chance.choice(candidates)

    def _operator(self, right: str | None) -> str:
        operators = list(self.world.operators.values())
        able = [one for one in operators if right in one.rights]
        chosen: OperatorAccount = self._one(
            able if able and self.chance.random() < 0.9 else operators
        )
        return chosen.name

    def _member(self, who: str | None = None) -> str:
        """Return a member; one in eight is the acting operator, and some are other operators."""
        if who is not None and self.chance.random() < 0.12:
            return who
        fans = [name for name in self.world.members if name not in self.world.operators]
        name: str = self._one(fans if self.chance.random() < 0.65 else self.world.members)
        return name

    def _around(self) -> int:
        """Return an amount around what the operator may still credit alone."""
        limit, day_limit = self.world.limits_of(is_refund=False)
        left = day_limit - self.world.done_today(self.who)
        edge = self.chance.choice((limit, left, left, limit // 2, self.chance.randint(1, limit)))
        return max(1, edge + self.chance.choice((-1, 0, 0, 1)))

    # What operators do

    def _adjust(self) -> dict[str, Any]:
        size = self._around() * self.chance.choice((1, 1, 1, 1, 3))
        member = self._member(self.who)
        return {"member": member, "amount": size * self.chance.choice((1, 1, 1, 1, 1, -1))}

    def _gift(self) -> dict[str, Any]:
        return {
            "member": self._member(self.who),
            "plan": self._one(self.world.plans),
            "periods": self.chance.choice((1, 1, 2)),
            "replace": self.chance.random() < 0.6,
        }

    def _gifts(self) -> dict[str, Any]:
        count = self.chance.randint(2, min(3, len(self.world.members)))
        members = sorted(self.chance.sample(list(self.world.members), count))
        return {"plan": self._one(self.world.plans), "members": tuple(members), "periods": 1}

    def _accept(self) -> dict[str, Any]:
        reviews = self.world.reviews
        waiting = [name for name, one in reviews.items() if one.state == "open"]
        return {"review": self._one(waiting if self.chance.random() < 0.85 else reviews)}

    def _ask(self) -> dict[str, Any]:
        orders = self.world.orders
        paid = [name for name, one in orders.items() if one.is_paid and one.status == "processing"]
        order = self._one(paid if self.chance.random() < 0.9 else orders)
        return {"order": order, "units": self.chance.randint(1, orders[order].units)}

    def _send(self) -> dict[str, Any]:
        cases = self.world.cases
        asked = [name for name, one in cases.items() if one.state == "asked"]
        return {"case": self._one(asked if self.chance.random() < 0.9 else cases)}

    def _cancel(self) -> dict[str, Any]:
        orders = self.world.orders
        running = [name for name, one in orders.items() if one.status in {"pending", "processing"}]
        return {"order": self._one(running if self.chance.random() < 0.9 else orders)}

    def _confirm(self) -> dict[str, Any]:
        orders = self.world.orders
        waiting = [name for name, one in orders.items() if one.is_transfer and not one.is_paid]
        order = self._one(waiting if self.chance.random() < 0.95 else orders)
        changers = self.world.products[orders[order].product].changed
        if changers and self.chance.random() < 0.6:
            operators = self.world.operators.values()
            self.who = self._one([one.name for one in operators if one.email in changers])
        amount = self._transfer(order)
        again = self.chance.choice((None, amount, amount, amount + 1))
        reference = f"NIP{self.world.tag}N{self.number + 1}"
        if self.world.references and self.chance.random() < 0.05:
            reference = self._one(sorted(self.world.references))
        return {
            "order": order,
            "amount": amount,
            "reference": reference,
            "again": again if amount > 2 * orders[order].total else None,
            "paid_on": self.world.today.isoformat(),
        }

    def _transfer(self, order: str) -> int:
        found = self.world.orders[order]
        total, there = found.total, sum(found.waiting.values())
        to_confirm = self.world.limits.confirm_day - self.world.confirmed_today(self.who)
        edges = (
            *(total, total, total - there, total // 2, total // 3),
            *(total - there + self._around(), 2 * total, 2 * total + 1),
            *(self._around(), to_confirm, to_confirm + 1, 3 * total),
        )
        return min(max(1, self.chance.choice(edges)), LARGE)

    def _decide(self) -> dict[str, Any]:
        approvals = self.world.approvals
        waiting = [name for name, one in approvals.items() if one.state == "open"]
        name = self._one(waiting if self.chance.random() < 0.9 else approvals)
        version = approvals[name].version
        if self.chance.random() < 0.7:
            self.who = self._second(approvals[name])
        return {
            "approval": name,
            "decision": "approve" if self.chance.random() < 0.85 else "refuse",
            "version": max(0, version - (self.chance.random() < 0.1)),
        }

    def _second(self, approval: Approval) -> str:
        """Return another operator with the right to decide a proposal, possibly its owner."""
        operators = self.world.operators
        person = operators[approval.proposer].email
        able = [
            name
            for name, one in operators.items()
            if approval.right in one.rights and one.email != person
        ]
        name: str = self._one(able)
        return name

    def _change(self) -> dict[str, Any]:
        approvals: dict[str, Approval] = {
            name: one for name, one in self.world.approvals.items() if one.kind == "adjust"
        }
        name = self._one(approvals)
        if self.chance.random() < 0.8:
            self.who = approvals[name].proposer
        return {
            "approval": name,
            "member": self._member(),
            "amount": self._around(),
        }

    def _limits(self) -> dict[str, Any]:
        values = {}
        for name in self.chance.sample(
            list(vars(self.world.limits)), self.chance.choice((1, 1, 2))
        ):
            held = getattr(self.world.limits, name)
            value = self.chance.choice((held // 2, held - 1, held + 1, 2 * held))
            values[name] = min(max(0, value), LARGE)
        values = {n: v for n, v in values.items() if v != getattr(self.world.limits, n)}
        if not values:
            raise NotNowError
        return {"version": self.world.settings_version, "values": values}

    def _touch(self) -> dict[str, Any]:
        ordered = [one.product for one in self.world.orders.values() if not one.is_paid]
        is_ordered = ordered and self.chance.random() < 0.7
        product = self._one(ordered if is_ordered else self.world.products)
        return {"product": product, "version": self.world.products[product].version}

    def _appoint(self) -> dict[str, Any]:
        return {"spelling": self._spell(self._one(self.world.operators))}

    def _spell(self, name: str) -> str:
        """Return another spelling of a member's address."""
        local, _, domain = self.world.members[name].email.partition("@")
        other = dict(DOMAINS)[domain]
        ways = (
            f"{local.upper()}@{domain}",
            f"{local}@{domain.title()}",
            f" {local}@{other.upper()} ",
        )
        return self.chance.choice(ways)

    # What others do

    def _sign_up(self) -> tuple[str, dict[str, Any]]:
        name = self._member()
        return name, {"spelling": self._spell(name)}

    def _order(self) -> tuple[str, dict[str, Any]]:
        member, product = self._member(), self._one(self.world.products)
        units = self.chance.randint(1, 3)
        waiting = [
            one
            for one in self.world.orders.values()
            if one.member == member and one.status == "pending"
        ]
        is_transfer = self.chance.random() < 0.55
        total = units * self.world.products[product].price
        if is_transfer and len(waiting) >= MAX_WAITING_ORDERS:
            raise NotNowError
        if not is_transfer and self.world.members[member].balance < total:
            raise NotNowError
        return member, {"product": product, "units": units, "is_transfer": is_transfer}

    def _withdraw(self) -> tuple[str, dict[str, Any]]:
        name = self._one(self.world.orders)
        return self.world.orders[name].member, {"order": name}

    def _subscribe(self) -> tuple[str, dict[str, Any]]:
        member, plan = self._member(), self._one(self.world.plans)
        found = self.world.members[member]
        if found.period is not None or found.balance < self.world.plans[plan].price:
            raise NotNowError
        return member, {"plan": plan}

    def _move(self) -> tuple[str, dict[str, Any]]:
        hours = self.chance.choice((*SHORT_HOURS, EXPIRING_HOURS))
        passed = sum(act.wish["hours"] for act in self.acts if act.name == "move")
        if hours != 1 and passed % EXPIRING_HOURS + hours > MAX_HOURS:
            raise NotNowError
        return "time", {"hours": hours}


def steps(seed: str) -> list[int]:
    """Draw how many steps a sequence has, and return them."""
    count = random.Random(f"{seed}:length").randint(*LENGTH)  # noqa: S311 replayable
    return [*ORDERS, *range(count)]


def furnished(seed: str, first_day: datetime, tag: int) -> World:
    """Draw the world before the first act; addresses and references contain ``tag``."""
    chance = random.Random(seed)  # noqa: S311 replayable
    hundred = 100 * NAIRA
    limits = Limits(
        credit=hundred,
        credit_day=chance.choice((hundred, 150 * NAIRA, 250 * NAIRA)),
        refund=hundred,
        refund_day=chance.choice((hundred, 150 * NAIRA, 300 * NAIRA)),
        confirm_day=chance.choice((LARGE, LARGE, 5 * hundred, 20 * hundred)),
    )
    roles = ["owner", *chance.choices(("owner", "finance", "shop"), k=chance.randint(0, 3))]
    roles += chance.choices(list(RIGHTS), k=chance.randint(0, 2))
    chance.shuffle(roles)
    operators, members = {}, {}
    for number, role in enumerate(roles):
        name = f"d{number}"
        email = f"{name}.{tag}@{chance.choice(DOMAINS)[0]}"
        operators[name] = OperatorAccount(name, role, email)
        members[name] = Member(name, email, chance.choice((0, 300, 2_000)) * NAIRA)
    for number in range(2):
        name = f"f{number}"
        email = f"{name}.{tag}@{chance.choice(DOMAINS)[0]}"
        members[name] = Member(name, email, chance.choice((50, 1_000, 5_000)) * NAIRA)
    plans = {
        f"p{number}": Plan(price)
        for number, price in enumerate(
            chance.sample((700, 5_000, 9_999, 10_000, 10_001, 25_000), 3)
        )
    }
    prices = chance.sample((3_333, 5_000, 9_999, 10_000, 10_001, 20_000, 40_000), 3)
    products = {f"s{number}": Product(price) for number, price in enumerate(prices)}
    start = first_day + timedelta(hours=chance.choice(STARTS))
    world = World(start, limits, operators, members, plans, products, tag)
    world.reviews |= draw_reviews(chance, world)
    return world


def draw_reviews(chance: random.Random, world: World) -> dict[str, Review]:
    """Draw the review cases that are open at the start."""
    found = {}
    for number in range(chance.randint(1, 3)):
        kind = chance.choice(KINDS_OF_CASES)
        prefix = f"transfer:044:{world.tag}" if kind == "surplus" else f"f:{world.tag}"
        source = f"{prefix}:{number}" + (":surplus" if kind == "surplus" else "")
        amount = chance.choice((9_999, 10_000, 10_001, 5_000, 4_000))
        found[f"v{number}"] = Review(chance.choice(list(world.members)), amount, kind, source)
    return found
