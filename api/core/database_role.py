"""Under whose name the server speaks to its database."""

from api.core.database import Database

# ``session_user`` is who signed in, whatever role the session took on: RESET ROLE leads back to it.
# What it may become counts as what it is, and so does the running role: whoever owns a function can
# write what its triggers and SECURITY DEFINER do, and the schema's owner can drop anything in it.
LOOK = """
SELECT rolsuper AS is_superuser,
       EXISTS (SELECT 1
                 FROM (SELECT relowner AS owner, relnamespace AS schema FROM pg_class
                       UNION ALL SELECT proowner, pronamespace FROM pg_proc
                       UNION ALL SELECT nspowner, oid FROM pg_namespace) AS ours
                WHERE ours.schema = 'public'::regnamespace
                  AND pg_has_role(session_user, ours.owner, 'MEMBER')) AS is_owner
  FROM pg_roles WHERE rolname = session_user
"""


class UnsafeDatabaseError(RuntimeError):
    """Production must not serve with this database; the message says why and what to do."""


async def require_plain_sign_in(database: Database) -> None:
    """Keep production from running as somebody who may change the tables and their rules.

    Raises:
        UnsafeDatabaseError: the address signs in as a superuser, or as an owner of the schema or
            of a table or function in it.
        DatabaseUnavailableError: the database could not be asked.
    """
    row = await database.fetch_row(LOOK)
    if row is None:
        raise UnsafeDatabaseError("The database does not say who is signed in")
    for is_so, who in ((row["is_superuser"], "a superuser"), (row["is_owner"], "the owner")):
        if is_so:
            raise UnsafeDatabaseError(
                f"DATABASE_URL signs in as {who} of the database: give the server a login of its "
                "own (docs/operations.md, Roles of the database)"
            )
