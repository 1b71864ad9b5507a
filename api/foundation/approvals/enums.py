from enum import StrEnum


class Decision(StrEnum):
    """What a second person says to a proposal."""

    APPROVE = "approve"
    REFUSE = "refuse"


class ApprovalState(StrEnum):
    """What became of a proposal; an open one whose time is over counts as expired."""

    OPEN = "open"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"


class ApprovalReason(StrEnum):
    """Why an operator may not do something alone (contract T-1).

    It is their own, or their own product was bought; one sum, the day's, or the day's confirmed
    transfers are above the limit; a transfer is more than twice what its order costs.
    """

    OWN = "own"
    LIMIT = "limit"
    DAY_LIMIT = "day_limit"
    CONFIRM_DAY_LIMIT = "confirm_day_limit"
    OWN_PRODUCT = "own_product"
    UNLIKELY = "unlikely"
