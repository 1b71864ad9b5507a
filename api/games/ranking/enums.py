from enum import StrEnum

KING_OF_FANS = "king-of-fans"


class PointSource(StrEnum):
    """The source of points."""

    TRIVIA = "trivia"
    BATTLE = "battle"
    PREDICTION = "prediction"
    INVITE = "invite"
    WELCOME = "welcome"  # the question of the public home page, answered before the sign-up


class Period(StrEnum):
    """The period of a board; days, weeks (from Monday) and months in Lagos time."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"


class Scope(StrEnum):
    """The clubs of a board."""

    CLUB = "club"
    ALL = "all"


class SeasonState(StrEnum):
    """The state of a season by the server's clock."""

    UPCOMING = "upcoming"
    OPEN = "open"
    OVER = "over"


class SeasonDateKind(StrEnum):
    """The kind of a season's date."""

    BEGINS = "begins"
    ENDS = "ends"
    RANK_OPENS = "rank_opens"


class CelebrationKind(StrEnum):
    """The kind of a celebration."""

    PROMOTION = "promotion"
