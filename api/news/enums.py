"""Words of the news."""

from enum import StrEnum


class ArticleStage(StrEnum):
    """What was decided about an article; the clock says whether a published one is out yet."""

    DRAFT = "draft"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


class ArticleState(StrEnum):
    """Where an article stands; a scheduled one is published once its time has come."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
