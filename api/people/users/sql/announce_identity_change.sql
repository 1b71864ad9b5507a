-- A trigger's arguments are the payload's names and the row's columns by turns: {"user": id} when an
-- account changed, {"user": id, "session": id} when one session ended, {"club": id} when a club was
-- renamed. PostgreSQL sends it at the commit, and drops equal ones of a transaction.
CREATE OR REPLACE FUNCTION announce_identity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_changed', (
    SELECT jsonb_object_agg(TG_ARGV[n], to_jsonb(OLD) -> TG_ARGV[n + 1])
      FROM generate_series(0, TG_NARGS - 1, 2) AS n)::text);
  RETURN NULL;
END $$;
