"""Writes the demo's articles."""

from sqlalchemy import insert

from api.community.news import rules
from api.community.news.enums import ArticleStage
from api.community.news.models import Article
from api.dev.demo.ids import demo_id
from api.dev.demo.news import ARTICLES
from api.foundation.core import clock
from api.foundation.database.database import Transaction


async def write_news(tx: Transaction) -> None:
    """Write the articles, for all clubs."""
    now = clock.now()
    await tx.execute_many(
        insert(Article),
        [
            {
                "id": demo_id("article", article.title),
                "slug": rules.slug_of(article.title),
                "title": article.title,
                "body": article.body,
                "summary": rules.summarise(article.body),
                "stage": ArticleStage.PUBLISHED,
                "publish_at": now - article.ago,
                "first_published_at": now - article.ago,
            }
            for article in ARTICLES
        ],
    )
