from enum import StrEnum


class PushGroup(StrEnum):
    """Groups that limit pushes per member and day in Lagos (contract T-10)."""

    PERSONAL = "personal"
    SOCIAL = "social"
    FOOTBALL = "football"
