"""What a proof that fails leaves to be done: who answers for the money is mailed."""

from uuid import UUID

from pydantic import BaseModel

from api.jobs.kinds import JobKind


class LedgerWarning(BaseModel):
    """An operator is to be told that the ledger does not balance; both are read when it leaves."""

    proof_id: UUID
    operator_id: UUID


WARN_OF_LEDGER = JobKind(name="warn_of_ledger", payload=LedgerWarning)
