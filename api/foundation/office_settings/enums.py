"""Choices in the settings."""

from enum import StrEnum


class NewTerms(StrEnum):
    """What happens when the legal texts have a new version."""

    ASK = "ask"  # members go on after they accepted it
    INFORM = "inform"  # members see a notice
