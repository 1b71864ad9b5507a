"""Members at the back office: looked up, read, kept out, moved."""

from api.members.service.looking import MembersContext, read_member, search
from api.members.service.standing import change_club, restore, revoke_sessions, suspend

__all__ = [
    "MembersContext",
    "change_club",
    "read_member",
    "restore",
    "revoke_sessions",
    "search",
    "suspend",
]
