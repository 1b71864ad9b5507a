-- One announcement for all its members: {"club": id} on the channel of ``announce_identity_change``.
CREATE OR REPLACE FUNCTION announce_club_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_changed', json_build_object('club', NEW.id)::text);
  RETURN NULL;
END $$;
