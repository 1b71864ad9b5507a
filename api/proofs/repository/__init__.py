"""SQL of the proofs: looks at the whole ledger, and what was found."""

from api.proofs.repository.checks import CHECKS, PROOF_SECONDS
from api.proofs.repository.keeping import (
    KeptProof,
    insert_proof,
    list_proofs,
    list_warned,
    read_last,
    read_mail,
    read_proof,
)
from api.proofs.repository.looking import (
    Found,
    broken_invariants,
    broken_invariants_in,
    look,
)

__all__ = [
    "CHECKS",
    "PROOF_SECONDS",
    "Found",
    "KeptProof",
    "broken_invariants",
    "broken_invariants_in",
    "insert_proof",
    "list_proofs",
    "list_warned",
    "look",
    "read_last",
    "read_mail",
    "read_proof",
]
