from api.foundation.core.errors import DomainError


class ArticleStateError(DomainError):
    """The article's state does not allow this; ``data.status`` names the state."""

    status = 409
    code = "wrong_state"
    message = "This is not possible in the article's current state."
