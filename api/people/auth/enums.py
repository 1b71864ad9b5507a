from enum import StrEnum


class CodePurpose(StrEnum):
    """What a mailed code is for; a code for one purpose never serves the other."""

    ACTIVATION = "activation"
    PASSWORD_RESET = "password_reset"  # noqa: S105 a purpose, not a password
