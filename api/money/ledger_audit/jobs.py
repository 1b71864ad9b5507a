"""The stored job of a failed proof: a mail to those responsible for the money."""

from uuid import UUID

from pydantic import BaseModel

from api.foundation.jobs.kinds import JobKind


class LedgerWarning(BaseModel):
    """Warns an operator that the ledger does not balance; both rows are read when it is sent."""

    proof_id: UUID
    operator_id: UUID


WARN_OF_LEDGER = JobKind(name="warn_of_ledger", payload=LedgerWarning)
