from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from api.foundation.database.database import Database
from api.foundation.jobs.kinds import JobKind
from api.foundation.jobs.mail import StoredMail
from api.foundation.jobs.queue import JobQueue

DescribeMails: TypeAlias = Callable[[Database, Sequence[Any]], Awaitable[list[StoredMail]]]
"""Returns what operators see of mails, by their opened payloads, in their order."""


@dataclass(frozen=True)
class MailContext:
    """Dependencies of mail queries, built once per process; kinds with their describers."""

    database: Database
    queue: JobQueue
    kinds: Mapping[str, tuple[JobKind[Any], DescribeMails]]
