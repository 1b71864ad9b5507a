from enum import StrEnum


class Decision(StrEnum):
    """A second person's decision on a proposal."""

    APPROVE = "approve"
    REFUSE = "refuse"


class ApprovalState(StrEnum):
    """The state of a proposal; an open one past its deadline counts as expired."""

    OPEN = "open"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"


class ApprovalReason(StrEnum):
    """Why an operator may not act alone (contract T-1).

    It is about themselves, or a product or plan they changed in the last seven days; a sum, the
    day's, or the day's confirmed transfers exceed the limit; a transfer is more than twice its
    order's price.
    """

    OWN = "own"
    LIMIT = "limit"
    DAY_LIMIT = "day_limit"
    CONFIRM_DAY_LIMIT = "confirm_day_limit"
    OWN_PRODUCT = "own_product"
    UNLIKELY = "unlikely"
