"""Rules of the daily quest: sets, attempts, and the schedule."""

from api.trivia.rules import POINTS_PER_QUESTION
from api.trivia.service.quest import (
    QuestToday,
    count_day,
    daily_attempt,
    freeze_set,
    open_quest,
    quest_today,
    submit,
)
from api.trivia.service.scheduling import DaySpan, list_schedule, read_schedule, schedule

__all__ = [
    "POINTS_PER_QUESTION",
    "DaySpan",
    "QuestToday",
    "count_day",
    "daily_attempt",
    "freeze_set",
    "list_schedule",
    "open_quest",
    "quest_today",
    "read_schedule",
    "schedule",
    "submit",
]
