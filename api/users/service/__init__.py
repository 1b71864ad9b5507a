"""The member record: opening, reading, changing."""

from api.users.service.account import (
    NewUser,
    describe,
    erase,
    find,
    find_by_email,
    first_joined,
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

__all__ = [
    "AVATAR_TOO_LARGE",
    "FORM",
    "LARGEST_AVATAR_BYTES",
    "NewUser",
    "ProfileContext",
    "can_open_sealed",
    "describe",
    "erase",
    "find",
    "find_by_email",
    "first_joined",
    "hold",
    "list_banks",
    "lock",
    "named_keys",
    "open_account",
    "profile",
    "require_free",
    "reseal",
    "save",
]
