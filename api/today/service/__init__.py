"""The rules of the home screen, and what members are told of their games."""

from api.today.service.home import TodayContext, today
from api.today.service.telling import notify_overtaken, notify_promotions, notify_quests, today_jobs

__all__ = [
    "TodayContext",
    "notify_overtaken",
    "notify_promotions",
    "notify_quests",
    "today",
    "today_jobs",
]
