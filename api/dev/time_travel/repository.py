"""SQL of backdating. It runs as the login role, because the runtime role lacks the rights."""

from datetime import timedelta

from api.dev.time_travel.enums import AgedKind
from api.foundation.database.database import Transaction

# For each kind: its table, the columns that identify a row, the timestamps to move.
AGED: dict[AgedKind, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    AgedKind.ORDER: ("shop_order", ("id", "number"), ("created_at", "pay_by")),
    AgedKind.SUBSCRIPTION: (
        "subscription",
        ("id",),
        ("starts_at", "ends_at", "first_starts_at", "priced_at"),
    ),
    AgedKind.FUNDING: (
        "funding",
        ("id", "reference"),
        ("created_at", "opening_until", "next_check_at", "asked_at", "decided_at"),
    ),
    AgedKind.APPROVAL: ("approval", ("id",), ("proposed_at", "expires_at")),
    AgedKind.MEMBER: (
        "user_account",
        ("id", "email"),
        ("created_at", "activated_at", "terms_accepted_at"),
    ),
    AgedKind.PROOF: ("transfer_proof", ("id",), ("uploaded_at",)),
    AgedKind.FIXTURE: ("fixture", ("id",), ("kick_off_at", "phase_started_at")),
}
# Without them a subscription never changes, and a replaced one least of all.
KEEPING_TRIGGERS = (
    "ALTER TABLE subscription {0} TRIGGER keep_subscription, {0} TRIGGER keep_replaced"
)


async def age(tx: Transaction, kind: AgedKind, name: str, by: timedelta) -> bool:
    """Backdate a row's timestamps; return False if there is no such row."""
    table, names, moments = AGED[kind]
    moved = ", ".join(f"{moment} = {moment} - $2::interval" for moment in moments)
    wanted = " OR ".join(f"{column}::text = $1" for column in names)
    statement = f"UPDATE {table} SET {moved} WHERE {wanted} RETURNING true"  # noqa: S608 our words
    await tx.execute("SET LOCAL ROLE NONE")
    keeps = kind is AgedKind.SUBSCRIPTION
    if keeps:
        await tx.execute(KEEPING_TRIGGERS.format("DISABLE"))
    found = await tx.fetch_value(statement, name, by)
    if keeps:
        await tx.execute(KEEPING_TRIGGERS.format("ENABLE"))
    return bool(found)
