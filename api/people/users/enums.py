"""Enumerations of the member record for other domains."""

from enum import StrEnum


class Gender(StrEnum):
    """Male or female (spec 3); null if not provided."""

    MALE = "male"
    FEMALE = "female"
