from http import HTTPStatus

from api.foundation.core.errors import DomainError


class OutdatedTermsError(DomainError):
    """The version to accept is not the current one; ``data`` names that."""

    status = HTTPStatus.CONFLICT
    code = "terms_outdated"
    message = "The terms have changed. Please read the new ones and accept them."
