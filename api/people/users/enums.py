"""Enumerations of the member record for other domains."""

from enum import StrEnum


class Gender(StrEnum):
    """Spec 3: male or female; null when not told."""

    MALE = "male"
    FEMALE = "female"
