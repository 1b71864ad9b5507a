"""The rules of the home screen, and what members are told of their games."""

from api.today.service.home import TodayContext, today
from api.today.service.telling import tell_jobs, tell_overtaken, tell_promotions, tell_quests

__all__ = [
    "TodayContext",
    "tell_jobs",
    "tell_overtaken",
    "tell_promotions",
    "tell_quests",
    "today",
]
