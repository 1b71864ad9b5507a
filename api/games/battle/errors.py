"""Errors of the Battle Zone; the screen shown depends on the code."""

from api.foundation.core.errors import DomainError, NotFoundError


class PlanRequiredError(DomainError):
    """The member has no plan, or one without the Battle Zone."""

    status = 402
    code = "plan_required"
    message = "Upgrade to a plan that include battle zone by subscribing."  # spec 2


class SeasonNotStartedError(DomainError):
    """The next season has not begun; ``data.opensAt`` is its start."""

    status = 409
    code = "season_not_begun"
    message = "The battle has not started yet."


class SeasonOverError(DomainError):
    status = 409
    code = "season_over"
    message = "The season is over. The final table is on the leader board."


class RankClosedError(DomainError):
    """The member's rank cannot play now; ``data`` has the rank and its dates."""

    status = 409
    code = "rank_closed"
    message = "Your rank does not play today."


class TakenOverError(DomainError):
    status = 409
    code = "session_taken_over"
    message = "You opened Battle Zone on another device"  # contract B-67


class NotServedError(NotFoundError):
    code = "not_served"
    message = "This question is not yours to answer."


class NoAnswerError(DomainError):
    """An empty answer before the deadline: only the server's clock ends a question."""

    status = 422
    code = "no_answer"
    message = "Choose an answer. The time is not up yet."


REFUSALS: dict[str, type[DomainError]] = {
    refusal.code: refusal
    for refusal in (
        PlanRequiredError,
        SeasonNotStartedError,
        SeasonOverError,
        RankClosedError,
        TakenOverError,
        NotServedError,
        NoAnswerError,
    )
}
