-- Adds the oldest changes to the sizes, one folder at a time, and returns how many it took.
CREATE OR REPLACE FUNCTION fold_club_sizes(p_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  taken int := 0;
BEGIN
  IF EXISTS (SELECT FROM club_size_change)
     AND pg_try_advisory_xact_lock({{fold_club_sizes_lock}}) THEN
    WITH gone AS (
      DELETE FROM club_size_change
       WHERE id = ANY (ARRAY(SELECT id FROM club_size_change ORDER BY id LIMIT p_most)) RETURNING *
    ), added AS (
      INSERT INTO club_size AS s (club_id, members)
      SELECT club_id, sum(members) FROM gone GROUP BY club_id
      ON CONFLICT (club_id) DO UPDATE SET members = s.members + excluded.members
    )
    SELECT count(*) INTO taken FROM gone;
  END IF;
  RETURN taken;
END $$;

REVOKE EXECUTE ON FUNCTION fold_club_sizes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_club_sizes TO {{runtime_role}};
