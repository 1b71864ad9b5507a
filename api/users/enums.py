"""Words of the member record that other domains may say."""

from enum import StrEnum


class Gender(StrEnum):
    """Spec 3: male or female; null when not told."""

    MALE = "male"
    FEMALE = "female"
