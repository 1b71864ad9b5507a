"""Kinds of proposals, which domains define, and the functions that execute them."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from api.foundation.approvals.enums import ApprovalReason
from api.foundation.database.database import Transaction
from api.foundation.security.operators import AdminRequest, Operator
from api.foundation.security.rights import Right
from api.foundation.wire.schemas import Content, WireInput


@dataclass(frozen=True)
class ApprovalKind:
    """One kind of proposal: the right that it needs, and the shape of its content.

    Operators with the right may propose it, and others with the right may decide it, except the
    members it is about: ``owners`` returns these, and ``no_owners`` is for kinds without any.
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
"""Executes an approved proposal in the deciding transaction; if it raises, the proposal stays open.

Writes no audit row: the row of the decision contains what it returns.
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
