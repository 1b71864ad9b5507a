"""The clubs: reading, crests, and changes at the back office."""

from api.clubs.service.admin import (
    CREST_FORM_RULES,
    CREST_TOO_LARGE,
    add_club,
    change_club,
    create_club,
    list_all_clubs,
    put_crest,
)
from api.clubs.service.queries import (
    emblem_of,
    find,
    find_id,
    fold_sizes,
    list_clubs,
    named_keys,
    read_crest,
    takes_members,
)

__all__ = [
    "CREST_FORM_RULES",
    "CREST_TOO_LARGE",
    "add_club",
    "change_club",
    "create_club",
    "emblem_of",
    "find",
    "find_id",
    "fold_sizes",
    "list_all_clubs",
    "list_clubs",
    "named_keys",
    "put_crest",
    "read_crest",
    "takes_members",
]
