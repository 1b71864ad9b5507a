"""A database's catalog: the definitions of its objects, and the records about them."""

from dataclasses import dataclass

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    MetaData,
    String,
    Table,
    func,
    inspect,
    select,
    text,
)

from api.app.schema.sources import MIGRATED, Kind

# In separate metadata: ``apply`` manages this table, as Alembic manages its own.
RECORDS = Table(
    "database_objects",
    MetaData(),
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("digest", String, nullable=False),  # of the file
    Column("found", String, nullable=False),  # of the definition in the database
    Column("applied_at", DateTime(timezone=True), server_default=func.now(), nullable=False),
)
# Includes who may call a function. Excludes the functions of extensions.
FUNCTIONS = """
SELECT f.proname AS name,
       string_agg(pg_get_functiondef(f.oid) || ARRAY(
         SELECT CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END
           FROM aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) x
          WHERE x.grantee <> f.proowner ORDER BY 1)::text, ' ' ORDER BY f.oid) AS definition
  FROM pg_proc f
 WHERE f.pronamespace = 'public'::regnamespace AND f.prokind IN ('f', 'p')
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
                      AND d.objid = f.oid AND d.deptype = 'e')
 GROUP BY f.proname
"""
# A disabled trigger counts as changed.
TRIGGERS = """
SELECT c.relname || '.' || t.tgname AS name,
       pg_get_triggerdef(t.oid) || t.tgenabled::text AS definition
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
"""
# Excludes the tables of extensions.
OURS = """
c.relnamespace = 'public'::regnamespace AND NOT EXISTS (
  SELECT FROM pg_depend d
   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
"""
# Since PostgreSQL 18, NOT NULL is also a constraint; here it is part of the column.
CONSTRAINTS = f"""
SELECT c.relname || '.' || k.conname AS name,
       pg_get_constraintdef(k.oid) || k.convalidated AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
 WHERE k.contype NOT IN ('c', 'n', 't') AND {OURS}
"""  # noqa: S608 our own words
CHECKS = f"""
SELECT c.relname || '.' || k.conname AS name, pg_get_constraintdef(k.oid) AS definition
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
 WHERE k.contype = 'c' AND {OURS}
"""  # noqa: S608 our own words
INDEXES = f"""
SELECT c.relname || '.' || n.relname AS name,
       pg_get_indexdef(i.indexrelid) || i.indisvalid AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
 WHERE {OURS}
"""  # noqa: S608 our own words
COLUMNS = f"""
SELECT c.relname || '.' || a.attname AS name,
       concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
                 a.attgenerated, a.attcollation::regcollation,
                 pg_get_expr(d.adbin, d.adrelid)) AS definition
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND {OURS}
"""  # noqa: S608 our own words
RULES = f"""
SELECT c.relname || '.' || r.rulename AS name,
       pg_get_ruledef(r.oid) || r.ev_enabled::text AS definition
  FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
 WHERE {OURS}
"""  # noqa: S608 our own words
DEFINITIONS = {
    Kind.FUNCTION: FUNCTIONS,
    Kind.TRIGGER: TRIGGERS,
    Kind.CHECK: CHECKS,
    Kind.CONSTRAINT: CONSTRAINTS,
    Kind.INDEX: INDEXES,
    Kind.COLUMN: COLUMNS,
    Kind.RULE: RULES,
}
# Who may become an owner of our tables, and which roles the running role may become. Since
# PostgreSQL 16 a membership may grant administration only. Superusers and roles that may create
# roles are exempt.
MEMBERSHIPS = text("""
SELECT DISTINCT m.member::regrole::text AS member, m.roleid::regrole::text AS role
  FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member
 WHERE coalesce((to_jsonb(m) ->> 'set_option')::boolean
                OR (to_jsonb(m) ->> 'inherit_option')::boolean, true)
   AND (r.rolname = :role
        OR (NOT r.rolsuper AND NOT r.rolcreaterole AND m.roleid IN (
              SELECT relowner FROM pg_class WHERE relnamespace = 'public'::regnamespace)))
""")
# The grants to the role itself, and to PUBLIC.
GRANTS = text("""
SELECT c.relname AS name, x.privilege_type AS privilege
  FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) x
 WHERE c.relnamespace = 'public'::regnamespace AND x.grantee IN (0, to_regrole(:role)::oid)
UNION
SELECT c.relname, x.privilege_type || ' (' || a.attname || ')'
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  CROSS JOIN LATERAL aclexplode(a.attacl) x
 WHERE c.relnamespace = 'public'::regnamespace AND x.grantee IN (0, to_regrole(:role)::oid)
""")


@dataclass(frozen=True)
class Record:
    """The record of an applied object: the digests of its file and of its definition."""

    digest: str
    found: str


def read_definitions(connection: Connection, kind: Kind) -> dict[str, str]:
    """Return the definitions of all functions, triggers or checks by name."""
    rows = connection.execute(text(DEFINITIONS[kind]))
    return {row.name: row.definition for row in rows}


def read_grants(connection: Connection, runtime_role: str) -> set[tuple[str, str]]:
    """Return the running role's grants: table and privilege."""
    rows = connection.execute(GRANTS, {"role": runtime_role})
    return {(row.name, row.privilege) for row in rows}


def read_memberships(connection: Connection, runtime_role: str) -> set[tuple[str, str]]:
    """Return the memberships by which roles become owners, or the running role another role."""
    rows = connection.execute(MEMBERSHIPS, {"role": runtime_role})
    return {(row.member, row.role) for row in rows}


def spelling(connection: Connection) -> str:
    """Return what else definitions depend on: the server's major version, and our queries."""
    version = int(connection.execute(text("SHOW server_version_num")).scalar_one())
    return f"PostgreSQL {version // 10_000}: {' '.join(MIGRATED)}"


def read_records(connection: Connection) -> dict[tuple[Kind, str], Record]:
    """Return each object's record; empty if the database has no records yet."""
    if not inspect(connection).has_table(RECORDS.name):
        return {}
    rows = connection.execute(select(RECORDS))
    return {(Kind(row.kind), row.name): Record(row.digest, row.found) for row in rows}
