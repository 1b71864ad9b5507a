"""Chat: rooms, messages in order, memberships, moderation, and who is online."""

import sqlalchemy as sa
from alembic import op
from api.core.config import Settings
from sqlalchemy.dialects import postgresql

revision = "20261121_1500"
down_revision = "20261121_1400"
branch_labels = None
depends_on = None

# Messages that come together are posted in one transaction. Members are locked before rooms, both
# in the order of their ids, so that two workers never wait for each other in a circle; the lock of
# the room is held until the commit, so that whoever reads sequence n also sees all before it.
# A retry finds its first try by the client's own id and is answered with it; only a fresh one that
# nobody has hidden may be told again ('replayed'), and other words are no retry ('reused').
POST = """
CREATE FUNCTION post_chat_messages(
  p_ids uuid[], p_rooms uuid[], p_users uuid[], p_clients uuid[], p_contents text[],
  p_at timestamptz[]
) RETURNS TABLE (place int, outcome text, id uuid, seq bigint, sent_at timestamptz,
                 until timestamptz)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  known chat_message;
  fifth timestamptz;
BEGIN
  PERFORM 1 FROM chat_membership m WHERE m.user_id = ANY (p_users)
    ORDER BY m.user_id, m.room_id FOR NO KEY UPDATE;
  PERFORM 1 FROM chat_room r WHERE r.id = ANY (p_rooms) ORDER BY r.id FOR NO KEY UPDATE;
  FOR i IN 1 .. cardinality(p_ids) LOOP
    place := i;
    outcome := 'stored';
    id := NULL; seq := NULL; sent_at := NULL; until := NULL;
    SELECT * INTO known FROM chat_message m
     WHERE m.user_id = p_users[i] AND m.client_id = p_clients[i];
    IF FOUND THEN
      outcome := CASE
        WHEN known.room_id <> p_rooms[i] OR known.content <> p_contents[i] THEN 'reused'
        WHEN known.hidden_at IS NOT NULL OR known.sent_at < p_at[i] - interval '1 minute'
          THEN 'known'
        ELSE 'replayed' END;
      id := known.id; seq := known.seq; sent_at := known.sent_at;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM chat_membership m
                    WHERE m.user_id = p_users[i] AND m.room_id = p_rooms[i]) THEN
      outcome := 'not_joined';
      RETURN NEXT;
      CONTINUE;
    END IF;
    SELECT m.until INTO until FROM chat_mute m
     WHERE m.user_id = p_users[i] AND m.until > p_at[i];
    IF FOUND THEN
      outcome := 'muted';
      RETURN NEXT;
      CONTINUE;
    END IF;
    SELECT m.sent_at INTO fifth FROM chat_message m
     WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - interval '5 seconds'
     ORDER BY m.sent_at DESC OFFSET 4 LIMIT 1;
    IF FOUND THEN
      outcome := 'too_many';
      until := fifth + interval '5 seconds';
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF EXISTS (SELECT 1 FROM chat_message m
                WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - interval '10 seconds'
                  AND m.room_id = p_rooms[i] AND m.content = p_contents[i]) THEN
      outcome := 'repeated';
      RETURN NEXT;
      CONTINUE;
    END IF;
    UPDATE chat_room r SET last_seq = r.last_seq + 1 WHERE r.id = p_rooms[i]
    RETURNING r.last_seq INTO seq;
    id := p_ids[i];
    sent_at := p_at[i];
    INSERT INTO chat_message (id, room_id, seq, user_id, client_id, content, sent_at)
    VALUES (id, p_rooms[i], seq, p_users[i], p_clients[i], p_contents[i], sent_at);
    RETURN NEXT;
  END LOOP;
END $$
"""

# The rooms a member is in, with what they have not read there: at most a hundred are counted.
STANDING = """
CREATE FUNCTION chat_standing(p_user uuid)
RETURNS TABLE (room_id uuid, last_seq bigint, last_read_seq bigint, unread int)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT r.id, r.last_seq, m.last_read_seq,
         (SELECT count(*)::int FROM (
            SELECT 1 FROM chat_message n
             WHERE n.room_id = r.id AND n.seq > m.last_read_seq AND n.user_id <> p_user
               AND n.hidden_at IS NULL LIMIT 100) AS newer)
    FROM chat_membership m JOIN chat_room r ON r.id = m.room_id
   WHERE m.user_id = p_user;
END $$
"""

