from api.foundation.core.errors import DomainError


class QuestionExistsError(DomainError):
    """The bank already has an equal question; there is nothing to write."""

    status = 409
    code = "question_exists"
    message = "The bank already has this question."


class QuestionRetiredError(DomainError):
    """The question is retired, as in ``data.status``."""

    status = 409
    code = "wrong_state"
    message = "This question is retired already."


class ImportAppliedError(DomainError):
    """The import is done, as in ``data.status``."""

    status = 409
    code = "wrong_state"
    message = "This file has been imported already."


class ImportHasProblemsError(DomainError):
    """A row of the file is refused, so nothing is imported."""

    status = 409
    code = "import_has_problems"
    message = "Some rows are not valid. Please correct the file and upload it again."


class StaleImportError(DomainError):
    """The digest is another file's, or the bank has changed since the check."""

    status = 409
    code = "stale"
    message = "The bank or the file has changed in the meantime. Please upload the file again."
