"""The rules of operator credits, written from contract T-1; amounts are kobo.

Nothing here queries the product. ``World.do`` applies an action and returns the expected answer; a
refusal changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from typing_extensions import override

LAGOS = ZoneInfo("Africa/Lagos")
DAY = timedelta(days=1)
SHORT_HOURS = (1, 2, 24)
EXPIRING_HOURS = 192  # no order waits for its transfer this long
APPROVAL_LIFE = timedelta(hours=48)
REFUNDS = {"refund", "cancellation"}  # kinds of credits with limits of their own
OWN_PRODUCT_AGE = timedelta(days=7)
REASONS = ("own", "limit", "day_limit", "confirm_day_limit", "own_product", "unlikely")
# What each role may do of the acts here (contract "Roles").
MONEY = {"money:write", "adjust:propose", "refund:ask", "refund:send", "orders:confirm"}
RIGHTS: dict[str, set[str]] = {
    "owner": MONEY | {"plans:write", "shop:write", "settings:write", "operators:write"},
    "finance": MONEY | {"plans:write"},
    "shop": {"shop:write", "orders:confirm", "refund:ask"},
    "moderator": set(),
    "editor": set(),
    "game-master": set(),
}
RIGHT_OF = {
    "adjust": "adjust:propose",
    "gift": "plans:write",
    "gifts": "plans:write",
    "accept": "money:write",
    "ask": "refund:ask",
    "send": "refund:send",
    "cancel": "shop:write",
    "confirm": "orders:confirm",
    "limits": "settings:write",
    "touch": "shop:write",
    "appoint": "operators:write",
}
# Any spelling of an address belongs to the account that the person already has.
SECOND_ACCOUNTS = {"appoint": "already_operator", "sign_up": "account_exists"}
ALWAYS_TWO = {"amount"}  # reasons of review cases: the provider reports another amount
NOT_CREDITABLE = {"mode"}


@dataclass(frozen=True)
class Act:
    """One call with its operator, arguments and key; ``number`` is in the name of its result."""

    number: int
    name: str
    who: str
    wish: dict[str, Any] = field(default_factory=dict)
    key: str | None = None

    @override
    def __str__(self) -> str:
        """Return it as a line of a report."""
        named = ", ".join(f"{name}={value}" for name, value in self.wish.items())
        return f"{self.number:2} {self.who} {self.name}({named})" + (
            f" key {self.key}" if self.key else ""
        )


@dataclass(frozen=True)
class Said:
    """A response: status, code of a refusal, reasons of an approval, and facts of its data."""

    status: int
    code: str = ""
    reasons: tuple[str, ...] | None = None
    facts: tuple[tuple[str, Any], ...] = ()


class RefusalError(Exception):
    """Raised if an act is refused."""

    def __init__(self, status: int, code: str, /, **facts: Any) -> None:
        super().__init__(code)
        self.said = Said(status, code, facts=tuple(sorted(facts.items())))


def said(status: int, /, **facts: Any) -> Said:
    """Return the response to a completed act."""
    return Said(status, facts=tuple(sorted(facts.items())))


@dataclass
class Limits:
    """Limits of one person alone: for one credit, for a day, and for a day's transfers."""

    credit: int
    credit_day: int
    refund: int
    refund_day: int
    confirm_day: int


@dataclass
class OperatorAccount:
    """An operator's account; accounts with the same canonical ``email`` are one person."""

    name: str
    role: str
    email: str

    @property
    def rights(self) -> set[str]:
        """What the role may do."""
        return RIGHTS[self.role]


@dataclass
class Plan:
    """A gift: this many kobo for a week."""

    price: int
    days: int = 7


@dataclass
class Period:
    """A plan of a member's; ``paid`` is 0 for a gift."""

    plan: str
    paid: int
    starts: datetime
    ends: datetime

    def unused(self, now: datetime) -> int:
        """Return what was paid for the remaining whole days."""
        left = max(timedelta(0), self.ends - max(now, self.starts)) // DAY
        return self.paid * left // ((self.ends - self.starts) // DAY)


@dataclass
class Member:
    """An account with a wallet."""

    name: str
    email: str
    balance: int
    period: Period | None = None


