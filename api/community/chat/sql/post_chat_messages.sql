-- Stores messages in their rooms' order. A retry returns the message of the first try, which is
-- emitted again in case it was lost, but not in quick succession; each emit counts against the rate
-- limit like a message. Locks the senders' memberships, so that the limits hold across all workers.
-- A room with p_crowds members online has the slow mode of the same place in p_pauses, by the clock
-- of the database.
CREATE OR REPLACE FUNCTION post_chat_messages(
  p_ids uuid[], p_rooms uuid[], p_users uuid[], p_clients uuid[], p_contents text[],
  p_at timestamptz[], p_most int, p_pace interval, p_repeat interval, p_retry interval,
  p_counted interval, p_replies uuid[], p_mentions text[], p_crowds int[], p_pauses interval[]
) RETURNS TABLE (place int, outcome text, id uuid, seq bigint, sent_at timestamptz,
                 until timestamptz)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  known chat_message;
  muted_until timestamptz; paced_until timestamptz; pause interval; wait interval;
BEGIN
  PERFORM 1 FROM chat_membership m WHERE m.user_id = ANY (p_users)
    ORDER BY m.user_id, m.room_id FOR NO KEY UPDATE;
  PERFORM 1 FROM chat_room r WHERE r.id = ANY (p_rooms) ORDER BY r.id FOR NO KEY UPDATE;
  FOR i IN 1 .. cardinality(p_ids) LOOP
    SELECT * INTO known FROM chat_message WHERE user_id = p_users[i] AND client_id = p_clients[i];
    place := i; id := known.id; seq := known.seq; sent_at := known.sent_at;
    muted_until := chat_muted_until(p_users[i], p_at[i]);
    SELECT greatest(m.sent_at, m.told_at) + p_pace INTO paced_until FROM chat_message m
     WHERE m.user_id = p_users[i] AND m.sent_at > p_at[i] - p_counted
       AND greatest(m.sent_at, m.told_at) > p_at[i] - p_pace
     ORDER BY 1 DESC OFFSET p_most - 1 LIMIT 1;
    pause := p_pauses[width_bucket(
      (SELECT o.members FROM chat_online o WHERE o.room_id = p_rooms[i]), p_crowds)];
    SELECT m.wrote_at + pause - clock_timestamp() INTO wait FROM chat_membership m
     WHERE m.user_id = p_users[i] AND m.room_id = p_rooms[i];
    outcome := CASE
      WHEN known.room_id <> p_rooms[i] OR known.content NOT IN (p_contents[i], '') THEN 'reused'
      WHEN known.hidden_at IS NOT NULL OR known.sent_at < p_at[i] - p_retry
        OR known.told_at > p_at[i] - p_repeat THEN 'known'
      WHEN NOT FOUND THEN 'not_joined'
      WHEN muted_until IS NOT NULL THEN 'muted'
      WHEN paced_until IS NOT NULL THEN 'too_many'
      WHEN id IS NOT NULL THEN 'replayed'
      WHEN wait > interval '0' AND wait <= pause THEN 'slow_mode'
      WHEN p_replies[i] IS NOT NULL AND NOT EXISTS (SELECT FROM chat_message m
        WHERE m.id = p_replies[i] AND m.room_id = p_rooms[i] AND m.hidden_at IS NULL) THEN 'gone'
      WHEN EXISTS (SELECT FROM chat_message m WHERE user_id = p_users[i] AND room_id = p_rooms[i]
        AND m.sent_at > p_at[i] - p_repeat AND content = p_contents[i]) THEN 'repeated'
      ELSE 'stored' END;
    until := CASE outcome WHEN 'muted' THEN muted_until WHEN 'too_many' THEN paced_until
      WHEN 'slow_mode' THEN p_at[i] + wait END;
    IF outcome = 'replayed' THEN
      UPDATE chat_message m SET told_at = p_at[i] WHERE m.id = known.id;
    ELSIF outcome = 'stored' THEN
      id := p_ids[i]; sent_at := p_at[i];
      UPDATE chat_room r SET last_seq = r.last_seq + 1 WHERE r.id = p_rooms[i]
      RETURNING r.last_seq INTO seq;
      INSERT INTO chat_message (id, room_id, seq, user_id, client_id, content, sent_at, reply_to,
        mentions) VALUES (id, p_rooms[i], seq, p_users[i], p_clients[i], p_contents[i], sent_at,
        p_replies[i], p_mentions[i]::uuid[]);
      UPDATE chat_membership m SET wrote_at = clock_timestamp()
       WHERE pause IS NOT NULL AND m.user_id = p_users[i] AND m.room_id = p_rooms[i];
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
