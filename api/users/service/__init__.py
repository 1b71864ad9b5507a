"""The member record: opening, reading, changing."""

from api.users.service.account import (
    NewUser,
    describe,
    erase,
    find,
    find_by_email,
    hold,
    lock,
    named_keys,
    open_account,
    require_free,
)
from api.users.service.profile import (
    AVATAR_TOO_LARGE,
    FORM,
    LARGEST_AVATAR_BYTES,
    ProfileContext,
    can_open_sealed,
    list_banks,
    profile,
    reseal,
    save,
)
from api.users.service.standing import (
    Suspension,
    change_club,
    club_history,
    restore,
    suspend,
)

__all__ = [
    "AVATAR_TOO_LARGE",
    "FORM",
    "LARGEST_AVATAR_BYTES",
    "NewUser",
    "ProfileContext",
    "Suspension",
    "can_open_sealed",
    "change_club",
    "club_history",
    "describe",
    "erase",
    "find",
    "find_by_email",
    "hold",
    "list_banks",
    "lock",
    "named_keys",
    "open_account",
    "profile",
    "require_free",
    "reseal",
    "restore",
    "save",
    "suspend",
]
