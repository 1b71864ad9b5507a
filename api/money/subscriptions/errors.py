from api.foundation.core.errors import DomainError, NotFoundError


class PlanNotFoundError(NotFoundError):
    message = "We could not find this plan."


class AlreadySubscribedError(DomainError):
    status = 409
    code = "already_subscribed"
    message = "You are already subscribed to this plan."


class PlanChangedError(DomainError):
    """The plan's price or period is no longer what the member saw."""

    status = 409
    code = "price_changed"
    message = "This plan has changed. Please look at it again before you subscribe."


class PlanRunningError(DomainError):
    """The member has paid for another plan; a gift replaces it only on request."""

    status = 409
    code = "plan_running"
    message = "The member has paid for another plan. Confirm that the gift replaces it."


class PlanNameTakenError(DomainError):
    status = 409
    code = "name_taken"
    message = "A plan with this name already exists."


class NoCurrentPlanError(DomainError):
    status = 409
    code = "no_current_plan"
    message = "You have no plan right now."


class PlanNotOnOfferError(DomainError):
    """The member's plan is no longer sold and cannot be renewed."""

    status = 409
    code = "plan_not_on_offer"
    message = "This plan is no longer offered. It ends with its period."


class PlanCannotRenewError(DomainError):
    """A free plan cannot be renewed (contract B-58)."""

    status = 409
    code = "plan_cannot_renew"
    message = "A free plan cannot be renewed."


class PlanTakenBeforeError(DomainError):
    """A free plan can be taken once per member (contract B-58)."""

    status = 409
    code = "plan_taken_before"
    message = "You have had this plan before. It can be taken only once."
