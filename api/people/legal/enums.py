"""The legal pages."""

from enum import StrEnum


class LegalPage(StrEnum):
    """A page, by the last part of its address."""

    PRIVACY = "privacy"
    REFUND = "refund"
    TERMS = "terms"
