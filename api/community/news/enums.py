from enum import StrEnum


class ArticleStage(StrEnum):
    """An article's stage in the back office; the clock decides if a published one is out yet."""

    DRAFT = "draft"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


class ArticleState(StrEnum):
    """Where an article stands; a scheduled one is published once its time has come."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
