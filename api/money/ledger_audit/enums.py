from enum import StrEnum


class ProofSource(StrEnum):
    """Who requested a ledger audit."""

    CLOCK = "clock"
    BACK_OFFICE = "back_office"
    CONSOLE = "console"
