-- Of rows that stay, and of which only some columns change: a trigger's arguments are the sentence
-- of the refusal, then those columns.
CREATE OR REPLACE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR to_jsonb(OLD) - TG_ARGV[1:] <> to_jsonb(NEW) - TG_ARGV[1:] THEN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
