from enum import StrEnum


class BadgeKey(StrEnum):
    """The badges, in display order."""

    FIRST_QUEST = "first-quest"
    PERFECT_QUEST = "perfect-quest"
    STREAK_7 = "streak-7"
    STREAK_30 = "streak-30"
    FIRST_BATTLE = "first-battle"
    SUPER_FAN = "super-fan"
    KING_OF_FANS = "king-of-fans"
    FIRST_EXACT = "first-exact"
    FIVE_EXACT = "five-exact"
    FULL_ROUND = "full-round"
    FIRST_SHARED = "first-shared"
    INVITER = "inviter"
