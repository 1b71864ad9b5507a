-- Protects rows from changes. A trigger's arguments are the error message, then the columns that may
-- change regardless. Without such columns every write is refused, and a statement trigger is enough.
CREATE OR REPLACE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_NARGS = 1 OR TG_OP <> 'UPDATE'
     OR to_jsonb(OLD) - TG_ARGV[1:] <> to_jsonb(NEW) - TG_ARGV[1:] THEN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
