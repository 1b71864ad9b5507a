from enum import StrEnum


class PageKind(StrEnum):
    """The kinds of public pages; the values are parts of the pictures' paths."""

    HOME = "home"
    MATCH = "match"
    ARTICLE = "article"
    PRODUCT = "product"
    CLUB = "club"
    MOMENT = "moment"
    INVITE = "invite"
