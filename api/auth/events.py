"""What signing up and in announces."""

from dataclasses import dataclass
from uuid import UUID

from api.auth.enums import CodePurpose
from api.core.events import DomainEvent


@dataclass(frozen=True)
class CodeIssued(DomainEvent):
    """A code was drawn and must reach its person; it is good for ``subject_id`` alone."""

    subject_id: UUID
    email: str
    first_name: str
    purpose: CodePurpose
    code: str
