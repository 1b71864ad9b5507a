"""How members stand: seasons, ladders, awards and boards."""

from api.ranking.service.boards import (
    Award,
    award,
    award_many,
    challengers,
    fold,
    leaderboard,
    list_points,
    statistics,
)
from api.ranking.service.seasons import (
    SeasonDate,
    SeasonRules,
    change_season,
    create_season,
    has_season,
    list_dates,
    list_ranks,
    list_seasons,
    played_season,
    season_at,
    set_season,
    shown_season,
)
from api.ranking.service.standing import (
    SeasonStanding,
    first_reached,
    season_standing,
    see_celebration,
)

__all__ = [
    "Award",
    "SeasonDate",
    "SeasonRules",
    "SeasonStanding",
    "award",
    "award_many",
    "challengers",
    "change_season",
    "create_season",
    "first_reached",
    "fold",
    "has_season",
    "leaderboard",
    "list_dates",
    "list_points",
    "list_ranks",
    "list_seasons",
    "played_season",
    "season_at",
    "season_standing",
    "see_celebration",
    "set_season",
    "shown_season",
    "statistics",
]
