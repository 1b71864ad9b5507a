from enum import StrEnum


class ArticleStage(StrEnum):
    """An article's stage in the back office; a published one is out from its ``publish_at`` on."""

    DRAFT = "draft"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"


class ArticleState(StrEnum):
    """The state of an article; a scheduled one is published at its time."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
