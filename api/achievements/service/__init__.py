"""Streaks and badges: counting days, closing missed ones, and awarding."""

from api.achievements.service.badges import earn, list_badges
from api.achievements.service.streaks import (
    count_day,
    count_days,
    read_streak,
    set_days,
    streak_days,
)

__all__ = [
    "count_day",
    "count_days",
    "earn",
    "list_badges",
    "read_streak",
    "set_days",
    "streak_days",
]
