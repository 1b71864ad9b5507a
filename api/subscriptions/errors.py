"""Refusals of the plans."""

from api.core.errors import DomainError, NotFoundError


class PlanNotFoundError(NotFoundError):
    """There is no such plan on offer."""

    message = "We could not find this plan."


class AlreadySubscribedError(DomainError):
    """The plan is the member's current one."""

    status = 409
    code = "already_subscribed"
    message = "You are already subscribed to this plan."


class PlanTakenBeforeError(DomainError):
    """A plan that costs nothing is taken once per member (contract B-58)."""

    status = 409
    code = "plan_taken_before"
    message = "You have had this plan before. It can be taken only once."
