from api.foundation.core.errors import DomainError


class OwnProposalError(DomainError):
    """Raised if an operator decides about their own proposal or their own account."""

    status = 409
    code = "own_proposal"
    message = "Another operator must decide: you proposed this, or it is about your own account."


class ProposerLostRightError(DomainError):
    """The proposer is disabled, suspended or deleted, or has lost the right."""

    status = 409
    code = "proposer_lost_right"
    message = "The proposer no longer has the right to this. Refuse it and propose it again."


class SecondPersonNeededError(DomainError):
    """No other operator could decide."""

    status = 409
    code = "second_person_needed"
    message = "This needs a second operator, and no other operator can approve it."


class ApprovalClosedError(DomainError):
    """The proposal is decided or expired; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This has already been decided, or has expired."