@dataclass
class Product:
    """A product; ``changed`` is when each person last changed it."""

    price: int
    version: int = 1
    changed: dict[str, datetime] = field(default_factory=dict)


@dataclass
class Order:
    """An order of one product.

    ``waiting`` are partial transfers by reference; ``brought`` is what each credited once it was
    settled, without the surplus. ``is_refunded`` marks partial transfers that a cancellation by the
    club returned.
    """

    member: str
    product: str
    units: int
    total: int
    is_transfer: bool
    status: str
    is_paid: bool
    waiting: dict[str, int] = field(default_factory=dict)
    brought: dict[str, int] = field(default_factory=dict)
    received: int = 0
    credited: int = 0
    returned: int = 0
    units_returned: int = 0
    is_refunded: bool = False

    def settle(self, limit: int) -> None:
        """Credit the waiting transfers up to ``limit``, in the order of their arrival."""
        for reference, amount in self.waiting.items():
            self.brought[reference] = min(limit, amount)
            limit -= self.brought[reference]
        self.credited += sum(self.brought[reference] for reference in self.waiting)
        self.waiting.clear()


@dataclass
class Case:
    """A requested refund."""

    order: str
    units: int
    amount: int
    is_owed: bool = False
    state: str = "asked"


@dataclass
class Review:
    """Money under review; ``source`` is its ledger reference."""

    member: str
    amount: int
    kind: str
    source: str
    state: str = "open"


@dataclass
class Approval:
    """A proposal; each change of its content increments ``version``."""

    kind: str
    right: str
    proposer: str
    content: dict[str, Any]
    reasons: tuple[str, ...]
    made_at: datetime
    state: str = "open"
    version: int = 0


@dataclass(frozen=True)
class Caused:
    """A credit with its initiator, and the limits that applied or the approval."""

    kind: str
    initiator: str
    approval: str | None
    member: str
    amount: int
    counted: int
    confirmed: int
    day: date
    limits: tuple[int, int, int]


