from api.foundation.core.errors import DomainError


class BackupError(Exception):
    """The backup or restore failed; the message says why in a sentence."""


class NotNotedError(BackupError):
    """It succeeded, but the database did not store the result."""


def describe(error: BackupError | DomainError | OSError) -> str:
    """Return a sentence about the error, with the file if the system names one."""
    if isinstance(error, BackupError):
        return str(error)
    if isinstance(error, DomainError):
        cause = error.__cause__
        return f"{error.code}: {type(cause).__name__}." if cause else f"{error.code}."
    reason = error.strerror or type(error).__name__
    return f"{reason}." if error.filename is None else f"{error.filename}: {reason}."
