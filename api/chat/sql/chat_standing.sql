-- The rooms a member is in, with what they have not read there: at most a hundred are counted.
CREATE OR REPLACE FUNCTION chat_standing(p_user uuid)
RETURNS TABLE (room_id uuid, last_seq bigint, last_read_seq bigint, unread int)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT r.id, r.last_seq, m.last_read_seq,
         (SELECT count(*)::int FROM (
            SELECT 1 FROM chat_message n
             WHERE n.room_id = r.id AND n.seq > m.last_read_seq AND n.user_id <> p_user
               AND n.hidden_at IS NULL LIMIT {{chat_most_unread}}) AS newer)
    FROM chat_membership m JOIN chat_room r ON r.id = m.room_id
   WHERE m.user_id = p_user;
END $$;
