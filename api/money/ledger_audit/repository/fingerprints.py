"""Fingerprints of the ledger, the wallets and the causes of transfers: if equal, all add up.

A fingerprint is a sum of hashes, so it needs no order, no sort and no memory. Each audit uses a new
random seed: two sides that differ match once in 2^63 audits, even for an attacker.

For wallets, a transfer is a step from (wallet, entry, balance before) to (wallet, next entry,
balance after). The sum of all starts less the sum of all ends equals the first and last state of
each wallet, as in its account, only if each wallet's steps follow one another.
"""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import asyncpg

from api.foundation.database.statements import Query, RowT
from api.money.ledger_audit.repository.checks import PROOF_SECONDS, read_one

PROVEN = frozenset(
    {
        "sum_zero",
        "wallet_cache",
        "wallet_chain",
        "orders_paid",
        "fundings_paid",
        "subscriptions_paid",
    }
)
# $1 is the seed of the hashes. They are halved, because the difference of two whole ones could
# overflow. The hash of a long number mixes its halves whatever the seed, so the upper half is
# hashed separately too.
PLACE = """(uuid_hash_extended({wallet}, hashint8extended({kobo},
           hashint8extended({kobo} >> 32, {entry} # $1::bigint))) >> 1)"""
BY_ID = "uuid_hash_extended({id}, {kobo} # $1::bigint)"
BY_REFERENCE = "hashtextextended({reference}, {kobo} # $1::bigint)"
BEFORE = PLACE.format(
    wallet="wallet_id", kobo="(wallet_after_kobo - wallet_change_kobo)", entry="wallet_entry"
)
AFTER = PLACE.format(wallet="wallet_id", kobo="wallet_after_kobo", entry="(wallet_entry + 1)")
FIRST_PLACE = PLACE.format(wallet="id", kobo="0::bigint", entry="1::bigint")
ENDED = PLACE.format(wallet="id", kobo="balance_kobo", entry="(entries + 1)")
# A row without a wallet or a transfer has no hash, but is counted: then the sides differ.
CAUSES = """
SELECT count(*) AS transfers, coalesce(sum(uuid_hash_extended(a.id, {said}) >> 1), 0) AS causes
  FROM {source} LEFT JOIN ledger_account a ON a.owner_id = {owner} WHERE {which}
"""


@dataclass(frozen=True)
class KindFingerprint:
    """The transfers of a kind: how many, their sum, the wrong ones, and fingerprints."""

    kind: str
    transfers: int
    moved: Decimal
    wrong: int
    steps: Decimal
    causes: Decimal


LEDGER = Query(
    f"""
SELECT kind, count(*) AS transfers, sum(wallet_change_kobo) AS moved,
       count(*) FILTER (WHERE
         wallet_change_kobo <> CASE debit_type WHEN 'wallet' THEN -amount_kobo ELSE amount_kobo END
         OR wallet_id <> CASE debit_type WHEN 'wallet' THEN debit_id ELSE credit_id END) AS wrong,
       sum({BEFORE} - {AFTER}) AS steps,
       sum(uuid_hash_extended(wallet_id, CASE kind
             WHEN 'fund' THEN {BY_REFERENCE.format(reference="reference", kobo="amount_kobo")}
             ELSE {BY_ID.format(id="id", kobo="amount_kobo")} END) >> 1) AS causes
  FROM ledger_transfer GROUP BY kind
""",  # noqa: S608 our own words
    KindFingerprint,
)


@dataclass(frozen=True)
class WalletFingerprint:
    """What all wallets hold, and the fingerprint of their steps."""

    held: Decimal
    steps: Decimal


WALLETS = Query(
    f"""
SELECT coalesce(sum(balance_kobo), 0) AS held,
       coalesce(sum({FIRST_PLACE} - {ENDED}) FILTER (WHERE type = 'wallet'), 0) AS steps
  FROM ledger_account
""",  # noqa: S608 our own words
    WalletFingerprint,
)

# Each month of a wallet has a random weight. Two tables of sums whose weighted totals are equal are
# equal, except once in 2^24 audits. So the entries need not be grouped: each adds its weight. An
# entry counts as a random number of kobo, 37 bits of the seed, so that one total is enough.
WEIGHT = "(uuid_hash_extended({wallet}, ({month} - date '2000-01-01') # $1::bigint) & 16777215)"
OF_ENTRY = WEIGHT.format(
    wallet="t.wallet_id",
    month="date_trunc('month', t.created_at AT TIME ZONE 'Africa/Lagos')::date",
)
AS_KOBO = "(($1::bigint >> 16) & 137438953471)"
OF_MONTH = WEIGHT.format(wallet="wallet_id", month="month")


@dataclass(frozen=True)
class SealFingerprint:
    """Sealed entries: how many end a wallet's seal, and the weighted number and sum of all."""

    ends: int
    total: Decimal


