"""Rules of the home screen, and notifications about games."""

from api.today.service.announcements import (
    notify_overtaken,
    notify_promotions,
    notify_quests,
    today_jobs,
)
from api.today.service.home import TodayContext, today

__all__ = [
    "TodayContext",
    "notify_overtaken",
    "notify_promotions",
    "notify_quests",
    "today",
    "today_jobs",
]
