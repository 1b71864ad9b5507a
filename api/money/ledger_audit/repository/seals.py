"""Seals: what each wallet had moved at the last entry that a proof found to be right, by month.

A proof of new entries begins at each wallet's seal, so it depends on no clock: it reads the entries
after the sealed one, whenever they were committed. Only which wallets it reads depends on ids.
Months are those of Lagos, as in members' statements.
"""

from datetime import datetime

import asyncpg

from api.foundation.core.money import Kobo
from api.money.ledger_audit.repository.checks import PROOF_SECONDS
from api.money.ledger_audit.repository.scopes import Scope

# All wallets that moved since their seals. What a proof of new entries reads is in scopes.py.
UNSEALED = """(
SELECT a.id AS wallet_id, coalesce(s.last_entry, 0) AS last_entry,
       coalesce(s.after_kobo, 0) AS after_kobo
  FROM ledger_account a LEFT JOIN ledger_seal s ON s.wallet_id = a.id
 WHERE a.type = 'wallet' AND a.entries > coalesce(s.last_entry, 0))
"""
# Added to the checks of the same name: the wallets that moved, from their seals.
FROM_SEALS = {
    "wallet_cache": """
SELECT a.id || ' of member ' || a.owner_id
  FROM {moved} AS w JOIN ledger_account a ON a.id = w.wallet_id
  LEFT JOIN ledger_transfer t ON t.wallet_id = w.wallet_id AND t.wallet_entry > w.last_entry
 GROUP BY a.id, w.after_kobo, w.last_entry
HAVING a.balance_kobo <> w.after_kobo + coalesce(sum(t.wallet_change_kobo), 0)
    OR a.entries <> w.last_entry + count(t.id)""",
    "wallet_chain": """
SELECT t.id || ' ' || t.kind || ' ' || t.reference FROM (SELECT t.*,
       lag(t.wallet_after_kobo, 1, w.after_kobo) OVER o AS last,
       w.last_entry + row_number() OVER o AS place
  FROM {moved} AS w JOIN ledger_transfer t
    ON t.wallet_id = w.wallet_id AND t.wallet_entry > w.last_entry
WINDOW o AS (PARTITION BY t.wallet_id ORDER BY t.wallet_entry)) AS t
 WHERE t.wallet_after_kobo - t.wallet_change_kobo <> t.last OR t.wallet_entry <> t.place""",
}
SEAL_MONTHS = """
INSERT INTO ledger_seal_month AS known (wallet_id, month, entries, moved_kobo)
SELECT t.wallet_id, date_trunc('month', t.created_at AT TIME ZONE 'Africa/Lagos')::date,
       count(*), sum(t.wallet_change_kobo)::bigint
  FROM {wallets} AS w JOIN ledger_transfer t
    ON t.wallet_id = w.wallet_id AND t.wallet_entry > w.last_entry
 GROUP BY 1, 2
ON CONFLICT (wallet_id, month) DO UPDATE
   SET entries = known.entries + excluded.entries,
       moved_kobo = known.moved_kobo + excluded.moved_kobo
"""
# The account is where the entries end: the proof has just found that.
SEAL_WALLETS = """
INSERT INTO ledger_seal (wallet_id, last_entry, after_kobo, sealed_at)
SELECT a.id, a.entries, a.balance_kobo, $1
  FROM {wallets} AS w JOIN ledger_account a ON a.id = w.wallet_id
 WHERE a.entries > w.last_entry
ON CONFLICT (wallet_id) DO UPDATE
   SET last_entry = excluded.last_entry, after_kobo = excluded.after_kobo,
       sealed_at = excluded.sealed_at
"""
# What does not add up in the wallets that moved, from their seals, and in those of the sample.
DIFFERENCE = """
SELECT greatest(
  (SELECT coalesce(sum(abs(held - moved)), 0) FROM (
     SELECT DISTINCT ON (id) held, moved FROM (
       SELECT a.id, a.balance_kobo AS held,
              w.after_kobo + coalesce(sum(t.wallet_change_kobo), 0) AS moved
         FROM {moved} AS w JOIN ledger_account a ON a.id = w.wallet_id
         LEFT JOIN ledger_transfer t ON t.wallet_id = a.id AND t.wallet_entry > w.last_entry
        GROUP BY a.id, w.after_kobo
        UNION ALL
       SELECT a.id, a.balance_kobo, coalesce(sum(t.wallet_change_kobo), 0)
         FROM {accounts} AS a LEFT JOIN ledger_transfer t ON t.wallet_id = a.id
        GROUP BY a.id, a.balance_kobo) AS wallets
      ORDER BY id, abs(held - moved) DESC) AS wallets),
  (SELECT coalesce(sum(abs(wallet_change_kobo - CASE debit_type WHEN 'wallet' THEN -amount_kobo
                                                ELSE amount_kobo END)), 0)
     FROM {transfers} AS t))::bigint
"""
COUNT = "SELECT count(*) FROM {fresh} AS t"


async def count_new(connection: asyncpg.Connection, scope: Scope) -> int:
    """Return the number of transfers that a proof of new entries reads, without the sample's."""
    return await _read_value(connection, COUNT.format_map(scope))


async def read_difference(connection: asyncpg.Connection, scope: Scope) -> Kobo:
    """Return what does not add up in the wallets that a proof of new entries reads."""
    return Kobo(await _read_value(connection, DIFFERENCE.format_map(scope)))


async def _read_value(connection: asyncpg.Connection, query: str) -> int:
    ((value,),) = await connection.fetch(query, timeout=PROOF_SECONDS)
    return int(value)


async def seal_moved(connection: asyncpg.Connection, scope: Scope, at: datetime) -> None:
    """Seal the entries that a proof of new entries found to be right."""
    await _seal(connection, scope["moved"], at)


async def seal_all(connection: asyncpg.Connection, at: datetime) -> None:
    """Seal every entry, after a whole proof."""
    await _seal(connection, UNSEALED, at)


async def _seal(connection: asyncpg.Connection, wallets: str, at: datetime) -> None:
    await connection.execute(SEAL_MONTHS.format(wallets=wallets), timeout=PROOF_SECONDS)
    await connection.execute(SEAL_WALLETS.format(wallets=wallets), at, timeout=PROOF_SECONDS)
