"""Errors of the back office."""

from api.foundation.core.errors import DomainError
from api.foundation.database.rate_limit import WrongGuessError


class WrongSignInError(WrongGuessError):
    """The sign-in failed; the error does not say which part was wrong."""

    code = "wrong_credentials"
    message = "The email, password or code is not correct."


class WrongOneTimeCodeError(WrongGuessError):
    """The code is wrong or was used before."""

    code = "wrong_code"
    message = "The code is not correct. Please wait for the next one."


class StaleVersionError(DomainError):
    """The record has changed since it was read."""

    status = 409
    code = "stale"
    message = "This has changed meanwhile. Please look at it again."


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


class LastOwnerError(DomainError):
    """The change would leave no owner."""

    status = 409
    code = "last_owner"
    message = "This is the last owner. Make somebody else an owner first."


class NotDisabledError(DomainError):
    """The operator is not disabled; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "This operator is not disabled."


class AlreadyOperatorError(DomainError):
    """The member is already an operator."""

    status = 409
    code = "already_operator"
    message = "This member is an operator already."
