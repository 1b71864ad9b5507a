"""The database role the server runs as."""

from dataclasses import dataclass

from api.foundation.database.database import Database
from api.foundation.database.statements import Query


@dataclass(frozen=True)
class LoginRole:
    """What the login role is and may do."""

    is_another: bool
    is_superuser: bool
    has_other_rights: bool
    is_owner: bool


# ``session_user`` is the login role, whatever role the session has set: RESET ROLE returns to it.
# All roles it may become, directly or through others, count, and so does the running role. The
# owner of a function controls what its triggers and SECURITY DEFINER do, the schema's owner can
# drop anything in it, and PostgreSQL's predefined roles (pg_write_all_data and others) bypass
# grants. Therefore the login may become the running role and no other.
READ_ROLE = Query(
    """
WITH RECURSIVE role AS (
  SELECT oid FROM pg_roles WHERE rolname = session_user
  UNION
  SELECT m.roleid FROM pg_auth_members m JOIN role ON m.member = role.oid
)
SELECT current_user <> $1 AS is_another,
       bool_or(r.rolsuper) AS is_superuser,
       bool_or(r.rolcreaterole OR r.rolreplication OR r.rolbypassrls
               OR r.rolname NOT IN (session_user, $1)) AS has_other_rights,
       EXISTS (SELECT 1
                 FROM (SELECT relowner AS owner, relnamespace AS schema FROM pg_class
                       UNION ALL SELECT proowner, pronamespace FROM pg_proc
                       UNION ALL SELECT nspowner, oid FROM pg_namespace) AS ours
                 JOIN role ON role.oid = ours.owner
                WHERE ours.schema = 'public'::regnamespace) AS is_owner
  FROM pg_roles r JOIN role USING (oid)
""",
    LoginRole,
)


class UnsafeDatabaseError(RuntimeError):
    """Production must not use this database; the message says why and what to do."""


async def require_plain_sign_in(database: Database, runtime_role: str) -> None:
    """Raise if production would run with a role that can change the tables and their rules.

    Raises:
        UnsafeDatabaseError: statements do not run as ``runtime_role``; or the login is a superuser,
            the owner of the schema or of a table or function in it, or has rights beyond those of
            ``runtime_role``; or it may become such a role.
    """
    row = await database.fetch_row(READ_ROLE, runtime_role)
    if row is None:
        raise UnsafeDatabaseError("The database does not say who is signed in")
    if row.is_another:
        raise UnsafeDatabaseError(
            f"What DATABASE_URL leads to does not take on the role {runtime_role} "
            "(docs/operations.md, Roles of the database)"
        )
    for is_so, who in (
        (row.is_superuser, "a superuser"),
        (row.is_owner, "the owner"),
        (row.has_other_rights, f"a role with more rights than {runtime_role}"),
    ):
        if is_so:
            raise UnsafeDatabaseError(
                f"DATABASE_URL signs in as {who} of the database: give the server a login of its "
                "own (docs/operations.md, Roles of the database)"
            )
