CREATE OR REPLACE FUNCTION keep_trivia_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outcome text[] := '{submitted_at,choices,correct,points}';
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.submitted_at IS NOT NULL
     OR to_jsonb(OLD) - outcome <> to_jsonb(NEW) - outcome THEN
    RAISE EXCEPTION 'an attempt is submitted once' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
