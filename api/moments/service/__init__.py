"""Moments: posted by members, and hidden by operators."""

from api.moments.service.moderation import (
    count,
    hide,
    is_hidden,
    list_all_moments,
    look_at,
    restore,
)
from api.moments.service.posting import (
    FORM,
    LARGEST_THUMBNAIL_BYTES,
    LARGEST_VIDEO_BYTES,
    MOST_MOMENTS,
    VIDEO_TOO_LARGE,
    erase,
    list_moments,
    named_keys,
    post,
    remove,
)

__all__ = [
    "FORM",
    "LARGEST_THUMBNAIL_BYTES",
    "LARGEST_VIDEO_BYTES",
    "MOST_MOMENTS",
    "VIDEO_TOO_LARGE",
    "count",
    "erase",
    "hide",
    "is_hidden",
    "list_all_moments",
    "list_moments",
    "look_at",
    "named_keys",
    "post",
    "remove",
    "restore",
]
