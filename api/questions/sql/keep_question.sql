CREATE OR REPLACE FUNCTION keep_question() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'a question is retired, not removed' USING ERRCODE = 'KF423';
  END IF;
  IF to_jsonb(OLD) - 'retired_at' <> to_jsonb(NEW) - 'retired_at' THEN
    RAISE EXCEPTION 'a question never changes' USING ERRCODE = 'KF423';
  END IF;
  RETURN NEW;
END $$;
