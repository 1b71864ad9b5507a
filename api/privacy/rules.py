"""Every table that holds something of a member, and what becomes of it.

The tests compare this list with the tables themselves: a new table that names members must say
here what it means to them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from api.privacy.enums import Fate


@dataclass(frozen=True)
class PersonalTable:
    """One table: which rows are a member's ($1), what is not handed out, what erasing does.

    ``cleared`` maps columns to the SQL they are set to.
    """

    name: str
    fate: Fate
    whose: str = "user_id = $1"
    hidden: tuple[str, ...] = ()
    cleared: Mapping[str, str] = field(default_factory=dict)


PERSONAL_TABLES: tuple[PersonalTable, ...] = (
    # The record itself is emptied by its own domain.
    PersonalTable("user_account", Fate.KEPT, whose="id = $1"),
    # Sealed: the export has both in clear, as part of the profile.
    PersonalTable("private_detail", Fate.DELETED, hidden=("settlement", "next_of_kin")),
    PersonalTable("credential", Fate.DELETED, hidden=("password_hash",)),
    PersonalTable("mailed_code", Fate.DELETED, hidden=("digest",)),
    PersonalTable("session", Fate.CLEARED, cleared={"device": "NULL"}),
    PersonalTable("idempotency_key", Fate.DELETED, hidden=("fingerprint",)),
    PersonalTable("moment", Fate.DELETED),
    PersonalTable(
        "chat_message",
        Fate.CLEARED,
        cleared={"content": "''", "hidden_at": "coalesce(hidden_at, now())"},
    ),
    PersonalTable("chat_membership", Fate.DELETED),
    PersonalTable("chat_presence", Fate.DELETED, hidden=("worker_id",)),
    PersonalTable("chat_report", Fate.KEPT),
    PersonalTable("chat_mute", Fate.KEPT),
    PersonalTable("chat_moderation", Fate.KEPT, hidden=("operator_id",)),
    PersonalTable("shop_order", Fate.CLEARED, cleared={"billing": "'{}'::jsonb"}),
    PersonalTable(
        "order_line",
        Fate.KEPT,
        whose="order_id IN (SELECT id FROM shop_order WHERE user_id = $1)",
    ),
    PersonalTable("ledger_account", Fate.KEPT, whose="owner_id = $1"),
    PersonalTable(
        "ledger_transfer",
        Fate.KEPT,
        whose="wallet_id IN (SELECT id FROM ledger_account WHERE owner_id = $1)",
    ),
    PersonalTable("funding", Fate.KEPT),
    PersonalTable("subscription", Fate.KEPT),
    PersonalTable("point_entry", Fate.KEPT),
    PersonalTable("points_pending", Fate.KEPT),
    PersonalTable("member_season", Fate.KEPT),
    PersonalTable("rank_promotion", Fate.KEPT),
    PersonalTable("board_total", Fate.KEPT),
    PersonalTable("battle_seat", Fate.KEPT, hidden=("sid",)),
    PersonalTable("battle_attempt", Fate.KEPT),
    PersonalTable("trivia_attempt", Fate.KEPT),
)