@dataclass
class World:
    """All state of a sequence."""

    now: datetime
    limits: Limits
    operators: dict[str, OperatorAccount]
    members: dict[str, Member]
    plans: dict[str, Plan]
    products: dict[str, Product]
    tag: int = 0
    settings_version: int = 1
    orders: dict[str, Order] = field(default_factory=dict)
    cases: dict[str, Case] = field(default_factory=dict)
    reviews: dict[str, Review] = field(default_factory=dict)
    approvals: dict[str, Approval] = field(default_factory=dict)
    caused: list[Caused] = field(default_factory=list)
    transfers: list[tuple[Caused, Order, str]] = field(default_factory=list)
    references: set[str] = field(default_factory=set)
    kept: dict[tuple[str, str], tuple[str, Said]] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """The day in Lagos."""
        return self.now.astimezone(LAGOS).date()

    def do(self, act: Act) -> Said:
        """Do an act, or refuse it, and return the response."""
        try:
            return self._once(act)
        except RefusalError as refusal:
            return refusal.said

    def _once(self, act: Act) -> Said:
        """A repeated call under its key has no effect, and gets the same response."""
        right = RIGHT_OF.get(act.name)
        if right is not None and right not in self.operators[act.who].rights:
            raise RefusalError(404, "not_found")
        print_of = f"{act.name} {act.wish}"
        if act.key is not None and (act.who, act.key) in self.kept:
            known, answer = self.kept[act.who, act.key]
            if known != print_of:
                raise RefusalError(422, "idempotency_key_reused")
            return answer
        if act.name in SECOND_ACCOUNTS:
            raise RefusalError(409, SECOND_ACCOUNTS[act.name])
        rule: Callable[..., Said] = getattr(self, f"_{act.name}")
        answer = rule(act, **act.wish)
        if act.key is not None:
            self.kept[act.who, act.key] = (print_of, answer)
        return answer

    # Who may do it alone

    def done_today(self, operator: str, *, is_refund: bool = False) -> int:
        """Return what a person credited alone today, with all of their accounts.

        A transfer counts with all that the wallet got of it once its order is over.
        """
        alone = self._alone_today(operator)
        done = sum(one.counted for one in alone if (one.kind in REFUNDS) == is_refund)
        if is_refund:
            return done
        return done + sum(
            max(0, order.brought.get(reference, 0) - one.counted)
            for one, order, reference in self.transfers
            if one in alone
            and order.status in {"cancelled", "expired"}
            and not order.is_refunded
            and not any(
                self.orders[case.order] is order for case in self.cases.values() if case.is_owed
            )
        )

    def confirmed_today(self, operator: str) -> int:
        """Return what transfers a person confirmed alone today."""
        return sum(one.confirmed for one in self._alone_today(operator))

    def _alone_today(self, operator: str) -> list[Caused]:
        person = self.operators[operator].email
        return [
            one
            for one in self.caused
            if one.approval is None
            and one.day == self.today
            and self.operators[one.initiator].email == person
        ]

    def limits_of(self, *, is_refund: bool) -> tuple[int, int]:
        """Return the limit of one credit and of a day's."""
        if is_refund:
            return self.limits.refund, self.limits.refund_day
        return self.limits.credit, self.limits.credit_day

    def _reasons(
        self,
        operator: str,
        owners: Iterable[str],
        each: int,
        *,
        together: int | None = None,
        confirmed: int = 0,
        is_refund: bool = False,
    ) -> list[str]:
        """Return why a person may not do it alone."""
        limit, day_limit = self.limits_of(is_refund=is_refund)
        adds = each if together is None else together
        person = self.operators[operator].email
        holds = {
            "own": any(self.members[one].email == person for one in owners),
            "limit": each > limit,
            "day_limit": adds > 0
            and self.done_today(operator, is_refund=is_refund) + adds > day_limit,
            "confirm_day_limit": confirmed > 0
            and self.confirmed_today(operator) + confirmed > self.limits.confirm_day,
        }
        return [reason for reason, is_so in holds.items() if is_so]

    def owners(self, kind: str, content: dict[str, Any]) -> set[str]:
        """Return the canonical emails of a proposal's owners."""
        match kind:
            case "adjust":
                names = [content["member"]]
            case "gifts":
                names = list(content["members"])
            case "accept":
                names = [self.reviews[content["review"]].member]
            case "send":
                names = [self.orders[self.cases[content["case"]].order].member]
            case "confirm":
                names = [self.orders[content["order"]].member]
            case _:
                names = []
        return {self.members[name].email for name in names}

    def _propose(
        self, act: Act, kind: str, content: dict[str, Any], reasons: Sequence[str], **facts: Any
    ) -> Said:
        self._require_another(act.who, kind, content)
        ordered = tuple(reason for reason in REASONS if reason in reasons)
        self.approvals[f"a{act.number}"] = Approval(
            kind, RIGHT_OF[kind], act.who, content, ordered, self.now
        )
        return Said(202, reasons=ordered, facts=tuple(sorted(facts.items())))

    def _require_another(self, operator: str, kind: str, content: dict[str, Any]) -> None:
        person, owners = self.operators[operator].email, self.owners(kind, content)
        if not any(
            RIGHT_OF[kind] in one.rights and one.email != person and one.email not in owners
            for one in self.operators.values()
        ):
            raise RefusalError(409, "second_person_needed")

    def _note(
        self,
        kind: str,
        initiator: str,
        approval: str | None,
        member: str,
        amount: int,
        *,
        counted: int,
        confirmed: int = 0,
    ) -> None:
        limits = (*self.limits_of(is_refund=kind in REFUNDS), self.limits.confirm_day)
        self.caused.append(
            Caused(
                *(kind, initiator, approval, member, amount, counted, confirmed, self.today),
                limits if approval is None else (0, 0, 0),
            )
        )

    # Adjustments

    def _adjust(self, act: Act, member: str, amount: int) -> Said:
        self._require_held(member, amount)
        if reasons := self._reasons(act.who, [member], abs(amount)):
            content = {"member": member, "amount": amount}
            return self._propose(act, "adjust", content, reasons)
        self._post_adjustment(act.who, None, member, amount)
        return said(201, balance=self.members[member].balance)

    def _require_held(self, member: str, amount: int) -> None:
        if self.members[member].balance + amount < 0:
            raise RefusalError(402, "insufficient_funds")

    def _post_adjustment(
        self, initiator: str, approval: str | None, member: str, amount: int
    ) -> None:
        self.members[member].balance += amount
        self._note("adjustment", initiator, approval, member, amount, counted=abs(amount))

    # Gifts

    def _gift(self, act: Act, member: str, plan: str, periods: int, replace: bool) -> Said:
        if refused := self._gift_refusal(member, plan, replace=replace):
            raise RefusalError(409, refused)
        worth = self.plans[plan].price * periods + self._given_back(member)
        if reasons := self._reasons(act.who, [member], worth):
            content = {"plan": plan, "members": [member], "periods": periods, "replace": replace}
            return self._propose(act, "gifts", content, reasons)
        self._give(act.who, None, member, plan, periods)
        return said(201)

    def _gifts(self, act: Act, plan: str, members: tuple[str, ...], periods: int) -> Said:
        each = self.plans[plan].price * periods
        content = {"plan": plan, "members": list(members), "periods": periods, "replace": False}
        if reasons := self._reasons(act.who, members, each, together=each * len(members)):
            return self._propose(act, "gifts", content, reasons)
        return said(201, given=self._give_all(act.who, None, content))

    def _give_all(self, initiator: str, approval: str | None, content: dict[str, Any]) -> int:
        given = 0
        for member in content["members"]:
            if not self._gift_refusal(member, content["plan"], replace=content["replace"]):
                self._give(initiator, approval, member, content["plan"], content["periods"])
                given += 1
        return given

    def _running(self, member: str) -> Period | None:
        period = self.members[member].period
        return period if period is not None and self.now < period.ends else None

    def _gift_refusal(self, member: str, plan: str, *, replace: bool) -> str | None:
        running = self._running(member)
        if running is None:
            return None
        if running.plan == plan:
            return "already_subscribed"
        return "plan_running" if running.paid and not replace else None

    def _given_back(self, member: str) -> int:
        """Return what a gift returns of the plan it replaces: the operator causes it, too."""
        running = self._running(member)
        return 0 if running is None else running.unused(self.now)

    def _give(
        self, initiator: str, approval: str | None, member: str, plan: str, periods: int
    ) -> None:
        returned, days = self._given_back(member), self.plans[plan].days * periods
        worth = self.plans[plan].price * periods + returned
        self.members[member].balance += returned
        self.members[member].period = Period(plan, 0, self.now, self.now + days * DAY)
        self._note("gift", initiator, approval, member, worth, counted=worth)

    # Review cases

    def _accept(self, act: Act, review: str) -> Said:
        case = self.reviews[review]
        self._require_open(case)
        if case.kind in NOT_CREDITABLE:
            raise RefusalError(409, "not_creditable")
        reasons = self._reasons(act.who, [case.member], case.amount)
        if reasons or case.kind in ALWAYS_TWO:
            return self._propose(act, "accept", {"review": review}, reasons)
        self._credit_review(act.who, None, case)
        return said(200, state="accepted")

    @staticmethod
    def _require_open(case: Review) -> None:
        if case.state != "open":
            raise RefusalError(409, "wrong_state", status=case.state)

    def _credit_review(self, initiator: str, approval: str | None, case: Review) -> None:
        case.state = "accepted"
        self.members[case.member].balance += case.amount
        self._note(
            "review_case", initiator, approval, case.member, case.amount, counted=case.amount
        )

    # Refunds and cancellations

    def _ask(self, act: Act, order: str, units: int) -> Said:
        bought = self.orders[order]
        asked = sum(one.units for one in self._asked(order))
        if bought.units_returned + asked + units > bought.units:
            raise RefusalError(409, "refund_too_much")
        if not bought.is_paid:
            raise RefusalError(409, "not_paid")
        amount = units * (bought.total // bought.units)
        self.cases[f"r{act.number}"] = Case(order, units, amount)
        return said(201, amount=amount, state="asked")

    def _asked(self, order: str) -> list[Case]:
        return [one for one in self.cases.values() if one.order == order and one.state == "asked"]

    def _send(self, act: Act, case: str) -> Said:
        found = self.cases[case]
        self._require_asked(found)
        if reasons := self._refund_reasons(act.who, found):
            return self._propose(act, "send", {"case": case}, reasons)
        return self._pay_back(act.who, None, found)

    @staticmethod
    def _require_asked(case: Case) -> None:
        if case.state != "asked":
            raise RefusalError(409, "wrong_state", status=case.state)

    def _refund_reasons(self, operator: str, case: Case) -> list[str]:
        """Splitting a refund changes nothing: the refunds of one payment count as one amount."""
        sent = sum(
            one.amount
            for one in self.cases.values()
            if one.order == case.order and one.state == "sent"
        )
        member = self.orders[case.order].member
        each = sent + case.amount
        return self._reasons(operator, [member], each, together=case.amount, is_refund=True)

    def _pay_back(self, initiator: str, approval: str | None, case: Case) -> Said:
        order = self.orders[case.order]
        if order.units_returned + case.units > order.units:
            raise RefusalError(409, "refund_too_much")
        case.state = "sent"
        order.units_returned += case.units
        order.returned += case.amount
        if order.returned >= order.total and order.status == "processing":
            order.status = "refunded"
        self.members[order.member].balance += case.amount
        self._note("refund", initiator, approval, order.member, case.amount, counted=case.amount)
        return said(200, state="sent", balance=self.members[order.member].balance)

    def _cancel(self, act: Act, order: str) -> Said:
        """It is cancelled at once; payments return as a refund."""
        found = self.orders[order]
        self._require_cancellable(found)
        found.status = "cancelled"
        if not found.is_paid:
            self._refund_partial(act.who, found)
            return said(200, status="cancelled", refund=None)
        for one in self._asked(order):
            one.state = "refused"
        left = found.units - found.units_returned
        case = Case(order, left, found.total - found.returned, is_owed=True)
        self.cases[f"r{act.number}"] = case
        facts: dict[str, Any] = {"status": "cancelled", "refund": (case.amount, "asked")}
        if "refund:send" not in self.operators[act.who].rights:
            return said(200, **facts)
        if reasons := self._refund_reasons(act.who, case):
            try:
                content = {"case": f"r{act.number}"}
                return self._propose(act, "send", content, reasons, **facts)
            except RefusalError:  # no other operator could decide it: it waits to be sent
                return said(200, **facts)
        self._pay_back(act.who, None, case)
        return said(200, status="cancelled", refund=(case.amount, "sent"))

    @staticmethod
    def _require_cancellable(order: Order) -> None:
        if order.status not in {"pending", "processing"}:
            raise RefusalError(409, "wrong_state", status=order.status)

    def _refund_partial(self, operator: str, order: Order) -> None:
        """Refund partial transfers; set aside what one person may not refund."""
        partial = sum(order.waiting.values())
        if not partial:
            return
        reasons = self._reasons(operator, [order.member], partial, is_refund=True)
        if reasons or "refund:send" not in self.operators[operator].rights:
            self._set_aside_partial(order)
            return
        self._note("cancellation", operator, None, order.member, partial, counted=partial)
        order.is_refunded = True
        self._credit_partial(order)

    def _credit_partial(self, order: Order) -> int:
        """Credit the waiting transfers, whose initiators confirmed them, to the wallet."""
        partial = sum(order.waiting.values())
        order.settle(partial)
        self.members[order.member].balance += partial
        return partial

    def _set_aside_partial(self, order: Order) -> None:
        """Set aside for review what one person may not credit by cancelling."""
        for reference, amount in order.waiting.items():
            self._set_aside(order, reference, amount)
        order.settle(0)

    def _set_aside(self, order: Order, reference: str, amount: int) -> None:
        source = f"transfer:058:{reference}:surplus"
        self.reviews[f"v{reference}"] = Review(order.member, amount, "surplus", source)

    # Transfers

    def _confirm(
        self, act: Act, order: str, amount: int, reference: str, again: int | None, **_: Any
    ) -> Said:
        found = self.orders[order]
        self._require_confirmable(found)
        is_unlikely = amount > 2 * found.total
        if is_unlikely and again != amount:
            raise RefusalError(422, "amount_unlikely")
        self._require_new(reference)
        is_kept, over = self._weighed(found, amount)
        person = self.operators[act.who].email
        changed = self.products[found.product].changed.get(person)
        is_own_product = changed is not None and changed >= self.now - OWN_PRODUCT_AGE
        counts = amount if is_own_product or not is_kept else over
        reasons = self._reasons(act.who, [found.member], counts, confirmed=amount)
        if is_own_product and {"limit", "day_limit"} & set(reasons):
            reasons.append("own_product")
        if is_unlikely:
            reasons.append("unlikely")
        content = {"order": order, "amount": amount, "reference": reference}
        if reasons:
            return self._propose(act, "confirm", content, reasons)
        # Money under review counts when it is accepted.
        return said(200, **self._receive(act.who, None, content, counts - over))

    @staticmethod
    def _require_confirmable(order: Order) -> None:
        is_open = order.status in {"pending", "expired", "cancelled"} and not order.is_paid
        if not (order.is_transfer and is_open):
            raise RefusalError(409, "wrong_state", status=order.status)

    def _require_new(self, reference: str) -> None:
        if reference in self.references:
            raise RefusalError(409, "bank_reference_used")

    @staticmethod
    def _weighed(order: Order, amount: int) -> tuple[bool, int]:
        """Return whether it pays the order, or is a part of it, and the surplus."""
        there = sum(order.waiting.values()) + amount
        is_kept = order.status == "pending" or (order.status == "expired" and there >= order.total)
        room = order.total if is_kept else max(0, order.total - order.credited)
        return is_kept, max(0, there - room)

    def _receive(
        self, initiator: str, approval: str | None, content: dict[str, Any], counted: int
    ) -> dict[str, Any]:
        """Record a transfer, and pay the order with it, keep it, or credit the wallet."""
        order, amount = self.orders[content["order"]], content["amount"]
        is_kept, over = self._weighed(order, amount)
        reference = content["reference"]
        self.references.add(reference)
        order.received += amount
        order.waiting[reference] = amount
        self._note(
            *("transfer", initiator, approval, order.member, amount),
            counted=counted,
            confirmed=amount,
        )
        self.transfers.append((self.caused[-1], order, reference))
        there = sum(order.waiting.values())
        if is_kept and there < order.total:
            return self._came_to(order, "short", missing=order.total - there)
        order.settle(there - over)
        if over:
            self._set_aside(order, reference, over)
        if not is_kept:
            self.members[order.member].balance += there - over
            return self._came_to(order, "wallet", surplus=over)
        order.status, order.is_paid = "processing", True
        return self._came_to(order, "surplus" if over else "paid", surplus=over)

    @staticmethod
    def _came_to(
        order: Order, outcome: str, *, missing: int = 0, surplus: int = 0
    ) -> dict[str, Any]:
        return {
            "outcome": outcome,
            "status": order.status,
            "received": order.received,
            "missing": missing,
            "surplus": surplus,
        }

    # The second person

    def _decide(self, act: Act, approval: str, decision: str, version: int) -> Said:
        found, operator = self.approvals[approval], self.operators[act.who]
        if found.right not in operator.rights:
            raise RefusalError(404, "not_found")
        if self.operators[found.proposer].email == operator.email:
            raise RefusalError(409, "own_proposal")
        self._require_undecided(found)
        if version != found.version:
            raise RefusalError(409, "stale")
        if decision == "refuse":
            found.state = "refused"
            return said(200, state="refused")
        if operator.email in self.owners(found.kind, found.content):
            raise RefusalError(409, "own_proposal")
        self._execute(found.kind, found.proposer, approval, found.content)
        found.state = "approved"
        return said(200, state="approved")

    def state_of(self, approval: Approval) -> str:
        """Return the current state of a proposal."""
        is_over = approval.state == "open" and self.now >= approval.made_at + APPROVAL_LIFE
        return "expired" if is_over else approval.state

    def _require_undecided(self, approval: Approval) -> None:
        if self.state_of(approval) != "open":
            raise RefusalError(409, "wrong_state", status=self.state_of(approval))

    def _execute(self, kind: str, proposer: str, approval: str, content: dict[str, Any]) -> None:
        match kind:
            case "adjust":
                self._require_held(content["member"], content["amount"])
                self._post_adjustment(proposer, approval, content["member"], content["amount"])
            case "gifts":
                self._give_all(proposer, approval, content)
            case "accept":
                self._require_open(self.reviews[content["review"]])
                self._credit_review(proposer, approval, self.reviews[content["review"]])
            case "send":
                self._require_asked(self.cases[content["case"]])
                self._pay_back(proposer, approval, self.cases[content["case"]])
            case "confirm":
                self._require_confirmable(self.orders[content["order"]])
                self._require_new(content["reference"])
                self._receive(proposer, approval, content, content["amount"])
            case _:
                self._set(content)

    def _change(self, act: Act, approval: str, member: str, amount: int) -> Said:
        """Change an open adjustment; only its proposer may."""
        found = self.approvals[approval]
        if found.proposer != act.who:
            raise RefusalError(404, "not_found")
        self._require_undecided(found)
        self._require_held(member, amount)
        reasons = self._reasons(act.who, [member], abs(amount))
        content = {"member": member, "amount": amount}
        self._require_another(act.who, found.kind, content)
        found.content = content
        found.reasons = tuple(reason for reason in REASONS if reason in reasons)
        found.made_at = self.now
        found.version += 1
        return said(200, reasons=found.reasons)

    # Limits and products

    def _limits(self, act: Act, version: int, values: dict[str, int]) -> Said:
        """Lowering needs one person, raising two."""
        if version != self.settings_version:
            raise RefusalError(409, "stale")
        raised = {
            name: value for name, value in values.items() if value > getattr(self.limits, name)
        }
        lowered = {name: value for name, value in values.items() if name not in raised}
        answer = self._propose(act, "limits", raised, []) if raised else said(200)
        if lowered:
            self._set(lowered)
        return answer

    def _set(self, values: dict[str, int]) -> None:
        self.settings_version += 1
        for name, value in values.items():
            setattr(self.limits, name, value)

    def _touch(self, act: Act, product: str, version: int) -> Said:
        found = self.products[product]
        if version != found.version:
            raise RefusalError(409, "stale")
        found.version += 1
        found.changed[self.operators[act.who].email] = self.now
        return said(200)

    # What members do themselves

    def _order(self, act: Act, product: str, units: int, is_transfer: bool) -> Said:
        total = units * self.products[product].price
        status = "pending" if is_transfer else "processing"
        self.orders[f"o{act.number}"] = Order(
            *(act.who, product, units, total, is_transfer, status), is_paid=not is_transfer
        )
        if not is_transfer:
            self.members[act.who].balance -= total
        return said(201)

    def _subscribe(self, act: Act, plan: str) -> Said:
        price, days = self.plans[plan].price, self.plans[plan].days
        self.members[act.who].balance -= price
        ends = self.now + days * DAY
        self.members[act.who].period = Period(plan, price, self.now, ends)
        return said(201)

    def _withdraw(self, act: Act, order: str) -> Said:
        """Cancel an own order; all that was not refunded goes to the wallet."""
        found = self.orders[order]
        if found.member != act.who:
            raise RefusalError(404, "not_found")
        self._require_cancellable(found)
        found.status = "cancelled"
        if found.is_paid:
            refunded = found.total - found.returned
            found.returned, found.units_returned = found.total, found.units
            self.members[act.who].balance += refunded
        else:
            refunded = self._credit_partial(found)
        balance = self.members[act.who].balance
        return said(200, status="cancelled", refunded=refunded, balance=balance)

    def move(self, hours: int) -> None:
        """Advance the time; after a week all pending orders expire."""
        self.now += timedelta(hours=hours)
        if hours >= EXPIRING_HOURS:
            for order in self.orders.values():
                if order.status == "pending":
                    order.status = "expired"
                    self._credit_partial(order)
