"""One announcement for whatever changes who a member is; a retried chat message counts."""

import sqlalchemy as sa
from alembic import op

revision = "20261122_1630"
down_revision = "20261122_1625"
branch_labels = None
depends_on = None

# The channel's payload is {"user": id} when the account changed, and {"user": id, "session": id}
# when one session ended. PostgreSQL sends it at the commit, and drops equal ones of a transaction.
ANNOUNCE = """
CREATE FUNCTION announce_identity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'session' THEN
    PERFORM pg_notify('identity_changed',
                      json_build_object('user', OLD.user_id, 'session', OLD.id)::text);
  ELSE
    PERFORM pg_notify('identity_changed', json_build_object('user', OLD.id)::text);
  END IF;
  RETURN NULL;
END $$
"""
TRIGGERS = (
    (
        "session",
        "announce_revocation",
        "AFTER UPDATE OF revoked_at ON session FOR EACH ROW "
        "WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)",
    ),
    (
        "session",
        "announce_removal",
        "AFTER DELETE ON session FOR EACH ROW "
        "WHEN (OLD.revoked_at IS NULL AND OLD.expires_at > now())",
    ),
    (
        "user_account",
        "announce_change",
        "AFTER UPDATE OF club_id, is_operator, suspended_at, erased_at ON user_account "
        "FOR EACH ROW WHEN ((OLD.club_id, OLD.is_operator, OLD.suspended_at, OLD.erased_at) "
        "IS DISTINCT FROM (NEW.club_id, NEW.is_operator, NEW.suspended_at, NEW.erased_at))",
    ),
)

# A retry is answered with its first try, and told once more in case that was not told: again after
# ten seconds at the earliest, and only while its member may write. Each telling counts for the pace
# like a message.
POST = """
CREATE OR REPLACE FUNCTION post_chat_messages(
  p_ids uuid[], p_rooms uuid[], p_users uuid[], p_clients uuid[], p_contents text[],
  p_at timestamptz[]
) RETURNS TABLE (place int, outcome text, id uuid, seq bigint, sent_at timestamptz,
                 until timestamptz)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  known chat_message;
  fifth timestamptz;
  is_fresh boolean;
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
    is_fresh := NOT FOUND;
    IF NOT is_fresh THEN
      id := known.id; seq := known.seq; sent_at := known.sent_at;
      outcome := CASE
        WHEN known.room_id <> p_rooms[i] OR known.content <> p_contents[i] THEN 'reused'
        WHEN known.hidden_at IS NOT NULL OR known.sent_at < p_at[i] - interval '1 minute'
             OR known.told_at > p_at[i] - interval '10 seconds' THEN 'known'
        ELSE 'replayed' END;
      IF outcome <> 'replayed' THEN
        RETURN NEXT;
        CONTINUE;
      END IF;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM chat_membership m
                    WHERE m.user_id = p_users[i] AND m.room_id = p_rooms[i]) THEN
      outcome := 'not_joined';
    ELSE
      SELECT m.until INTO until FROM chat_mute m
       WHERE m.user_id = p_users[i] AND m.until > p_at[i];
      IF FOUND THEN
        outcome := 'muted';
      ELSE
        SELECT greatest(m.sent_at, m.told_at) INTO fifth FROM chat_message m
         WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - interval '65 seconds'
           AND greatest(m.sent_at, m.told_at) > p_at[i] - interval '5 seconds'
         ORDER BY 1 DESC OFFSET 4 LIMIT 1;
        IF FOUND THEN
          outcome := 'too_many';
          until := fifth + interval '5 seconds';
        ELSIF is_fresh AND EXISTS (
            SELECT 1 FROM chat_message m
             WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - interval '10 seconds'
               AND m.room_id = p_rooms[i] AND m.content = p_contents[i]) THEN
          outcome := 'repeated';
        END IF;
      END IF;
    END IF;
    IF NOT is_fresh THEN
      IF outcome = 'replayed' THEN
        UPDATE chat_message m SET told_at = p_at[i] WHERE m.id = known.id;
      ELSE
        outcome := 'known';
        until := NULL;
      END IF;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF outcome <> 'stored' THEN
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

POST_BEFORE = """
CREATE OR REPLACE FUNCTION post_chat_messages(
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
ANNOUNCE_REVOCATION_BEFORE = """
CREATE FUNCTION announce_session_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_revoked', NEW.id::text);
  RETURN NULL;
END $$
"""
TRIGGER_BEFORE = (
    "CREATE TRIGGER announce_revocation AFTER UPDATE OF revoked_at ON session FOR EACH ROW "
    "WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) "
    "EXECUTE FUNCTION announce_session_revocation()"
)


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute("DROP TRIGGER announce_revocation ON session")
    op.execute("DROP FUNCTION announce_session_revocation()")
    op.execute(ANNOUNCE)
    for _, name, when in TRIGGERS:
        op.execute(f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION announce_identity_change()")
    op.add_column("chat_message", sa.Column("told_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(POST)


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.execute(POST_BEFORE)
    op.drop_column("chat_message", "told_at")
    for table, name, _ in reversed(TRIGGERS):
        op.execute(f"DROP TRIGGER {name} ON {table}")
    op.execute("DROP FUNCTION announce_identity_change()")
    op.execute(ANNOUNCE_REVOCATION_BEFORE)
    op.execute(TRIGGER_BEFORE)
