"""The expected results of a month of money, written from the contract; amounts are kobo.

The model never queries the product. Each method takes an event, returns its effects on wallets,
orders, stock and plans, and raises ``AssertionError`` if it was impossible.
"""

import asyncio
from calendar import monthrange
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

LAGOS = ZoneInfo("Africa/Lagos")
DAY = timedelta(days=1)
TIME_TO_PAY = timedelta(hours=72)
GRACE = timedelta(hours=24)
MAX_OPEN_ORDERS = 3
TRANSFER_VALUE_LIMIT = 500_000_00
REFUND_LIMIT = 100_000_00
CREDIT_LIMIT = 10_000_00
APPROVAL_DAYS = 2


def now() -> datetime:
    """Return the current instant."""
    return datetime.now(UTC)


def lagos_day() -> date:
    """Return the current day in Lagos."""
    return now().astimezone(LAGOS).date()


@dataclass
class Size:
    """A product in one size, or without sizes; a scarce one may be sold out."""

    id: str | None  # as a checkout names it
    key: str  # of its row
    product: str
    price: int
    stock: int
    is_scarce: bool = False
    allocated: int = 0


@dataclass
class Line:
    """A quantity of one size in an order."""

    size: Size
    quantity: int
    refunded: int = 0

    @property
    def left(self) -> int:
        """The quantity left in the order."""
        return self.quantity - self.refunded


@dataclass
class Case:
    """A requested refund: of an order's lines and delivery, or of a period."""

    id: str
    amount: int
    subject: "Order | Period"
    lines: dict[int, int] = field(default_factory=dict)
    fee: int = 0
    restocks: bool = False
    ends_plan: bool = False
    is_owed: bool = False
    state: str = "asked"


@dataclass
class Payable:
    """The paid amounts, and the refunded part of each."""

    member: "Member"
    refunded: int = field(default=0, init=False)
    cases: list[Case] = field(default_factory=list, init=False)

    @property
    def asked(self) -> int:
        """The amount requested by open cases."""
        return sum(case.amount for case in self.cases if case.state == "asked")

    @property
    def sent(self) -> int:
        """The amount returned by sent cases."""
        return sum(case.amount for case in self.cases if case.state == "sent")


@dataclass
class Order(Payable):
    """One checkout."""

    id: str
    lines: list[Line]
    fee: int
    status: str
    pay_by: datetime | None = None
    is_paid: bool = False
    waiting: int = 0  # received by bank transfer, waiting for the rest
    partial_amounts: list[int] = field(default_factory=list)  # of the waiting amount
    credited: int = 0  # received by bank transfer, credited to the wallet
    received: int = 0

    @property
    def total(self) -> int:
        """Its price, delivery included."""
        return self.fee + sum(line.size.price * line.quantity for line in self.lines)

    @property
    def fee_left(self) -> int:
        """The delivery fee not taken by any case."""
        return self.fee - sum(case.fee for case in self.cases if case.state != "refused")

    @property
    def is_due(self) -> bool:
        """Whether it may have expired by now."""
        return self.status == "pending" and self.pay_by is not None and self.pay_by <= now()


@dataclass
class Plan:
    """What is sold: one day, week or month."""

    id: str
    price: int
    unit: str

    def end(self, starts: datetime, periods: int = 1, *, first: datetime | None = None) -> datetime:
        """Return the end of this many periods; months end on the day of the first start."""
        if self.unit != "month":
            return starts + periods * {"day": DAY, "week": 7 * DAY}[self.unit]
        local_start = starts.astimezone(LAGOS)
        years, month = divmod(local_start.month - 1 + periods, 12)
        year, month = local_start.year + years, month + 1
        day = min((first or starts).astimezone(LAGOS).day, monthrange(year, month)[1])
        return local_start.replace(year=year, month=month, day=day).astimezone(UTC)


