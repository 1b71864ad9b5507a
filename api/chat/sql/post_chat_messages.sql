-- A retry is answered with its first try, and told once more in case that was not told: again after
-- ten seconds at the earliest, and only while its member may write. Each telling counts for the pace
-- like a message.
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
        WHEN known.hidden_at IS NOT NULL OR known.sent_at < p_at[i] - {{chat_retry}}
             OR known.told_at > p_at[i] - {{chat_repeat}} THEN 'known'
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
         WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - {{chat_told_within}}
           AND greatest(m.sent_at, m.told_at) > p_at[i] - {{chat_pace}}
         ORDER BY 1 DESC OFFSET {{chat_pace_messages}} - 1 LIMIT 1;
        IF FOUND THEN
          outcome := 'too_many';
          until := fifth + {{chat_pace}};
        ELSIF is_fresh AND EXISTS (
            SELECT 1 FROM chat_message m
             WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - {{chat_repeat}}
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
END $$;
