"""Under whose name the server speaks to its database."""

from api.core.database import Database

# ``session_user`` is who signed in, whatever role the session took on: RESET ROLE leads back to it.
LOOK = """
SELECT rolsuper AS is_superuser,
       EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
                  AND pg_has_role(session_user, c.relowner, 'MEMBER')) AS is_owner
  FROM pg_roles WHERE rolname = session_user
"""


async def require_plain_sign_in(database: Database) -> None:
    """Keep production from running as somebody who may change the tables and their rules.

    Raises:
        RuntimeError: the address signs in as a superuser, or as an owner of the tables.
        DatabaseUnavailableError: the database could not be asked.
    """
    row = await database.fetch_row(LOOK)
    if row is None:
        raise RuntimeError("The database does not say who is signed in")
    for is_so, who in ((row["is_superuser"], "a superuser"), (row["is_owner"], "the owner")):
        if is_so:
            raise RuntimeError(
                f"DATABASE_URL signs in as {who} of the database: give the server a login of its "
                "own (docs/operations.md, Roles of the database)"
            )
