"""Refusals of the news."""

from api.core.errors import DomainError


class ArticleStateError(DomainError):
    """The article is where this does not follow; ``data.status`` says where."""

    status = 409
    code = "wrong_state"
    message = "This cannot be done with the article as it stands."
