CREATE OR REPLACE FUNCTION milliseconds(p_instant timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT (extract(epoch FROM p_instant) * 1000)::bigint $$;
