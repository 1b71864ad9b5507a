"""Refusals at the back office."""

from api.core.errors import DomainError
from api.database.rate_limit import WrongGuessError


class WrongSignInError(WrongGuessError):
    """Something of a sign-in is wrong, and what it is stays unsaid."""

    code = "wrong_credentials"
    message = "The email, password or code is not correct."


class WrongOneTimeCodeError(WrongGuessError):
    """The code is not the phone's, or was used before."""

    code = "wrong_code"
    message = "The code is not correct. Please wait for the next one."


class StaleVersionError(DomainError):
    """What was read has changed since."""

    status = 409
    code = "stale"
    message = "This has changed meanwhile. Please look at it again."


class OwnProposalError(DomainError):
    """Raised if an operator decides about their own proposal or their own account."""

    status = 409
    code = "own_proposal"
    message = "Somebody else has to decide: you have proposed this, or it is about your own."


class ProposerLostRightError(DomainError):
    """Who proposed it is disabled, suspended or gone, or holds its right no more."""

    status = 409
    code = "proposer_lost_right"
    message = "Who proposed this may not do so any more. Refuse it, and propose it anew."


class SecondPersonNeededError(DomainError):
    """There is nobody else who could decide."""

    status = 409
    code = "second_person_needed"
    message = "This needs a second person, and nobody else can decide it."


class ApprovalClosedError(DomainError):
    """The proposal is decided, or its time is over; ``data.status`` says which."""

    status = 409
    code = "wrong_state"
    message = "This is decided already, or its time is over."


class LastOwnerError(DomainError):
    """Without this operator nobody would be an owner."""

    status = 409
    code = "last_owner"
    message = "This is the last owner. Make somebody else an owner first."


class NotDisabledError(DomainError):
    """The operator is not disabled; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "This operator is not disabled."


class AlreadyOperatorError(DomainError):
    """The member is an operator already."""

    status = 409
    code = "already_operator"
    message = "This member is an operator already."
