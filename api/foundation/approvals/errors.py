"""Errors of proposals."""

from api.foundation.core.errors import DomainError


class OwnProposalError(DomainError):
    """Raised if an operator decides about their own proposal or their own account."""

    status = 409
    code = "own_proposal"
    message = "Somebody else has to decide: you have proposed this, or it is about your own."


class ProposerLostRightError(DomainError):
    """The proposer is disabled, suspended or deleted, or has lost the right."""

    status = 409
    code = "proposer_lost_right"
    message = "Who proposed this may not do so any more. Refuse it, and propose it anew."


class SecondPersonNeededError(DomainError):
    """No other operator could decide."""

    status = 409
    code = "second_person_needed"
    message = "This needs a second person, and nobody else can decide it."


class ApprovalClosedError(DomainError):
    """The proposal is decided or expired; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This is decided already, or its time is over."