@dataclass
class Period(Payable):
    """A period of a plan that a member had or has."""

    id: str
    plan: Plan
    starts: datetime
    ends: datetime
    first: datetime
    amount: int
    is_gift: bool = False
    renews: bool = False
    credited: int = 0
    is_over: bool = False  # nothing can follow it any more

    def unused(self, at: datetime) -> int:
        """Return what was paid for its whole days after ``at`` and not refunded."""
        if self.amount == 0 or self.ends <= at:
            return 0
        left = (self.ends - max(at, self.starts)) // DAY
        worth = self.amount * left // ((self.ends - self.starts) // DAY)
        return min(worth, self.amount - self.refunded)

    def pass_days(self, days: int) -> None:
        """Move it days into the past."""
        self.starts -= days * DAY
        self.ends -= days * DAY
        self.first -= days * DAY


@dataclass
class Funding:
    """One checkout at a payment provider."""

    member: "Member"
    reference: str
    gateway: str
    amount: int
    code: str  # of its page
    state: str = "open"  # open, succeeded, review
    is_paid: bool = False  # at the provider
    pays_less: bool = False
    is_cancelled: bool = False
    is_fresh: bool = True  # started today: counts in the day's limit
    counts_today: bool = False  # credited today
    is_decided_today: bool = False
    charged_back: int = 0

    @property
    def is_creditable(self) -> bool:
        """Whether polling the provider may find it paid."""
        return self.is_paid and self.state == "open"


@dataclass
class Review:
    """Money set aside until an operator decides."""

    member: "Member"
    kind: str
    subject: str
    amount: int
    id: str | None = None
    state: str = "open"


@dataclass
class Debt:
    """The part of a chargeback that the wallet did not cover."""

    member: "Member"
    case_id: str
    left: int
    review: Review
    id: str | None = None
    state: str = "open"

    def close(self, state: str, review_state: str) -> None:
        """End the debt, and its case unless that was decided."""
        self.state = state
        if self.review.state == "open":
            self.review.state = review_state


@dataclass
class Approval:
    """What one operator proposed and another decides; ``wanted`` is its content."""

    id: str
    digest: str
    kind: str
    proposer: int
    member: "Member"
    wanted: Case | Review | Debt | None
    amount: int
    days: int = 0
    state: str = "open"


@dataclass
class Member:
    """One member's part of the model; ``lock`` serialises the acts for them.

    ``balance`` assumes that nothing was repaid since ``repay``: credits and debits while a debt is
    open may be recorded late, with the same result.
    """

    id: str
    token: str
    balance: int = 0
    debts: list[Debt] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    fundings: list[Funding] = field(default_factory=list)
    periods: list[Period] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def latest(self) -> Period | None:
        """The period that another one could follow."""
        return self.periods[-1] if self.periods and not self.periods[-1].is_over else None

    @property
    def due_period(self) -> Period | None:
        """The latest period if its end was not checked yet."""
        latest = self.latest
        return latest if latest is not None and latest.ends <= now() else None

    @property
    def owed(self) -> int:
        """The rest of all debts."""
        return sum(one.left for one in self.debts if one.state == "open")

    @property
    def held(self) -> int:
        """The wallet's balance by the recorded events: zero while a debt is open."""
        return max(0, self.balance - self.owed)

    @property
    def low(self) -> int:
        """The minimum balance now: a renewal may have been charged."""
        due = self.due_period
        may_renew = due is not None and due.renews and self.max_before_debt >= due.plan.price
        return max(0, self.held - (due.plan.price if due is not None and may_renew else 0))

    @property
    def high(self) -> int:
        """The maximum balance now."""
        return max(0, self.max_before_debt - self.owed)

    @property
    def max_before_debt(self) -> int:
        """Possible unrecorded credits before a debt: paid fundings, parts of expired orders."""
        creditable = sum(one.amount for one in self.fundings if one.is_creditable)
        return self.balance + creditable + sum(one.waiting for one in self.orders if one.is_due)

    @property
    def is_settled(self) -> bool:
        """Whether no unrecorded event can have moved the wallet's money."""
        return (
            self.due_period is None
            and not any(one.is_creditable for one in self.fundings)
            and not any(one.is_due for one in self.orders)
        )

    def repay(self) -> None:
        """Repay debts from the balance, oldest first."""
        for debt in self.debts:
            if debt.state == "open":
                paid = max(0, min(debt.left, self.balance))
                debt.left -= paid
                self.balance -= paid
                if debt.left == 0:
                    debt.close("collected", "accepted")

    @property
    def used_today(self) -> int:
        """The amount that counts against the day's limit of fundings."""
        return sum(
            one.amount
            for one in self.fundings
            if one.counts_today or (one.state == "open" and one.is_fresh and not one.is_cancelled)
        )

    def may_hold(self, balance: int) -> bool:
        """Return whether the wallet may hold this much now."""
        return self.low <= balance <= self.high

    def open_orders(self) -> tuple[int, int]:
        """Return the minimum and maximum number of orders that wait for a transfer."""
        pending = self._pending()
        return sum(not order.is_due for order in pending), len(pending)

    def open_value(self) -> tuple[int, int]:
        """Return the minimum and maximum sum of the orders that wait for a transfer."""
        pending = self._pending()
        return sum(one.total for one in pending if not one.is_due), sum(o.total for o in pending)

    def _pending(self) -> list[Order]:
        return [order for order in self.orders if order.status == "pending"]


