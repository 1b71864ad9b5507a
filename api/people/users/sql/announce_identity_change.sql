-- A trigger's arguments alternate between names in the payload and columns of the row: {"user": id} when
-- an account changed, {"user": id, "session": id} when one session ended, {"club": id} when a club was
-- renamed. PostgreSQL sends the notification at commit, and drops duplicates within a transaction.
CREATE OR REPLACE FUNCTION announce_identity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_changed', (
    SELECT jsonb_object_agg(TG_ARGV[n], to_jsonb(OLD) -> TG_ARGV[n + 1])
      FROM generate_series(0, TG_NARGS - 1, 2) AS n)::text);
  RETURN NULL;
END $$;
