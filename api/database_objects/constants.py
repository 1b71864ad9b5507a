"""The constants of Python that the sources name: written once, where their rule is."""

from collections.abc import Mapping
from datetime import timedelta

from api.core.money import LARGEST_KOBO
from api.database import retention
from api.ranking.enums import KING_OF_FANS
from api.ranking.repository import boards
from api.security import rights
from api.shop import rules as shop_rules
from api.subscriptions import rules as subscriptions_rules
from api.wallet.rules import BANK_REFERENCES, REFUNDS

CONSTANTS: Mapping[str, str | int | timedelta] = {
    "all_clubs": str(boards.ALL_CLUBS),
    "bank_references": BANK_REFERENCES,
    "refunds": REFUNDS,
    "battles_stay": retention.BATTLES_STAY,
    "fold_points_lock": boards.FOLD_LOCK,
    "game_writers": "{" + ",".join(rights.game_writers()) + "}",
    "grace": subscriptions_rules.GRACE,
    "largest_kobo": LARGEST_KOBO,
    "messages_stay": retention.MESSAGES_STAY,
    "most_of_a_product": shop_rules.MAX_QUANTITY,
    "payment_events_stay": retention.PAYMENT_EVENTS_STAY,
    "quests_stay": retention.QUESTS_STAY,
    "top_badge": KING_OF_FANS,
}


def render(constant: str | int | timedelta) -> str:
    """Return a constant as SQL has it; a duration becomes an interval."""
    if isinstance(constant, timedelta):
        return f"interval '{constant // timedelta(milliseconds=1)} milliseconds'"
    return str(constant)
