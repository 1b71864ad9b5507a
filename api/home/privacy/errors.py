from api.foundation.core.errors import DomainError


class BalanceLeftError(DomainError):
    """The wallet still holds money: ``data.balance``."""

    status = 409
    code = "balance_left"
    message = "Your wallet still holds money. Spend it first, or confirm that you give it up."
