"""SQL of the proofs: audits of the whole ledger, and their results."""

from api.proofs.repository.audit_run import (
    CheckResult,
    audit,
    broken_invariants,
    broken_invariants_in,
)
from api.proofs.repository.checks import CHECKS, PROOF_SECONDS
from api.proofs.repository.keeping import (
    ProofResult,
    insert_proof,
    list_proofs,
    list_warned_operators,
    read_last,
    read_mail,
    read_proof,
)

__all__ = [
    "CHECKS",
    "PROOF_SECONDS",
    "CheckResult",
    "ProofResult",
    "audit",
    "broken_invariants",
    "broken_invariants_in",
    "insert_proof",
    "list_proofs",
    "list_warned_operators",
    "read_last",
    "read_mail",
    "read_proof",
]
