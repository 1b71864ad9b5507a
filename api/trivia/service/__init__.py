"""The daily quest's rules: what is asked, what was earned, and what is scheduled to be asked."""

from api.trivia.service.quest import count_day, daily_attempt, freeze_set, open_quest, submit
from api.trivia.service.scheduling import DaySpan, list_schedule, read_schedule, schedule

__all__ = [
    "DaySpan",
    "count_day",
    "daily_attempt",
    "freeze_set",
    "list_schedule",
    "open_quest",
    "read_schedule",
    "schedule",
    "submit",
]