@dataclass
class Model:
    """All members' money, and the stock."""

    daily_limit: int
    members: list[Member] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    bank_references: list[str] = field(default_factory=list)
    cases_used: list[tuple[Funding, str]] = field(default_factory=list)
    disputes: dict[str, bool] = field(default_factory=dict)  # whether it is over
    receipts: dict[str, str] = field(default_factory=dict)
    happened: Counter[str] = field(default_factory=Counter)  # automatic consequences
    began_on: date = field(default_factory=lagos_day)

    @property
    def debts(self) -> list[Debt]:
        """All members' debts."""
        return [debt for member in self.members for debt in member.debts]

    # Orders

    def place(self, order: Order) -> None:
        """Place an order; a wallet order is paid with it."""
        order.member.orders.append(order)
        for line in order.lines:
            line.size.allocated += line.quantity
        if order.status == "processing":
            self.pay(order)

    def pay(self, order: Order) -> None:
        """Charge an order's price."""
        order.member.balance -= order.total
        order.is_paid = True
        order.status = "processing"

    def release(self, order: Order) -> None:
        """Return an order's reserved stock."""
        for line in order.lines:
            line.size.allocated -= line.left

    def expire(self, order: Order) -> None:
        """Expire an order; parts of its transfer go to the wallet."""
        assert order.is_due, f"order {order.id} expired before its time"
        order.status = "expired"
        self.release(order)
        self._credit_waiting(order)
        self.happened["orders expired"] += 1

    def cancel(self, order: Order) -> int:
        """Cancel an order as its member; return the refund."""
        self.release(order)
        order.status = "cancelled"
        if not order.is_paid:
            return self._credit_waiting(order)
        left = order.total - order.refunded
        for line in order.lines:
            line.refunded = line.quantity
        self._give_back(order, left)
        return left

    def cancel_for_club(self, order: Order, case_id: str | None) -> Case | None:
        """Cancel an order as the club; return the refund case, sent where that is allowed."""
        self.release(order)
        order.status = "cancelled"
        if not order.is_paid:
            if order.waiting > REFUND_LIMIT:
                for part in order.partial_amounts:
                    self.reviews.append(Review(order.member, "surplus", order.id, part))
                order.waiting = 0
            self._credit_waiting(order)
            return None
        for case in order.cases:
            if case.state == "asked":
                case.state = "refused"
        assert case_id is not None, "nothing was refunded of a paid order"
        left = order.total - order.refunded
        units = {number: line.left for number, line in enumerate(order.lines, 1) if line.left}
        fee = min(left, max(0, order.fee_left))
        case = Case(case_id, left, order, lines=units, fee=fee, is_owed=True)
        order.cases.append(case)
        if not self.needs_second(case):
            self.send(case)
        return case

    def outcomes_of(self, order: Order, amount: int) -> set[str]:
        """Return the possible outcomes of a bank transfer for an unpaid order."""
        outcomes: set[str] = set()
        if order.status == "pending":
            there = order.waiting + amount
            whole = "paid" if there == order.total else "surplus"
            outcomes.add("short" if there < order.total else whole)
        if order.status == "expired" or order.is_due:
            # Released scarce stock may be sold to others by now.
            if amount >= order.total:
                outcomes.add("paid" if amount == order.total else "surplus")
            if amount < order.total or any(line.size.is_scarce for line in order.lines):
                outcomes.add("wallet")
        return outcomes or {"wallet"}

    def receive(self, order: Order, amount: int, outcome: str) -> tuple[int, int]:
        """Record a bank transfer with ``outcome``; return what is missing and the surplus."""
        order.received += amount
        there = order.waiting + amount
        if outcome == "short":
            assert there < order.total
            order.waiting = there
            order.partial_amounts.append(amount)
            return order.total - there, 0
        if outcome == "wallet":
            credit = min(there, max(0, order.total - order.credited))
            over, order.waiting = there - credit, 0
            order.credited += credit
            order.member.balance += credit
        else:
            assert there >= order.total
            over, order.waiting = there - order.total, 0
            order.member.balance += order.total
            self.pay(order)
        assert (over > 0) == (outcome == "surplus") or outcome == "wallet"
        if over:
            self.reviews.append(Review(order.member, "surplus", order.id, over))
        return 0, over

    def take_again(self, order: Order) -> None:
        """Reserve stock again for an expired order."""
        for line in order.lines:
            line.size.allocated += line.quantity

    def ship(self, order: Order) -> None:
        """Deduct an order's items from the stock."""
        order.status = "shipped"
        for line in order.lines:
            line.size.allocated -= line.left
            line.size.stock -= line.left

    def _credit_waiting(self, order: Order) -> int:
        part, order.waiting = order.waiting, 0
        order.credited += part
        order.member.balance += part
        return part

    def _give_back(self, paid: Payable, amount: int) -> None:
        paid.refunded += amount
        paid.member.balance += amount

    # Refunds

    def needs_second(self, case: Case) -> bool:
        """Return whether a refund is more than one person may send."""
        return case.subject.sent + case.amount > REFUND_LIMIT

    def is_too_much(self, case: Case) -> bool:
        """Return whether less than the requested amount is left."""
        subject = case.subject
        if isinstance(subject, Period):
            return subject.refunded + case.amount > subject.amount
        over = (subject.lines[n - 1].left < units for n, units in case.lines.items())
        return any(over) or subject.refunded + case.amount > subject.total

    def send(self, case: Case) -> None:
        """Credit a refund to the wallet, with its effects on the order or plan."""
        subject, case.state = case.subject, "sent"
        self._give_back(subject, case.amount)
        if isinstance(subject, Period):
            if case.ends_plan and subject is subject.member.latest and subject.ends > now():
                subject.is_over = True
            return
        for number, units in case.lines.items():
            line = subject.lines[number - 1]
            line.refunded += units
            if subject.status == "processing":
                line.size.allocated -= units
                line.size.stock -= 0 if case.restocks else units
            elif subject.status in {"shipped", "delivered"} and case.restocks:
                line.size.stock += units
        if subject.refunded >= subject.total and subject.status != "cancelled":
            if subject.status == "processing":
                assert not any(line.left for line in subject.lines)
            subject.status = "refunded"

    # Plans

    def follow(self, period: Period) -> int:
        """Start a period now, bought or given; return the refund of unused earlier days."""
        member, before = period.member, period.member.latest
        credit = 0
        if before is not None:
            credit = before.unused(period.starts)
            before.credited = credit
            before.is_over = True
            self._give_back(before, credit)
        member.balance -= period.amount
        member.periods.append(period)
        return credit

    def renew(self, period: Period, renewed_id: str) -> Period:
        """Renew a period at its price."""
        price, member = period.plan.price, period.member
        assert period.renews, f"period {period.id} was renewed unasked"
        assert member.max_before_debt >= price, f"period {period.id} was renewed without money"
        ends = period.plan.end(period.ends, first=period.first)
        after = Period(
            member, renewed_id, period.plan, period.ends, ends, period.first, price, renews=True
        )
        period.is_over = True
        member.balance -= price
        member.periods.append(after)
        self.happened["plans renewed"] += 1
        return after

    # Fundings

    def expected_of(self, funding: Funding) -> set[str]:
        """Return the possible outcomes of a paid funding once it is checked."""
        if funding.state != "open" or not funding.is_paid:
            return {funding.state}
        if funding.pays_less:
            return {"review"}
        if funding.is_fresh and not funding.is_cancelled:
            return {"succeeded"}
        if self.is_another_day:
            return {"succeeded", "review"}
        has_room = funding.member.used_today + funding.amount <= self.daily_limit
        return {"succeeded" if has_room else "review"}

    @property
    def is_another_day(self) -> bool:
        """Whether the machine's own day has changed, which resets daily limits."""
        return lagos_day() != self.began_on

    def settle(self, funding: Funding, state: str) -> None:
        """Credit a paid funding, or set it aside."""
        if funding.state != "open":
            return
        funding.state, funding.is_decided_today = state, True
        if state == "succeeded":
            funding.member.balance += funding.amount
            funding.counts_today = True
        else:
            kind = "amount" if funding.pays_less else "daily_limit"
            self.reviews.append(Review(funding.member, kind, funding.reference, funding.amount))
            self.happened[f"set aside: {kind}"] += 1

    @staticmethod
    def needs_second_to_accept(review: Review) -> bool:
        """Return whether accepting is more than one person may do."""
        is_credit = review.kind != "chargeback_short"
        return review.kind == "amount" or (is_credit and review.amount > CREDIT_LIMIT)

    def accept(self, review: Review) -> None:
        """Credit money set aside; the uncovered part of a chargeback goes to the debt."""
        review.state = "accepted"
        if review.kind == "chargeback_short":
            return
        review.member.balance += review.amount
        for funding in review.member.fundings:
            if funding.reference == review.subject:
                funding.state, funding.counts_today = "succeeded", funding.is_decided_today

    def charge_back(self, funding: Funding, case_id: str, amount: int, taken: int) -> Debt | None:
        """Charge a funding back from the wallet; return the debt, if any."""
        funding.charged_back += amount
        self.cases_used.append((funding, case_id))
        funding.member.balance -= taken
        if taken == amount:
            return None
        review = Review(funding.member, "chargeback_short", case_id, amount - taken)
        debt = Debt(funding.member, case_id, amount - taken, review)
        self.reviews.append(review)
        funding.member.debts.append(debt)
        return debt

    # The day's end

    def pass_midnight(self) -> None:
        """Pass a day for all members; its consequences are recorded when they are observed."""
        self.began_on = lagos_day()
        for approval in self.approvals:
            approval.days += 1
        for member in self.members:
            for order in member.orders:
                if order.status == "pending" and order.pay_by is not None:
                    order.pay_by -= DAY
            for funding in member.fundings:
                funding.is_fresh = funding.counts_today = funding.is_decided_today = False
            for period in member.periods:
                period.pass_days(1)
