"""Domain events: recorded in a transaction, delivered after it commits."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class DomainEvent:
    """Something that has happened; subclasses are named in the past tense."""


EventT = TypeVar("EventT", bound=DomainEvent)
Handler = Callable[[Any], Awaitable[None]]


class Bus:
    """Delivers committed events to the handlers of this process.

    A failing handler is logged and does not affect the others: the event is already committed.
    """

    def __init__(self) -> None:
        self._handlers: dict[type[DomainEvent], list[Handler]] = defaultdict(list)

    def subscribe(
        self, event_type: type[EventT], handler: Callable[[EventT], Awaitable[None]]
    ) -> None:
        """Register ``handler`` for events of exactly ``event_type``."""
        self._handlers[event_type].append(handler)

    async def publish(self, events: Iterable[DomainEvent]) -> None:
        """Deliver ``events`` in order, each to its handlers in turn."""
        for event in events:
            for handler in self._handlers[type(event)]:
                try:
                    await handler(event)
                except Exception:  # the event is committed, and other handlers must run
                    log.exception("event handler failed", event_type=type(event).__name__)
