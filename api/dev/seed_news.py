"""Writes the demo's articles: first their pictures, then the rows."""

import asyncio

from sqlalchemy import insert

from api.community.news import rules
from api.community.news.enums import ArticleStage
from api.community.news.models import Article
from api.community.news.service import pictures
from api.dev.demo.ids import demo_id
from api.dev.demo.news import ARTICLES, DemoArticle
from api.foundation.core import clock
from api.foundation.database.database import Transaction
from api.foundation.media.pictures import renew_picture
from api.foundation.media.storage import MediaStore, new_key


async def write_news(tx: Transaction, store: MediaStore) -> None:
    """Write the articles, for all clubs, with pictures that are checked and encoded like uploads.

    An empty database has no other users, so the transaction may wait for the store.
    """
    now = clock.now()
    keys = {article.title: await _store_picture(store, article) for article in ARTICLES}
    await tx.execute_many(
        insert(Article),
        [
            {
                "id": demo_id("article", article.title),
                "slug": rules.slug_of(article.title),
                "title": article.title,
                "body": article.body,
                "summary": rules.summarise(article.body),
                "picture": keys[article.title],
                "stage": ArticleStage.PUBLISHED,
                "publish_at": now - article.ago,
                "first_published_at": now - article.ago,
            }
            for article in ARTICLES
        ],
    )


async def _store_picture(store: MediaStore, article: DemoArticle) -> str:
    """Store an article's picture and return its key."""
    key = new_key(pictures.FOLDER, "webp")
    with article.picture.open("rb") as source:
        await store.put(key, await asyncio.to_thread(renew_picture, source, pictures.READABLE))
    return key
