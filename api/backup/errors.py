"""What keeps a backup from being taken or restored."""

from api.core.errors import DomainError


class BackupError(Exception):
    """It cannot be done; the message says why in a sentence."""


class NotNotedError(BackupError):
    """It was done, and the database did not take the note of it."""


def describe(error: BackupError | DomainError | OSError) -> str:
    """Return a sentence of what failed, with the file if the system names one."""
    if isinstance(error, BackupError):
        return str(error)
    if isinstance(error, DomainError):
        cause = error.__cause__
        return f"{error.code}: {type(cause).__name__}." if cause else f"{error.code}."
    reason = error.strerror or type(error).__name__
    return f"{reason}." if error.filename is None else f"{error.filename}: {reason}."
