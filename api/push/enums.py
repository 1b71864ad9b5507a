"""Words of push."""

from enum import StrEnum


class PushGroup(StrEnum):
    """What pushes are counted by, for each member and Lagos day (contract T-10)."""

    PERSONAL = "personal"
    SOCIAL = "social"
    FOOTBALL = "football"
