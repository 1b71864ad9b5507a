"""Refusals of the question bank."""

from api.core.errors import DomainError


class QuestionExistsError(DomainError):
    """The bank says already what was sent; there is nothing to write."""

    status = 409
    code = "question_exists"
    message = "The bank has this question already."


class QuestionRetiredError(DomainError):
    """The question is retired; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "This question is retired already."


class ImportAppliedError(DomainError):
    """The import is done; ``data.status`` says so."""

    status = 409
    code = "wrong_state"
    message = "This file has been imported already."


class ImportHasProblemsError(DomainError):
    """Nothing of a file is imported while one of its rows does not fit."""

    status = 409
    code = "import_has_problems"
    message = "Some rows do not fit. Please mend the file and upload it again."


class StaleImportError(DomainError):
    """The digest is of another file, or the bank is not what the file was compared with."""

    status = 409
    code = "stale"
    message = "The bank or the file has changed meanwhile. Please upload the file again."
