"""The only definition of operators' rights (``area:verb``) and roles (sets of rights)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Right(StrEnum):
    """A right of operators."""

    OPERATORS_WRITE = "operators:write"
    AUDIT_READ = "audit:read"
    SETTINGS_WRITE = "settings:write"
    MEMBERS_READ = "members:read"
    MEMBERS_SUSPEND = "members:suspend"
    MEMBERS_WRITE = "members:write"
    CLUBS_WRITE = "clubs:write"
    SHOP_READ = "shop:read"
    SHOP_WRITE = "shop:write"
    ORDERS_CONFIRM = "orders:confirm"
    PLANS_WRITE = "plans:write"
    MONEY_READ = "money:read"
    MONEY_WRITE = "money:write"
    REFUND_ASK = "refund:ask"
    REFUND_SEND = "refund:send"
    ADJUST_PROPOSE = "adjust:propose"
    CHAT_WRITE = "chat:write"
    NEWS_WRITE = "news:write"
    GAMES_READ = "games:read"
    GAMES_WRITE = "games:write"
    SYSTEM_READ = "system:read"
    SYSTEM_WRITE = "system:write"

    @property
    def area(self) -> str:
        """The part before the colon."""
        return self.partition(":")[0]


class Role(StrEnum):
    """A role of operators."""

    OWNER = "owner"
    FINANCE = "finance"
    SHOP = "shop"
    MODERATOR = "moderator"
    EDITOR = "editor"
    GAME_MASTER = "game-master"


def area(name: str) -> frozenset[Right]:
    """Return all rights of an area."""
    return frozenset(right for right in Right if right.area == name)


RIGHTS_OF: Mapping[Role, frozenset[Right]] = {
    Role.OWNER: frozenset(Right),
    Role.FINANCE: area("money")
    | area("adjust")
    | area("refund")
    | {
        Right.MEMBERS_READ,
        Right.ORDERS_CONFIRM,
        Right.SHOP_READ,
        Right.PLANS_WRITE,
        Right.SYSTEM_READ,
        Right.AUDIT_READ,
    },
    Role.SHOP: area("shop")
    | {Right.MEMBERS_READ, Right.ORDERS_CONFIRM, Right.REFUND_ASK, Right.AUDIT_READ},
    Role.MODERATOR: frozenset(
        {Right.MEMBERS_READ, Right.MEMBERS_SUSPEND, Right.CHAT_WRITE, Right.AUDIT_READ}
    ),
    Role.EDITOR: frozenset({Right.NEWS_WRITE, Right.GAMES_READ, Right.AUDIT_READ}),
    Role.GAME_MASTER: area("games") | {Right.AUDIT_READ},
}


def rights_of(roles: Iterable[Role]) -> frozenset[Right]:
    """Return the rights of an operator with ``roles``."""
    return frozenset().union(*(RIGHTS_OF[role] for role in roles))


def game_insiders() -> list[Role]:
    """Return the roles that see the answers or write results, and may not play for points."""
    insight = {"games", "matches"}
    return [role for role in Role if any(right.area in insight for right in RIGHTS_OF[role])]


def roles_with(right: Right) -> list[Role]:
    """Return the roles that hold ``right``."""
    return [role for role in Role if right in RIGHTS_OF[role]]
