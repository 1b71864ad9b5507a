"""What the back office works with."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from api.core.supervisor import Step
from api.database.database import Database, Transaction
from api.database.rate_limit import RateLimiter
from api.database.sign_in_door import SignInGate
from api.http.wire import Content, WireInput
from api.operators.enums import ApprovalReason
from api.security.events import SecurityEvent, SecurityLog
from api.security.operators import AdminRequest, AdminSessionLife, Operator
from api.security.passwords import PasswordHasher
from api.security.rights import Right
from api.security.sealing import Sealer
from api.security.tokens import TokenCodec


@dataclass(frozen=True)
class ApprovalKind:
    """One kind of proposal: the right that it needs, and the shape of its content.

    Operators with the right may propose it, and others with the right may decide it, except the
    members it is about: ``owners`` returns these, and ``nobodys`` is for kinds without any.
    ``weigh`` locks the subject and returns why one person may not do it alone, or raises what the
    rules refuse; it runs for new and for changed proposals.
    """

    name: str
    right: Right
    content: type[WireInput]
    owners: "ReadOwners"
    weigh: "Weigh"

    async def owners_of(self, tx: Transaction, content: WireInput) -> list[UUID]:
        """Return the members who may not decide it."""
        return [*await self.owners(tx, content)]


@dataclass(frozen=True)
class Approved:
    """What a second person has agreed to. ``reference`` names it once and for ever."""

    approval_id: UUID
    proposed_by: UUID
    decider: Operator
    content: Any

    @property
    def reference(self) -> str:
        """The reference of what is posted by it."""
        return f"approval:{self.approval_id}"


ReadOwners: TypeAlias = Callable[[Transaction, Any], Awaitable[Collection[UUID]]]


Weigh: TypeAlias = Callable[[Transaction, AdminRequest, Any], Awaitable[list[ApprovalReason]]]


async def nobodys(_tx: Transaction, _content: WireInput) -> list[UUID]:
    """Return no owner: a proposal of this kind belongs to no member."""
    return []


async def always_two(
    _tx: Transaction, _acting: AdminRequest, _content: WireInput
) -> list[ApprovalReason]:
    """Return no reason: a proposal of this kind needs two people, whatever it says."""
    return []


def own_reasons(admin: AdminRequest, owner_id: UUID) -> list[ApprovalReason]:
    """Return why an operator may not decide about what a member owns: it is the operator's own."""
    return [ApprovalReason.OWN] if admin.operator.user_id == owner_id else []


Execute: TypeAlias = Callable[[Transaction, Approved], Awaitable[Content]]
"""Does what was agreed to, in the deciding transaction; whatever it refuses stays open.

It writes no audit row: the decision's has what it returns.
"""


class Executors:
    """What does which kind of proposal once it is approved."""

    def __init__(self, *each: tuple[ApprovalKind, Execute]) -> None:
        self._by_name = {kind.name: (kind, execute) for kind, execute in each}
        if len(self._by_name) != len(each):
            raise ValueError("two executors of one kind")

    @property
    def names(self) -> frozenset[str]:
        """The kinds that somebody does."""
        return frozenset(self._by_name)

    def of(self, name: str) -> tuple[ApprovalKind, Execute]:
        """Return a kind and what does it.

        Raises:
            KeyError: nobody does such a kind.
        """
        return self._by_name[name]


CountWaiting: TypeAlias = Callable[[Database], Awaitable[int]]
ReadFigure: TypeAlias = Callable[[Database], Awaitable[Content | None]]


@dataclass(frozen=True)
class Waiting:
    """A figure of what waits at the back office, for who holds its right."""

    name: str
    right: Right
    count: CountWaiting


async def _unknown(_database: Database) -> Content | None:
    return None


@dataclass(frozen=True)
class TodayFigures:
    """What ``admin/today`` says besides open proposals; domains add theirs."""

    waiting: tuple[Waiting, ...] = ()
    ledger: ReadFigure = _unknown
    bank: ReadFigure = _unknown
    backup: ReadFigure = _unknown


async def _no_gateway(_tx: Transaction) -> None:
    """Ask nobody: the job is done here."""


@dataclass(frozen=True)
class RunnableJob:
    """What operators may have done at once.

    ``ask`` tells another process of it, in the transaction of the audit; ``step`` does it, or
    waits a while for it.
    """

    step: Step
    ask: Callable[[Transaction], Awaitable[None]] = _no_gateway


@dataclass(frozen=True)
class OperatorContext:
    """What the back office works with, made once per process.

    ``jobs`` are what is done by the clock and may be done at once, by the names of its calls.
    """

    database: Database
    hasher: PasswordHasher
    codec: TokenCodec
    limiter: RateLimiter
    sealer: Sealer
    security: SecurityLog
    life: AdminSessionLife
    allows_code_reuse: bool
    executors: Executors
    figures: TodayFigures
    jobs: Mapping[str, RunnableJob]

    @property
    def door(self) -> SignInGate:
        """Where operators sign in; guesses from many networks are an alert."""
        flooded = SecurityEvent.OPERATOR_SIGN_IN_DELAYED
        return SignInGate(
            "admin-sign-in", self.database, self.limiter, self.security, flooded=flooded
        )