SEALED_ENTRIES = Query(
    f"""
SELECT count(*) FILTER (WHERE t.wallet_entry = s.last_entry
                          AND t.wallet_after_kobo = s.after_kobo) AS ends,
       coalesce(sum({OF_ENTRY} * (t.wallet_change_kobo + {AS_KOBO})), 0) AS total
  FROM ledger_transfer t JOIN ledger_seal s
    ON s.wallet_id = t.wallet_id AND t.wallet_entry <= s.last_entry
""",  # noqa: S608 our own words
    SealFingerprint,
)
SEALS = Query(
    f"""
SELECT (SELECT count(*) FROM ledger_seal) AS ends,
       coalesce(sum({OF_MONTH}::numeric * (moved_kobo + {AS_KOBO} * entries)), 0) AS total
  FROM ledger_seal_month
""",  # noqa: S608 our own words
    SealFingerprint,
)

# So has each order: its lines add up to its total if the weighted totals of both tables are equal.
ORDER_WEIGHT = "(uuid_hash_extended({id}, $1::bigint) & 16777215)"


@dataclass(frozen=True)
class TotalFingerprint:
    total: Decimal


ORDER_TOTALS = Query(
    f"""
SELECT coalesce(sum({ORDER_WEIGHT.format(id="id")} * (total_kobo - delivery_fee_kobo)), 0) AS total
  FROM shop_order
""",  # noqa: S608 our own words
    TotalFingerprint,
)
LINE_TOTALS = Query(
    f"""
SELECT coalesce(sum({ORDER_WEIGHT.format(id="order_id")} * price_kobo * quantity), 0) AS total
  FROM order_line
""",  # noqa: S608 our own words
    TotalFingerprint,
)


@dataclass(frozen=True)
class CauseFingerprint:
    """What transfers of a kind were made for: how many, and their fingerprint."""

    transfers: int
    causes: Decimal


def list_causes() -> Iterator[tuple[str, str]]:
    """Yield kinds of transfers with the queries for what they were made for."""
    paid = BY_ID.format(id="o.transfer_id", kobo="o.total_kobo")
    yield (
        "purchase",
        CAUSES.format(
            said=f"CASE WHEN o.is_paid THEN {paid} END",
            source="shop_order o",
            owner="o.user_id",
            which="o.is_paid OR o.transfer_id IS NOT NULL",
        ),
    )
    yield (
        "subscription",
        CAUSES.format(
            said=BY_ID.format(id="s.transfer_id", kobo="s.amount_kobo"),
            source="subscription s",
            owner="s.user_id",
            which="s.amount_kobo > 0",
        ),
    )
    for reference, kobo, source, owner, which in (
        ("f.reference", "f.amount_kobo", "funding f", "f.user_id", "f.state = 'succeeded'"),
        (
            "('transfer:' || b.bank || ':' || b.reference)",
            "b.credited_kobo",
            "bank_receipt b JOIN shop_order o ON o.id = b.order_id",
            "o.user_id",
            "b.credited_kobo > 0",
        ),
        (
            "r.source",
            "r.amount_kobo",
            "review_case r",
            "r.user_id",
            "r.state = 'accepted' AND r.kind <> 'chargeback_short' "
            "AND NOT EXISTS (SELECT FROM funding f WHERE f.reference = r.source)",
        ),
    ):
        said = BY_REFERENCE.format(reference=reference, kobo=kobo)
        yield "fund", CAUSES.format(said=said, source=source, owner=owner, which=which)


async def count_proven(connection: asyncpg.Connection) -> int | None:
    """Return the number of transfers, or None if fingerprints differ: a check then says why.

    If they are equal, no check of ``PROVEN`` would find anything, and there is no difference.
    """
    seed = secrets.randbits(63)
    records = await connection.fetch(LEDGER.statement, seed, timeout=PROOF_SECONDS)
    ledger = [LEDGER.read(record) for record in records]
    wallets = await read_one(connection, WALLETS, seed)
    made = {row.kind: (row.transfers, row.causes) for row in ledger}
    said: dict[str, tuple[int, Decimal]] = {}
    for kind, query in list_causes():
        transfers, causes = said.get(kind, (0, Decimal(0)))
        row = await read_one(connection, Query(query, CauseFingerprint), seed)
        said[kind] = (transfers + row.transfers, causes + row.causes)
    adds_up = (
        not any(row.wrong for row in ledger)
        and sum(row.moved for row in ledger) == wallets.held
        and sum(row.steps for row in ledger) == wallets.steps
        and all(made.get(kind, (0, 0)) == found for kind, found in said.items())
    )
    return sum(row.transfers for row in ledger) if adds_up else None


async def orders_add_up(connection: asyncpg.Connection) -> bool:
    """Return whether the check ``orders_total`` would find nothing; if not, it may find nothing."""
    return await _are_equal(connection, ORDER_TOTALS, LINE_TOTALS)


async def seals_hold(connection: asyncpg.Connection) -> bool:
    """Return whether the check ``wallet_seals`` would find nothing."""
    return await _are_equal(connection, SEALED_ENTRIES, SEALS)


async def _are_equal(connection: asyncpg.Connection, one: Query[RowT], other: Query[RowT]) -> bool:
    """Return whether two fingerprints are equal; sums that no wallet can hold are not."""
    seed = secrets.randbits(63)
    try:
        async with connection.transaction():
            return await read_one(connection, one, seed) == await read_one(connection, other, seed)
    except asyncpg.NumericValueOutOfRangeError:
        return False
