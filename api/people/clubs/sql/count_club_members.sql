-- Counts inserts and deletes per statement, so that importing many members adds one row per club; their
-- transition table is ``moved``. Writes no row that two members share: the fold adds up the changes.
CREATE OR REPLACE FUNCTION count_club_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO club_size_change (club_id, members)
    SELECT club_id, sum(members) FROM (VALUES
      (OLD.club_id, -(OLD.activated_at IS NOT NULL AND OLD.erased_at IS NULL)::int),
      (NEW.club_id, (NEW.activated_at IS NOT NULL AND NEW.erased_at IS NULL)::int)
    ) AS side (club_id, members) GROUP BY club_id HAVING sum(members) <> 0;
  ELSE
    INSERT INTO club_size_change (club_id, members)
    SELECT club_id, count(*) * CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END FROM moved
     WHERE activated_at IS NOT NULL AND erased_at IS NULL GROUP BY club_id;
  END IF;
  RETURN NULL;
END $$;
