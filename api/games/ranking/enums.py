from enum import StrEnum

KING_OF_FANS = "king-of-fans"


class PointSource(StrEnum):
    """What earned points."""

    TRIVIA = "trivia"
    BATTLE = "battle"
    PREDICTION = "prediction"
    INVITE = "invite"


class Period(StrEnum):
    """What a board covers; days, weeks (from Monday) and months are Lagos'."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"


class Scope(StrEnum):
    """Whom a board lists."""

    CLUB = "club"
    ALL = "all"


class SeasonState(StrEnum):
    """Where a season stands on the server's clock."""

    UPCOMING = "upcoming"
    OPEN = "open"
    OVER = "over"


class SeasonDateKind(StrEnum):
    """The kind of a season's date."""

    BEGINS = "begins"
    ENDS = "ends"
    RANK_OPENS = "rank_opens"


class CelebrationKind(StrEnum):
    """What is celebrated; the key says which."""

    PROMOTION = "promotion"
