"""Members at the back office: search, pages, suspension and moves."""

from api.members.service.actions import change_club, restore, revoke_sessions, suspend
from api.members.service.queries import MembersContext, read_member, search

__all__ = [
    "MembersContext",
    "change_club",
    "read_member",
    "restore",
    "revoke_sessions",
    "search",
    "suspend",
]
