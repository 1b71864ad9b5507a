-- Answers that came together, in one transaction: the commit and the way to the database are shared.
-- Seats are locked in one order everywhere, so that two such statements never wait for each other.
CREATE OR REPLACE FUNCTION answer_battle_questions(
  p_users uuid[], p_sids text[], p_questions uuid[], p_options smallint[], p_entries uuid[],
  p_received timestamptz[]
) RETURNS TABLE (place bigint, step jsonb) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT * FROM unnest(p_users, p_sids, p_questions, p_options, p_entries, p_received)
      WITH ORDINALITY AS given (who, sid, question, option, entry, received, number)
     ORDER BY who, number
  LOOP
    place := one.number;
    step := answer_battle_question(
      one.who, one.sid, one.question, one.option, one.entry, one.received);
    RETURN NEXT;
  END LOOP;
END $$;
