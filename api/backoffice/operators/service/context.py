"""Dependencies of the back office, and the registries that domains fill."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from api.backoffice.operators.enums import ApprovalReason
from api.foundation.core.supervisor import Step
from api.foundation.database.database import Database, Transaction
from api.foundation.database.rate_limit import RateLimiter
from api.foundation.database.sign_in_limits import SignInGate
from api.foundation.http.wire import Content, WireInput
from api.foundation.security.events import SecurityEvent, SecurityLog
from api.foundation.security.operators import AdminRequest, AdminSessionLife, Operator
from api.foundation.security.passwords import PasswordHasher
from api.foundation.security.rights import Right
from api.foundation.security.sealing import Sealer
from api.foundation.security.tokens import TokenCodec


@dataclass(frozen=True)
class ApprovalKind:
    """One kind of proposal: the right that it needs, and the shape of its content.

    Operators with the right may propose it, and others with the right may decide it, except the
    members it is about: ``owners`` returns these, and ``nobodys`` is for kinds without any.
    ``weigh`` locks the subject and returns why one person may not do it alone, or raises what the
    rules reject; it runs for new and for changed proposals.
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
    """An approved proposal. ``reference`` identifies it permanently."""

    approval_id: UUID
    proposed_by: UUID
    decider: Operator
    content: Any

    @property
    def reference(self) -> str:
        """The reference of the postings it causes."""
        return f"approval:{self.approval_id}"


ReadOwners: TypeAlias = Callable[[Transaction, Any], Awaitable[Collection[UUID]]]


Weigh: TypeAlias = Callable[[Transaction, AdminRequest, Any], Awaitable[list[ApprovalReason]]]


async def no_owners(_tx: Transaction, _content: WireInput) -> list[UUID]:
    """Return no owner: the kind concerns no single member."""
    return []


async def always_two(
    _tx: Transaction, _admin: AdminRequest, _content: WireInput
) -> list[ApprovalReason]:
    """Return no reason: the kind always needs two people."""
    return []


def own_reasons(admin: AdminRequest, owner_id: UUID) -> list[ApprovalReason]:
    """Return the reason that applies if ``owner_id`` is the operator."""
    return [ApprovalReason.OWN] if admin.operator.user_id == owner_id else []


Execute: TypeAlias = Callable[[Transaction, Approved], Awaitable[Content]]
"""Does what was agreed to, in the deciding transaction; whatever it refuses stays open.

It writes no audit row: the decision's has what it returns.
"""


class Executors:
    """Maps each kind of proposal to the function that executes it."""

    def __init__(self, *each: tuple[ApprovalKind, Execute]) -> None:
        self._by_name = {kind.name: (kind, execute) for kind, execute in each}
        if len(self._by_name) != len(each):
            raise ValueError("two executors of one kind")

    @property
    def names(self) -> frozenset[str]:
        """The registered kinds."""
        return frozenset(self._by_name)

    def of(self, name: str) -> tuple[ApprovalKind, Execute]:
        """Return a kind and its executor.

        Raises:
            KeyError: the kind is not registered.
        """
        return self._by_name[name]


CountWaiting: TypeAlias = Callable[[Database], Awaitable[int]]
ReadFigure: TypeAlias = Callable[[Database], Awaitable[Content | None]]


@dataclass(frozen=True)
class Waiting:
    """A count of open tasks in the back office, for operators with its right."""

    name: str
    right: Right
    count: CountWaiting


async def _unknown(_database: Database) -> Content | None:
    return None


@dataclass(frozen=True)
class TodayFigures:
    """The figures of ``admin/today`` besides open proposals; domains register theirs."""

    waiting: tuple[Waiting, ...] = ()
    ledger: ReadFigure = _unknown
    bank: ReadFigure = _unknown
    backup: ReadFigure = _unknown


async def _no_gateway(_tx: Transaction) -> None:
    """Notify no other process: the job runs in this one."""


@dataclass(frozen=True)
class RunnableJob:
    """A job that operators may start immediately.

    ``ask`` requests it from another process, in the transaction of the audit entry; ``step`` runs
    it, or waits a while for that process.
    """

    step: Step
    ask: Callable[[Transaction], Awaitable[None]] = _no_gateway


@dataclass(frozen=True)
class OperatorContext:
    """Dependencies of the back office, built once per process.

    ``jobs`` are the scheduled jobs that may be started immediately, by their name in the API.
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
    def sign_in_gate(self) -> SignInGate:
        """Limits sign-in attempts of operators; many unknown networks raise an alert."""
        flooded = SecurityEvent.OPERATOR_SIGN_IN_DELAYED
        return SignInGate(
            "admin-sign-in", self.database, self.limiter, self.security, flooded=flooded
        )
