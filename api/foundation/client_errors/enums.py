from enum import StrEnum


class ErrorKind(StrEnum):
    """Where an error was caught; the values are labels of the metric."""

    SCREEN = "screen"
    SCRIPT = "script"
    UNHANDLED = "unhandled"
