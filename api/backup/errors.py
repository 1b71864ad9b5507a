"""What keeps a backup from being taken or restored."""


class BackupError(Exception):
    """It cannot be done; the message says why in a sentence."""