FUNCTIONS = (
    (
        "post_chat_messages(uuid[], uuid[], uuid[], uuid[], text[], timestamptz[])",
        POST,
    ),
    ("chat_standing(uuid)", STANDING),
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "chat_room",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("last_seq", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "id = coalesce(club_id, '00000000-0000-0000-0000-000000000000'::uuid)",
            name=op.f("ck_chat_room_id_says_club"),
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_chat_room_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_room")),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "chat_membership",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("last_read_seq", sa.BigInteger(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["room_id"], ["chat_room.id"], name=op.f("fk_chat_membership_room_id_chat_room")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_membership_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", "room_id", name=op.f("pk_chat_membership")),
        postgresql_with={"fillfactor": "70"},
    )
    op.create_table(
        "chat_message",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("room_id", sa.Uuid(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Uuid(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "char_length(content) BETWEEN 1 AND 1000 OR hidden_at IS NOT NULL AND content = ''",
            name=op.f("ck_chat_message_content_in_range"),
        ),
        sa.ForeignKeyConstraint(
            ["room_id"], ["chat_room.id"], name=op.f("fk_chat_message_room_id_chat_room")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_message_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_message")),
        sa.UniqueConstraint("room_id", "seq", name=op.f("uq_chat_message_room_id_seq")),
        sa.UniqueConstraint("user_id", "client_id", name=op.f("uq_chat_message_user_id_client_id")),
    )
    op.create_index("ix_chat_message_user_id_sent_at", "chat_message", ["user_id", "sent_at"])
    op.create_index(
        "ix_chat_message_hidden",
        "chat_message",
        ["room_id", "hidden_at"],
        postgresql_where=sa.text("hidden_at IS NOT NULL"),
    )
    op.create_table(
        "chat_report",
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "reason IN ('spam', 'abuse', 'hate', 'other')",
            name=op.f("ck_chat_report_report_reason"),
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["chat_message.id"], name=op.f("fk_chat_report_message_id_chat_message")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_report_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_chat_report")),
    )
    op.create_index(
        "ix_chat_report_open",
        "chat_report",
        ["reported_at"],
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_table(
        "chat_mute",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_mute_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_chat_mute")),
    )
    op.create_table(
        "chat_moderation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("operator_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("message_id", sa.Uuid(), nullable=True),
        sa.Column("deed", sa.String(length=32), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "deed IN ('hide', 'restore', 'dismiss', 'mute', 'unmute')",
            name=op.f("ck_chat_moderation_deed"),
        ),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["chat_message.id"],
            name=op.f("fk_chat_moderation_message_id_chat_message"),
        ),
        sa.ForeignKeyConstraint(
            ["operator_id"],
            ["user_account.id"],
            name=op.f("fk_chat_moderation_operator_id_user_account"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_chat_moderation_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_moderation")),
    )
    # Who is online is true only while the server runs, so nothing of it is written ahead.
    op.create_table(
        "chat_worker",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_worker")),
        prefixes=["UNLOGGED"],
    )
    op.create_table(
        "chat_presence",
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("worker_id", "user_id", name=op.f("pk_chat_presence")),
        prefixes=["UNLOGGED"],
    )
    op.create_check_constraint(
        op.f("ck_club_name_is_no_tab"), "club", "lower(name) NOT IN ('public', 'counts', 'last')"
    )
    for _, definition in FUNCTIONS:
        op.execute(definition)
    role = Settings().database_runtime_role
    if role:
        op.execute(f"REVOKE UPDATE, DELETE ON chat_moderation FROM {role}")
        op.execute(f"REVOKE DELETE ON chat_message, chat_room FROM {role}")


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    for signature, _ in reversed(FUNCTIONS):
        op.execute(f"DROP FUNCTION {signature}")
    op.drop_constraint(op.f("ck_club_name_is_no_tab"), "club", type_="check")
    op.drop_table("chat_presence")
    op.drop_table("chat_worker")
    op.drop_table("chat_moderation")
    op.drop_table("chat_mute")
    op.drop_index(
        "ix_chat_report_open",
        table_name="chat_report",
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.drop_table("chat_report")
    op.drop_index(
        "ix_chat_message_hidden",
        table_name="chat_message",
        postgresql_where=sa.text("hidden_at IS NOT NULL"),
    )
    op.drop_index("ix_chat_message_user_id_sent_at", table_name="chat_message")
    op.drop_table("chat_message")
    op.drop_table("chat_membership")
    op.drop_table("chat_room")
