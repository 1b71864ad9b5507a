from enum import StrEnum


class ProofSource(StrEnum):
    """Who asked for a proof."""

    CLOCK = "clock"
    BACK_OFFICE = "back_office"
    CONSOLE = "console"
