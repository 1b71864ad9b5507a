"""Operations of the news: writing, publishing, withdrawing and reading articles, and pictures."""

from api.news.service.pictures import FORM, TOO_LARGE, named_keys, set_picture
from api.news.service.reading import count_due_today, list_news, read_news
from api.news.service.writing import (
    change_article,
    create_article,
    list_articles,
    preview,
    publish,
    read_article,
    withdraw,
)

__all__ = [
    "FORM",
    "TOO_LARGE",
    "change_article",
    "count_due_today",
    "create_article",
    "list_articles",
    "list_news",
    "named_keys",
    "preview",
    "publish",
    "read_article",
    "read_news",
    "set_picture",
    "withdraw",
]
