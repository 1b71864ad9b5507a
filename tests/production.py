"""A deployment's settings, as its server and worker read them, and logins that they reject."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.dev.postgres.embedded import EmbeddedPostgres
from api.foundation.core.config import Environment, Settings
from pydantic import SecretStr

PRODUCTION = {
    "app_env": Environment.PRODUCTION,
    "public_url": "https://fans.example",
    "token_key": SecretStr("zXcQ8vN2mLp0RtYw5KsDfGh7JbA1eUiO"),
    "code_key": SecretStr("N7bVcXz1LkJhGfDs4PoIuYtR9eWqA2mS"),
    "profile_key": SecretStr("qWe4RtY7uIoP1aSd6FgHjKl2ZxCv9BnM"),
    "fixture_feed_key": SecretStr("Lk3JhGf5DsAp9OiUy7TrEwQz1XcVbN2m"),
    "smtp_url": SecretStr("smtp://mail.invalid"),
    "payment_gateway": "paystack",
    "demo_operator_totp": None,
    "vapid_private_key": None,
    "paystack_secret_key": SecretStr("sk_live_4f0c2b9a7d1e8f6035c4ab92"),
}

# Rights that a login must not have or acquire, and how tests grant and revoke them.
RIGHTS = {
    "a superuser": ("ALTER ROLE fans_app SUPERUSER", "ALTER ROLE fans_app NOSUPERUSER"),
    "a superuser it may become": (
        "CREATE ROLE boss SUPERUSER; CREATE ROLE clerk; GRANT boss TO clerk; "
        "GRANT clerk TO fans_app",
        "DROP ROLE clerk; DROP ROLE boss",
    ),
    "the owner": ("GRANT {owner} TO fans_app", "REVOKE {owner} FROM fans_app"),
    "somebody who writes every table": (
        "GRANT pg_write_all_data TO fans_app",
        "REVOKE pg_write_all_data FROM fans_app",
    ),
    "somebody who runs programs": (
        "GRANT pg_execute_server_program TO fans_app",
        "REVOKE pg_execute_server_program FROM fans_app",
    ),
    "somebody who makes roles": (
        "ALTER ROLE fans_app CREATEROLE",
        "ALTER ROLE fans_app NOCREATEROLE",
    ),
}


def variables(production: Settings) -> dict[str, str]:
    """Return the environment of a process with these settings."""
    given = production.model_dump(include={"database_url", *PRODUCTION})
    return {
        name.upper(): value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        for name, value in given.items()
        if value is not None
    }


@contextmanager
def login_made(who: str, postgres: EmbeddedPostgres) -> Iterator[None]:
    """Make ``fans_app`` one of ``RIGHTS`` during the block."""
    change, undo = RIGHTS[who]
    owner = postgres.run_sql(
        "SELECT tableowner FROM pg_tables WHERE tablename = 'ledger_transfer'", "fans"
    ).strip()
    postgres.run_sql(change.format(owner=owner))
    try:
        yield
    finally:
        postgres.run_sql(undo.format(owner=owner))
