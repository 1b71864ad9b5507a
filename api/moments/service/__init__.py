"""Moments: posted by members, shared with their club, and hidden by operators."""

from api.moments.service.moderation import (
    MODERATE_OWN,
    count,
    count_reported,
    hide,
    is_hidden,
    list_all_moments,
    move_approved,
    read_file,
    restore,
)
from api.moments.service.posting import (
    FORM,
    MAX_MOMENTS,
    MAX_THUMBNAIL_BYTES,
    MAX_VIDEO_BYTES,
    VIDEO_TOO_LARGE,
    erase,
    list_moments,
    named_keys,
    post,
    remove,
)
from api.moments.service.sharing import applaud, list_shared, report, share, unshare

__all__ = [
    "FORM",
    "MAX_MOMENTS",
    "MAX_THUMBNAIL_BYTES",
    "MAX_VIDEO_BYTES",
    "MODERATE_OWN",
    "VIDEO_TOO_LARGE",
    "applaud",
    "count",
    "count_reported",
    "erase",
    "hide",
    "is_hidden",
    "list_all_moments",
    "list_moments",
    "list_shared",
    "move_approved",
    "named_keys",
    "post",
    "read_file",
    "remove",
    "report",
    "restore",
    "share",
    "unshare",
]
