"""A PostgreSQL of its own for a long proof, durable as in production."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from api.core import clock
from api.core.config import Settings
from api.core.ids import new_id
from api.database.database import Database
from api.dev.migrations import upgrade
from api.dev.postgres import EmbeddedPostgres
from api.security.tokens import TokenCodec

CLUB = UUID("00000000-0000-7000-8000-00000000000a")


@contextmanager
def durable_postgres() -> Iterator[tuple[EmbeddedPostgres, Path]]:
    """Run a migrated server that flushes every commit; give it and its folder."""
    with tempfile.TemporaryDirectory(prefix="kof-endurance-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        server = EmbeddedPostgres(folder / "postgres")
        server.start()
        try:
            server.ensure_database("fans")
            upgrade(server.url())
            yield server, folder
        finally:
            server.stop()


async def add_club(database: Database) -> None:
    """Insert the club that everybody here belongs to."""
    async with database.transaction() as tx:
        await tx.execute(
            "INSERT INTO club (id, name, colour_a, colour_b) "
            "VALUES ($1, 'Enyimba', '#0B4EA2', '#FFFFFF')",
            CLUB,
        )


async def add_members(database: Database, count: int) -> list[UUID]:
    """Insert ``count`` activated members and return their ids."""
    ids = [new_id() for _ in range(count)]
    await add_club(database)
    async with database.transaction() as tx:
        for number, one in enumerate(ids):
            await tx.execute(
                "INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, "
                "terms_accepted_at, activated_at) VALUES ($1, $2, 'A', 'B', $3, $4, now(), now())",
                one,
                CLUB,
                f"{one}@example.com",
                f"+23480{number:08d}",
            )
    return ids


async def open_sessions(database: Database, members: list[UUID]) -> list[str]:
    """Sign the members in; return their tokens."""
    codec = TokenCodec(Settings().token_key.get_secret_value())
    tokens = []
    async with database.transaction() as tx:
        for member in members:
            session_id = new_id()
            await tx.execute(
                "INSERT INTO session (id, user_id, expires_at) "
                "VALUES ($1, $2, now() + interval '1 day')",
                session_id,
                member,
            )
            tokens.append(codec.issue(member, session_id, clock.now()))
    return tokens


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
    "every paid subscription is paid by its own transfer": """
        SELECT s.id FROM subscription s LEFT JOIN ledger_transfer t ON t.id = s.transfer_id
         WHERE s.amount_kobo > 0
           AND (t.id IS NULL OR t.kind <> 'subscription' OR t.amount_kobo <> s.amount_kobo)""",
    "every order's total is the sum of its lines": """
        SELECT o.id FROM shop_order o JOIN order_line l ON l.order_id = o.id
         GROUP BY o.id, o.total_kobo HAVING sum(l.price_kobo * l.quantity) <> o.total_kobo""",
}


async def broken_invariants(database: Database) -> list[str]:
    """Return the names of the invariants that do not hold."""
    return [name for name, query in INVARIANTS.items() if await database.fetch_rows(query)]
