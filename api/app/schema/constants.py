"""Python constants that the sources use, so that each is defined once, with its rule."""

from collections.abc import Mapping
from datetime import timedelta

from api.foundation.core.money import LARGEST_KOBO
from api.foundation.database import retention
from api.foundation.database.locks import AdvisoryLock
from api.foundation.security import rights
from api.games.ranking.enums import KING_OF_FANS
from api.games.ranking.repository import boards
from api.money.subscriptions import rules as subscriptions_rules
from api.money.wallet.rules import BANK_REFERENCES, REFUNDS
from api.shop import rules as shop_rules

CONSTANTS: Mapping[str, str | int | timedelta] = {
    "all_clubs": str(boards.ALL_CLUBS),
    "bank_references": BANK_REFERENCES,
    "refunds": REFUNDS,
    "battles_stay": retention.BATTLES_STAY,
    "fold_points_lock": AdvisoryLock.POINTS_FOLDING.value,
    "game_insiders": "{" + ",".join(rights.game_insiders()) + "}",
    "grace": subscriptions_rules.GRACE,
    "largest_kobo": LARGEST_KOBO,
    "messages_stay": retention.MESSAGES_STAY,
    "max_per_product": shop_rules.MAX_QUANTITY,
    "payment_events_stay": retention.PAYMENT_EVENTS_STAY,
    "quests_stay": retention.QUESTS_STAY,
    "top_badge": KING_OF_FANS,
}


def render(constant: str | int | timedelta) -> str:
    """Return a constant as SQL; a duration becomes an interval."""
    if isinstance(constant, timedelta):
        return f"interval '{constant // timedelta(milliseconds=1)} milliseconds'"
    return str(constant)
