"""A durable PostgreSQL for benchmarks, migrated and seeded like the product's."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from api.dev.postgres.embedded import EmbeddedPostgres

from bench.harness import ROOT

PRODUCTS = 50
RICH_KOBO = 90_000_000_000  # more than any benchmark spends

MORE_PRODUCTS = """
WITH added AS (
  INSERT INTO product (id, name, description, price_kobo, image, thumbnail, star, position)
  SELECT gen_random_uuid(), p.name || ' ' || n, p.description, p.price_kobo, p.image, p.thumbnail,
         p.star, 100 + n
    FROM generate_series(1, {products} - (SELECT count(*)::int FROM product)) n,
         LATERAL (SELECT * FROM product ORDER BY position OFFSET n % 14 LIMIT 1) p
  RETURNING id)
INSERT INTO product_variant (id, product_id, is_default, stock)
SELECT gen_random_uuid(), id, true, 0 FROM added
"""
PLENTY = "UPDATE product_variant SET stock = 1000000000"
MEMBERS = """
INSERT INTO user_account (id, club_id, first_name, last_name, email, phone, terms_accepted_at,
                          activated_at)
SELECT gen_random_uuid(), (SELECT id FROM club ORDER BY name LIMIT 1), 'Bench', 'Member ' || n,
       'bench' || n || '@example.com', '+23490' || lpad(n::text, 8, '0'), now(), now()
  FROM generate_series(1, {count}) n
"""
CREDENTIALS = """
INSERT INTO credential (user_id, password_hash)
SELECT u.id, c.password_hash FROM user_account u, user_account ada
  JOIN credential c ON c.user_id = ada.id
 WHERE ada.email = 'ada@example.com' AND u.email LIKE 'bench%'
"""
ADD_CREDITS = """
INSERT INTO operator_credit (id, kind, user_id, document_id, reference, amount_kobo, counted_kobo,
                             limit_kobo, day_limit_kobo, is_imported, created_at)
SELECT gen_random_uuid(), 'adjustment', id, id, 'bench:' || id, {kobo}, 0, 0, 0, true, now()
  FROM user_account WHERE email LIKE 'bench%' ON CONFLICT DO NOTHING
"""
WALLETS = """
SELECT count(*) FROM user_account u, LATERAL post_wallet_transfer(
  gen_random_uuid(), u.id, 'adjust', 'bench:' || u.id, {kobo}, NULL)
 WHERE u.email LIKE 'bench%'
"""


@dataclass(frozen=True)
class BenchDatabase:
    """A running server with the product's tables in the database ``name``."""

    postgres: EmbeddedPostgres
    var_dir: Path
    name: str = "fans"

    @property
    def url(self) -> str:
        """The database's address, password included."""
        return self.postgres.url(self.name)

    def sql(self, statement: str) -> str:
        """Run a statement as the owner and return its rows as text."""
        return self.postgres.run_sql(statement, database=self.name)

    def app_environment(self, port: int) -> dict[str, str]:
        """Return the settings of our server: as shipped, except addresses."""
        return {
            "APP_ENV": "development",
            "PORT": str(port),
            "PUBLIC_URL": f"http://127.0.0.1:{port}",
            "VAR_DIR": str(self.var_dir),
            "DATABASE_URL": self.url,
        }

    def peer_environment(self) -> dict[str, str]:
        """Return the same database under libpq's names, for the peers and pgbench."""
        address = urlsplit(self.url)
        query = parse_qs(address.query)
        return {
            "PGHOST": query["host"][0],
            "PGPORT": query["port"][0],
            "PGUSER": unquote(address.username or ""),
            "PGPASSWORD": unquote(address.password or ""),
            "PGDATABASE": self.name,
        }

    def add_members(self, count: int) -> None:
        """Add members with a full wallet and the demo password."""
        self.sql(MEMBERS.format(count=count))
        self.sql(CREDENTIALS)
        self.sql(ADD_CREDITS.format(kobo=RICH_KOBO))
        self.sql(WALLETS.format(kobo=RICH_KOBO))
        self.sql("VACUUM ANALYZE")

    def ids(self, statement: str) -> Sequence[str]:
        """Return the first column of a statement's rows."""
        return self.sql(statement).split()


@contextlib.contextmanager
def database(*, plenty: bool = True) -> Iterator[BenchDatabase]:
    """Yield a new database with the demo data.

    With ``plenty`` the shop has fifty products with inexhaustible stock.
    """
    with seeded() as ready:
        if plenty:
            ready.sql(MORE_PRODUCTS.format(products=PRODUCTS))
            ready.sql(PLENTY)
        yield ready


@contextlib.contextmanager
def seeded() -> Iterator[BenchDatabase]:
    """Run the server in a temporary folder, with fsync, and seed it like ``run.py start``."""
    with tempfile.TemporaryDirectory(prefix="kof-bench-") as folder:
        Path(folder).chmod(0o711)
        with EmbeddedPostgres(Path(folder) / "postgres") as postgres:
            postgres.ensure_database("fans")
            ready = BenchDatabase(postgres, Path(folder) / "var")
            environment = {**os.environ, **ready.app_environment(1)}
            subprocess.run(
                [sys.executable, "-m", "api.dev", "seed"], cwd=ROOT, env=environment, check=True
            )
            yield ready
