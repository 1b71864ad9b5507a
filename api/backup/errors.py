"""What keeps a backup from being taken or restored."""


class BackupError(Exception):
    """It cannot be done; the message says why in a sentence."""


def describe_os_error(error: OSError) -> str:
    """Return a sentence of what failed, with the file if the system names one."""
    reason = error.strerror or type(error).__name__
    return f"{reason}." if error.filename is None else f"{error.filename}: {reason}."
