"""Tokens of the links that switch a member's mail of one group off (RFC 8058).

A token is signed, does not expire, and can do nothing else. It is void once ``CODE_KEY`` changes.
"""

from uuid import UUID

from api.foundation.security import base64url
from api.foundation.security.digests import are_same, keyed_digest
from api.messaging.notifications.enums import NotificationGroup

PATH = "/u/"
ID_BYTES = SIGNATURE_BYTES = 16
WORDS = {
    NotificationGroup.MONEY: "your wallet",
    NotificationGroup.ORDERS: "your orders",
    NotificationGroup.PLANS: "your plan",
    NotificationGroup.COMMUNITY: "chats, moments and your club",
    NotificationGroup.GAMES: "games and points",
    NotificationGroup.MATCHES: "matches",
}


def token_of(key: str, user_id: UUID, group: NotificationGroup) -> str:
    """Return the token that switches a member's mail of a group off."""
    return f"{group.value}.{base64url.encode(user_id.bytes + _signature(key, user_id, group))}"


def read_token(key: str, token: str) -> tuple[UUID, NotificationGroup] | None:
    """Return the member and the group of a token, None if ``key`` did not sign it."""
    name, _, signed = token.partition(".")
    try:
        group, content = NotificationGroup(name), base64url.decode(signed)
    except ValueError:
        return None
    if len(content) != ID_BYTES + SIGNATURE_BYTES:
        return None
    user_id = UUID(bytes=content[:ID_BYTES])
    is_ours = are_same(content[ID_BYTES:].hex(), _signature(key, user_id, group).hex())
    return (user_id, group) if is_ours else None


def _signature(key: str, user_id: UUID, group: NotificationGroup) -> bytes:
    digest = keyed_digest(key, "unsubscribe", str(user_id), group.value)
    return bytes.fromhex(digest)[:SIGNATURE_BYTES]
