-- Of rows that stay: a trigger's arguments are the sentence of the refusal, then the columns that may
-- change all the same. Without any nothing is ever written, and a statement's trigger will do.
CREATE OR REPLACE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 1 OR TG_OP <> 'UPDATE'
     OR to_jsonb(OLD) - TG_ARGV[1:] <> to_jsonb(NEW) - TG_ARGV[1:] THEN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
