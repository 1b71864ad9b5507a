-- The channel's payload is {"user": id} when the account changed, and {"user": id, "session": id}
-- when one session ended. PostgreSQL sends it at the commit, and drops equal ones of a transaction.
CREATE OR REPLACE FUNCTION announce_identity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'session' THEN
    PERFORM pg_notify('identity_changed',
                      json_build_object('user', OLD.user_id, 'session', OLD.id)::text);
  ELSE
    PERFORM pg_notify('identity_changed', json_build_object('user', OLD.id)::text);
  END IF;
  RETURN NULL;
END $$;
