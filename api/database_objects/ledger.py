"""What is always true of the ledger: each query finds what breaks its sentence."""

import asyncpg

from api.database.connections import CLOSE_SECONDS
from api.database.database import Database

LEDGER_SECONDS = 1800.0  # a proof reads every transfer there is

INVARIANTS = {
    "every balance is the sum of its movements": """
        SELECT a.id FROM ledger_account a LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
         WHERE a.type = 'wallet' GROUP BY a.id
        HAVING a.balance_kobo <> coalesce(sum(t.wallet_change_kobo), 0)""",
    "every running balance continues the one before": """
        SELECT id FROM (SELECT id, wallet_after_kobo - wallet_change_kobo AS before,
               lag(wallet_after_kobo, 1, 0::bigint) OVER w AS last FROM ledger_transfer
               WINDOW w AS (PARTITION BY wallet_id ORDER BY wallet_entry)) chain
         WHERE before <> last""",
    "entries are numbered without a gap": """
        SELECT a.id FROM ledger_account a JOIN ledger_transfer t ON t.wallet_id = a.id
         GROUP BY a.id HAVING count(*) <> a.entries OR max(t.wallet_entry) <> a.entries""",
    "what wallets gained the house's accounts gave": """
        SELECT 1 FROM (SELECT
           coalesce(sum(CASE WHEN debit_type = 'wallet' THEN -amount_kobo ELSE amount_kobo END), 0)
           AS gained, (SELECT coalesce(sum(balance_kobo), 0) FROM ledger_account) AS held
           FROM ledger_transfer) s WHERE gained <> held""",
    "no refund exceeds its original": """
        SELECT o.id FROM ledger_transfer o JOIN ledger_transfer r ON r.reverses_id = o.id
         GROUP BY o.id, o.amount_kobo HAVING sum(r.amount_kobo) > o.amount_kobo""",
    "every wallet order is paid by its own purchase": """
        SELECT o.id FROM shop_order o LEFT JOIN ledger_transfer t ON t.id = o.transfer_id
         WHERE o.payment_method = 'wallet'
           AND (t.id IS NULL OR t.kind <> 'purchase' OR t.amount_kobo <> o.total_kobo)""",
    "every paid order is paid by its own purchase": """
        SELECT o.id FROM shop_order o LEFT JOIN ledger_transfer t ON t.id = o.transfer_id
         WHERE o.is_paid AND o.payment_method <> 'wallet'
           AND (t.id IS NULL OR t.kind <> 'purchase' OR t.amount_kobo <> o.total_kobo)""",
    "what a bank brought is credited under its own reference": """
        SELECT r.id FROM bank_receipt r
          LEFT JOIN ledger_transfer t ON t.kind = 'fund'
           AND t.reference = 'transfer:' || r.bank || ':' || r.reference
         WHERE coalesce(r.credited_kobo, 0) <> coalesce(t.amount_kobo, 0)""",
    "every paid subscription is paid by its own transfer": """
        SELECT s.id FROM subscription s LEFT JOIN ledger_transfer t ON t.id = s.transfer_id
         WHERE s.amount_kobo > 0
           AND (t.id IS NULL OR t.kind <> 'subscription' OR t.amount_kobo <> s.amount_kobo)""",
    "every order's total is the sum of its lines and its delivery": """
        SELECT o.id FROM shop_order o JOIN order_line l ON l.order_id = o.id GROUP BY o.id
        HAVING sum(l.price_kobo * l.quantity) + o.delivery_fee_kobo <> o.total_kobo""",
}


async def broken_invariants_in(database: Database) -> list[str]:
    """Return the sentences that do not hold, over a session of its own.

    Raises:
        DatabaseUnavailableError: it is not to be had.
    """
    connection = await database.connect_alone()
    try:
        return await broken_invariants(connection)
    finally:
        await connection.close(timeout=CLOSE_SECONDS)


async def broken_invariants(connection: asyncpg.Connection) -> list[str]:
    """Return the sentences that do not hold; on a large ledger it takes minutes."""
    await connection.execute("SET statement_timeout = 0", timeout=LEDGER_SECONDS)
    return [
        sentence
        for sentence, query in INVARIANTS.items()
        if await connection.fetchrow(f"{query} LIMIT 1", timeout=LEDGER_SECONDS) is not None
    ]
