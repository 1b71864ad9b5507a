"""A club's new name is announced like whatever else changes who its members are."""

from alembic import op

revision = "20261122_1700"
down_revision = "20261122_1630"
branch_labels = None
depends_on = None

# One announcement for all its members: {"club": id} on the channel of ``announce_identity_change``.
ANNOUNCE = """
CREATE FUNCTION announce_club_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_changed', json_build_object('club', NEW.id)::text);
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute(ANNOUNCE)
    op.execute(
        "CREATE TRIGGER announce_renamed AFTER UPDATE OF name ON club FOR EACH ROW "
        "WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION announce_club_renamed()"
    )


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DROP TRIGGER announce_renamed ON club")
    op.execute("DROP FUNCTION announce_club_renamed()")
