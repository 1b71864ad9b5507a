"""What a proof reads: all rows, or those written since the last proof and of a few random wallets.

Rows are found by their ids, which are ordered by time, and by the times of decisions. ``MARGIN``
covers what separates these from the moment a transaction starts to write: clocks that differ, and
a step that begins long before its first write.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg

from api.foundation.core import clock
from api.foundation.core.ids import first_id_at

MARGIN = timedelta(minutes=10)
# Ids from further ahead are not of their time: the first repayments of debts had random ones.
MAX_AHEAD = timedelta(days=1)
SAMPLED_WALLETS = 200
REPORTS_SETTLE = timedelta(minutes=15)  # as in the check ``provider_settled``
STATEMENTS_ARRIVE = timedelta(days=90)  # a transfer confirmed earlier is left to the whole proof

Scope = Mapping[str, str]

WHOLE: Scope = {
    "transfers": "ledger_transfer",
    "entries": "ledger_transfer",
    "accounts": "ledger_account",
    "seals": "ledger_seal",
    "sealed_months": "ledger_seal_month",
    "refunds": "ledger_transfer",
    "orders": "shop_order",
    "fundings": "funding",
    "receipts": "bank_receipt",
    "old_receipts": "bank_receipt",
    "cases": "review_case",
    "subscriptions": "subscription",
    "chargebacks": "chargeback",
    "debts": "debt",
    "credits": "operator_credit",
    "credits_of_days": "operator_credit",
    "reports": "payment_event",
}
# A run of ids from a random one is a random sample, because ids of wallets are random.
SAMPLE = """
SELECT id FROM ((SELECT id FROM ledger_account WHERE type = 'wallet' AND id >= $1
                  ORDER BY id LIMIT $2)
                UNION
                (SELECT id FROM ledger_account WHERE type = 'wallet' AND id < $1
                  ORDER BY id LIMIT $2)) AS run
 ORDER BY id < $1, id LIMIT $2
"""

# ``{since}`` is the start of the new rows as a time, ``{first…}`` as ids.
RECENT: Mapping[str, str] = {
    "fresh": "(SELECT * FROM ledger_transfer WHERE {new})",
    # The wallets that moved, with their seals.
    "moved": """(
SELECT moved.wallet_id, coalesce(s.last_entry, 0) AS last_entry,
       coalesce(s.after_kobo, 0) AS after_kobo
  FROM (SELECT DISTINCT wallet_id FROM {fresh} AS t) AS moved
  LEFT JOIN ledger_seal s ON s.wallet_id = moved.wallet_id)""",
    "entries": "(SELECT * FROM ledger_transfer WHERE wallet_id = ANY ('{sample}'))",
    "accounts": "(SELECT * FROM ledger_account WHERE id = ANY ('{sample}'))",
    "seals": "(SELECT * FROM ledger_seal WHERE wallet_id = ANY ('{sample}'))",
    "sealed_months": "(SELECT * FROM ledger_seal_month WHERE wallet_id = ANY ('{sample}'))",
    # Those with a new id, those of the sample, and those after a seal whatever their id is.
    "transfers": """(SELECT * FROM ledger_transfer WHERE {new}
      UNION
      SELECT * FROM ledger_transfer WHERE wallet_id = ANY ('{sample}')
      UNION
      SELECT t.* FROM {moved} AS w JOIN ledger_transfer t
        ON t.wallet_id = w.wallet_id AND t.wallet_entry > w.last_entry)""",
    "refunds": """(SELECT * FROM ledger_transfer WHERE reverses_id IN (
      SELECT reverses_id FROM {transfers} AS t WHERE reverses_id IS NOT NULL))""",
    "orders": """(SELECT * FROM shop_order WHERE id IN (
      SELECT id FROM shop_order WHERE id >= '{first}'
       UNION SELECT order_id FROM bank_receipt WHERE id >= '{first}'
       UNION SELECT o.id FROM {transfers} AS t JOIN shop_order o ON o.transfer_id = t.id
              WHERE t.kind = 'purchase'))""",
    "fundings": """(SELECT * FROM funding WHERE id IN (
      SELECT id FROM funding WHERE decided_at >= '{since}'
       UNION SELECT f.id FROM {transfers} AS t JOIN funding f ON f.reference = t.reference
              WHERE t.kind = 'fund'))""",
    "receipts": """(SELECT * FROM bank_receipt WHERE order_id IN (
      SELECT order_id FROM bank_receipt WHERE id >= '{first}'
       UNION SELECT o.id FROM {transfers} AS t JOIN ledger_account a ON a.id = t.wallet_id
               JOIN shop_order o ON o.user_id = a.owner_id
               JOIN bank_receipt b ON b.order_id = o.id
                AND t.reference = 'transfer:' || b.bank || ':' || b.reference
              WHERE t.kind = 'fund'))""",
    "old_receipts": "(SELECT * FROM bank_receipt WHERE id >= '{first_receipt}')",
    "cases": """(SELECT * FROM review_case WHERE id IN (
      SELECT id FROM review_case WHERE decided_at >= '{since}'
       UNION SELECT r.id FROM {transfers} AS t JOIN review_case r ON r.source = t.reference
              WHERE t.kind = 'fund'))""",
    "subscriptions": """(SELECT * FROM subscription WHERE id IN (
      SELECT id FROM subscription WHERE id >= '{first}'
       UNION SELECT s.id FROM {transfers} AS t JOIN subscription s ON s.transfer_id = t.id
              WHERE t.kind = 'subscription'))""",
    "chargebacks": """(SELECT * FROM chargeback WHERE funding_id IN (
      SELECT funding_id FROM chargeback WHERE id >= '{first}'))""",
    "debts": """(SELECT * FROM debt WHERE id IN (
      SELECT id FROM debt WHERE id >= '{first}'
       UNION SELECT d.id FROM {transfers} AS t JOIN ledger_account a ON a.id = t.wallet_id
               JOIN debt d ON d.user_id = a.owner_id
              WHERE t.kind IN ('chargeback', 'debt_repayment')))""",
    "credits": "(SELECT * FROM operator_credit WHERE id >= '{first}')",
    "credits_of_days": "(SELECT * FROM operator_credit WHERE id >= '{first_of_day}')",
    "reports": """(SELECT * FROM payment_event WHERE id >= '{first_report}'
       OR state IN ('unmatched', 'failed'))""",
}


async def sample_wallets(connection: asyncpg.Connection) -> list[UUID]:
    """Return the ids of random wallets; all of them if there are few."""
    start = UUID(bytes=secrets.token_bytes(16))
    return [record[0] for record in await connection.fetch(SAMPLE, start, SAMPLED_WALLETS)]


def written_since(covered_until: datetime, now: datetime, sample: list[UUID]) -> Scope:
    """Return what a proof reads if the last one covered what was written before a moment."""
    since = covered_until - MARGIN
    words: dict[str, object] = {
        "since": since.isoformat(),
        "first": first_id_at(since),
        "new": f"id >= '{first_id_at(since)}' AND id < '{first_id_at(now + MAX_AHEAD)}'",
        "first_report": first_id_at(since - REPORTS_SETTLE),
        "first_receipt": first_id_at(since - STATEMENTS_ARRIVE),
        "first_of_day": first_id_at(clock.midnight(clock.lagos_day(since))),
        "sample": "{" + ",".join(map(str, sample)) + "}",
    }
    for name in ("fresh", "moved", "transfers"):  # the others read from these
        words[name] = RECENT[name].format_map(words)
    return {name: RECENT[name].format_map(words) for name in RECENT}
